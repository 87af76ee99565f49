"""What of a code object is worth watching. It reads sources, each once."""

import dis
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import CodeType, FrameType

from pytest_epm.arms.cells import Compute
from pytest_epm.arms.guards import Guard
from pytest_epm.arms.handlers import Attempt, attempts, gathers
from pytest_epm.arms.judge import Target
from pytest_epm.arms.texts import Position, Text

# By path and line of the `def`.
_Planned = Mapping[tuple[str, int], Sequence[Target]]
_LAZY = CO_COROUTINE | CO_GENERATOR | CO_ASYNC_GENERATOR


class Interest:
    """One code object of the project.

    computes: planned computations that it is the body of. guarded: whether a guard stands
    in it. one_line: whether sides of one share a line. lazy: whether a call only makes what
    runs later, as of a coroutine.
    """

    def __init__(self, code: CodeType, text: Text, planned: _Planned) -> None:
        """Find out what stands in a code object."""
        self.path = text.path
        self.text = text
        self.qualname = code.co_qualname
        node = text.defs.get((code.co_firstlineno, code.co_name))
        line = node.lineno if node else 0
        self.computes: tuple[tuple[Compute, Target], ...] = tuple(
            (t.compute, t) for t in (planned.get((text.path, line), ()) if node else ())
        )
        lines = {line for _, _, line in code.co_lines() if line}
        first, last = min(lines, default=0), max(lines, default=0)
        inside = [guard for guard in text.guards if first <= guard.line <= last]
        self.guarded = bool(inside)
        self.one_line = any(_shares_a_line(guard) for guard in inside)
        self.attempts: tuple[Attempt, ...] = attempts(node, text.aliases) if node else ()
        self.gathers = frozenset(gathers(node)) if node else frozenset[int]()
        self.is_async = bool(code.co_flags & CO_COROUTINE)
        self.lazy = bool(code.co_flags & _LAZY)
        self.key = (text.path, code.co_firstlineno, code.co_qualname)
        self._positions: list[Position] | None = None
        self._code = code

    @cached_property
    def called(self) -> frozenset[str]:
        """Return the last names of what it calls."""
        names = self.text.calls
        return frozenset(names[p][-1] for p in set(self._code.co_positions()) if names.get(p))

    @cached_property
    def jumps(self) -> frozenset[int]:
        """Return the byte offsets of its branches, with the prefixes that widen them."""
        found: set[int] = set()
        prefixes: list[int] = []
        for instruction in dis.get_instructions(self._code):
            if instruction.opname == "EXTENDED_ARG":
                prefixes.append(instruction.offset)
                continue
            if "_IF_" in instruction.opname or instruction.opname == "FOR_ITER":
                found |= {*prefixes, instruction.offset}
            prefixes.clear()
        return frozenset(found)

    @property
    def framed(self) -> bool:
        """Whether the course of its frames matters."""
        return bool(self.computes or self.attempts or self.gathers or self.is_async)

    def position(self, offset: int) -> Position:
        """Return where the instruction at a byte offset stands."""
        if self._positions is None:
            self._positions = list(self._code.co_positions())
        return self._positions[offset // 2]

    def callee(self, offset: int) -> tuple[str, ...]:
        """Return the dotted name that the instruction at a byte offset calls, or nothing."""
        return self.text.calls.get(self.position(offset), ())


class Landings:
    """Tells where branches land, from events of each instruction.

    The branch of `a() if not b else c` has the place of the whole, which begins as `a()`
    does; so only what runs right after a branch is where it went.
    """

    def __init__(self) -> None:
        """Begin with no frame at a branch."""
        self._branching: set[FrameType] = set()

    def step(self, frame: FrameType, interest: Interest) -> bool:
        """Take that a frame comes to an instruction; return whether a branch went there."""
        landed = frame in self._branching
        if frame.f_lasti in interest.jumps:
            self._branching.add(frame)
        else:
            self._branching.discard(frame)
        return landed

    def raised(self, frame: FrameType) -> None:
        """Take that an exception goes through a frame: a condition may raise, and not branch."""
        self._branching.discard(frame)

    def clear(self) -> None:
        """Forget all frames."""
        self._branching.clear()


class Interests:
    """Interests by code object; None for code that is not the project's."""

    def __init__(
        self,
        has: Callable[[str], bool],
        read: Callable[[str], Text | None],
        targets: Iterable[Target],
    ) -> None:
        """Take what tells the project's files, reads one, and what is planned."""
        self.has = has
        self.read = read
        self.targets = tuple(targets)
        self._planned: dict[tuple[str, int], list[Target]] = {}
        for target in self.targets:
            self._planned.setdefault((target.path, target.line), []).append(target)
        self.async_names: Callable[[], frozenset[str]] = frozenset
        # By identity: equal code objects may come from different files.
        self.known: dict[int, tuple[CodeType, Interest | None]] = {}
        self._paths: dict[str, str] = {}
        self.problem = ""
        self.tell: Callable[[str], None] = _nobody

    def of(self, code: CodeType) -> Interest | None:
        """Return what is interesting about a code object."""
        try:
            return self.known[id(code)][1]
        except KeyError:
            found = self._find(code)
            self.known[id(code)] = (code, found)
            return found

    def is_project(self, code: CodeType) -> bool:
        """Whether a code object is the project's."""
        return self.has(self.path(code))

    def path(self, code: CodeType) -> str:
        """Return the real path that a code object was compiled from."""
        name = code.co_filename
        if name not in self._paths:
            self._paths[name] = os.path.realpath(name) if name[:1] != "<" else ""
        return self._paths[name]

    def _find(self, code: CodeType) -> Interest | None:
        # This runs in the midst of the project's code, which must not get to see our faults.
        try:
            path = self.path(code)
            text = self.read(path) if self.has(path) else None
            return Interest(code, text, self._planned) if text else None
        except Exception as error:  # noqa: BLE001 - whatever it is, there is then no sound evidence
            self.fault(f"{code.co_filename} could not be looked into: {error!r}")
            return None

    def fault(self, words: str) -> None:
        """Take that something could not be looked at, now or ever again."""
        self.problem = self.problem or words
        self.tell(words)


def _nobody(_: str) -> None:
    """Tell nobody."""


def _shares_a_line(guard: Guard) -> bool:
    sides = [*guard.mock, *guard.real]
    return any(
        span.line <= other.end_line and other.line <= span.end_line
        for span in guard.mock
        for other in (guard.head, *guard.real)
    ) or any(span.line <= guard.head.end_line and guard.head.line <= span.line for span in sides)
