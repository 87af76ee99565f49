"""What binds a name in a block of source: definitions, assignments, imports. Pure."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_epm.arms.flags import Flags

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Binding:
    """One place that binds a name.

    node: the definition, or the value assigned. module, name, level: of an import; module
    is None for anything else. star: an import of every name there.
    """

    node: ast.AST
    module: str | None = None
    name: str = ""
    level: int = 0
    star: bool = False


def bindings(body: list[ast.stmt], name: str, *, star: bool = False) -> list[Binding]:
    """Return what binds `name` in this block, in order; the last one holds.

    Blocks inside are looked into, functions and classes are not. The mock side of a flag
    binds nothing if anything else does. star: whether `import *` counts, and then first.
    """
    found = list(_bound(body, name, star=star))
    mocked = {id(inner) for node in _mock_statements(body) for inner in ast.walk(node)}
    real = [bound for bound in found if id(bound.node) not in mocked]
    return sorted(real or found, key=lambda bound: not bound.star)


def definition(node: ast.AST) -> Definition | None:
    """Return a function as a `def`; a lambda is one that returns its body."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node
    if not isinstance(node, ast.Lambda):
        return None
    made = ast.copy_location(_empty(), node)
    made.name, made.args = "<lambda>", node.args
    made.body = [ast.copy_location(ast.Return(node.body), node.body)]
    return made


def _mock_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.If):
            way = Flags().polarity(node.test)
            yield from node.body if way > 0 else node.orelse if way < 0 else ()
        for block in blocks(node):
            yield from _mock_statements(block)


def _empty() -> ast.FunctionDef:
    (made,) = ast.parse("def empty(): pass").body
    if not isinstance(made, ast.FunctionDef):
        raise TypeError
    return made


def _bound(body: list[ast.stmt], name: str, *, star: bool) -> Iterator[Binding]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if node.name == name and not _passed_over(node):
                yield Binding(node)
        elif isinstance(node, ast.ImportFrom):
            yield from _from(node, name, star=star)
        elif isinstance(node, ast.Import):
            yield from _plain(node, name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if node.value and any(isinstance(t, ast.Name) and t.id == name for t in targets):
                yield Binding(node.value)
        else:
            for block in blocks(node):
                yield from _bound(block, name, star=star)


def blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks inside a statement that run in its own scope, handlers first."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if block:
            yield block


def _from(node: ast.ImportFrom, name: str, *, star: bool) -> Iterator[Binding]:
    for alias in node.names:
        if alias.name == "*" and star:
            yield Binding(node, node.module or "", "", node.level, star=True)
        elif (alias.asname or alias.name) == name:
            yield Binding(node, node.module or "", alias.name, node.level)


def _plain(node: ast.Import, name: str) -> Iterator[Binding]:
    for alias in node.names:
        if alias.asname == name:
            yield Binding(node, alias.name)
        elif not alias.asname and alias.name.partition(".")[0] == name:
            yield Binding(node, name)


def _passed_over(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Whether a later or an earlier `def` of this name holds the body: overloads, setters."""
    for decorator in node.decorator_list:
        word = decorator.attr if isinstance(decorator, ast.Attribute) else ""
        word = decorator.id if isinstance(decorator, ast.Name) else word
        if word in ("overload", "setter", "deleter", "register"):
            return True
    return False
