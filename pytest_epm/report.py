"""What every capability returns: findings, rows, sections, a marker, a report.

All frozen, all plain data. Writers in `reports/` turn a Report into text or JSON;
nothing here prints.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from pytest_epm.errors import Exit


class Finding(NamedTuple):
    """One fault at one place. `line` and `column` are 1-based; 0 means the file as a whole."""

    code: str
    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    severity: str = "error"
    next_step: str = ""


class Described(NamedTuple):
    """A rule as a report names it: a code that never changes, a name, one sentence."""

    code: str
    name: str
    summary: str
    severity: str = "error"


class Row(NamedTuple):
    """One line of a table: a name, what it came to, and why."""

    name: str
    status: str
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Section(NamedTuple):
    """A titled part of a report; empty parts are not written."""

    title: str
    rows: tuple[Row, ...] = ()
    findings: tuple[Finding, ...] = ()
    lines: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.rows or self.findings or self.lines)


class Marker(NamedTuple):
    """An event for the task store: its kind, the note as people read it, the data behind it."""

    kind: str
    note: str
    data: Mapping[str, object] = MappingProxyType({})


class Report(NamedTuple):
    """The outcome of one capability.

    schema: id of the JSON object, such as `epm.bytecode/1`.
    headline: the outcome in one line.
    exit_code: ours, or pytest's own where a run ends with one.
    data: the capability's own JSON object, without `schema` and `exit_code`.
    """

    schema: str
    headline: str
    exit_code: int = Exit.HOLDS
    sections: tuple[Section, ...] = ()
    data: Mapping[str, object] = MappingProxyType({})


def shown(path: str) -> str:
    """Return a path as one printable line, whatever bytes its name holds."""
    return path if path.isprintable() else "".join(map(_printable, path))


# Bytes that are no UTF-8, as os.fsdecode keeps them.
_UNDECODED = range(0xDC80, 0xDD00)


def _printable(char: str) -> str:
    if char.isprintable():
        return char
    code = ord(char)
    if code in _UNDECODED:
        return f"\\x{code - 0xDC00:02x}"
    return char.encode("unicode_escape").decode("ascii")
