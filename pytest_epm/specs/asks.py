"""Sentences that tell an agent to ask the user, and those that forbid it. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache

_END = re.compile(r"[.!?](?=[\"')*\]]*(?:\s|$))|[\t]")
_CLAUSE = re.compile(r"[;:\N{EM DASH}\N{EN DASH}]|\s-\s|\bbut\b|\binstead,|\bthen\b|\botherwise\b")
_FORBIDS = (
    r"(?:\bnever\b|\b(?:do|does|must|shall|should|may|can|could|will|would|need)"
    r"(?:n['\N{RIGHT SINGLE QUOTATION MARK}]t|\s+not)\b|\bcannot\b|\bwithout\b|\bnot\s+to\b"
    r"|\bavoid\b|\binstead\s+of\b|\brather\s+than\b|\bno\s+need\b|\bforbidden\b"
    r"|\bprohibited\b|\brefrain\b|\bnot\s+(?:allowed|permitted)\b|\bnor\b)"
)
_BEFORE = re.compile(_FORBIDS, re.IGNORECASE)
_AFTER = re.compile(
    r"[\s`*\"')]*(?:\w+\s+){0,2}?(?:is|are|be|must|should|shall|may|can)?\s*"
    r"(?:never|not\b|must\s+not|forbidden|prohibited|banned|disallowed|off\s+limits)",
    re.IGNORECASE,
)
_PARENTHETICAL = re.compile(rf"({_FORBIDS})\s*,[^,.;:]*,", re.IGNORECASE)
_OR = re.compile(r"\s*(?:or|nor)\b", re.IGNORECASE)


def asking(text: str, phrases: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Yield each phrase of a text with its index, unless its sentence forbids it."""
    for match in _phrases(phrases).finditer(text):
        if not _forbidden(text, match.start(), match.end()):
            yield match[0], match.start()


def _forbidden(text: str, start: int, end: int) -> bool:
    begins = [m.end() for m in _END.finditer(text, max(start - 1_000, 0), start)]
    begin = begins[-1] if begins else max(start - 1_000, 0)
    stop = next((m.start() for m in _END.finditer(text, end)), len(text))
    after = text[end:stop]
    if _AFTER.match(after):
        return True
    before = _PARENTHETICAL.sub(r"\1", text[begin:start])
    clause = _CLAUSE.split(before)[-1]
    return bool(_BEFORE.search(_last(clause, after)))


def _last(clause: str, after: str) -> str:
    """Return the part of a clause after its last comma, unless commas list what is forbidden."""
    parts = clause.split(",")
    listed = _OR.match(parts[-1]) or any(_OR.match(part) for part in after.split(",")[1:])
    if len(parts) > 1 and listed:
        return clause
    return parts[-1]


@lru_cache(64)
def _phrases(phrases: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(phrases, key=len, reverse=True)
    inner = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest)
    return re.compile(rf"(?<!\w)(?:{inner})(?!\w)", re.IGNORECASE)
