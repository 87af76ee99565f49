"""Whether a choice is between data: sizes, paths, messages. Pure.

A smoke shrinks sizes, and should. A side that picks a function or a class is no data.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_epm.arms.flags import words
from pytest_epm.arms.statements import empty, says
from pytest_epm.syntax import nodes

# These take data as it is, or measure it. What computes from it (`sum`, `max` of rows) is
# no data: it is what a mock leaves out.
_BUILTINS = words("len int float str bool repr range slice list tuple dict Path PurePath timedelta")
_ENVIRONMENT = words("os.environ environ")
_LOOKS_UP = words("os.environ.get environ.get os.getenv getenv")
# Methods that take a part of data or put text together.
_PARTS = words(
    "head tail take select sample limit copy format join joinpath lower upper strip "
    "replace removeprefix removesuffix split iloc loc with_suffix with_name islice"
)
_CLASS = re.compile(r"_*[A-Z]\w*[a-z]\w*\Z")
_PLAIN = frozenset(dir(str)) | frozenset(dir(list)) | frozenset(dir(dict)) | frozenset(dir(set))


@dataclass(frozen=True, slots=True)
class Names:
    """What a module says about its names.

    callables: bound by def, class or import, methods too. called: dotted names that are
    called. receivers: names of which methods are called that no text or container has.
    """

    callables: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    receivers: frozenset[str] = frozenset()

    def chosen_data(self, one: Iterable[ast.stmt], other: Iterable[ast.stmt]) -> bool:
        """Whether both blocks only bind or pass data to the same target or callee."""
        one, other = list(one), list(other)
        ours, theirs = self._effects(one), self._effects(other)
        if ours is None or theirs is None:
            return False
        if _bare_targets(one) & _bare_targets(other) & self.receivers:
            return False
        bound, also = ({key for key in side if key[0] == "bind"} for side in (ours, theirs))
        if bound or also:
            return bool(bound & also) and ours - bound == theirs - also
        return ours == theirs

    def same_data(self, one: ast.expr, other: ast.expr, target: str = "") -> bool:
        """Whether two expressions are data, or pass data to the same callee.

        target: the name that the choice is bound to, if it is.
        """
        if target in self.called or self._objects(one, other, target):
            return False
        shape = self._shape(one)
        return shape is not None and shape == self._shape(other)

    def _objects(self, one: ast.expr, other: ast.expr, target: str) -> bool:
        """Whether two names are chosen between, and the chosen one is an object in use."""
        bare = isinstance(one, ast.Name | ast.Attribute)
        return target in self.receivers and bare and isinstance(other, ast.Name | ast.Attribute)

    def _effects(self, block: Iterable[ast.stmt]) -> set[tuple[str, str, str]] | None:
        found = set()
        for node in block:
            if says(node) or empty(node):
                continue
            key = self._effect(node)
            if key is None:
                return None
            found.add(key)
        return found

    def _effect(self, node: ast.stmt) -> tuple[str, str, str] | None:
        target, value = "", None
        if isinstance(node, ast.Assign):
            target, value = ",".join(map(ast.unparse, node.targets)), node.value
        elif isinstance(node, ast.AugAssign):
            target, value = ast.unparse(node.target), node.value
            if self.data(value):  # `x += y` computes what `x + y` does
                value = ast.BinOp(node.target, node.op, node.value)
        elif isinstance(node, ast.AnnAssign):
            target, value = ast.unparse(node.target), node.value
        elif isinstance(node, ast.Return | ast.Expr):
            value = node.value
        shape = self._shape(value) if value is not None else None
        if shape is None or target in self.called:
            return None
        if isinstance(node, ast.Expr):
            return ("do", "", shape) if shape else None
        return ("return" if isinstance(node, ast.Return) else "bind", target, shape)

    def _shape(self, node: ast.expr) -> str | None:
        """Return nothing for data, the callee for a call that passes data, None otherwise."""
        if self.data(node):
            return ""
        call = node.value if isinstance(node, ast.Await) else node
        if isinstance(call, ast.Call) and self._arguments(call):
            return ast.unparse(call.func)
        return None

    def data(self, node: ast.expr) -> bool:
        """Whether an expression is data or made of nothing but data."""
        match node:
            case ast.Name(id=name):
                found = name not in self.callables and not _CLASS.match(name)
            case ast.Attribute():
                found = self._attribute(node)
            case ast.Call():
                found = self._from_call(node)
            case ast.BinOp():
                found = self._sum(node)
            case ast.Subscript(value=held) if ast.unparse(held) in _ENVIRONMENT:
                found = _constant(node.slice)
            case _ if isinstance(node, _MADE_OF_PARTS):
                parts = ast.iter_child_nodes(node)
                found = all(self.data(part) for part in parts if isinstance(part, ast.expr))
            case _:
                found = isinstance(node, ast.Constant)
        return found

    def _attribute(self, node: ast.Attribute) -> bool:
        if node.attr in self.callables or _CLASS.match(node.attr):
            return False
        if ast.unparse(node) in self.called:
            return False
        return node.attr.isupper() or self.data(node.value)

    def _from_call(self, call: ast.Call) -> bool:
        name = ast.unparse(call.func)
        if name in _LOOKS_UP:
            return all(map(_constant, call.args)) and not call.keywords
        if name in ("min", "max"):
            bounded = len(call.args) > 1 and any(map(_bound, call.args))
            return bounded and not call.keywords and self._arguments(call)
        return self._makes_data(call.func) and self._arguments(call)

    def _sum(self, node: ast.BinOp) -> bool:
        """Whether operands make a size, a text or a path, and no result.

        A size is one name and constants; what takes two names computes.
        """
        found = list(_operands(node))
        if all(map(_constant, found)):
            return True
        if not all(map(self.data, found)) or not _plain_operators(node):
            return False
        if any(map(_text, found)):
            return True
        sizes = [operand for operand in found if not _constant(operand)]
        return len(sizes) == 1 and _measures(sizes[0])

    def _makes_data(self, func: ast.expr) -> bool:
        if isinstance(func, ast.Name):
            return func.id in _BUILTINS
        if isinstance(func, ast.Attribute):
            return func.attr in _PARTS and (
                ast.unparse(func.value) == "os.path" or self.data(func.value)
            )
        return False

    def _arguments(self, call: ast.Call) -> bool:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return all(self.data(argument) for argument in given)


_MADE_OF_PARTS = (
    ast.UnaryOp,
    ast.BoolOp,
    ast.Subscript,
    ast.Slice,
    ast.Tuple,
    ast.List,
    ast.Set,
    ast.Dict,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.Starred,
)

_PLAIN_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)


def _constant(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _constant(node.operand)
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return all(map(_constant, node.elts))
    return isinstance(node, ast.Constant)


def _bound(node: ast.expr) -> bool:
    """Whether something bounds a size: a constant, or a name written as one (`MOST_ROWS`)."""
    name = node.id if isinstance(node, ast.Name) else ""
    return _constant(node) or (len(name) > 1 and name.isupper())


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp):
        yield from _operands(node.left)
        yield from _operands(node.right)
    else:
        yield node


def _plain_operators(node: ast.expr) -> bool:
    if not isinstance(node, ast.BinOp):
        return True
    inner = _plain_operators(node.left) and _plain_operators(node.right)
    return inner and isinstance(node.op, _PLAIN_OPERATORS)


def _text(node: ast.expr) -> bool:
    """Whether an operand makes the whole a text or a path."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] in ("Path", "PurePath", "str", "repr")
    return isinstance(node, ast.JoinedStr)


def _measures(node: ast.expr) -> bool:
    """Whether an operand is a name, an attribute, or the length of one."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("len", "int", "float"):
        return len(node.args) == 1 and _measures(node.args[0])
    return isinstance(node, ast.Name | ast.Attribute)


def _bare_targets(block: Iterable[ast.stmt]) -> set[str]:
    """Return what is bound to nothing but another name."""
    return {
        ast.unparse(target)
        for node in block
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute)
        for target in node.targets
    }


def names_of(tree: ast.AST) -> Names:
    """Read a module's names."""
    callables: set[str] = set()
    called: set[str] = set()
    receivers: set[str] = set()
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            callables.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            given = ((a.asname or a.name).partition(".")[0] for a in node.names)
            callables |= {name for name in given if not name.isupper()}
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            callables |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            called.add(ast.unparse(node.func))
            if isinstance(node.func, ast.Attribute) and node.func.attr not in _PLAIN | _PARTS:
                receivers.add(ast.unparse(node.func.value))
    return Names(frozenset(callables), frozenset(called), frozenset(receivers))
