"""A duty sentence that says the opposite: NOT was added or dropped, or a lead-in denies it."""

from collections.abc import Iterator

from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.rules.shared import outcomes


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each such duty of the file."""
    for duty, found in outcomes(spec, project):
        if found.state == "negated":
            yield Fault(
                spec.path,
                spec.document.source.place(found.offset or 0),
                f"the duty {duty.id} is negated ({found.how}): {duty.sentence}",
                "write the sentence as the settings have it",
                more={"duty": duty.id},
            )


RULE = Rule(
    "EPM203",
    "duty-negated",
    "a duty sentence that is denied",
    check,
    whole_set=True,
    unlisted=True,
)
