"""A step that is spoken of and that no heading gives."""

import posixpath
from collections.abc import Iterator

from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.references import Step, candidates, has_step, named_steps, steps, unquoted


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each step that the file it belongs to does not have."""
    pattern = project.settings.references.heading_steps
    own: tuple[frozenset[str], bool] | None = None
    for step in named_steps(spec.document):
        if step.file:
            other = _named(step, spec, project)
            known = steps(other.document, pattern)[0] if other else frozenset()
            if other is None or step.number in other.document.ordinals:
                continue
            where = f"{other.path} has"
        else:
            own = own or steps(spec.document, pattern)
            known, is_headed = own
            if not is_headed:
                return
            where = "this file has"
        if not has_step(step.number, known):
            yield Fault(
                spec.path,
                spec.document.place(step.block, step.at),
                f"{where} no Step {step.number}",
                f"steps: {', '.join(sorted(known))}" if known else "name the step, or the file",
                more={"target": f"Step {step.number}"},
            )


def _named(step: Step, spec: Spec, project: Project) -> Spec | None:
    """Return the file whose path stands beside a step, if it can be read."""
    name = unquoted(step.file.partition("#")[0]).partition(":")[0]
    here = posixpath.dirname(spec.path)
    places = [posixpath.normpath(posixpath.join(here, name)), *candidates(name, here)]
    found = (project.ground.spec(place) for place in places if place.endswith(".md"))
    return next((other for other in found if other), None)


RULE = Rule("EPM303", "ref-step", "a step that the file does not have", check, whole_set=True)
