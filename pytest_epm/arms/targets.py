"""From planned computations to what their sources say about them. Pure."""

import ast
from collections.abc import Iterable, Mapping

from pytest_epm.arms.cells import Compute
from pytest_epm.arms.exits import body_of
from pytest_epm.arms.judge import Target
from pytest_epm.arms.plan import Phase, Plan, PlanError, PlannedArm
from pytest_epm.arms.resolve import (
    Answer,
    Find,
    Found,
    IsClass,
    NotFound,
    dotted_name,
    resolve,
)
from pytest_epm.arms.stubs import stub


def targets(
    plan: Plan, wanted: Iterable[Compute], find: Find, known: Iterable[str] = ()
) -> Mapping[str, Target]:
    """Return what is known of each computation, by its spelling.

    wanted: everything that evidence is needed of. find, known: as `resolve` takes them.
    Raises PlanError, with the line of the plan, for a computation that is a class.
    """
    modules = tuple(known)
    answers = {compute: resolve(compute, find, modules) for compute in wanted}
    planned = frozenset(
        f"{answer.module}:{answer.qualname}"
        for answer in answers.values()
        if isinstance(answer, Found)
    )
    for compute, answer in answers.items():
        if isinstance(answer, IsClass):
            raise _is_class(plan, compute, answer)
    return {str(compute): _target(compute, a, find, planned) for compute, a in answers.items()}


def _target(compute: Compute, answer: Answer, find: Find, planned: frozenset[str]) -> Target:
    names: tuple[str, ...] = (compute.name.replace(":", "."),)
    if isinstance(answer, NotFound):
        return Target(compute, names=names, missing=answer.what, nearest=answer.nearest)
    if isinstance(answer, IsClass):
        return Target(compute, names=names, missing=f"{answer.name} is a class")
    names = tuple(dict.fromkeys((*names, f"{answer.module}.{answer.qualname}")))
    if not isinstance(answer, Found):
        return Target(compute, names=names)

    def callee(func: ast.expr) -> str:
        return _named(func, answer, find)

    return Target(
        compute,
        answer.path,
        answer.line,
        names,
        body_of(answer.node),
        stub(answer.node, callee, planned),
        answer.sub,
    )


def _named(func: ast.expr, within: Found, find: Find) -> str:
    """Return `module:qualname` of the project function that is called, or nothing."""
    parts = _above(func, within, find) or dotted_name(func)
    if parts[:1] in (("self",), ("cls",)) and "." in within.qualname:
        parts = (*within.qualname.split(".")[:-1], *parts[1:])
    if not parts:
        return ""
    answer = resolve(Compute(within.module, ".".join(parts)), find)
    if not isinstance(answer, Found):
        return ""
    module = find(answer.module)
    return f"{answer.module}:{answer.qualname}" if module and module.ours else ""


def _above(func: ast.expr, within: Found, find: Find) -> tuple[str, ...]:
    """Return what `super().method` names: the method of the first base that has one."""
    if not isinstance(func, ast.Attribute) or ast.unparse(func.value) != "super()":
        return ()
    module = find(within.module)
    body = module.tree.body if module and module.tree else []
    for name in within.qualname.split(".")[:-1]:
        node = next((n for n in body if isinstance(n, ast.ClassDef) and n.name == name), None)
        if node is None:
            return ()
        body, bases = node.body, node.bases
        named = [(*found, func.attr) for base in bases if (found := dotted_name(base))]
    for parts in named:
        if isinstance(resolve(Compute(within.module, ".".join(parts)), find), Found):
            return parts
    return ()


def _is_class(plan: Plan, compute: Compute, answer: IsClass) -> PlanError:
    rows: list[PlannedArm | Phase] = [*plan.arms, *plan.phases]
    line = next((row.line for row in rows if compute.name in {c.name for c in row.computes}), 1)
    listed = ", ".join(f"{answer.name}.{method}" for method in answer.methods)
    step = f"name one of {listed}" if listed else "name a function"
    return PlanError(f"{compute.name} is a class", f"{plan.path}:{line}", step)
