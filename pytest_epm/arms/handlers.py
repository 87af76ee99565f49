"""Handlers that swallow: which they are, and whether one did in the course of a frame. Pure.

A frame's course is fed in as it happens: lines, exceptions, its end. What it needs is kept
small, so that a loop of a million turns costs no memory.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pytest_epm.arms.scopes import Definition
from pytest_epm.arms.statements import own

# What catches these catches also what says that the code is not there or not done.
JUDGED = frozenset(
    {
        "BaseException",
        "Exception",
        "NotImplementedError",
        "ImportError",
        "ModuleNotFoundError",
        "NameError",
        "UnboundLocalError",
    }
)


@dataclass(frozen=True, slots=True)
class Handler:
    """One `except` clause.

    types: as written, empty if bare. body: first and last line. known: what it catches, if
    these are exceptions of Python and no others.
    """

    line: int
    types: tuple[str, ...]
    body: tuple[int, int]
    judged: bool
    known: frozenset[str] = field(default=frozenset(), compare=False)

    def entered(self, kinds: frozenset[str]) -> bool:
        """Whether its line means its body, too, while an exception of these kinds is raised.

        On one line, `except ImportError: y = 1` runs for any exception, to hold it against.
        """
        apart = self.line < self.body[0]
        return apart or not self.known or not kinds or bool(self.known & kinds)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A `try` with its handlers, or a `with suppress(...)`, which has one without a body.

    body: first and last line of what is attempted.
    """

    line: int
    body: tuple[int, int]
    handlers: tuple[Handler, ...]
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Swallowed:
    """A handler that caught an exception and ended without raising one."""

    line: int
    types: tuple[str, ...]
    judged: bool


@dataclass(frozen=True, slots=True)
class Aliases:
    """What names stand for. types: exceptions. quiet: what a `suppress(...)` suppresses.

    suppress: other names of `contextlib.suppress`.
    """

    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    quiet: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    suppress: frozenset[str] = frozenset({"suppress"})

    def over(self, found: Iterable[ast.AST]) -> "Aliases":
        """Return these with what more statements bind."""
        types, quiet, names = dict(self.types), dict(self.quiet), set(self.suppress)
        for node in found:
            if isinstance(node, ast.ImportFrom):
                names |= {a.asname or a.name for a in node.names if a.name == "suppress"}
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name, made = node.targets[0].id, Aliases(types, quiet, frozenset(names))
                silenced = made.silenced(node.value)
                if silenced is not None:
                    quiet[name] = silenced
                elif isinstance(node.value, ast.Name | ast.Attribute | ast.Tuple | ast.List):
                    types[name] = made.named(node.value)
        return Aliases(types, quiet, frozenset(names))

    def named(self, kind: ast.expr | None) -> tuple[str, ...]:
        """Return the exceptions that an expression names."""
        held = kind.elts if isinstance(kind, ast.Tuple | ast.List) else [kind] if kind else []
        return tuple(
            name for one in held for name in self.types.get(ast.unparse(one), (ast.unparse(one),))
        )

    def silenced(self, node: ast.expr) -> tuple[str, ...] | None:
        """Return what a context manager suppresses, None if it is none that does."""
        if isinstance(node, ast.Name):
            return self.quiet.get(node.id)
        if isinstance(node, ast.Call) and _last(node.func) in self.suppress:
            return tuple(name for given in node.args for name in self.named(given))
        return None


def aliases(tree: ast.Module) -> Aliases:
    """Return what names stand for at the top of a module."""
    return Aliases().over(tree.body)


def attempts(node: Definition | ast.Module, known: Aliases | None = None) -> tuple[Attempt, ...]:
    """Return what a function attempts in its own frame, the outermost first.

    known: what names stand for in its module.
    """
    names = (known or Aliases()).over(own(node))
    found = _attempts(node, names)
    return tuple(sorted(found, key=lambda attempt: (attempt.line, -attempt.body[1])))


def gathers(node: Definition | ast.Module) -> tuple[int, ...]:
    """Return the lines of calls of `gather(..., return_exceptions=True)`."""
    return tuple(
        sorted(
            inner.lineno
            for inner in own(node)
            if isinstance(inner, ast.Call)
            and _last(inner.func) == "gather"
            and any(
                keyword.arg == "return_exceptions"
                and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
                for keyword in inner.keywords
            )
        )
    )


