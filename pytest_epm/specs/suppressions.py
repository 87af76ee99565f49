"""Comments that allow a finding: `<!-- epm: allow RULE -- reason -->`. Pure."""

import re
from dataclasses import dataclass

from pytest_epm.specs.document import Document

_COMMENT = re.compile(
    r"<!--\s*epm:\s*allow\b(?P<rules>.*?)(?:\s+--+\s*(?P<reason>.*?))?\s*-->", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Suppression:
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
        if "allow" not in comment.text:
            continue
        match = _COMMENT.match(comment.text)
        if match:
            rules = (
                tuple(re.split(r"[\s,]+", match["rules"].strip())) if match["rules"].strip() else ()
            )
            first = document.source.place(comment.covers[0]).line
            last = document.source.place(max(comment.covers[1] - 1, comment.covers[0])).line
            reason = (match["reason"] or "").strip()
            found.append(Suppression(rules, reason, comment.start, first, last))
    return tuple(found)
