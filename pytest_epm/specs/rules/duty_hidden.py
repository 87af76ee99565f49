"""A duty sentence that stands only where no reader takes it as said."""

from collections.abc import Iterator

from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.rules.shared import outcomes


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each such duty of the file."""
    for duty, found in outcomes(spec, project):
        if found.state == "hidden":
            yield Fault(
                spec.path,
                spec.document.source.place(found.offset or 0),
                f"the duty {duty.id} is hidden ({found.how}): {duty.sentence}",
                "write it as plain text of the file",
                more={"duty": duty.id},
            )


RULE = Rule(
    "EPM204",
    "duty-hidden",
    "a duty sentence only in code, a comment, a strike-through or a quotation",
    check,
    whole_set=True,
    unlisted=True,
)
