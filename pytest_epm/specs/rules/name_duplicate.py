"""Two agents, or two skills, of one name in one place: a client loads only one of them."""

from collections.abc import Iterator

from pytest_epm.specs.model import AGENT, SKILL, START, Fault, Project, Rule, Spec
from pytest_epm.specs.source import Place


def check_all(project: Project) -> Iterator[Fault]:
    """Yield a fault on each later path."""
    first: dict[tuple[str, str, str], Spec] = {}
    for spec in sorted(project.specs, key=lambda spec: spec.path):
        name = spec.name
        if spec.kind not in (AGENT, SKILL) or not name or not spec.listed:
            continue
        other = first.setdefault((spec.kind, _home(spec), name), spec)
        if other is not spec:
            key = spec.document.front.key("name")
            yield Fault(
                spec.path,
                Place(key.line, key.column) if key else START,
                f"{other.path} is called {name} too, and a client loads one of them",
                "give one of the two another name",
                more={"target": name, "other": other.path},
            )


def _home(spec: Spec) -> str:
    """Return the folder that a client loads such files from together."""
    parts = spec.path.split("/")
    folder = "agents" if spec.kind == AGENT else "skills"
    if folder in parts[:-1]:
        return "/".join(parts[: parts.index(folder) + 1])
    return "/".join(parts[: -2 if spec.kind == SKILL else -1])


RULE = Rule(
    "EPM701",
    "name-duplicate",
    "two agents or two skills of one name",
    check_all=check_all,
    whole_set=True,
)
