"""A file of the contract that does not hold every token."""

from collections.abc import Iterator

from pytest_epm.specs.model import START, Fault, Project, Rule, Spec
from pytest_epm.specs.rules.shared import covering, place_of
from pytest_epm.specs.tokens import uses


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each token that is absent, where the first other one stands."""
    for vocabulary in covering(spec, project):
        if not vocabulary.is_whole:
            continue
        found = list(uses(spec.document, vocabulary.tokens))
        held = {use.word for use in found}
        place = place_of(spec, found[0]) if found else START
        for token in vocabulary.tokens:
            if token not in held:
                yield Fault(
                    spec.path,
                    place,
                    f"{token} of {vocabulary.name} is not in this file",
                    f"name {token} here, or take the file out of vocabulary.{vocabulary.name}",
                    more={"token": token, "vocabulary": vocabulary.name},
                )


RULE = Rule(
    "EPM102",
    "token-missing",
    "a file of the contract that lacks a token of the vocabulary",
    check,
    whole_set=True,
    unlisted=True,
)
