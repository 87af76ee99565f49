"""Turns the events of frames into facts. It knows nothing of where the events come from."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from threading import get_ident
from types import CodeType, FrameType
from typing import Any

from pytest_epm.arms.cells import fits
from pytest_epm.arms.evidence import Call
from pytest_epm.arms.handlers import Course
from pytest_epm.arms.judge import Target
from pytest_epm.arms.watch.interest import Interest, Interests
from pytest_epm.arms.watch.notes import Notes
from pytest_epm.arms.watch.places import Places, Stand
from pytest_epm.arms.watch.standins import StandIns
from pytest_epm.arms.watch.still import code_of, has_body, named, own

_NOWHERE = (0, -1)
# Every call of a mock comes through one of these, with the mock as the first argument.
_MOCK_CALLS = frozenset({"CallableMixin.__call__", "AsyncMockMixin._execute_mock_call"})
_MOCKS = "mock.py"
_CACHED = "_lru_cache_wrapper"


class _Open:
    """A call of a planned computation under way."""

    __slots__ = ("lines", "name", "owner")

    def __init__(self, name: str, owner: tuple[str, ...]) -> None:
        self.name = name
        self.owner = owner
        self.lines: set[int] = set()

    def call(self, *, returned: bool | None, at: tuple[int, int] = _NOWHERE) -> Call:
        return Call(frozenset(self.lines), returned, at, self.owner)


class _Running:
    """A frame whose course matters."""

    __slots__ = ("course", "interest", "line", "opens")

    def __init__(self, interest: Interest, opens: tuple[_Open, ...]) -> None:
        self.interest = interest
        self.opens = opens
        self.course = Course(interest.attempts) if interest.attempts else None
        self.line = 0


# Tasks copy the context that they are made in, and so what was on the stack then.
_STACK: ContextVar[tuple[_Open, ...]] = ContextVar("epm_stack", default=())


class Recorder:
    """What one process saw of one test."""

    def __init__(
        self,
        interests: Interests,
        notes: Notes,
        places: Places | None,
        within: tuple[str, ...] = (),
    ) -> None:
        """Take where to write. within: computations that were on the stack of the parent."""
        self.interests = interests
        self.notes = notes
        self.places = places
        self.within = within
        # What the source of events, and children to come, are told.
        self.watch_code: Callable[[CodeType], None] = _nobody
        self.changed: Callable[[tuple[str, ...]], None] = _nobody
        self._thread = get_ident()
        self._running: dict[FrameType, _Running] = {}
        self._open: list[_Open] = []
        self._stand_ins = StandIns(places) if places else None
        self._originals: set[int] = set()
        self._doubles: set[int] = set()
        self._tests: dict[str, bool] = {}
        self._without_source = _without_source(interests.targets)
        self._active: tuple[tuple[_Open, ...], tuple[str, ...]] = ((), ())
        self._noted: set[tuple[object, ...]] = set()
        self._looked_at: set[tuple[object, ...]] = set()

    def fault(self, error: Exception) -> None:
        """Take that an event was not understood: what was seen since has a gap."""
        self.notes.add(("problem", "", f"an event could not be taken: {error!r}"))

    def active(self) -> tuple[str, ...]:
        """Return the computations on the stack; a thread is taken to belong to all that run."""
        mine = _STACK.get()
        if self._open and get_ident() != self._thread:
            mine = (*mine, *self._open)
        if not mine:
            return self.within
        # The same tuple comes for each line of a call.
        known, names = self._active
        if known is not mine:
            names = tuple(dict.fromkeys((*self.within, *(opened.name for opened in mine))))
            self._active = (mine, names)
        return names

    def started(self, frame: FrameType, interest: Interest) -> None:
        """Take that a frame begins to run; of a coroutine not before its first step."""
        self._original_started(frame)
        if self._stand_ins and self._is_of_test(interest) and self.active():
            self._stands(self._stand_ins.of_function(frame), frame.f_code)
        if interest.is_async:
            self.notes.entered(interest.key)
        if not interest.framed:
            return
        opens = tuple(_opened(frame, interest)) if interest.computes else ()
        if opens or self.active():
            self._running[frame] = _Running(interest, opens)
        self._push(opens)

    def foreign_started(self, frame: FrameType) -> bool:
        """Take that other code starts; return whether its next start is worth an event."""
        code = frame.f_code
        if (
            self._stand_ins
            and code.co_qualname in _MOCK_CALLS
            and code.co_filename.endswith(_MOCKS)
        ):
            if self.active():
                mock = frame.f_locals.get(code.co_varnames[0])
                self._stands(self._stand_ins.of_mock(mock), None)
            return True
        return self._original_started(frame)

    def _original_started(self, frame: FrameType) -> bool:
        """Take that a replaced function runs all the same: under what replaces it, it is spied."""
        code = frame.f_code
        if id(code) not in self._originals:
            return False
        caller = frame.f_back.f_code if frame.f_back else None
        if caller and (id(caller) in self._doubles or not self.interests.is_project(caller)):
            self.notes.add(("original", "", _known(code)))
        return True

    def _stands(self, stand: Stand | None, double: CodeType | None) -> None:
        """Take that something stands in place of what project code looks up."""
        if stand is None:
            return
        original = None
        if stand.original is not None:
            self.watch_code(stand.original)
            self._originals.add(id(stand.original))
            original = _known(stand.original)
        if double is not None:
            self._doubles.add(id(double))
        self.notes.for_each("replaced", self.active(), stand.names, stand.by, original)

    def line(self, frame: FrameType, interest: Interest, number: int) -> None:
        """Take that a line begins to run."""
        running = self._running.get(frame)
        if running:
            running.line = number
            for opened in running.opens:
                opened.lines.add(number)
            if running.course:
                running.course.line(number)
        if interest.guarded:
            names = self.active()
            key = (id(self.notes), names, id(interest), number)
            if key not in self._noted:
                self._noted.add(key)
                self.notes.for_each("line", names, interest.path, number)

    def landed(self, interest: Interest, offset: int) -> None:
        """Take that the instruction at a byte offset runs next."""
        names = self.active()
        key = (id(self.notes), names, id(interest), -offset)
        if key in self._noted:
            return
        self._noted.add(key)
        line, _, column, _ = interest.position(offset)
        if line is not None and column is not None:
            self.notes.for_each("landing", names, interest.path, line, column)

    def raised(self, frame: FrameType, exception: BaseException | None = None) -> None:
        """Take that an exception is raised in a frame, or passes through it."""
        running = self._running.get(frame)
        if running and running.course:
            kinds = (kind.__name__ for kind in type(exception).__mro__)
            running.course.raised(running.line, kinds if exception is not None else ())

    def left(
        self, frame: FrameType, *, returned: bool | None, at: tuple[int, int] | None = None
    ) -> None:
        """Take that a frame is over. at: line and column of the return; None: an exception."""
        running = self._running.pop(frame, None)
        if running is None:
            return
        names = self.active()
        if running.course:
            running.course.ended(returned=at is not None)
            for held in running.course.swallowed():
                place = (running.interest.path, running.interest.qualname)
                values = (*place, held.line, held.types, held.judged)
                self.notes.for_each("caught", names, *values)
        if returned is False and running.interest.is_async:
            self._gathered(frame, names)
        self._pop(running.opens)
        for opened in running.opens:
            self.notes.call(opened.name, opened.call(returned=returned, at=at or _NOWHERE))

    def paused(self, frame: FrameType) -> None:
        """Take that a generator or coroutine waits."""
        running = self._running.get(frame)
        if running:
            self._pop(running.opens)

    def resumed(self, frame: FrameType) -> None:
        """Take that it goes on."""
        running = self._running.get(frame)
        if running:
            self._push(running.opens)

    def called(self, frame: FrameType, interest: Interest, offset: int, callee: object) -> None:
        """Take that project code calls something."""
        code = code_of(callee)
        if code is not None:
            self._asked(frame, interest, offset, callee, code)
        if self.places is None:
            return
        names = self.active()
        key = (names, id(interest), offset)
        if key not in self._looked_at:
            self._looked_at.add(key)
            self._hold_against(frame, interest, offset)

    def _is_of_test(self, interest: Interest) -> bool:
        if self.places is None:
            return False
        if interest.path not in self._tests:
            self._tests[interest.path] = self.places.is_test(interest.path)
        return self._tests[interest.path]

    def finish(self) -> None:
        """Say what was still under way: in a child only what waits, as that may have ended well."""
        for running in list(self._running.values()):
            for opened in running.opens if not self.notes.tell or running.interest.lazy else ():
                self.notes.call(opened.name, opened.call(returned=None))
        self._running.clear()
        self._pop(tuple(self._open))

    def _asked(
        self, frame: FrameType, interest: Interest, offset: int, callee: object, code: CodeType
    ) -> None:
        other = self.interests.of(code)
        if other and other.is_async:
            line = interest.position(offset)[0] or frame.f_lineno
            names = tuple(dict.fromkeys(_known_as(interest.callee(offset), frame, callee)))
            self.notes.asked(self.active(), other.key, names, (interest.path, line))

    def opaque_returned(self, callee: object) -> None:
        """Take that an object in C, compiled or cached was called, and returned."""
        if not self.interests.targets or has_body(callee):
            return
        for name in self._opaque(callee):
            if type(callee).__name__ == _CACHED:
                self.notes.add(("cached", name))
            else:
                self.notes.call(name, Call(opaque=True))

    def opaque_called(self, callee: object) -> None:
        """Take a call of such an object where its return cannot be seen, as on Python 3.11."""
        if not self.interests.targets or has_body(callee):
            return
        for name in self._opaque(callee):
            if type(callee).__name__ == _CACHED:
                self.notes.add(("cached", name))
            else:
                words = f"{name} has no body that Python {sys.version.split()[0]} can watch"
                self.notes.add(("problem", "", words))

    def _opaque(self, callee: object) -> Iterator[str]:
        """Yield the computations that a callable without a body stands for."""
        code = code_of(own(callee, "__wrapped__") or own(callee, "py_func"))
        other = self.interests.of(code) if code is not None else None
        for compute, _ in other.computes if other else ():
            yield str(compute)
        if self._without_source:
            name = (named(callee, "__module__"), named(callee, "__qualname__"))
            yield from self._without_source.get(name, ())

    def _hold_against(self, frame: FrameType, interest: Interest, offset: int) -> None:
        dotted = interest.callee(offset)
        if not dotted or self.places is None:
            return
        code = frame.f_code
        is_local = dotted[0] in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
        local: Mapping[str, Any] = frame.f_locals if is_local else {}
        if is_local and dotted[0] not in local:
            return
        stand = self.places.stands_in(dotted, frame.f_globals, local, interest.text)
        self._stands(stand, stand.double if stand else None)

    def _gathered(self, frame: FrameType, names: tuple[str, ...]) -> None:
        """A task ended by an exception while `gather` takes exceptions for results."""
        if frame.f_back in self._running:
            return
        for running in self._running.values():
            if running.line in running.interest.gathers:
                place = (running.interest.path, running.interest.qualname)
                values = (*place, running.line, ("BaseException",), True)
                self.notes.for_each("caught", names, *values)

    def _push(self, opens: tuple[_Open, ...]) -> None:
        if opens:
            if not self._open:
                self._looked_at.clear()  # since the last call something may have been replaced
            _STACK.set((*_STACK.get(), *opens))
            self._open += opens
            self.changed(self.active())

    def _pop(self, opens: tuple[_Open, ...]) -> None:
        if opens:
            _STACK.set(tuple(opened for opened in _STACK.get() if opened not in opens))
            self._open = [opened for opened in self._open if opened not in opens]
            self.changed(self.active())


def _known(code: CodeType) -> tuple[str, int, str]:
    return (code.co_filename, code.co_firstlineno, code.co_qualname)


def _without_source(targets: Iterable[Target]) -> dict[tuple[str, str], list[str]]:
    """Return the computations in C by module and name."""
    found: dict[tuple[str, str], list[str]] = {}
    for target in targets:
        if target.opaque:
            found.setdefault(target.opaque, []).append(str(target.compute))
    return found


def _nobody(_: object) -> None:
    """Tell nobody."""


def _opened(frame: FrameType, interest: Interest) -> Iterator[_Open]:
    arguments: dict[str, Any] | None = None
    for compute, target in interest.computes:
        if compute.patterns and arguments is None:
            arguments = _arguments(frame)
        if fits(compute.patterns, arguments or {}):
            yield _Open(str(compute), _owner(frame) if target.sub else ())


def _arguments(frame: FrameType) -> dict[str, Any]:
    code = frame.f_code
    held = dict(frame.f_locals)
    if code.co_flags & 0x08:  # it has a parameter `**`
        count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x04)
        held = {**held.get(code.co_varnames[count], {}), **held}
    return held


def _owner(frame: FrameType) -> tuple[str, ...]:
    code = frame.f_code
    if not code.co_argcount:
        return ()
    first = frame.f_locals.get(code.co_varnames[0])
    kind = first if isinstance(first, type) else type(first)
    return tuple(f"{cls.__module__}:{cls.__qualname__}" for cls in kind.__mro__)


def _known_as(dotted: tuple[str, ...], frame: FrameType, callee: object) -> Iterator[str]:
    module, name = named(callee, "__module__"), named(callee, "__qualname__")
    if module and name:
        yield f"{module}.{name}"
    if dotted:
        yield ".".join((str(frame.f_globals.get("__name__", "")), *dotted))
