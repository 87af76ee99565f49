"""Exceptions that end a frame as it is meant to end, and are no failure of its code."""

import dis
from collections.abc import Iterator
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import CodeType, FrameType

_RESUME = dis.opmap["RESUME"]
_AFTER_YIELD, _WHERE_FROM = 1, 3  # of the argument of RESUME
_LAST_OF = {"__next__": StopIteration, "__anext__": StopAsyncIteration}
_LAZY = CO_COROUTINE | CO_GENERATOR | CO_ASYNC_GENERATOR


class Ends:
    """Keeps what was thrown into frames from outside, until they end."""

    def __init__(self) -> None:
        """Begin with nothing thrown."""
        # By identity: an exception that is kept would keep the frames that it came through.
        self._thrown: dict[FrameType, int] = {}

    def thrown(self, frame: FrameType, exception: BaseException) -> None:
        """Take that an exception comes into a frame that waits."""
        if _from_outside(frame, exception):
            self._thrown[frame] = id(exception)

    def returned(self, frame: FrameType, exception: BaseException) -> bool | None:
        """Return how a frame ended that an exception leaves.

        False: it failed. True: it is as good as a return. None: it was put to an end from
        outside, or had nothing more to give.
        """
        thrown = self._thrown.pop(frame, 0)
        if isinstance(exception, SystemExit):
            return exception.code is None or exception.code == 0
        last = _LAST_OF.get(frame.f_code.co_name)
        if last is not None and type(exception) is last:
            return None
        closed = isinstance(exception, GeneratorExit) and frame.f_code.co_flags & _LAZY
        return None if closed or thrown == id(exception) else False

    def clear(self) -> None:
        """Forget all frames."""
        self._thrown.clear()


def _from_outside(frame: FrameType, exception: BaseException) -> bool:
    """Whether whoever drives a frame threw this.

    What an awaited task or future failed with comes in the same way, and is a failure.
    """
    flags = frame.f_code.co_flags
    if flags & CO_GENERATOR or "CancelledError" in _kinds(exception):
        return True
    return bool(flags & CO_ASYNC_GENERATOR) and _at_yield(frame.f_code, frame.f_lasti)


def _kinds(exception: BaseException) -> Iterator[str]:
    return (kind.__name__ for kind in type(exception).__mro__)


def _at_yield(code: CodeType, offset: int) -> bool:
    """Whether a frame that waits here waits at a `yield`, and not at an `await`."""
    # The instruction that waits is followed by a RESUME; Python 3.13 stands on that one already.
    near = code.co_code[offset : offset + 4]
    operation, argument = near[:2] if near[:1] == bytes([_RESUME]) else near[2:4]
    return operation == _RESUME and argument & _WHERE_FROM == _AFTER_YIELD
