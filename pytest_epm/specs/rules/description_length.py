"""A description that is empty, or of a skill longer than clients list."""

from collections.abc import Iterator

from pytest_epm.specs.model import AGENT, SKILL, Fault, Project, Rule, Spec
from pytest_epm.specs.source import Place


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault where the description says nothing, or is cut."""
    key = spec.document.front.key("description")
    if spec.kind not in (AGENT, SKILL) or key is None:
        return
    most = project.settings.formats.description_most
    text = "" if key.value is None else key.value
    if not isinstance(text, str):
        return
    place, more = Place(key.line, key.column), {"key": "description"}
    if not text.strip():
        message = "the description is empty, so nothing tells when to use this"
        yield Fault(spec.path, place, message, "say what it does and when to use it", more=more)
    elif spec.kind == SKILL and len(text) > most:
        message = f"the description has {len(text)} characters, above {most}"
        yield Fault(spec.path, place, message, "move what does not fit into the body", more=more)


RULE = Rule("EPM608", "description-length", "a description that is empty or too long", check)
