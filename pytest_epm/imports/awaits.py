"""Whether the coroutine that a call makes is awaited or handed on. Pure: syntax only.

Handed on: the call, or a name, list, tuple or comprehension that holds it, is the whole value
returned or yielded, or an argument of a call other than a builtin's.
"""

import ast
import builtins
from collections.abc import Iterator

from pytest_epm.imports.scopes import Tree

_BUILTINS = frozenset(dir(builtins))
# Builtins whose value holds what they are given.
_HOLDERS = frozenset(["list", "tuple", "set", "frozenset", "iter", "reversed", "enumerate", "zip"])
_FILLS = frozenset({"append", "appendleft", "extend", "insert", "add", "put"})
_TAKEN = (ast.Await, ast.Return, ast.Yield, ast.YieldFrom, ast.Lambda)
_HOLDING = (
    ast.Starred,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.keyword,
    ast.BoolOp,
)
_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)


def dropped(call: ast.Call, tree: Tree) -> bool:
    """Whether nothing awaits the value of this call and nobody else is given it."""
    return not _Trace(tree).handed_on(call, holds=False)


class _Trace:
    """Follows a value outward through expressions, and through the names that hold it."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.seen: set[str] = set()

    def handed_on(self, node: ast.AST, *, holds: bool) -> bool:
        """holds: whether the node is something that holds the value, not the value itself."""
        parent = self.tree.parents.get(node)
        if isinstance(parent, _TAKEN):
            return True
        if isinstance(parent, _HOLDING):
            return self.handed_on(parent, holds=True)
        return self._by_kind(node, parent, holds=holds)

    def _by_kind(self, node: ast.AST, parent: ast.AST | None, *, holds: bool) -> bool:
        match parent:
            case ast.Call():
                return self._argument(node, parent)
            case ast.IfExp():
                return node is not parent.test and self.handed_on(parent, holds=holds)
            case ast.Subscript() | ast.BinOp():
                return holds and self.handed_on(parent, holds=True)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                return self._assigned(parent, holds=holds)
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                return holds and any(map(self._stored, _targets(parent)))
        return False

    def _argument(self, node: ast.AST, call: ast.Call) -> bool:
        function = call.func
        if node is function:
            return False
        if isinstance(function, ast.Name) and function.id in _BUILTINS:
            return function.id in _HOLDERS and self.handed_on(call, holds=True)
        if isinstance(function, ast.Attribute):
            if isinstance(function.value, ast.Constant | ast.JoinedStr):
                return False
            if function.attr in _FILLS and isinstance(function.value, ast.Name):
                return not self._made_here(function.value) or self._stored(function.value)
        return True

    def _assigned(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr, *, holds: bool
    ) -> bool:
        if isinstance(node, ast.NamedExpr) and self.handed_on(node, holds=holds):
            return True
        return any(map(self._stored, _targets(node)))

    def _stored(self, target: ast.AST) -> bool:
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            target = target.value
        if not isinstance(target, ast.Name):
            return True  # an attribute: whoever has the object may await it
        if target.id in self.seen:
            return False
        self.seen.add(target.id)
        return any(self.handed_on(use, holds=True) for use in self._uses(target))

    def _uses(self, name: ast.Name) -> Iterator[ast.Name]:
        return (use for use in self._beside(name) if isinstance(use.ctx, ast.Load))

    def _made_here(self, name: ast.Name) -> bool:
        """Whether the name is given a value in this function, and so is no one else's list."""
        return any(isinstance(use.ctx, ast.Store) for use in self._beside(name))

    def _beside(self, name: ast.Name) -> Iterator[ast.Name]:
        """Yield all places of a name in the function that this one stands in."""
        function = self._function(name)
        for use in self.tree.names.get(name.id, ()):
            if function in self._around(use):
                yield use

    def _function(self, node: ast.AST) -> ast.AST:
        return next(outer for outer in self._around(node) if isinstance(outer, _Function))

    def _around(self, node: ast.AST | None) -> Iterator[ast.AST]:
        while node is not None:
            yield node
            node = self.tree.parents.get(node)


def _targets(node: ast.AST) -> Iterator[ast.AST]:
    targets: list[ast.expr] = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(
        node,
        ast.AnnAssign | ast.AugAssign | ast.NamedExpr | ast.For | ast.AsyncFor | ast.comprehension,
    ):
        targets = [node.target]
    for target in targets:
        yield from target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
