"""Events by `sys.settrace`, for Python 3.11. Frames tell less than `sys.monitoring` does."""

import dis
import sys
import threading
from collections.abc import Callable
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, getattr_static
from types import CodeType, FrameType
from typing import Any

from pytest_epm.arms.watch.ends import Ends
from pytest_epm.arms.watch.interest import Interest, Interests, Landings
from pytest_epm.arms.watch.recorder import Recorder

_YIELDS = frozenset({dis.opmap["YIELD_VALUE"]})
_CREATES = dis.opmap["RETURN_GENERATOR"]
_CALLS = frozenset({dis.opmap["CALL"], dis.opmap["CALL_FUNCTION_EX"]})
_LAZY = CO_COROUTINE | CO_GENERATOR | CO_ASYNC_GENERATOR


class Tracer:
    """Feeds a recorder while it is on, if nobody else traces."""

    def __init__(self, interests: Interests) -> None:
        """Take nothing yet."""
        self.interests = interests
        self.recorder: Recorder | None = None
        self.lost = ""
        self._async_names: frozenset[str] | None = None
        names = {target.compute.qualname for target in interests.targets}
        # What is in C may be called by any name.
        self._any_call = any(target.opaque for target in interests.targets)
        self._planned = frozenset(name.rpartition(".")[2] for name in names)
        self._raising: dict[FrameType, BaseException] = {}
        self._resumed: dict[FrameType, int] = {}
        self._ends = Ends()
        self._begun: set[FrameType] = set()
        self._landings = Landings()

    @property
    def problem(self) -> str:
        """Return who is in the way."""
        tracer = sys.gettrace()
        if tracer is None or tracer == self._call:
            return ""
        return f"{getattr(tracer, '__qualname__', type(tracer).__name__)} traces already"

    def start(self, recorder: Recorder) -> None:
        """Feed this recorder from now on, from every thread that starts."""
        self.recorder = recorder
        self.lost = ""
        if self._async_names is None:
            self._async_names = self.interests.async_names()
        threading.settrace(self._call)
        sys.settrace(self._call)

    def stop(self) -> None:
        """Feed nobody."""
        if self.recorder is None:
            return
        if sys.gettrace() == self._call:
            sys.settrace(None)
        else:
            self.lost = self.problem or "the test took the trace function away"
        threading.settrace(None)
        self.recorder = None
        self._raising.clear()
        self._resumed.clear()
        self._ends.clear()
        self._begun.clear()
        self._landings.clear()

    def close(self) -> None:
        """Feed nobody any more."""
        self.stop()

    def _call(self, frame: FrameType, event: str, _arg: object) -> Callable[..., Any] | None:
        recorder = self.recorder
        if recorder is None or event != "call":
            return None
        try:
            return self._entered(frame, recorder)
        except Exception as error:  # noqa: BLE001 - our faults are not for the code that is watched
            recorder.fault(error)
            return None

    def _entered(self, frame: FrameType, recorder: Recorder) -> Callable[..., Any] | None:
        code = frame.f_code
        interest = self.interests.of(code)
        if not code.co_flags & _LAZY:
            self._called_by(frame, recorder)
        if interest is None:
            recorder.foreign_started(frame)
            return None
        if frame in self._begun:
            recorder.resumed(frame)
            self._resumed[frame] = frame.f_lasti
        elif not code.co_flags & _LAZY:
            recorder.started(frame, interest)
        frame.f_trace_opcodes = interest.one_line or self._may_drop(interest)
        return self._local

    def _may_drop(self, interest: Interest) -> bool:
        """Whether it calls something that has the name of an async function or a computation.

        Making a coroutine is no event here, nor is a hit in a cache; only looking at each
        instruction shows them.
        """
        return self._any_call or bool(
            interest.called & ((self._async_names or frozenset()) | self._planned)
        )

    def _called_by(self, frame: FrameType, recorder: Recorder) -> None:
        caller = frame.f_back
        interest = self.interests.of(caller.f_code) if caller else None
        if caller and interest:
            recorder.called(caller, interest, caller.f_lasti, _Callee(frame.f_code, frame))

    def _local(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        interest, recorder = self.interests.of(frame.f_code), self.recorder
        if recorder is None or interest is None:
            return None
        try:
            self._happened(frame, event, arg, interest, recorder)
        except Exception as error:  # noqa: BLE001 - as above
            recorder.fault(error)
        return self._local

    def _happened(
        self, frame: FrameType, event: str, arg: object, interest: Interest, recorder: Recorder
    ) -> None:
        if event == "line":
            self._raising.pop(frame, None)
            if frame.f_code.co_flags & _LAZY and frame not in self._begun:
                self._begun.add(frame)
                recorder.started(frame, interest)
            recorder.line(frame, interest, frame.f_lineno)
        elif event == "opcode":
            if self._landings.step(frame, interest):
                recorder.landed(interest, frame.f_lasti)
            if frame.f_code.co_code[frame.f_lasti] in _CALLS:
                callee = _value(interest.callee(frame.f_lasti), frame)
                recorder.called(frame, interest, frame.f_lasti, callee)
                recorder.opaque_called(callee)
        elif event == "exception":
            self._raised(frame, arg, recorder)
        elif event == "return":
            self._returned(frame, interest, recorder, arg)

    def _raised(self, frame: FrameType, arg: object, recorder: Recorder) -> None:
        exception = arg[1] if isinstance(arg, tuple) else None
        if isinstance(exception, BaseException):
            self._raising[frame] = exception
            # What is raised where a frame waited came from outside.
            if self._resumed.pop(frame, -1) == frame.f_lasti:
                self._ends.thrown(frame, exception)
        self._landings.raised(frame)
        known = exception if isinstance(exception, BaseException) else None
        recorder.raised(frame, known)

    def _returned(
        self, frame: FrameType, interest: Interest, recorder: Recorder, arg: object
    ) -> None:
        code = frame.f_code
        operation = code.co_code[frame.f_lasti]
        if operation == _CREATES:
            return
        if operation in _YIELDS and frame not in self._raising:
            recorder.paused(frame)
            return
        raised = self._raising.pop(frame, None)
        self._begun.discard(frame)
        self._resumed.pop(frame, None)
        if arg is None and raised is not None:
            recorder.left(frame, returned=self._ends.returned(frame, raised))
            return
        line, _, column, _ = interest.position(frame.f_lasti)
        at = (line or frame.f_lineno, -1 if column is None else column)
        recorder.left(frame, returned=True, at=at)


def _value(dotted: tuple[str, ...], frame: FrameType) -> object:
    """Return what a name stands for, without running any code of the project."""
    if not dotted:
        return None
    value = frame.f_locals.get(dotted[0], frame.f_globals.get(dotted[0]))
    for name in dotted[1:]:
        value = getattr_static(value, name, None)
    return value


class _Callee:
    """What a call event tells of the function that is called."""

    def __init__(self, code: CodeType, frame: FrameType) -> None:
        self.__code__ = code
        self.__module__ = str(frame.f_globals.get("__name__", ""))
        self.__qualname__ = code.co_qualname
