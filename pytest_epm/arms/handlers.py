"""Handlers that swallow: which they are, and whether one did in the course of a frame. Pure.

A frame's course is fed in as it happens: lines, exceptions, its end. What it needs is kept
small, so that a loop of a million turns costs no memory.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

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
    """One `except` clause. types: as written, empty if bare. body: first and last line."""

    line: int
    types: tuple[str, ...]
    body: tuple[int, int]
    judged: bool


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


def attempts(node: Definition | ast.Module) -> tuple[Attempt, ...]:
    """Return what a function attempts in its own frame, the outermost first."""
    return tuple(sorted(_attempts(node), key=lambda attempt: (attempt.line, -attempt.body[1])))


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
        self._failed: dict[int, Swallowed] = {}

    def line(self, number: int) -> None:
        """Say that a line of the frame runs."""
        pending, self._raised_at = self._raised_at, 0
        for index, attempt in enumerate(self._attempts):
            handler = next((h for h in attempt.handlers if _in(number, h.body)), None)
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

    def raised(self, number: int) -> None:
        """Say that an exception is raised on a line of the frame, or passes through it."""
        self._raised_at = number

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


def _attempts(node: Definition | ast.Module) -> Iterator[Attempt]:
    for inner in own(node):
        if isinstance(inner, ast.Try | ast.TryStar) and inner.handlers:
            handlers = tuple(map(_handler, inner.handlers))
            yield Attempt(inner.lineno, _lines(inner.body), handlers)
        elif isinstance(inner, ast.With | ast.AsyncWith):
            for item in inner.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and _last(call.func) == "suppress":
                    types = tuple(map(ast.unparse, call.args))
                    silent = Handler(inner.lineno, types, (0, -1), _judged(types))
                    yield Attempt(inner.lineno, _lines(inner.body), (silent,), silent=True)


def _handler(node: ast.ExceptHandler) -> Handler:
    kind = node.type
    held = kind.elts if isinstance(kind, ast.Tuple) else [kind] if kind else []
    types = tuple(map(ast.unparse, held))
    return Handler(node.lineno, types, _lines(node.body), not types or _judged(types))


def _judged(types: tuple[str, ...]) -> bool:
    return any(name.rpartition(".")[2] in JUDGED for name in types)


def _lines(body: list[ast.stmt]) -> tuple[int, int]:
    return body[0].lineno, body[-1].end_lineno or body[-1].lineno


def _last(func: ast.expr) -> str:
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""
