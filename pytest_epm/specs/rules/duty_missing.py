"""A duty sentence that a file must hold and does not."""

from collections.abc import Iterator

from pytest_epm.specs.model import START, Fault, Project, Rule, Spec
from pytest_epm.specs.rules.shared import outcomes


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each such duty of the file."""
    for duty, found in outcomes(spec, project):
        if found.state == "missing":
            yield Fault(
                spec.path,
                START,
                f"the duty {duty.id} is missing: {duty.sentence}",
                "put the sentence back",
                more={"duty": duty.id},
            )


RULE = Rule(
    "EPM201",
    "duty-missing",
    "a file without a duty sentence that it must hold",
    check,
    whole_set=True,
    unlisted=True,
)
