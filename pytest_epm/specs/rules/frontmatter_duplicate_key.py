"""A key of the front matter that is there a second time."""

from collections.abc import Iterator

from pytest_epm.specs.model import AGENT, SKILL, Fault, Project, Rule, Spec
from pytest_epm.specs.source import Place


def check(spec: Spec, _project: Project) -> Iterator[Fault]:
    """Yield a fault at each later one: which of them counts differs between readers."""
    if spec.kind not in (AGENT, SKILL):
        return
    for key in spec.document.front.repeated:
        first = spec.document.front.key(key.name)
        yield Fault(
            spec.path,
            Place(key.line, key.column),
            f"{key.name} stands on line {first.line if first else 1} already",
            "keep one of the two",
            more={"key": key.name},
        )


RULE = Rule("EPM605", "frontmatter-duplicate-key", "a key that is there a second time", check)
