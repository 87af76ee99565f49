"""Which source of events this interpreter has."""

import sys
from typing import Protocol

from pytest_epm.arms.watch.interest import Interests
from pytest_epm.arms.watch.recorder import Recorder


class Events(Protocol):
    """Feeds a recorder while it is on.

    problem: why it cannot, or an empty string. lost: who took the events away while it was
    on, so that the evidence since `start` has gaps; else an empty string.
    """

    lost: str

    @property
    def problem(self) -> str:
        """Return what is in the way."""

    def start(self, recorder: Recorder) -> None:
        """Feed this recorder from now on."""

    def stop(self) -> None:
        """Feed nobody."""

    def close(self) -> None:
        """Give back what was taken."""


def source_of_events(interests: Interests) -> Events:
    """Return the source of events of this interpreter."""
    if hasattr(sys, "monitoring"):
        from pytest_epm.arms.watch.monitor import Monitor

        return Monitor(interests)
    from pytest_epm.arms.watch.tracer import Tracer

    return Tracer(interests)
