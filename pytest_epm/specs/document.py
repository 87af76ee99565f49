"""What a Markdown file holds, taken apart far enough for rules: blocks of text, links, comments."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from pytest_epm.specs.front import Front
from pytest_epm.specs.source import Place, Source


class Link(NamedTuple):
    """A link or image. start, end: where its words stand in the block's text.

    automatic: its words are its target.
    """

    target: str
    start: int
    end: int
    automatic: bool = False


# A stretch of a block's text: where it begins there, and its start and end in the source.
Piece = tuple[int, int, int]
Range = tuple[int, int]


class Block(NamedTuple):
    """A paragraph, an item's own words, a heading, a table row, or code.

    kind: `text`, `heading`, `row`, `code`, or `hidden` for text inside of a comment. text:
    the words with marks taken off; lines end in a newline, cells of a row in a tab.
    start, end: its range in the source. section: index of the heading it stands under, a
    heading's own included, or -1. codes, struck: ranges of the text in code spans, and
    struck through. runs_on: the first nested item of the block before, so that a sentence
    may go on into it.
    """

    kind: str
    text: str
    pieces: tuple[Piece, ...]
    start: int
    end: int
    section: int = -1
    codes: tuple[Range, ...] = ()
    links: tuple[Link, ...] = ()
    struck: tuple[Range, ...] = ()
    runs_on: bool = False


class Heading(NamedTuple):
    """A heading. block: its index. above: index of the heading it stands under, or -1."""

    level: int
    text: str
    block: int
    above: int
    slug: str


class Comment(NamedTuple):
    """An HTML comment. covers: the range of the block that it speaks of."""

    text: str
    start: int
    end: int
    covers: Range


class Document:
    """A file taken apart. ordinals: numbers of its numbered items. anchors: explicit ids."""

    def __init__(
        self,
        source: Source,
        front: Front,
        blocks: tuple[Block, ...],
        *,
        headings: tuple[Heading, ...] = (),
        comments: tuple[Comment, ...] = (),
        anchors: frozenset[str] = frozenset(),
        ordinals: frozenset[str] = frozenset(),
    ) -> None:
        """Keep the parts."""
        self.source = source
        self.front = front
        self.blocks = blocks
        self.headings = headings
        self.comments = comments
        self.anchors = anchors
        self.ordinals = ordinals

    def place(self, block: Block, index: int) -> Place:
        """Return where a character of a block's text stands in the file."""
        return self.source.place(self.offset(block, index))

    def offset(self, block: Block, index: int) -> int:
        """Return the offset of a character of a block's text."""
        if not block.pieces:
            return block.start
        number = max(bisect_right(block.pieces, index, key=_at) - 1, 0)
        at, start, end = block.pieces[number]
        following = block.pieces[number + 1][0] if number + 1 < len(block.pieces) else None
        words = block.text[at:following]
        written = self.source.data[start:end].decode("utf-8", "ignore")
        inside = index - at
        if not written.startswith(words[: inside + 1]):
            inside = _aligned(words, written, inside)
        return start + len(written[:inside].encode())

    def titles(self, block: Block) -> Iterator[str]:
        """Yield the headings that a block stands under, the nearest first."""
        number = block.section
        while number >= 0:
            yield self.headings[number].text
            number = self.headings[number].above

    @cached_property
    def slugs(self) -> frozenset[str]:
        """What a link of this file may name after `#`, in lower case."""
        return frozenset(h.slug for h in self.headings) | self.anchors


def _at(piece: Piece) -> int:
    return piece[0]


def _aligned(words: str, written: str, index: int) -> int:
    """Return where `words[index]` stands in the text it was written as.

    An escape loses its backslash, an entity becomes one character, and lines of quoted or
    indented text lose what stands before them.
    """
    at = 0
    for number, char in enumerate(words[: index + 1]):
        while at < len(written) and written[at] != char:
            if written[at] == "&" and (end := written.find(";", at, at + 12)) > 0:
                if number == index:
                    return at
                at = end
                break
            if char == " " and written[at] == "\n":
                break
            at += 1
        if number < index:
            at += 1
    return min(at, max(len(written) - 1, 0))
