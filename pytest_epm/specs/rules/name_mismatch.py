"""A skill whose name is not that of its folder."""

from collections.abc import Iterator

from pytest_epm.specs.model import SKILL, Fault, Project, Rule, Spec
from pytest_epm.specs.source import Place


def check(spec: Spec, _project: Project) -> Iterator[Fault]:
    """Yield a fault at the name. Of a skill that is the whole repository the folder is unknown."""
    key = spec.document.front.key("name")
    parts = spec.path.split("/")
    if spec.kind != SKILL or key is None or not isinstance(key.value, str) or len(parts) < 2:  # noqa: PLR2004 - a folder and a file
        return
    if "-".join(key.value.lower().split()) == parts[-2]:
        return  # told by frontmatter-type, as a name that is none
    if key.value:
        yield Fault(
            spec.path,
            Place(key.line, key.column),
            f"the skill is called {key.value}, its folder {parts[-2]}",
            f"name it {parts[-2]}, or rename the folder",
            more={"key": "name", "target": parts[-2]},
        )


RULE = Rule("EPM702", "name-mismatch", "a skill whose name is not that of its folder", check)
