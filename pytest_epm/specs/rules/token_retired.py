"""A token that the vocabulary has given up."""

from collections.abc import Iterator

from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.rules.shared import covering, place_of
from pytest_epm.specs.settings import Vocabulary
from pytest_epm.specs.tokens import Use, uses


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each use outside the headings under which it may be told of."""
    everywhere = covering(spec, project)
    live = {token for vocabulary in everywhere for token in vocabulary.tokens}
    for vocabulary in everywhere:
        retired = [token for token in vocabulary.retired if token not in live]
        for use in uses(spec.document, retired):
            if not _is_allowed(spec, use, vocabulary):
                yield Fault(
                    spec.path,
                    place_of(spec, use),
                    f"{use.word} is retired from {vocabulary.name}",
                    f"use one of {', '.join(vocabulary.tokens)}",
                    more={"token": use.word, "vocabulary": vocabulary.name},
                )


def _is_allowed(spec: Spec, use: Use, vocabulary: Vocabulary) -> bool:
    if use.block is None:
        return False
    allowed = {" ".join(title.split()).casefold() for title in vocabulary.retired_allowed_under}
    return any(title.casefold() in allowed for title in spec.document.titles(use.block))


RULE = Rule(
    "EPM103",
    "token-retired",
    "a token that the vocabulary has given up",
    check,
    whole_set=True,
    unlisted=True,
)
