"""A suppression that gives no reason, and so does not silence."""

from collections.abc import Iterator

from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.suppressions import suppressions


def check(spec: Spec, _project: Project) -> Iterator[Fault]:
    """Yield a fault at each of them."""
    for suppression in suppressions(spec.document):
        if not suppression.reason:
            yield Fault(
                spec.path,
                spec.document.source.place(suppression.start),
                "this suppression gives no reason, so it silences nothing",
                "write `<!-- epm: allow RULE -- why it is right here -->`",
            )


RULE = Rule(
    "EPM902",
    "suppression-without-reason",
    "a suppression that gives no reason",
    check,
    unlisted=True,
)
