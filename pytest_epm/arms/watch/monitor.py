"""Events by `sys.monitoring`, for Python 3.12 and newer. Source: PEP 669."""

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from pytest_epm.arms.watch.ends import Ends
from pytest_epm.arms.watch.interest import Interest, Interests
from pytest_epm.arms.watch.recorder import Recorder

_IDS = (4, 3)  # the two that no kind of tool has a claim on
_NAME = "pytest-epm"


def take_id(monitoring: Any) -> tuple[int, str]:  # noqa: ANN401 - `sys.monitoring` has no type on 3.11
    """Take a free tool id; return it, and why there is none."""
    for number in _IDS:
        if monitoring.get_tool(number) is None:
            monitoring.use_tool_id(number, _NAME)
            return number, ""
    return -1, f"no free monitoring id: {', '.join(map(str, _IDS))} are in use"


def is_ours(monitoring: Any, number: int) -> bool:  # noqa: ANN401 - as above
    """Whether a tool id is still the one that we took."""
    return bool(monitoring.get_tool(number) == _NAME)


class Monitor:
    """Feeds a recorder while it is on. It is made once, and takes one tool id."""

    def __init__(self, interests: Interests) -> None:
        """Take an id. `problem` says why that was not possible."""
        self.interests = interests
        self.recorder: Recorder | None = None
        self.lost = ""
        self._ends = Ends()
        self._watched: set[int] = set()
        self._m: Any = getattr(sys, "monitoring")  # noqa: B009 - Python 3.11 has none
        self._tool, self.problem = take_id(self._m)
        if not self.problem:
            self._register()

    def start(self, recorder: Recorder) -> None:
        """Feed this recorder from now on."""
        self.recorder = recorder
        self.lost = ""
        recorder.watch_code = self.watch_code
        for code, interest in list(self.interests.known.values()):
            if interest:
                self._watch(code, interest)
        self._m.set_events(self._tool, self._globally())

    def stop(self) -> None:
        """Feed nobody."""
        if self.recorder and not self._is_ours():
            self.lost = "the test took the monitoring events away"
        self.recorder = None
        self._ends.clear()
        if not is_ours(self._m, self._tool):
            return
        self._m.set_events(self._tool, 0)
        for code, interest in list(self.interests.known.values()):
            if interest and id(code) in self._watched:
                self._m.set_local_events(self._tool, code, 0)
        self._watched.clear()

    def close(self) -> None:
        """Give the id back."""
        if self._tool >= 0:
            self.stop()
            if is_ours(self._m, self._tool):
                self._m.free_tool_id(self._tool)
            self._tool = -1

    def watch_code(self, code: CodeType) -> None:
        """Have the start of foreign code reported too."""
        if self.interests.of(code) is None:
            self._m.set_local_events(self._tool, code, self._m.events.PY_START)

    def _globally(self) -> int:
        events = self._m.events
        return int(events.PY_START | events.RAISE | events.PY_UNWIND | events.PY_THROW)

    def _is_ours(self) -> bool:
        ours = is_ours(self._m, self._tool)
        return ours and bool(self._m.get_events(self._tool) == self._globally())

    def _register(self) -> None:
        events = self._m.events
        for event, callback in (
            (events.PY_START, self._start),
            (events.PY_RESUME, self._resume),
            (events.PY_THROW, self._throw),
            (events.PY_RETURN, self._return),
            (events.PY_YIELD, self._yield),
            (events.PY_UNWIND, self._unwind),
            (events.LINE, self._line),
            (events.BRANCH, self._branch),
            (events.CALL, self._call),
            (events.RAISE, self._raise),
            (events.C_RETURN, self._c_return),  # comes with CALL
        ):
            self._m.register_callback(self._tool, event, self._safe(callback))

    def _safe(self, callback: Callable[..., Any]) -> Callable[..., Any]:
        """Keep our faults out of the code that is watched; evidence then has a gap."""

        def called(*event: object) -> Any:  # noqa: ANN401 - DISABLE has no type
            try:
                return callback(*event)
            except Exception as error:  # noqa: BLE001 - whatever it is
                if self.recorder:
                    self.recorder.fault(error)
                return None

        return called

    def _watch(self, code: CodeType, interest: Interest) -> None:
        events = self._m.events
        wanted = events.CALL
        if interest.framed:
            wanted |= events.LINE | events.PY_RETURN | events.PY_YIELD | events.PY_RESUME
        if interest.guarded:
            wanted |= events.LINE | events.BRANCH
        self._m.set_local_events(self._tool, code, wanted)
        self._watched.add(id(code))

    def _start(self, code: CodeType, _offset: int) -> Any:  # noqa: ANN401 - DISABLE has no type
        recorder = self.recorder
        if recorder is None:
            return None
        interest = self.interests.of(code)
        if interest is None:
            frame = sys._getframe(2)  # noqa: SLF001 - the frame whose event this is
            return None if recorder.foreign_started(frame) else self._m.DISABLE
        if id(code) not in self._watched:
            self._watch(code, interest)
        recorder.started(sys._getframe(2), interest)  # noqa: SLF001 - the frame whose event this is
        return None

    def _resume(self, code: CodeType, _offset: int, *_: object) -> None:
        interest, recorder = self.interests.of(code), self.recorder
        if recorder and interest and interest.framed:
            recorder.resumed(sys._getframe(2))  # noqa: SLF001 - as above

    def _throw(self, code: CodeType, _offset: int, exception: BaseException) -> None:
        frame = self._frame_of(code)
        if frame and self.recorder:
            self.recorder.resumed(frame)
            self._ends.thrown(frame, exception)

    def _return(self, code: CodeType, offset: int, _value: object) -> None:
        interest, recorder = self.interests.of(code), self.recorder
        if recorder and interest:
            line, _, column, _ = interest.position(offset)
            at = (line or 0, -1 if column is None else column)
            recorder.left(sys._getframe(2), returned=True, at=at)  # noqa: SLF001 - as above

    def _yield(self, _code: CodeType, _offset: int, _value: object) -> None:
        if self.recorder:
            self.recorder.paused(sys._getframe(2))  # noqa: SLF001 - as above

    def _unwind(self, code: CodeType, _offset: int, exception: BaseException) -> None:
        frame = self._frame_of(code)
        if frame and self.recorder:
            self.recorder.left(frame, returned=self._ends.returned(frame, exception))

    def _raise(self, code: CodeType, _offset: int, exception: BaseException) -> None:
        frame = self._frame_of(code)
        if frame and self.recorder:
            self.recorder.raised(frame, exception)

    def _frame_of(self, code: CodeType) -> FrameType | None:
        """Return the frame of the event, if its course matters: this comes for all code."""
        interest = self.interests.known.get(id(code), (code, None))[1]
        return sys._getframe(3) if interest and interest.framed else None  # noqa: SLF001 - as above

    def _line(self, code: CodeType, number: int) -> None:
        interest, recorder = self.interests.of(code), self.recorder
        if recorder and interest:
            recorder.line(sys._getframe(2), interest, number)  # noqa: SLF001 - as above

    def _branch(self, code: CodeType, _offset: int, destination: int) -> None:
        interest, recorder = self.interests.of(code), self.recorder
        if recorder and interest:
            recorder.landed(interest, destination)

    def _c_return(self, _code: CodeType, _offset: int, callee: object, _first: object) -> None:
        if self.recorder:
            self.recorder.opaque_returned(callee)

    def _call(self, code: CodeType, offset: int, callee: object, _first: object) -> None:
        interest, recorder = self.interests.of(code), self.recorder
        if recorder and interest:
            recorder.called(sys._getframe(2), interest, offset, callee)  # noqa: SLF001 - as above
