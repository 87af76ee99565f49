"""Whether the body of a planned computation is a stub. Pure."""

import ast
from collections.abc import Callable, Iterator

from pytest_epm.arms.scopes import Definition
from pytest_epm.arms.statements import neutral, own, parameters

# The `module:qualname` of a same-project function that an expression names, else nothing.
Callee = Callable[[ast.expr], str]


def stub(node: Definition, callee: Callee, planned: frozenset[str]) -> str:
    """Return why a body computes nothing of its own, or an empty string.

    callee: what a called expression names. planned: computations of the plan, as
    `module:qualname`; handing over to one of them is no stub, it is judged itself.
    """
    body = [statement for statement in node.body if not neutral(statement)]
    if not body:
        return "its body is empty"
    if _not_implemented(body):
        return "it raises NotImplementedError"
    given = parameters(node)
    if given and not _reads(body, frozenset(given)):
        return "it reads none of its parameters"
    helper = _handed_to(_inlined(body), node, callee)
    if helper and helper not in planned:
        return f"it only hands its parameters to {helper}, which no plan names"
    return ""


def _not_implemented(body: list[ast.stmt]) -> bool:
    for statement in body:
        if isinstance(statement, ast.Raise) and statement.exc is not None:
            raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
            return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
        if any(_gives(inner) for inner in (statement, *own(statement))):
            return False
    return False


def _gives(node: ast.AST) -> bool:
    """Whether a node hands a value out."""
    return isinstance(node, ast.Return | ast.Yield | ast.YieldFrom)


def _reads(body: list[ast.stmt], given: frozenset[str]) -> bool:
    wanted = {*given, "locals", "vars"}
    for statement in body:
        for inner in ast.walk(statement):
            # `x += 1` reads x, though its context says that it stores.
            name = inner.target if isinstance(inner, ast.AugAssign) else inner
            reads = name is not inner or isinstance(getattr(inner, "ctx", None), ast.Load)
            if reads and isinstance(name, ast.Name) and name.id in wanted:
                return True
    return False


def _inlined(body: list[ast.stmt]) -> list[ast.stmt]:
    """Put locals that are used once in their place, and blocks that only surround."""
    body = _opened(body)
    while len(body) > 1:
        first, rest = body[0], body[1:]
        target: ast.expr
        if isinstance(first, ast.AnnAssign) and first.value is not None:
            target, value = first.target, first.value
        elif isinstance(first, ast.Assign) and len(first.targets) == 1:
            target, value = first.targets[0], first.value
        else:
            return body
        if _given_back(target, rest):
            return [ast.copy_location(ast.Return(value), first)]
        if not isinstance(target, ast.Name) or _uses(rest, target.id) != 1:
            return body
        putter = _Putter(target.id, value)
        body = _opened([putter.visit(_copy(statement)) for statement in rest])
    return body


def _opened(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return what stands in a `with`, or in a `try` without handlers, that is the whole body."""
    while len(body) == 1:
        (only,) = body
        surrounds = isinstance(only, ast.With | ast.AsyncWith)
        if isinstance(only, ast.Try):
            surrounds = not only.handlers and not only.orelse
        if not surrounds:
            break
        inner: list[ast.stmt] = getattr(only, "body", [])
        body = [statement for statement in inner if not neutral(statement)]
    return body


def _given_back(target: ast.expr, rest: list[ast.stmt]) -> bool:
    """Whether all that follows `a, b = ...` is `return a, b`."""
    if not isinstance(target, ast.Tuple | ast.List) or len(rest) != 1:
        return False
    (last,) = rest
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Tuple | ast.List):
        return False
    return list(map(ast.unparse, target.elts)) == list(map(ast.unparse, last.value.elts))


class _Putter(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.value if node.id == self.name else node


def _copy(statement: ast.stmt) -> ast.stmt:
    from copy import deepcopy

    return deepcopy(statement)


def _uses(body: list[ast.stmt], name: str) -> int:
    return sum(
        isinstance(inner, ast.Name) and inner.id == name
        for statement in body
        for inner in ast.walk(statement)
    )


def _handed_to(body: list[ast.stmt], node: Definition, callee: Callee) -> str:
    """Return the one project function whose result is all that a body gives back."""
    if len(body) != 1:
        return ""
    (statement,) = body
    value = statement.value if isinstance(statement, ast.Return | ast.Expr) else None
    given = frozenset({*parameters(node), "self", "cls"})
    calls = [] if value is None else list(_calls(value, given))
    call = calls[0] if len(calls) == 1 else None
    return callee(call.func) if call else ""


def _calls(value: ast.expr, given: frozenset[str]) -> Iterator[ast.Call | None]:
    """Yield the calls that make up a value; None for anything else than a literal container."""
    if isinstance(value, ast.Await | ast.YieldFrom | ast.Starred):
        yield from _calls(value.value, given)
    elif isinstance(value, ast.Call):
        handed = [*value.args, *(keyword.value for keyword in value.keywords)]
        yield value if all(_handed(argument, given) for argument in handed) else None
    elif isinstance(value, ast.Tuple | ast.List | ast.Set):
        for element in value.elts:
            yield from _calls(element, given)
    elif isinstance(value, ast.Dict):
        for element in value.values:
            yield from _calls(element, given)
    elif not isinstance(value, ast.Constant):
        yield None


def _handed(argument: ast.expr, given: frozenset[str]) -> bool:
    """Whether an argument is a parameter or a literal, handed on as it is."""
    if isinstance(argument, ast.Starred):
        argument = argument.value
    if isinstance(argument, ast.Constant):
        return True
    return isinstance(argument, ast.Name) and argument.id in given
