"""From planned computations to what their sources say about them. Pure."""

import ast
from collections.abc import Iterable, Mapping

from pytest_epm.arms.cells import Compute
from pytest_epm.arms.exits import Body, body_of, constants_of
from pytest_epm.arms.judge import Target
from pytest_epm.arms.plan import Phase, Plan, PlanError, PlannedArm
from pytest_epm.arms.resolve import (
    Answer,
    Find,
    Found,
    IsClass,
    NotFound,
    Resolver,
    dotted_name,
    spread,
)
from pytest_epm.arms.stubs import stub


def targets(
    plan: Plan, wanted: Iterable[Compute], find: Find, known: Iterable[str] = ()
) -> Mapping[str, Target]:
    """Return what is known of each computation, by its spelling.

    wanted: everything that evidence is needed of. find, known: as `resolve` takes them.
    Raises PlanError, with the line of the plan, for a computation that is a class.
    """
    resolver = Resolver(find, known)
    answers = {compute: resolver(compute) for compute in wanted}
    planned = frozenset(
        f"{found.module}:{found.qualname}"
        for answer in answers.values()
        if isinstance(answer, Found)
        for found in spread(answer)
    )
    for compute, answer in answers.items():
        if isinstance(answer, IsClass):
            raise _is_class(plan, compute, answer)
    reader = _Reader(resolver, planned)
    return {str(compute): _target(compute, a, reader) for compute, a in answers.items()}


class _Reader:
    """Says what stands in a `def`; each is read once, however many arms name it."""

    def __init__(self, resolver: Resolver, planned: frozenset[str]) -> None:
        self.resolver = resolver
        self.planned = planned
        self._read: dict[int, tuple[Body, str]] = {}
        self._constants: dict[str, frozenset[str]] = {}

    def read(self, found: Found) -> tuple[Body, str]:
        """Return the body, and why it is a stub."""

        def callee(func: ast.expr) -> str:
            return _named(func, found, self.resolver)

        if id(found.node) not in self._read:
            body = body_of(found.node, self._constants_of(found.module))
            self._read[id(found.node)] = (body, stub(found.node, callee, self.planned))
        return self._read[id(found.node)]

    def _constants_of(self, name: str) -> frozenset[str]:
        if name not in self._constants:
            module = self.resolver.find(name)
            tree = module.tree if module else None
            self._constants[name] = constants_of(tree) if tree else frozenset()
        return self._constants[name]


def _target(compute: Compute, answer: Answer, reader: _Reader) -> Target:
    names: tuple[str, ...] = (compute.name.replace(":", "."),)
    if isinstance(answer, NotFound):
        return Target(compute, names=names, missing=answer.what, nearest=answer.nearest)
    if isinstance(answer, IsClass):
        return Target(compute, names=names, missing=f"{answer.name} is a class")
    names = tuple(dict.fromkeys((*names, f"{answer.module}.{answer.qualname}")))
    if not isinstance(answer, Found):
        return Target(compute, names=names, opaque=(answer.module, answer.qualname))
    body, why = reader.read(answer)
    others = tuple(_target(compute, other, reader) for other in answer.others)
    return Target(compute, answer.path, answer.line, names, body, why, answer.sub, others=others)


def _named(func: ast.expr, within: Found, resolver: Resolver) -> str:
    """Return `module:qualname` of the project function that is called, or nothing."""
    parts = _above(func, within, resolver) or dotted_name(func)
    if parts[:1] in (("self",), ("cls",)) and "." in within.qualname:
        parts = (*within.qualname.split(".")[:-1], *parts[1:])
    if not parts:
        return ""
    answer = resolver(Compute(within.module, ".".join(parts)))
    if not isinstance(answer, Found):
        return ""
    module = resolver.find(answer.module)
    return f"{answer.module}:{answer.qualname}" if module and module.ours else ""


def _above(func: ast.expr, within: Found, resolver: Resolver) -> tuple[str, ...]:
    """Return what `super().method` names: the method of the first base that has one."""
    if not isinstance(func, ast.Attribute) or ast.unparse(func.value) != "super()":
        return ()
    module = resolver.find(within.module)
    body = module.tree.body if module and module.tree else []
    for name in within.qualname.split(".")[:-1]:
        node = next((n for n in body if isinstance(n, ast.ClassDef) and n.name == name), None)
        if node is None:
            return ()
        body, bases = node.body, node.bases
        named = [(*found, func.attr) for base in bases if (found := dotted_name(base))]
    for parts in named:
        if isinstance(resolver(Compute(within.module, ".".join(parts))), Found):
            return parts
    return ()


def _is_class(plan: Plan, compute: Compute, answer: IsClass) -> PlanError:
    rows: list[PlannedArm | Phase] = [*plan.arms, *plan.phases]
    line = next((row.line for row in rows if compute.name in {c.name for c in row.computes}), 1)
    listed = ", ".join(f"{answer.name}.{method}" for method in answer.methods)
    step = f"name one of {listed}" if listed else "name a function"
    return PlanError(f"{compute.name} is a class", f"{plan.path}:{line}", step)
