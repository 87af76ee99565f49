"""The text of a file as it lies on disk: decoded, with a map back to line and column. Pure."""

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


class Place(NamedTuple):
    """1-based; the column counts code points, a byte order mark too."""

    line: int
    column: int = 1


class Damage(NamedTuple):
    """Bytes that are no text: what they are, and where the first of them stands."""

    what: str
    place: Place


class Source:
    r"""A file's text.

    text: with `\n` at every line end, without a byte order mark, and with a replacement
    character for each NUL and each run of bytes that is no UTF-8. data: the same as UTF-8;
    offsets count its bytes. size: bytes on disk. damage: what had to be replaced. foreign:
    the text is of another encoding, so nothing can be said of it.
    """

    def __init__(self, raw: bytes) -> None:
        """Decode the content of a file."""
        self.size = len(raw)
        self.foreign = raw.startswith(_WIDE)
        self.has_bom = raw.startswith(_BOM)
        body = raw[len(_BOM) :] if self.has_bom else raw
        self.text, self.damage = _decoded(body)
        self.data = self.text.encode()

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        return [0, *(match.end() for match in re.finditer(rb"\n", self.data))]

    def place(self, offset: int) -> Place:
        """Return line and column of an offset."""
        line = bisect_right(self.starts, offset)
        before = self.data[self.starts[line - 1] : offset].decode("utf-8", "ignore")
        return Place(line, len(before) + 1 + (self.has_bom and line == 1))


def _decoded(body: bytes) -> tuple[str, tuple[Damage, ...]]:
    damage = []
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        damage.append(Damage("bytes that are not UTF-8", _place(body, error.start)))
        text = body.decode(errors="replace")
    if "\0" in text:
        damage.append(Damage("NUL bytes", _place(body, body.index(b"\0"))))
        text = text.replace("\0", _UNKNOWN)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, tuple(damage)


def _place(body: bytes, offset: int) -> Place:
    lines = re.split(r"\r\n|\r|\n", body[:offset].decode(errors="replace"))
    return Place(len(lines), len(lines[-1]) + 1)
