"""A value of the front matter that its key does not take."""

from collections.abc import Iterator

from pytest_epm.specs.formats import fault_of, fault_of_name
from pytest_epm.specs.front import Key
from pytest_epm.specs.known import formats
from pytest_epm.specs.model import SKILL, Fault, Project, Rule, Spec
from pytest_epm.specs.source import Place


def check(spec: Spec, _project: Project) -> Iterator[Fault]:
    """Yield an error for a value of the wrong type, a warning for an unknown choice."""
    form = formats().get(spec.kind)
    if form is None:
        return
    for key in spec.document.front.keys:
        known = form.keys.get(key.name)
        if known is None:
            continue
        wrong = fault_of(key.value, known)
        if not wrong and key.name == "name" and spec.kind == SKILL and isinstance(key.value, str):
            wrong = fault_of_name(key.value)
        if wrong:
            yield _fault(spec, key, f"{key.name} {wrong}")
        elif known.choices and isinstance(key.value, str) and key.value not in known.choices:
            listed = ", ".join(known.choices)
            yield _fault(spec, key, f"{key.name} is {key.value!r}, none of {listed}", "warning")


def _fault(spec: Spec, key: Key, message: str, severity: str = "") -> Fault:
    place = Place(key.line, key.column)
    return Fault(spec.path, place, message, "mend the value", severity, more={"key": key.name})


RULE = Rule("EPM607", "frontmatter-type", "a value that its key does not take", check)
