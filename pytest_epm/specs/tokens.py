"""Tokens of a vocabulary in a document: where they stand, and words that look like them. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_epm.specs.document import Block, Document, Range
from pytest_epm.specs.nearest import nearest, one_edit
from pytest_epm.specs.settings import Vocabulary

_WORD = re.compile(r"[A-Za-z0-9_]+")
_COMPOUND = re.compile(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)+")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s<>\"'`)\]]+", re.IGNORECASE)
_PATH = re.compile(r"[^\s`'\"(),;|]*\.[A-Za-z][A-Za-z0-9]{0,9}(?![A-Za-z0-9_.-])(?::\d+)?")
_SLASHED = re.compile(r"[^\s`'\"(),;|]*/[^\s`'\"(),;|]*\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w.-])")
_OPEN_END = re.compile(r"[*<{\N{HORIZONTAL ELLIPSIS}]|\.\.\.")


class Use(NamedTuple):
    """A word at a place. block: None in the front matter, where `at` is an index of its text."""

    word: str
    block: Block | None
    at: int


class Unknown(NamedTuple):
    """A word that is no token of a vocabulary and looks like one."""

    use: Use
    nearest: str


def uses(document: Document, words: Sequence[str]) -> Iterator[Use]:
    """Yield each of the words where it stands by itself, in the order of the file."""
    pattern = _alternatives(tuple(words))
    if not words or not any(word in document.source.text for word in words):
        return
    for block, text in _texts(document):
        found = list(pattern.finditer(text))
        if found:
            masked = _masked(block, text)
            for match in found:
                if not masked.hold(match.start()):
                    yield Use(match[0], block, match.start())


def unknown(document: Document, vocabulary: Vocabulary, known: Iterable[str]) -> Iterator[Unknown]:
    """Yield words that are meant for tokens of a vocabulary and are none.

    known: tokens of every vocabulary, retired ones too.
    """
    telling = _telling(vocabulary, frozenset(known))
    if not telling.has_any(document.source.text):
        return
    for block, text in _texts(document):
        masked: _Spans | None = None
        for word, index in telling.found(text):
            if masked is None:
                masked = _masked(block, text)
            if not masked.hold(index):
                near = _nearest(word, vocabulary.tokens)
                yield Unknown(Use(word, block, index), near)


class _Spans:
    """Ranges of a text, asked often: joined where they touch, so that one look is enough."""

    def __init__(self, ranges: Iterable[Range]) -> None:
        self.ranges: list[Range] = []
        for start, end in sorted(ranges):
            if self.ranges and start <= self.ranges[-1][1]:
                first, last = self.ranges.pop()
                self.ranges.append((first, max(last, end)))
            else:
                self.ranges.append((start, end))

    def hold(self, index: int) -> bool:
        number = bisect_right(self.ranges, index, key=_start) - 1
        return number >= 0 and index < self.ranges[number][1]


def _start(span: Range) -> int:
    return span[0]


class _Telling:
    """Tells words that were meant for tokens."""

    def __init__(self, vocabulary: Vocabulary, known: frozenset[str]) -> None:
        self.known = known
        self.prefixes = vocabulary.prefixes
        self.compounds = _alternatives(tuple(word for word in known if "-" in word))
        self.joined = tuple(token for token in vocabulary.tokens if "_" in token)
        self.flat = {_flat(token) for token in self.joined}
        self.verdicts: dict[str, bool] = {}
        self.chunks: dict[str, bool] = {}

    def has_any(self, text: str) -> bool:
        """Whether any word of a whole file may be one: most files have none."""
        return any(map(self.holds_one, set(text.split())))

    def holds_one(self, chunk: str) -> bool:
        """Whether text without blanks holds one; files share most of what they are made of."""
        known = self.chunks.get(chunk)
        if known is None:
            joined = any(_flat(word) in self.flat for word in _COMPOUND.findall(chunk))
            known = joined or any(map(self.is_meant_once, _WORD.findall(chunk)))
            self.chunks[chunk] = known
        return known

    def is_meant_once(self, word: str) -> bool:
        verdict = self.verdicts.get(word)
        if verdict is None:
            verdict = self.verdicts[word] = self.is_meant(word)
        return verdict

    def found(self, text: str) -> Iterator[tuple[str, int]]:
        taken = _Spans([match.span() for match in self.compounds.finditer(text)])
        joined: list[Range] = []
        for match in _COMPOUND.finditer(text):
            if _flat(match[0]) in self.flat and not taken.hold(match.start()):
                joined.append(match.span())
                yield match[0], match.start()
        taken = _Spans([*taken.ranges, *joined])
        for match in _WORD.finditer(text):
            word = match[0]
            if self.is_meant_once(word) and not taken.hold(match.start()):
                if word in self.prefixes or _OPEN_END.match(text, match.end()):
                    continue  # `PASS_*` and `PASS_<x>` speak of several
                yield word, match.start()

    def is_meant(self, word: str) -> bool:
        if word in self.known:
            return False
        if self.prefixes and word.startswith(self.prefixes):
            return True
        if _flat(word) in self.flat:
            return True
        return len(word) > 3 and any(one_edit(word, token) for token in self.joined)  # noqa: PLR2004 - an edit makes one short word of another


@lru_cache(4096)
def _nearest(word: str, tokens: tuple[str, ...]) -> str:
    return nearest(word, tokens)


@lru_cache(64)
def _telling(vocabulary: Vocabulary, known: frozenset[str]) -> _Telling:
    return _Telling(vocabulary, known)


def _flat(word: str) -> str:
    return word.lower().replace("-", "_")


def _texts(document: Document) -> Iterator[tuple[Block | None, str]]:
    """Yield the text of the front matter, then of every block that a reader sees."""
    if document.front.text:
        yield None, document.front.text
    for block in document.blocks:
        if block.kind != "hidden":
            yield block, block.text


def _masked(block: Block | None, text: str) -> _Spans:
    """Return where a word is part of an address and no token."""
    found = [match.span() for match in _URL.finditer(text)] if "://" in text else []
    if block is not None:
        found += [(link.start, link.end) for link in block.links if link.automatic]
        for start, end in block.codes:
            found += [(start + a, start + b) for a, b in _spans(_PATH, text[start:end])]
        if block.kind == "code":
            found += _spans(_SLASHED, text)
    return _Spans(found)


def _spans(pattern: re.Pattern[str], text: str) -> list[Range]:
    return [match.span() for match in pattern.finditer(text)]


@lru_cache(256)
def _alternatives(words: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    inner = "|".join(map(re.escape, longest)) or "(?!)"
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{inner})(?![A-Za-z0-9_])")
