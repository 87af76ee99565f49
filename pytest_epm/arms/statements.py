"""Statements that compute nothing, and the names that a function owns. Pure."""

import ast
import re
from collections.abc import Iterator

from pytest_epm.arms.scopes import Definition

_LOG_METHODS = frozenset(
    ("debug", "info", "warning", "warn", "error", "exception", "critical", "log", "print", "write")
)
_LOGGER = re.compile(
    r"(?:^|_)(?:log|logger|logging|console|warnings|stderr|stdout)$", re.IGNORECASE
)
_SAID = frozenset({"print", "echo", "secho", "pprint"})
_LEAVES = frozenset({"exit", "quit", "_exit", "abort"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def says(node: ast.stmt) -> bool:
    """Whether a statement only logs, prints or warns."""
    if not isinstance(node, ast.Expr):
        return False
    call = node.value.value if isinstance(node.value, ast.Await) else node.value
    if not isinstance(call, ast.Call):
        return False
    if isinstance(call.func, ast.Name):
        return call.func.id in _SAID
    if isinstance(call.func, ast.Attribute):
        if call.func.attr in ("echo", "secho"):
            return True
        return call.func.attr in _LOG_METHODS and bool(_LOGGER.search(_last(call.func.value)))
    return False


def empty(node: ast.stmt) -> bool:
    """Whether a statement does nothing at all: a docstring, `pass`, `...`, `global`."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    return isinstance(node, ast.Pass | ast.Global | ast.Nonlocal)


def neutral(node: ast.stmt) -> bool:
    """Whether a statement computes nothing: an import, a message, a `del`, or nothing."""
    return empty(node) or says(node) or isinstance(node, ast.Import | ast.ImportFrom | ast.Delete)


def leaves(block: list[ast.stmt]) -> str:
    """Return `function` or `loop` if every way through a block leaves it, else nothing."""
    match block[-1] if block else None:
        case ast.Return() | ast.Raise():
            way = "function"
        case ast.Continue() | ast.Break():
            way = "loop"
        case ast.Expr(value=ast.Call(func=func)) if _last(func) in _LEAVES:
            way = "function"
        case ast.If(body=body, orelse=orelse):
            ways = {leaves(body), leaves(orelse)}
            way = "" if "" in ways else min(ways, key="loop function".index)
        case ast.With(body=body) | ast.AsyncWith(body=body):
            way = leaves(body)
        case _:
            way = ""
    return way


def parameters(node: Definition) -> tuple[str, ...]:
    """Return the names of parameters, self and cls aside."""
    given = node.args
    plain = [a.arg for a in (*given.posonlyargs, *given.args)]
    if plain and plain[0] in ("self", "cls", "mcs"):
        plain = plain[1:]
    others = [a.arg for a in (given.vararg, *given.kwonlyargs, given.kwarg) if a]
    return (*plain, *others)


def local_names(node: Definition) -> frozenset[str]:
    """Return the names that a function binds itself."""
    bound = {inner.id for inner in own(node) if _stores(inner) and isinstance(inner, ast.Name)}
    shared = {
        name
        for inner in own(node)
        if isinstance(inner, ast.Global | ast.Nonlocal)
        for name in inner.names
    }
    return frozenset({*parameters(node), *bound} - shared)


def own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs in a function's own frame: not what stands inside an inner one."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _SCOPES):
            yield from own(child)


def _stores(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _last(node: ast.expr) -> str:
    """Return the last word of a dotted name, or of what is called."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call):
        return "logger" if _last(node.func) in ("getLogger", "get_logger") else _last(node.func)
    return ""
