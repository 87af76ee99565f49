"""A key of the front matter that no client knows, or one that it needs and lacks."""

from collections.abc import Iterator

from pytest_epm.specs.formats import near_key
from pytest_epm.specs.front import CLOSED
from pytest_epm.specs.known import formats
from pytest_epm.specs.model import AGENT, START, Fault, Project, Rule, Spec
from pytest_epm.specs.source import Place


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield an error for a key that was meant for a known one, else a warning."""
    form = formats().get(spec.kind)
    front = spec.document.front
    if form is None or front.state != CLOSED or not front.keys:
        return
    own = project.settings.formats
    more = own.agent_keys if spec.kind == AGENT else own.skill_keys
    for key in front.keys:
        if key.name in form.keys or key.name in more:
            continue
        near = near_key(key.name, form, more)
        word = f"{spec.kind}s have no key {key.name}"
        yield Fault(
            spec.path,
            Place(key.line, key.column),
            f"{word}; meant: {near}" if near else word,
            f"write {near}"
            if near
            else f"add it to frontmatter.{spec.kind}-keys if a client reads it",
            "error" if near else "warning",
            more={"key": key.name, "nearest": near},
        )
    for name in form.needs:
        if front.key(name) is None:
            message = f"this {spec.kind} has no {name}"
            yield Fault(
                spec.path, START, message, f"add {name}: below the first line", more={"key": name}
            )


RULE = Rule(
    "EPM606", "frontmatter-key", "a key that no client knows, or a needed one absent", check
)
