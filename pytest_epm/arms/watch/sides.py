"""Few events for the sides of guards: each place is reported until it has run once."""

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Protocol

from pytest_epm.arms.watch.interest import Interest, Interests, Landings
from pytest_epm.arms.watch.monitor import is_ours, take_id


class Taker(Protocol):
    """Takes what ran."""

    def line(self, path: str, number: int) -> None:
        """Take that a line ran."""

    def landed(self, path: str, line: int, column: int) -> None:
        """Take where a branch went."""


class Sides(Protocol):
    """A source of such events."""

    def problem(self) -> str:
        """Return why there are none, or no longer; else an empty string."""

    def again(self) -> None:
        """Report each place anew."""

    def close(self) -> None:
        """Report nothing any more."""


def sides(interests: Interests, taker: Taker) -> Sides:
    """Begin with what this interpreter has."""
    if hasattr(sys, "monitoring"):
        return _Monitored(interests, taker)
    return _Traced(interests, taker)


class _Monitored:
    def __init__(self, interests: Interests, taker: Taker) -> None:
        self.interests = interests
        self.taker = taker
        self._landed: dict[tuple[int, int], set[int]] = {}
        self._m: Any = getattr(sys, "monitoring")  # noqa: B009 - Python 3.11 has none
        self._tool, self._no_id = take_id(self._m)
        if self._no_id:
            return
        events = self._m.events
        for event, callback in (
            (events.PY_START, self._start),
            (events.LINE, self._line),
            (events.BRANCH, self._branch),
        ):
            self._m.register_callback(self._tool, event, _safe(callback, interests))
        self._m.set_events(self._tool, events.PY_START)

    def problem(self) -> str:
        if self._no_id or self._is_ours():
            return self._no_id
        return "a test took the monitoring events away"

    def again(self) -> None:
        if not self._no_id:
            self._landed.clear()
            self._m.restart_events()

    def close(self) -> None:
        if self._tool >= 0 and self._is_ours():
            self._m.set_events(self._tool, 0)
            self._m.free_tool_id(self._tool)
            self._tool = -1

    def _is_ours(self) -> bool:
        return is_ours(self._m, self._tool) and bool(self._m.get_events(self._tool))

    def _start(self, code: CodeType, _offset: int) -> Any:  # noqa: ANN401 - DISABLE has no type
        interest = self.interests.of(code)
        if interest and interest.guarded:
            events = self._m.events
            self._m.set_local_events(self._tool, code, events.LINE | events.BRANCH)
        return self._m.DISABLE

    def _line(self, code: CodeType, number: int) -> Any:  # noqa: ANN401 - as above
        interest = self.interests.of(code)
        if interest:
            self.taker.line(interest.path, number)
        return self._m.DISABLE

    def _branch(self, code: CodeType, offset: int, destination: int) -> Any:  # noqa: ANN401 - as above
        interest = self.interests.of(code)
        if interest is None:
            return self._m.DISABLE
        _land(interest, destination, self.taker)
        seen = self._landed.setdefault((id(code), offset), set())
        seen.add(destination)
        # DISABLE silences both destinations of a branch.
        return self._m.DISABLE if len(seen) > 1 else None


class _Traced:
    def __init__(self, interests: Interests, taker: Taker) -> None:
        self.interests = interests
        self.taker = taker
        self._landings = Landings()
        tracer = sys.gettrace()
        self._in_the_way = f"{type(tracer).__name__} traces already" if tracer else ""
        if not self._in_the_way:
            threading.settrace(self._call)
            sys.settrace(self._call)

    def problem(self) -> str:
        if self._in_the_way or sys.gettrace() == self._call:
            return self._in_the_way
        return "a test took the trace function away"

    def again(self) -> None:
        """Everything is always reported."""

    def close(self) -> None:
        if sys.gettrace() == self._call:
            sys.settrace(None)
        threading.settrace(None)

    def _call(self, frame: FrameType, _event: str, _arg: object) -> Callable[..., Any] | None:
        interest = self.interests.of(frame.f_code)
        if interest is None or not interest.guarded:
            return None
        frame.f_trace_opcodes = interest.one_line
        return self._local

    def _local(self, frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        try:
            interest = self.interests.of(frame.f_code)
            if interest and event == "line":
                self.taker.line(interest.path, frame.f_lineno)
            elif interest and event == "opcode" and self._landings.step(frame, interest):
                _land(interest, frame.f_lasti, self.taker)
            elif event == "exception":
                self._landings.raised(frame)
        except Exception as error:  # noqa: BLE001 - our faults are not for the code that is watched
            self.interests.fault(repr(error))
        return self._local


def _safe(callback: Callable[..., Any], interests: Interests) -> Callable[..., Any]:
    """Keep our faults out of the code that is watched."""

    def called(*event: object) -> Any:  # noqa: ANN401 - DISABLE has no type
        try:
            return callback(*event)
        except Exception as error:  # noqa: BLE001 - whatever it is, the evidence has a gap
            interests.fault(repr(error))
            return None

    return called


def _land(interest: Interest, offset: int, taker: Taker) -> None:
    line, _, column, _ = interest.position(offset)
    if line is not None and column is not None:
        taker.landed(interest.path, line, column)
