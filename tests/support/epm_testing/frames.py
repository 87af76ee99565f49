"""What the frames of one function did, told by sys.settrace."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from textwrap import dedent
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import TraceFunction


@dataclass
class Seen:
    """Events of one frame, in order: `line` or `exception` with a line, and its end.

    kinds: names of the type of each exception, and of the bases of that.
    """

    events: list[tuple[str, int]] = field(default_factory=list)
    kinds: list[tuple[str, ...]] = field(default_factory=list)
    raised: bool = False

    @property
    def lines(self) -> frozenset[int]:
        """Return the lines that ran."""
        return frozenset(line for event, line in self.events if event == "line")

    @property
    def last(self) -> int:
        """Return the line on which the frame ended."""
        return self.events[-1][1]


def frames(source: str, *argument_lists: tuple[object, ...]) -> list[Seen]:
    """Run the `f` of a source with each list of arguments; return what its frames did."""
    space: dict[str, Callable[..., object]] = {}
    exec(compile(dedent(source), "traced.py", "exec"), space)  # noqa: S102 - the text of a test
    found: list[Seen] = []

    def start(frame: FrameType, event: str, _: Any) -> "TraceFunction | None":  # noqa: ANN401 - as settrace has it
        if event != "call" or frame.f_code.co_qualname != "f":
            return None
        seen = Seen()
        found.append(seen)

        def local(frame: FrameType, event: str, arg: Any) -> "TraceFunction":  # noqa: ANN401 - as settrace has it
            seen.events.append((event, frame.f_lineno))
            if event == "exception":
                seen.kinds.append(tuple(kind.__name__ for kind in arg[0].__mro__))
            return local

        return local

    for arguments in argument_lists:
        before = sys.gettrace()
        sys.settrace(start)
        try:
            space["f"](*arguments)
        except Exception:  # noqa: BLE001 - whatever the source raises
            found[-1].raised = True
        finally:
            sys.settrace(before)
    return found
