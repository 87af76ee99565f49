"""Comments that allow a finding: `<!-- epm: allow RULE -- reason -->`. Pure."""

import re
from typing import NamedTuple

from pytest_epm.specs.document import Document

_BEGINS = re.compile(r"<!--\s*epm:\s*allow\b")
_REASON = re.compile(r"(?:^|\s)--+(?:\s|$)")


class Suppression(NamedTuple):
    """rules: names or codes as written. start: its offset. first, last: lines it covers."""

    rules: tuple[str, ...]
    reason: str
    start: int
    first: int
    last: int


def suppressions(document: Document) -> tuple[Suppression, ...]:
    """Return what a document allows."""
    found = []
    for comment in document.comments:
        match = _BEGINS.match(comment.text)
        if match:
            said = comment.text[match.end() :].removesuffix("-->")
            words, *reason = _REASON.split(said, 1)
            rules = tuple(words.replace(",", " ").split())
            first = document.source.place(comment.covers[0]).line
            last = document.source.place(max(comment.covers[1] - 1, comment.covers[0])).line
            why = reason[0].strip() if reason else ""
            found.append(Suppression(rules, why, comment.start, first, last))
    return tuple(found)