class Course:
    """What one frame did about exceptions; feed it events in order, then ask `swallowed`."""

    def __init__(self, found: tuple[Attempt, ...]) -> None:
        """Take what the function attempts."""
        self._attempts = found
        self._trying: set[int] = set()
        self._handling: dict[int, Handler] = {}
        self._raised_at = 0
        self._kinds: frozenset[str] = frozenset()
        self._failed: dict[int, Swallowed] = {}

    def line(self, number: int) -> None:
        """Say that a line of the frame runs."""
        pending, self._raised_at = self._raised_at, 0
        for index, attempt in enumerate(self._attempts):
            here = (h for h in attempt.handlers if _in(number, h.body))
            handler = next((h for h in here if h.entered(self._kinds)), None)
            held = self._handling.get(index)
            if held is not None and handler is not held:
                self._left(index, held, raised=_in(pending, held.body) or handler is not None)
            if handler is not None:
                self._handling[index] = handler
                self._trying.discard(index)
            elif _in(number, attempt.body):
                self._trying.add(index)
            elif attempt.silent and number == attempt.line and pending:
                self._raised_at = pending  # leaving a `with` passes its first line once more
            elif index in self._trying and not self._heading(attempt, number):
                self._done(index, attempt, pending, number)

    def raised(self, number: int, kinds: Iterable[str] = ()) -> None:
        """Say that an exception is raised on a line of the frame, or passes through it.

        kinds: names of its type and of the bases of that.
        """
        self._raised_at = number
        self._kinds = frozenset(kinds)

    def ended(self, *, returned: bool) -> None:
        """Say that the frame is over: it returned, or an exception left it."""
        for index, handler in list(self._handling.items()):
            self._left(index, handler, raised=not returned)
        for index in list(self._trying):
            attempt = self._attempts[index]
            if returned:
                self._done(index, attempt, self._raised_at, 0)
        self._trying.clear()

    def swallowed(self) -> tuple[Swallowed, ...]:
        """Return the handlers that swallowed, and whose `try` did not succeed later."""
        return tuple(self._failed[index] for index in sorted(self._failed))

    def _heading(self, attempt: Attempt, number: int) -> bool:
        """Whether a line is an `except` on which the exception is only held against types."""
        return any(number == handler.line for handler in attempt.handlers)

    def _left(self, index: int, handler: Handler, *, raised: bool) -> None:
        del self._handling[index]
        if not raised:
            self._failed[index] = Swallowed(handler.line, handler.types, handler.judged)

    def _done(self, index: int, attempt: Attempt, pending: int, number: int) -> None:
        """What was attempted is over, without a handler: it went well, or not."""
        self._trying.discard(index)
        if not _in(pending, attempt.body):
            self._failed.pop(index, None)
        elif attempt.silent and not self._caught_outside(index, number):
            (handler,) = attempt.handlers
            self._failed[index] = Swallowed(handler.line, handler.types, handler.judged)

    def _caught_outside(self, index: int, number: int) -> bool:
        return any(
            _in(number, (handler.line, handler.body[1]))
            for other in self._attempts[:index]
            for handler in other.handlers
        )


def _in(number: int, span: tuple[int, int]) -> bool:
    return span[0] <= number <= span[1]


def _attempts(node: Definition | ast.Module, names: Aliases) -> Iterator[Attempt]:
    for inner in own(node):
        if isinstance(inner, ast.Try | ast.TryStar) and inner.handlers:
            star = isinstance(inner, ast.TryStar)
            handlers = tuple(_handler(handler, names, star=star) for handler in inner.handlers)
            yield Attempt(inner.lineno, _lines(inner.body), handlers)
        elif isinstance(inner, ast.With | ast.AsyncWith):
            for types in _silenced(inner, names):
                judged = _judged(types)
                silent = Handler(inner.lineno, types, (0, -1), judged)
                yield Attempt(inner.lineno, _lines(inner.body), (silent,), silent=True)


def _silenced(node: ast.With | ast.AsyncWith, names: Aliases) -> Iterator[tuple[str, ...]]:
    """Yield what a `with` suppresses, itself or by an `ExitStack`."""
    for item in node.items:
        call = item.context_expr
        types = names.silenced(call)
        if types is not None:
            yield types
        elif isinstance(call, ast.Call) and _last(call.func) in ("ExitStack", "AsyncExitStack"):
            for inner in own(node):
                entered = isinstance(inner, ast.Call) and _last(inner.func) == "enter_context"
                if entered and isinstance(inner, ast.Call) and inner.args:
                    types = names.silenced(inner.args[0])
                    yield from () if types is None else (types,)


def _handler(node: ast.ExceptHandler, names: Aliases, *, star: bool) -> Handler:
    kind = node.type
    held = kind.elts if isinstance(kind, ast.Tuple) else [kind] if kind else []
    types = tuple(map(ast.unparse, held))
    meant = names.named(kind)
    # What an `except*` catches stands inside a group.
    known = frozenset() if star or not all(map(_of_python, meant)) else frozenset(meant)
    return Handler(node.lineno, types, _lines(node.body), not types or _judged(meant), known)


def _of_python(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException) and kind.__name__ == name


def _judged(types: tuple[str, ...]) -> bool:
    return any(name.rpartition(".")[2] in JUDGED for name in types)


def _lines(body: list[ast.stmt]) -> tuple[int, int]:
    return body[0].lineno, body[-1].end_lineno or body[-1].lineno


def _last(func: ast.expr) -> str:
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""
