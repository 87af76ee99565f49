"""An agent or a skill without front matter."""

from collections.abc import Iterator

from pytest_epm.specs.front import ABSENT
from pytest_epm.specs.model import AGENT, SKILL, START, Fault, Project, Rule, Spec


def check(spec: Spec, _project: Project) -> Iterator[Fault]:
    """Yield a fault where the file does not begin with a line of dashes."""
    if spec.kind in (AGENT, SKILL) and spec.document.front.state == ABSENT:
        yield Fault(
            spec.path,
            START,
            f"this {spec.kind} has no front matter, so no client loads it",
            "begin with a line `---`, then name: and description:, then a line `---`",
        )


RULE = Rule("EPM601", "frontmatter-missing", "an agent or a skill without front matter", check)
