"""Front matter that is no mapping of keys to values."""

from collections.abc import Iterator

from pytest_epm.specs.front import CLOSED, NO_MAPPING
from pytest_epm.specs.model import AGENT, SKILL, Fault, Project, Rule, Spec
from pytest_epm.specs.source import Place


def check(spec: Spec, _project: Project) -> Iterator[Fault]:
    """Yield a fault where a list, a text or nothing stands instead."""
    front = spec.document.front
    if spec.kind not in (AGENT, SKILL):
        return
    is_empty = front.state == CLOSED and not front.keys
    if front.state == NO_MAPPING or is_empty:
        what = "is empty" if is_empty else f"is a {front.what}, not a mapping of keys to values"
        place = Place(1 if is_empty else front.line, front.column)
        yield Fault(spec.path, place, f"the front matter {what}", "write name: and description:")


RULE = Rule("EPM604", "frontmatter-not-mapping", "front matter that is no mapping", check)
