"""A duty sentence whose force was taken: a weaker modal, or a hedge."""

from collections.abc import Iterator

from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.rules.shared import outcomes


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each such duty of the file."""
    for duty, found in outcomes(spec, project):
        if found.state == "weakened":
            yield Fault(
                spec.path,
                spec.document.source.place(found.offset or 0),
                f"the duty {duty.id} is weakened by {found.how!r}: {duty.sentence}",
                "write the sentence as the settings have it",
                more={"duty": duty.id},
            )


RULE = Rule(
    "EPM202",
    "duty-weakened",
    "a duty sentence with a weaker modal or a hedge",
    check,
    whole_set=True,
    unlisted=True,
)
