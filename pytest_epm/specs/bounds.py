"""A bound on the time that a regular expression of the settings may take."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from pytest_epm.errors import ConfigError

SECONDS = 10.0


@contextlib.contextmanager
def bounded(where: str, name: str, seconds: float = SECONDS) -> Iterator[None]:
    """Raise ConfigError for `name` if the work inside takes longer.

    Python's matcher looks for signals while it goes on, so an alarm ends it. Outside of the main
    thread, where there are none, nothing is bounded.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(_number: int, _frame: FrameType | None) -> None:
        what = f"{name} took longer than {seconds:g} s"
        raise ConfigError(what, where, "write it without a repeat inside of a repeat")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
