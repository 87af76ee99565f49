"""Front matter that is not YAML."""

from collections.abc import Iterator

from pytest_epm.specs.front import BROKEN
from pytest_epm.specs.model import AGENT, SKILL, Fault, Project, Rule, Spec
from pytest_epm.specs.source import Place


def check(spec: Spec, _project: Project) -> Iterator[Fault]:
    """Yield a fault at the place that the YAML reader names."""
    front = spec.document.front
    if spec.kind in (AGENT, SKILL) and front.state == BROKEN:
        colon = "mapping values" in front.what
        step = "put the value into quotes: it holds a colon and a blank" if colon else "mend it"
        place = Place(front.line, front.column)
        yield Fault(spec.path, place, f"the front matter is not YAML: {front.what}", step)


RULE = Rule("EPM603", "frontmatter-yaml", "front matter that is not YAML", check)
