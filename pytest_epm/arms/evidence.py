"""What a tracer saw of each test: frozen, and plain JSON where it crosses a process. Pure.

Nothing here judges. Paths are real and absolute; a computation is known by `str(Compute)`.
A test without evidence says so in `unknown`: no data is never read as clean.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_epm.arms.handlers import Swallowed
from pytest_epm.arms.substitutes import Replaced

OVERLAP = "tests overlap in threads of this process"


@dataclass(frozen=True, slots=True)
class Caught:
    """A handler of project code that swallowed, and where it stands."""

    path: str
    function: str
    handler: Swallowed


@dataclass(frozen=True, slots=True)
class Dropped:
    """An async function that was called and whose body was never entered.

    names: `module.name`, of the definition and of the use. path, line: of the call.
    """

    names: tuple[str, ...]
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Ran:
    """What project code did while something was going on.

    lines: path and line; those on which guards stand and their sides are enough. landings:
    path, line and column that branches went to.
    """

    lines: frozenset[tuple[str, int]] = frozenset()
    landings: frozenset[tuple[str, int, int]] = frozenset()
    caught: tuple[Caught, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    def in_file(self, path: str) -> tuple[set[int], set[tuple[int, int]]]:
        """Return executed lines of a file, and the positions that its branches went to."""
        lines = {line for where, line in self.lines if where == path}
        return lines, {(line, col) for where, line, col in self.landings if where == path}

    def __or__(self, other: "Ran") -> "Ran":
        """Return both as one."""
        return Ran(
            self.lines | other.lines,
            self.landings | other.landings,
            (*self.caught, *other.caught),
            (*self.replaced, *other.replaced),
            (*self.dropped, *other.dropped),
        )


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a planned computation whose arguments fit the cell.

    lines: of its own body; none means that it was called and never entered. returned: None
    if it was never over. at: where it returned, column -1 if only the line is known. owner:
    `module:Class` of `type(self)` and its bases. opaque: an object without a traceable body
    was called and returned.
    """

    lines: frozenset[int] = frozenset()
    returned: bool | None = True
    at: tuple[int, int] = (0, -1)
    owner: tuple[str, ...] = ()
    opaque: bool = False


@dataclass(frozen=True, slots=True)
class Computed:
    """A computation in one test.

    calls: in order. ran: what ran while it was on the stack, tasks, threads and children
    included. cached: a process-wide cache gave the result of a call in another test, whose
    evidence this is.
    """

    calls: tuple[Call, ...] = ()
    ran: Ran = Ran()
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A test, its fixtures of wider scope and its child processes.

    arms: those it is bound to. outcome: `passed`, `failed`, `skipped`, `xfailed`, `xpassed`
    or `error`. ran: whatever project code it ran. unknown: why there is no sound evidence.
    """

    id: str
    arms: tuple[str, ...]
    outcome: str
    computed: Mapping[str, Computed] = field(default_factory=dict)
    ran: Ran = Ran()
    unknown: str = ""


def pack(item: Item) -> dict[str, Any]:
    """Return an item as plain JSON, as a worker ships it."""
    return {
        "id": item.id,
        "arms": list(item.arms),
        "outcome": item.outcome,
        "unknown": item.unknown,
        "ran": _pack_ran(item.ran),
        "computed": {
            name: {
                "calls": [_pack_call(call) for call in computed.calls],
                "ran": _pack_ran(computed.ran),
                "cached": computed.cached,
            }
            for name, computed in item.computed.items()
        },
    }


def unpack(data: Mapping[str, Any]) -> Item:
    """Return what was packed. Raises KeyError or TypeError for anything else."""
    computed = {
        name: Computed(
            tuple(_unpack_call(call) for call in found["calls"]),
            _unpack_ran(found["ran"]),
            found["cached"],
        )
        for name, found in data["computed"].items()
    }
    ran = _unpack_ran(data["ran"])
    return Item(data["id"], tuple(data["arms"]), data["outcome"], computed, ran, data["unknown"])


def _pack_ran(ran: Ran) -> dict[str, Any]:
    return {
        "lines": sorted(map(list, ran.lines)),
        "landings": sorted(map(list, ran.landings)),
        "caught": [
            [c.path, c.function, c.handler.line, list(c.handler.types), c.handler.judged]
            for c in ran.caught
        ],
        "replaced": [[list(r.names), r.by, r.spied] for r in ran.replaced],
        "dropped": [[list(d.names), d.path, d.line] for d in ran.dropped],
    }


def _unpack_ran(data: Mapping[str, Any]) -> Ran:
    return Ran(
        frozenset((path, line) for path, line in data["lines"]),
        frozenset((path, line, column) for path, line, column in data["landings"]),
        tuple(
            Caught(path, function, Swallowed(line, tuple(types), judged))
            for path, function, line, types, judged in data["caught"]
        ),
        tuple(Replaced(tuple(names), by, spied) for names, by, spied in data["replaced"]),
        tuple(Dropped(tuple(names), path, line) for names, path, line in data["dropped"]),
    )


def _pack_call(call: Call) -> list[Any]:
    return [sorted(call.lines), call.returned, list(call.at), list(call.owner), call.opaque]


def _unpack_call(data: list[Any]) -> Call:
    lines, returned, (line, column), owner, opaque = data
    return Call(frozenset(lines), returned, (line, column), tuple(owner), opaque)
