"""Front matter that no line of dashes ends."""

from collections.abc import Iterator

from pytest_epm.specs.front import UNCLOSED
from pytest_epm.specs.model import AGENT, SKILL, START, Fault, Project, Rule, Spec


def check(spec: Spec, _project: Project) -> Iterator[Fault]:
    """Yield a fault at the line that opens it."""
    if spec.kind in (AGENT, SKILL) and spec.document.front.state == UNCLOSED:
        yield Fault(
            spec.path,
            START,
            "the front matter that begins here has no end",
            "put a line `---` below its last key",
        )


RULE = Rule("EPM602", "frontmatter-unclosed", "front matter that no line of dashes ends", check)
