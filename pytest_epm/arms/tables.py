"""Markdown taken apart as far as a plan needs it: headings, tables, plain lines. Pure.

Cells are taken from the source text, not from what a renderer would show: `__call__` is
a name and no bold `call`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table. line: 1-based. cells: trimmed source text, as many as were written."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading. level: 1 to 6. text: its words without marks."""

    line: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table and the headings that it stands under, the outermost first."""

    header: Row
    rows: tuple[Row, ...]
    under: tuple[Heading, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """lines: number and words of every line of a paragraph or of the front matter."""

    headings: tuple[Heading, ...]
    tables: tuple[Table, ...]
    lines: tuple[tuple[int, str], ...]


def read(text: str) -> Document:
    """Take Markdown apart; anything is Markdown, so nothing is refused."""
    return _Reader(text).read()


_BREAK = re.compile(r"\r\n|\n|\r")
_PIPE = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\([|_*`\[\]\\])")
_LEVELS = {f"H{number}": number for number in range(1, 7)}
# A line in one of these is quoted or code, and says nothing about the plan itself.
_ASIDE = frozenset({"BlockQuote", "CodeBlock", "HtmlBlock", "Table", "Heading"})
_INLINE = frozenset({"Emphasis", "Strong", "Link", "Image", "Strikethrough"})


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.source = text.encode()
        self.starts = [0, *_ends(self.source)]
        self.headings: list[Heading] = []
        self.tables: list[Table] = []
        self.lines: list[tuple[int, str]] = []
        self.open: list[Heading] = []
        self.aside = 0
        self.words = ""

    def read(self) -> Document:
        for event, start, end in _events(self.text):
            kind, phase, value = _named(event)
            if phase == "Start":
                self.begin(kind, start, end)
            elif phase == "End":
                self.finish(kind, value, start)
            elif kind in ("Text", "Code"):
                self.said(str(value), start)
            elif kind in ("SoftBreak", "HardBreak"):
                self.flush()
        return Document(tuple(self.headings), tuple(self.tables), tuple(self.lines))

    def begin(self, kind: str, start: int, end: int) -> None:
        if kind == "Table" and not self.aside:
            self.tables.append(self.table(start, end))
        self.aside += kind in _ASIDE
        if kind not in _INLINE:
            self.words = ""

    def finish(self, kind: str, value: object, start: int) -> None:
        if kind == "Heading":
            self.headed(Heading(self.line(start), _LEVELS[str(value)], self.words.strip()))
        if kind in _ASIDE:
            self.aside -= 1
            self.words = ""
        elif kind not in _INLINE:
            self.flush()

    def headed(self, heading: Heading) -> None:
        self.headings.append(heading)
        self.open = [*(h for h in self.open if h.level < heading.level), heading]

    def said(self, words: str, start: int) -> None:
        for number, piece in enumerate(words.split("\n")):
            if number:
                self.flush()
            if not self.words:
                self.at = self.line(start) + number
            self.words += piece

    def flush(self) -> None:
        if self.aside:
            self.words += " "
            return
        if self.words.strip():
            self.lines.append((self.at, self.words.strip()))
        self.words = ""

    def line(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def table(self, start: int, end: int) -> Table:
        rows = []
        first = self.line(start)
        for number, line in enumerate(_BREAK.split(self.source[start:end].decode()), first):
            if number != first + 1 and line.strip():
                rows.append(Row(number, tuple(_cells(line))))
        return Table(rows[0], tuple(rows[1:]), tuple(self.open))


def _events(text: str) -> Iterator[tuple[object, int, int]]:
    import pyromark  # a plain run has no plan

    options = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_YAML_STYLE_METADATA_BLOCKS
    for event, span in pyromark.events_with_range(text, options=options, merge_text=True):
        yield event, span["start"], span["end"]


def _named(event: object) -> tuple[str, str, object]:
    """Return kind, `Start` or `End` or nothing, and what the event holds."""
    if not isinstance(event, dict):
        return str(event), "", ""
    ((kind, value),) = event.items()
    if kind not in ("Start", "End"):
        return kind, "", value
    if isinstance(value, dict):
        ((inner, held),) = value.items()
        return inner, kind, held
    return str(value), kind, ""


def _ends(source: bytes) -> Iterator[int]:
    return (match.end() for match in re.finditer(rb"\r\n|\n|\r", source))


def _cells(line: str) -> Iterator[str]:
    line = line.strip()
    parts = _PIPE.split(line)
    parts = parts[1:] if not parts[0].strip() else parts
    parts = parts[:-1] if parts and not parts[-1].strip() and line.endswith("|") else parts
    for part in parts:
        yield _ESCAPED.sub(r"\1", part.strip().replace("`", "")).strip()
