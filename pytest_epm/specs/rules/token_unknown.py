"""A word that was meant for a token of the vocabulary and is none."""

from collections.abc import Iterator

from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.rules.shared import covering, every_token, place_of
from pytest_epm.specs.tokens import unknown


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each such word."""
    known = every_token(project)
    told: set[tuple[int, int]] = set()
    for vocabulary in covering(spec, project):
        for word in unknown(spec.document, vocabulary, known):
            place = place_of(spec, word.use)
            if place in told:
                continue
            told.add(place)
            yield Fault(
                spec.path,
                place,
                f"{word.use.word} is no token of {vocabulary.name}; nearest: {word.nearest}",
                f"write {word.nearest}, or add the word to vocabulary.{vocabulary.name}",
                more={
                    "token": word.use.word,
                    "nearest": word.nearest,
                    "vocabulary": vocabulary.name,
                },
            )


RULE = Rule(
    "EPM101",
    "token-unknown",
    "a word that looks like a token of the vocabulary and is none",
    check,
    whole_set=True,
    unlisted=True,
)
