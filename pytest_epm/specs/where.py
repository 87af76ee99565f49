"""The lines on which a TOML text sets its keys; its parser keeps none. Pure."""

import json
import re
from collections.abc import Iterator

Path = tuple[str | int, ...]

_PART = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=")
_EACH = re.compile(_PART)


class Lines:
    """Where keys stand. prefix: names of the table that paths begin in."""

    def __init__(self, text: str, prefix: tuple[str, ...] = ()) -> None:
        """Go through the lines once."""
        self._lines = text.split("\n")
        self._prefix = prefix
        self._keys = dict(_keys(self._lines))

    def line(self, path: Path) -> int:
        """Return the line of a key, else of the nearest table around it, else 1."""
        whole = (*self._prefix, *path)
        while whole:
            if whole in self._keys:
                return self._keys[whole]
            whole = whole[:-1]
        return 1

    def has(self, path: Path) -> bool:
        """Whether a key stands anywhere."""
        return (*self._prefix, *path) in self._keys

    def value(self, path: Path, value: str) -> int:
        """Return the line on which a text stands that is the value of a key, or in its list."""
        first = self.line(path)
        later = [line for line in self._keys.values() if line > first]
        for quoted in (json.dumps(value, ensure_ascii=False), f"'{value}'"):
            for number in range(first, min(later, default=len(self._lines) + 1)):
                if quoted in self._lines[number - 1]:
                    return number
        return first


def _keys(lines: list[str]) -> Iterator[tuple[Path, int]]:
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(lines, 1):
        if header := _HEADER.match(line):
            table = _indexed(_parts(header[2]), counts)
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            yield table, number
        elif key := _KEY.match(line):
            parts = _parts(key[1])
            for length in range(1, len(parts) + 1):
                yield (*table, *parts[:length]), number


def _indexed(parts: Path, counts: dict[Path, int]) -> Path:
    """Return a header's path with the numbers of the array tables that it lies in."""
    path: Path = ()
    for number, part in enumerate(parts):
        path = (*path, part)
        if path in counts and number + 1 < len(parts):
            path = (*path, counts[path])
    return path


def _parts(dotted: str) -> Path:
    return tuple(part.strip("\"'") for part in _EACH.findall(dotted))
