"""Markdown into a document, from the events of a CommonMark parser and their ranges. Pure."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from pytest_epm.specs import front as fronts
from pytest_epm.specs.document import Block, Comment, Document, Heading, Link, Piece, Range
from pytest_epm.specs.source import Source

_TAG = re.compile(rb"<!--|</?[A-Za-z][^<>]*>")
_NO_BREAK = re.compile(rb"[^\n]")
_ANCHOR = re.compile(rb"\b(?:id|name)\s*=\s*[\"']([^\"'\n]+)[\"']")
_MARKS = ("Strong", "Emphasis")
_LEVELS = {f"H{number}": number for number in range(1, 7)}
_STRIKES = re.compile(r"<(/?)(?:del|s|strike)\s*>", re.IGNORECASE)
_NO_SLUG = re.compile(r"[^\w\- ]")
# Stands for the bytes of a tag while its surroundings are read again as Markdown.
_GAP = "\x01"
_COVERS = frozenset({"Paragraph", "Heading", "Item", "TableRow", "TableHead"})
_CONTAINERS = _COVERS | {"List", "BlockQuote", "Table", "CodeBlock", "FootnoteDefinition"}
_LEAVES = {
    "Paragraph": "text",
    "Heading": "heading",
    "Item": "text",
    "TableRow": "row",
    "TableHead": "row",
    "CodeBlock": "code",
}


def read(source: Source) -> Document:
    """Take a Markdown file apart; anything is Markdown, so nothing is refused."""
    front = fronts.read(source.text)
    reader = _Reader(source)
    reader.run(source.text[front.body :], len(source.text[: front.body].encode()))
    return reader.document(front)


def plain(source: Source) -> Document:
    """Return a file that is no Markdown as one block of code."""
    end = len(source.data)
    block = Block("code", source.text, ((0, 0, end),), 0, end)
    return Document(source, fronts.Front(fronts.ABSENT), (block,))


def _events(text: str) -> Iterator[tuple[Any, Any]]:
    import pyromark

    return iter(pyromark.events_with_range(text, options=_options(), merge_text=True))


@cache
def _options() -> Any:  # noqa: ANN401 - the parser's own flags
    import pyromark

    return (
        pyromark.Options.ENABLE_TABLES
        | pyromark.Options.ENABLE_STRIKETHROUGH
        | pyromark.Options.ENABLE_TASKLISTS
        | pyromark.Options.ENABLE_FOOTNOTES
    )


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.blocks: list[Block] = []
        self.headings: list[Heading] = []
        self.comments: list[Comment] = []
        self.waiting: list[tuple[str, int, int]] = []
        self.anchors: set[str] = set()
        self.ordinals: set[str] = set()
        self.slugs: dict[str, int] = {}
        self.stack: list[tuple[str, int, int]] = []
        self.counts: list[int | None] = []
        self.section = -1
        self.level = 0
        self.hidden: Range = (0, 0)
        self.masked = False
        self.runs_on = False
        self.marked = True
        self.reset("text", 0, 0)

    def reset(self, kind: str, start: int, end: int) -> None:
        self.kind, self.start, self.end = kind, start, end
        self.words: list[str] = []
        self.length = 0
        self.pieces: list[Piece] = []
        if self.marked:
            self.codes: list[Range] = []
            self.links: list[Link] = []
            self.struck: list[Range] = []
            self.opened: list[tuple[str, int, bool]] = []
            self.marked = False
        self.strike = -1

    def run(self, text: str, base: int) -> None:  # noqa: C901 - one loop, a branch a kind
        """Go through the events of a text; this is where the time goes."""
        for event, span in _events(text):
            if isinstance(event, str):
                if event == "Rule":
                    self.flush()
                else:
                    self.add("\n", span["start"] + base, span["end"] + base)
                continue
            kind, value = event.popitem()
            if kind == "Text":
                self.pieces.append((self.length, span["start"] + base, span["end"] + base))
                self.words.append(value)
                self.length += len(value)
            elif kind == "Start":
                if value in _MARKS:
                    continue
                self.begin(value, span["start"] + base, span["end"] + base)
            elif kind == "End":
                if value in _MARKS:
                    continue
                self.finish(value, span["start"] + base, span["end"] + base)
            elif kind == "Code":
                self.code(value, span["start"] + base, span["end"] + base)
            elif kind == "InlineHtml":
                self.inline_html(value, span["start"] + base, span["end"] + base)

    def document(self, front: fronts.Front) -> Document:
        self.flush()
        for text, start, end in self.waiting:
            self.comments.append(Comment(text, start, end, (start, end)))
        return Document(
            self.source,
            front,
            tuple(self.blocks),
            headings=tuple(self.headings),
            comments=tuple(self.comments),
            anchors=frozenset(self.anchors),
            ordinals=frozenset(self.ordinals),
        )

    def begin(self, value: Any, start: int, end: int) -> None:  # noqa: ANN401 - the parser's own shapes
        held: Any = None
        if isinstance(value, str):
            kind = value
        else:
            kind, held = value.popitem()
        if kind in ("Link", "Image"):
            automatic = held["link_type"] in ("Autolink", "Email")
            self.marked = True
            self.opened.append((held["dest_url"], self.length, automatic))
        elif kind == "Strikethrough":
            self.marked = True
            self.strike = self.length
        elif kind == "TableCell":
            if self.words:
                self.add("\t", start, start)
        elif kind in _CONTAINERS:
            self.open(kind, held, start, end)

    def open(self, kind: str, held: Any, start: int, end: int) -> None:  # noqa: ANN401 - as above
        nested = kind == "List" and self.stack and self.stack[-1][0] == "Item"
        had_words = self.flush()
        if kind == "List":
            self.counts.append(held)
            self.runs_on = bool(nested and had_words)
        elif kind != "Item":
            self.runs_on = False
        if kind == "Item" and self.counts and self.counts[-1] is not None:
            self.ordinals.add(str(self.counts[-1]))
            self.counts[-1] += 1
        if self.waiting:
            for text, at, until in self.waiting:
                self.comments.append(Comment(text, at, until, (start, end)))
            self.waiting.clear()
        self.stack.append((kind, start, end))
        if kind in _LEAVES:
            self.reset(_LEAVES[kind], start, end)
        if kind == "Heading":
            self.level = _LEVELS[held["level"]]

    def finish(self, value: Any, start: int, end: int) -> None:  # noqa: ANN401 - as above
        kind = value if isinstance(value, str) else next(iter(value))
        if kind in ("Link", "Image") and self.opened:
            target, at, automatic = self.opened.pop()
            self.links.append(Link(target, at, self.length, automatic))
        elif kind == "Strikethrough":
            self.struck.append((self.strike, self.length))
            self.strike = -1
        elif kind == "HtmlBlock":
            self.html(start, end)
        elif kind in _CONTAINERS:
            self.flush()
            if self.stack:
                self.stack.pop()
            if kind == "List" and self.counts:
                self.counts.pop()
            if self.stack and self.stack[-1][0] == "Item":
                self.reset("text", *self.stack[-1][1:])

    def add(self, words: str, start: int, end: int) -> None:
        self.pieces.append((self.length, start, end))
        self.words.append(words)
        self.length += len(words)

    def code(self, words: str, start: int, end: int) -> None:
        self.marked = True
        self.codes.append((self.length, self.length + len(words)))
        written = self.source.data[start:end]
        marks = len(written) - len(written.lstrip(b"`"))
        begin = start + marks
        if written[marks : marks + 1].isspace() and not words.startswith(" "):
            begin += 1
        self.add(words, begin, max(end - marks, begin))

    def inline_html(self, words: str, start: int, end: int) -> None:
        if words.startswith("<!--"):
            self.comment(words, start, end)
            return
        if strike := _STRIKES.match(words):
            self.marked = True
            if not strike[1]:
                self.strike = self.length
            elif self.strike >= 0:
                self.struck.append((self.strike, self.length))
                self.strike = -1
        elif words.startswith(("<br", "<BR")):
            self.add("\n", start, end)
        self.anchors.update(_ids(words.encode()))

    def comment(self, words: str, start: int, end: int) -> None:
        inside = next((c for c in reversed(self.stack) if c[0] in _COVERS), None)
        if inside:
            self.comments.append(Comment(words, start, end, inside[1:]))
        else:
            self.waiting.append((words, start, end))

    def html(self, start: int, end: int) -> None:
        """Read a block of HTML for its comments, and what is between its tags as Markdown."""
        raw = self.source.data[start:end]
        self.anchors.update(_ids(raw))
        masked = bytearray(raw)
        for begin, stop in _tags(raw):
            if raw.startswith(b"<!--", begin):
                if stop < 0:
                    until = self.source.data.find(b"-->", start + begin)
                    self.hidden = (start + begin, len(self.source.data) if until < 0 else until)
                    break
                self.comment(raw[begin:stop].decode(), start + begin, start + stop)
            masked[begin:stop] = _NO_BREAK.sub(b"\x01", raw[begin:stop])
        lines = [
            line if line.strip(b" \t\x01") else b" " * len(line) for line in masked.split(b"\n")
        ]
        if any(line.strip() for line in lines):
            self.between(b"\n".join(lines), start, end)

    def between(self, raw: bytes, start: int, end: int) -> None:
        text = raw.decode("utf-8", "replace")
        if self.masked or len(text.encode()) != len(raw):
            self.reset("text", start, end)
            self.add(text, start, end)
            self.flush()
            return
        self.masked = True
        self.run(text, start)
        self.masked = False

    def flush(self) -> bool:
        """Close the block at hand; return whether it held words."""
        if not self.words:
            return False
        text = "".join(self.words)
        if not text.strip(" \n\t\x01"):
            self.words, self.pieces, self.length = [], [], 0
            return False
        if _GAP in text:
            text = text.replace(_GAP, " ")
        begin = self.pieces[0][1]
        hidden = self.hidden[0] <= begin < self.hidden[1]
        if self.kind == "heading" and not hidden:
            self.head(text)
        kind = "hidden" if hidden else self.kind
        self.blocks.append(
            Block(
                kind,
                text,
                tuple(self.pieces),
                self.start,
                self.end,
                self.section,
                *self.marks(),
                self.runs_on,
            )
        )
        self.runs_on = False
        self.reset(self.kind, self.start, self.end)
        return True

    def marks(self) -> tuple[tuple[Range, ...], tuple[Link, ...], tuple[Range, ...]]:
        if not self.marked:
            return (), (), ()
        return tuple(self.codes), tuple(self.links), tuple(self.struck)

    def head(self, text: str) -> None:
        words = " ".join(text.split())
        above = self.section
        while above >= 0 and self.headings[above].level >= self.level:
            above = self.headings[above].above
        slug = _NO_SLUG.sub("", words.lower()).replace(" ", "-")
        seen = self.slugs.get(slug, 0)
        self.slugs[slug] = seen + 1
        slug = f"{slug}-{seen}" if seen else slug
        self.section = len(self.headings)
        self.headings.append(Heading(self.level, words, len(self.blocks), above, slug))


def _ids(raw: bytes) -> Iterator[str]:
    if b"=" in raw:
        for found in _ANCHOR.findall(raw):
            yield found.decode("utf-8", "replace").lower()


def _tags(raw: bytes) -> Iterator[Range]:
    """Yield the ranges of tags and comments; of a comment without an end, -1 as its end."""
    at = 0
    while match := _TAG.search(raw, at):
        at = match.end()
        if match[0] == b"<!--":
            close = raw.find(b"-->", match.end())
            at = close + 3 if close >= 0 else len(raw)
            yield match.start(), at if close >= 0 else -1
        else:
            yield match.span()
