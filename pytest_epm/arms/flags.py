"""Which words are flags of a mock run, and which way a condition on one points. Pure."""

import ast
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_epm.syntax import nodes


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as a set."""
    return frozenset(text.split())


_CORE = words(
    "mock mocks mocked fake dummy stub stubs stubbed smoke dryrun simulate simulated "
    "canned toy placeholder offline"
)
_FILLER = words(
    "use is in mode only enable enabled flag response responses llm model api client "
    "provider data run do allow with dry"
)
_MOCK = frozenset({"mock", "mocked"})
# Beside one of these, mock says what a thing is for and not which way to go.
_THINGS = words("url path file dir host port name names count size seed")
_SEGMENTS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])")
_CLASS = re.compile(r"_*[A-Z]\w*[a-z]\w*\Z")
_LOOKUPS = words("getenv get getoption getboolean getbool getattr get_bool env")
_UNWRAPPED = words("bool int str")
_TEXT_METHODS = words("lower upper strip casefold")
_OFF = frozenset({"", "0", "false", "no", "off", "none"})
_ON = frozenset({"1", "true", "yes", "on"})
_SWITCHES = words("enabled enable active on value")
_SAME = (ast.Eq, ast.Is, ast.In)
_NOT_SAME = (ast.NotEq, ast.IsNot, ast.NotIn)


@dataclass(frozen=True, slots=True)
class Flags:
    """What counts as a flag.

    extra: words of the project's own. names: module-level names bound once to a condition
    on a flag, and which way they point.
    """

    extra: frozenset[str] = frozenset()
    names: Mapping[str, int] = field(default_factory=dict)

    def without(self, names: frozenset[str]) -> "Flags":
        """Return these for a function in which `names` are local."""
        kept = {name: way for name, way in self.names.items() if name not in names}
        return Flags(self.extra, kept)

    def has(self, word: str) -> bool:
        """Whether this word is a flag: `mock_response`, `DRY_RUN`, `--smoke`."""
        segments = [segment.lower() for segment in _SEGMENTS.findall(word)]
        whole = "_".join(segments)
        if whole in self.extra:
            return True
        core = _CORE | self.extra
        if all(segment in core or segment in _FILLER for segment in segments):
            return any(s in core for s in segments) or {"dry", "run"} <= set(segments)
        if len(segments) == 2 and _MOCK & set(segments):  # noqa: PLR2004 - one of two
            return not _THINGS & set(segments)
        return False

    def polarity(self, test: ast.expr) -> int:
        """Return 1 if a true condition means the mock side, -1 if the real one, else 0."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                way = -self.polarity(inner)
            case ast.BoolOp(values=values):
                way = next((way for way in map(self.polarity, values) if way), 0)
            case ast.Compare():
                way = self._compared(test)
            case ast.Call():
                way = self._called(test)
            case ast.Name(id=name):
                way = 1 if self.has(name) else self.names.get(name, 0)
            case ast.Attribute(attr=name, value=inner):
                way = self.polarity(inner) if name in _SWITCHES else int(self.has(name))
            case ast.Subscript(slice=key):
                way = int(self._word(key))
            case ast.NamedExpr(value=inner) | ast.Await(value=inner):
                way = self.polarity(inner)
            case _:
                way = 0
        return way

    def _word(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute):
            return _member(node) and self.has(node.attr)
        return (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and self.has(node.value)
        )

    def _called(self, test: ast.Call) -> int:
        name, receiver = _callee(test.func)
        if name in _TEXT_METHODS and receiver is not None:
            return self.polarity(receiver)
        if name in _LOOKUPS:
            return int(any(self._word(argument) for argument in test.args))
        if name in _UNWRAPPED and len(test.args) == 1:
            return self.polarity(test.args[0])
        if self.has(name):
            return 1
        # Such as `truthy(os.getenv("LLM_MOCK"))`.
        inner = test.args[0] if len(test.args) == 1 else None
        if isinstance(inner, ast.Call) and _callee(inner.func)[0] in _LOOKUPS:
            return self.polarity(inner)
        return 0

    def _compared(self, test: ast.Compare) -> int:
        if len(test.ops) != 1:
            return 0
        (operator,), left, right = test.ops, test.left, test.comparators[0]
        sign = 1 if isinstance(operator, _SAME) else -1 if isinstance(operator, _NOT_SAME) else 0
        if isinstance(operator, ast.Gt):
            return self.polarity(left)
        if isinstance(left, ast.Constant) and not isinstance(operator, ast.In | ast.NotIn):
            left, right = right, left
        if _member(left) and not _member(right):
            left, right = right, left
        if isinstance(left, ast.Constant):
            return sign * int(self._word(left) and _holdswords(left.value, right))
        way, values = self.polarity(left), _literals(right)
        if not values:
            return 0
        if way:
            switched = {_switch(value) for value in values}
            worded = all(self._word(value) for value in values)
            return sign * way * (1 if worded else switched.pop() if len(switched) == 1 else 0)
        return sign * int(all(self._word(value) for value in values))


def module_flags(tree: ast.Module, extra: frozenset[str] = frozenset()) -> Flags:
    """Return the flags of a module, its own names followed through one assignment."""
    plain = Flags(extra)
    found: dict[str, int] = {}
    for statement in tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        target = statement.target if isinstance(statement, ast.AnnAssign) else target
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        way = plain.polarity(value) if value is not None else 0
        if isinstance(target, ast.Name) and way:
            found[target.id] = way
    if not found:
        return plain
    times = Counter(
        node.id
        for node in nodes(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    return Flags(extra, {name: way for name, way in found.items() if times[name] == 1})


def _callee(func: ast.expr) -> tuple[str, ast.expr | None]:
    if isinstance(func, ast.Attribute):
        return func.attr, func.value
    return (func.id if isinstance(func, ast.Name) else ""), None


def _holdswords(word: object, holder: ast.expr) -> bool:
    """Whether `word in holder` asks for a flag: an option, or a name of the environment."""
    name, _ = _callee(holder)
    return str(word).startswith("-") or name in ("argv", "environ", "orig_argv")


def _literals(node: ast.expr) -> list[ast.expr]:
    held = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    fixed = all(isinstance(value, ast.Constant) or _member(value) for value in held)
    return held if fixed else []


def _member(node: ast.expr) -> bool:
    """Whether this is written like a member of an enum: `Mode.MOCK`, `modes.Mode.MOCK`."""
    if not isinstance(node, ast.Attribute):
        return False
    held = node.value.attr if isinstance(node.value, ast.Attribute) else ""
    held = node.value.id if isinstance(node.value, ast.Name) else held
    return _CLASS.match(held) is not None


def _switch(node: ast.expr) -> int:
    """Return 1 for a literal that means on, -1 for off, 0 for any other."""
    value = node.value if isinstance(node, ast.Constant) else ...
    if isinstance(value, str):
        return 1 if value.lower() in _ON else -1 if value.lower() in _OFF else 0
    if value is None or value is False or value == 0:
        return -1
    return 1 if isinstance(value, int) else 0
