"""What binds a name in a block of source: definitions, assignments, imports. Pure."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pytest_epm.arms.flags import Flags

Definition = ast.FunctionDef | ast.AsyncFunctionDef
_STAR = "*"


@dataclass(frozen=True, slots=True)
class Binding:
    """One place that binds a name.

    node: the definition, or the value assigned. module, name, level: of an import; module
    is None for anything else. star: an import of every name there. inside: the outermost
    compound statement that it stands in, by identity; 0 if it is bound in any case. handler:
    whether that is a place where an exception was caught.
    """

    node: ast.AST
    module: str | None = None
    name: str = ""
    level: int = 0
    star: bool = False
    inside: int = 0
    handler: bool = False


class Blocks:
    """What is bound in blocks of source; each block is walked once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: dict[int, tuple[list[ast.stmt], dict[str, list[Binding]], set[int]]] = {}

    def bindings(self, body: list[ast.stmt], name: str, *, star: bool = False) -> list[Binding]:
        """Return what binds `name` in this block, in order; the last one holds.

        Blocks inside are looked into, functions and classes are not. The mock side of a flag
        binds nothing if anything else does. star: whether `import *` counts, and then first.
        """
        by_name, mocked = self._of(body)
        found = [*(by_name.get(_STAR, ()) if star else ()), *by_name.get(name, ())]
        return [bound for bound in found if id(bound.node) not in mocked] or found

    def _of(self, body: list[ast.stmt]) -> tuple[dict[str, list[Binding]], set[int]]:
        if id(body) not in self._known:
            by_name: dict[str, list[Binding]] = {}
            for name, bound in _bound(body):
                by_name.setdefault(name, []).append(bound)
            mocked = {id(inner) for node in _mock_statements(body) for inner in ast.walk(node)}
            self._known[id(body)] = (body, by_name, mocked)
        _, by_name, mocked = self._known[id(body)]
        return by_name, mocked


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


def _bound(body: list[ast.stmt]) -> Iterator[tuple[str, Binding]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not _passed_over(node):
                yield node.name, Binding(node)
        elif isinstance(node, ast.ImportFrom):
            yield from _from(node)
        elif isinstance(node, ast.Import):
            yield from _plain(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = dict.fromkeys(t.id for t in targets if isinstance(t, ast.Name))
            yield from ((name, Binding(node.value)) for name in names if node.value)
        else:
            caught = {id(handler.body) for handler in getattr(node, "handlers", ())}
            for block in blocks(node):
                for name, bound in _bound(block):
                    handler = bound.handler or id(block) in caught
                    yield name, replace(bound, inside=id(node), handler=handler)


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


def _from(node: ast.ImportFrom) -> Iterator[tuple[str, Binding]]:
    for alias in node.names:
        if alias.name == "*":
            yield _STAR, Binding(node, node.module or "", "", node.level, star=True)
        else:
            name = alias.asname or alias.name
            yield name, Binding(node, node.module or "", alias.name, node.level)


def _plain(node: ast.Import) -> Iterator[tuple[str, Binding]]:
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        yield name, Binding(node, alias.name if alias.asname else name)


def _passed_over(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Whether a later or an earlier `def` of this name holds the body: overloads, setters."""
    for decorator in node.decorator_list:
        word = decorator.attr if isinstance(decorator, ast.Attribute) else ""
        word = decorator.id if isinstance(decorator, ast.Name) else word
        if word in ("overload", "setter", "deleter", "register"):
            return True
    return False
