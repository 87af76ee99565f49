"""A duty sentence in a document: there in full strength, weakened, negated or hidden. Pure.

The sentence is looked for with any modal in the place of its own, with or without a denial
after it, and with hedges between the words that follow.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from pytest_epm.specs.document import Block, Document

KEPT, NEGATED, WEAKENED, HIDDEN, MISSING = "kept", "negated", "weakened", "hidden", "missing"

_BREAK = "\N{PARAGRAPH SEPARATOR}"
# One character for one, so that places stay.
_SAME = (
    ("\N{NO-BREAK SPACE}", " "),
    ("\N{NARROW NO-BREAK SPACE}", " "),
    ("\N{RIGHT SINGLE QUOTATION MARK}", "'"),
    ("\N{LEFT SINGLE QUOTATION MARK}", "'"),
    ("\N{NON-BREAKING HYPHEN}", "-"),
)
# Possessive, so that a run of blanks is taken in one way only.
_SPACE = r"[ \t\n]++"
# In fences and comments marks were not taken off.
_LOOSE = r"(?:[ \t\n>*_`#|]|(?<![\w])-(?=\s))++"
_HEDGE = (
    r"(?:normally|usually|generally|typically|ideally|preferably|optionally|in general|as a rule"
    r"|by default|(?:where|when|whenever|if|as far as|wherever|so far as)\s+"
    r"(?:it\s+is\s+)?(?:practical|practicable|possible|convenient|feasible|reasonable)"
    r"|when(?:ever)?\s+time\s+(?:allows|permits)|time\s+permitting|at\s+(?:your|its)\s+discretion)"
)
_CAPITAL = {
    "MUST": 3,
    "SHALL": 3,
    "REQUIRED": 3,
    "SHOULD": 2,
    "RECOMMENDED": 2,
    "MAY": 1,
    "OPTIONAL": 1,
}
_SMALL = {"must": 3, "shall": 3, "required": 3, "should": 2, "recommended": 2, "ought": 2}
_MODAL = (
    r"(?:(?:is|are)\s+(?P<state{n}>required|recommended|optional)(?:\s+to)?"
    r"|(?P<word{n}>must|shall|should|may|required|recommended|optional|can|could|might|will|would"
    r"|ought\s+to|needs?\s+to|has\s+to|have\s+to|tries\s+to|try\s+to))"
)
_DENIAL = r"(?:not|never|no\s+longer)"
_DENIED = (
    r"(?:(?:must|shall|should|may|can|could|might|will|would|need)(?:n't|not|\s+not|\s+never"
    r"|\s+no\s+longer)(?:\s+(?:have|need|be\s+required)\s+to)?|(?:can|won|shan)'t"
    r"|(?:do|does)(?:n't|\s+not)\s+(?:have|need)\s+to|no\s+longer\s+(?:needs?|has|have)\s+to"
    r"|(?:is|are)(?:n't|\s+not|\s+no\s+longer|\s+never)\s+"
    r"(?:required|recommended|allowed|supposed|obliged)(?:\s+to)?"
    r"|never\s+(?:needs?|has|have)\s+to|(?:must|shall|should|may)\s+under\s+no\s+circumstances)"
)
_FIND_MODAL = re.compile(
    r"\b(?:MUST|SHALL|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL)\b(?P<not>\s+NOT\b)?"
)
_FIND_SMALL = re.compile(
    r"\b(?:must|shall|should|may|required|recommended)\b(?P<not>\s+not\b)?", re.IGNORECASE
)
_LEAD = re.compile(
    r"\b(?P<word>not|never|false|untrue|no\s+longer|wrong|\w+n't)\b(?P<rest>[^.!?]*?)\bthat\s*[:,]?\s*$",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"\s*(?:to\s+)?(?:forget|doubt|ignore|overlook|neglect|miss|skip|only)", re.IGNORECASE
)
_HEDGED_LEAD = re.compile(rf"(?:^|[.!?;:]\s+)\s*{_HEDGE}\s*,?\s*$", re.IGNORECASE)
_HEDGE_AT = re.compile(_HEDGE, re.IGNORECASE)
_TAIL = re.compile(rf"[^.!?;:\t{_BREAK}]*")
_SENTENCE_END = re.compile(rf"[.!?](?=[\"')*\]]*\s)|[\t{_BREAK}]|\n\n")
_PAIRS = {"\N{LEFT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}", "«": "»", "„": "“"}


class Outcome(NamedTuple):
    """What became of a duty. offset: where in the source, or None. how: what tells it."""

    state: str
    offset: int | None = None
    how: str = ""


class Flow(NamedTuple):
    """The words that a reader sees, one text. starts: where each block begins in it."""

    text: str
    blocks: tuple[tuple[int, Block], ...]


class _Copy(NamedTuple):
    state: str
    at: int
    how: str


def flow(document: Document, *, struck: bool = False) -> Flow:
    """Return all visible text; what is struck through as well if `struck`."""
    parts: list[str] = []
    starts: list[tuple[int, Block]] = []
    length = 0
    for block in document.blocks:
        if block.kind in ("code", "hidden"):
            continue
        text = block.text
        if not struck:
            for start, end in block.struck:
                text = text[:start] + " " * (end - start) + text[end:]
        parts.append(" " if block.runs_on else _BREAK)
        length += 1
        starts.append((length, block))
        parts.append(text)
        length += len(text)
    return Flow(_same("".join(parts)), tuple(starts))


def outcome(document: Document, seen: Flow, sentence: str) -> Outcome:
    """Return what became of a sentence in a document whose visible text is `seen`."""
    pattern = _compiled(_spread(sentence))
    copies = [
        _judged(seen.text, match, pattern.modal) for match in pattern.seen.finditer(seen.text)
    ]
    if any(copy.state == KEPT for copy in copies):
        return Outcome(KEPT)
    for state in (NEGATED, WEAKENED, HIDDEN):
        for copy in copies:
            if copy.state == state:
                return Outcome(state, _offset(document, seen, copy.at), copy.how)
    return _hidden(document, pattern)


def _same(text: str) -> str:
    """Return a text with its blanks, quotes and hyphens of several kinds made one."""
    if not text.isascii():
        for kind, plain in _SAME:
            text = text.replace(kind, plain)
    return text


def _spread(sentence: str) -> str:
    return " ".join(_same(sentence).split()).rstrip(".!")


class _Modal(NamedTuple):
    """The modal of the duty: its strength, whether in capitals, whether it is denied."""

    strength: int
    capital: bool
    denied: bool


class _Pattern(NamedTuple):
    seen: re.Pattern[str]
    loose: re.Pattern[str]
    modal: _Modal | None


@lru_cache(512)
def _compiled(sentence: str) -> _Pattern:
    found = _FIND_MODAL.search(sentence) or _FIND_SMALL.search(sentence)
    if not found:
        flags = re.IGNORECASE
        exact, loose = _words(sentence, _SPACE), _words(sentence, _LOOSE)
        return _Pattern(re.compile(exact, flags), re.compile(loose, flags), None)
    word = found[0].split()[0]
    strength = _CAPITAL.get(word) or _SMALL.get(word.lower(), 1)
    modal = _Modal(strength, word.isupper(), bool(found["not"]))
    before = re.sub(r"\b(?:is|are)\s+$", "", sentence[: found.start()]).strip()
    after = re.sub(r"^to\s+", "", sentence[found.end() :].strip())
    return _Pattern(_joined(before, after, _SPACE), _joined(before, after, _LOOSE), modal)


def _joined(before: str, after: str, space: str) -> re.Pattern[str]:
    modal = (
        rf"(?P<denied>{_DENIED})|(?P<modal>{_MODAL.replace('{n}', '')}(?P<not>{space}{_DENIAL})?)"
    )
    lead = _words(before, space) + space if before else r"(?<![\w])"
    gap = rf"(?:{space}|[,(]?{space}{_HEDGE}[,)]?{space})"
    rest = _hedged(after, space) if after else ""
    middle = rf"(?:{modal})(?:{space}to(?={space}))?"
    text = f"{lead}{middle}{gap}{rest}" if after else f"{lead}{middle}"
    return re.compile(text, re.IGNORECASE)


def _words(text: str, space: str) -> str:
    inner = space.join(re.escape(word) for word in text.split())
    return rf"(?<!\w){inner}(?!\w)" if text[:1].isalnum() else inner


def _hedged(text: str, space: str) -> str:
    """Return words with room for a hedge between any two of them."""
    gap = rf"(?:{space}|[,(]?{space}{_HEDGE}[,)]?{space})"
    return gap.join(re.escape(word) for word in text.split()) + r"(?!\w)"


def _judged(text: str, match: re.Match[str], modal: _Modal | None) -> _Copy:
    at = match.start()
    begin = _sentence(text, at)
    lead = text[begin:at]
    if _is_quoted(text, match):
        return _Copy(HIDDEN, at, "inside quotation marks")
    denying = _LEAD.search(lead)
    if denying and not _NO_DENIAL.match(denying["rest"]):
        start = begin + len(lead) - len(lead.lstrip())
        return _Copy(NEGATED, start, " ".join(lead.split()))
    if modal and (how := _negated(match, modal)):
        return _Copy(NEGATED, at, how)
    if modal and (how := _weaker(match, modal)):
        return _Copy(WEAKENED, at, how)
    hedge = _hedge(text, match, lead) if modal else ""
    return _Copy(WEAKENED, at, hedge) if hedge else _Copy(KEPT, at, "")


def _sentence(text: str, at: int) -> int:
    """Return where the sentence begins that holds an index."""
    first = max(at - 1_000, 0)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, first, at)]
    return ends[-1] if ends else first


def _negated(match: re.Match[str], modal: _Modal) -> str:
    denied = bool(match["denied"] or match["not"])
    if denied == modal.denied:
        return ""
    if denied:
        return " ".join((match["denied"] or match["modal"]).split())
    return "NOT was dropped"


def _weaker(match: re.Match[str], modal: _Modal) -> str:
    whole = match["denied"] or match["modal"]
    word = match["state"] or match["word"] or whole.split()[0]
    word = word.split()[0]
    strength = _CAPITAL.get(word, 0) if modal.capital else _SMALL.get(word.lower(), 0)
    if not modal.capital and modal.strength == 1:
        return ""
    return "" if strength >= modal.strength else word


def _hedge(text: str, match: re.Match[str], lead: str) -> str:
    """Return what hedges a sentence: after its modal, at its end, or right before it."""
    modal_end = match.end("modal") if match["modal"] else match.end("denied")
    inside = _HEDGE_AT.search(text, modal_end, match.end())
    if inside:
        return inside[0]
    tail = _TAIL.match(text, match.end())
    after = _HEDGE_AT.search(tail[0]) if tail else None
    if after:
        return " ".join(after[0].split())
    before = _HEDGED_LEAD.search(lead)
    return " ".join(before[0].split()).strip(" ,.!?;:") if before else ""


def _is_quoted(text: str, match: re.Match[str]) -> bool:
    begin = text.rfind(_BREAK, 0, match.start()) + 1
    stop = text.find(_BREAK, match.end())
    before, after = text[begin : match.start()], text[match.end() : stop if stop >= 0 else None]
    if before.count('"') % 2 and '"' in after:
        return True
    for opening, closing in _PAIRS.items():
        if before.rfind(opening) > before.rfind(closing) and closing in after:
            return True
    return bool(re.search(r"(?<!\w)'$", before) and re.match(r"[.,!?]?'(?!\w)", after))


def _offset(document: Document, seen: Flow, at: int) -> int:
    start, block = next((s, b) for s, b in reversed(seen.blocks) if s <= at)
    return document.offset(block, min(at - start, len(block.text) - 1))


def _hidden(document: Document, pattern: _Pattern) -> Outcome:
    """Look for the sentence where no reader takes it as said."""
    for block in document.blocks:
        if block.kind in ("code", "hidden"):
            where = "a code block" if block.kind == "code" else "a comment"
            match = _full(pattern, _same(block.text))
            if match is not None:
                return Outcome(HIDDEN, document.offset(block, match), f"only in {where}")
        elif block.struck and (match := _full(pattern, _same(block.text))) is not None:
            return Outcome(HIDDEN, document.offset(block, match), "struck through")
    for comment in document.comments:
        at = _full(pattern, _same(comment.text))
        if at is not None:
            offset = comment.start + len(comment.text[:at].encode())
            return Outcome(HIDDEN, offset, "only in a comment")
    return Outcome(MISSING)


def _full(pattern: _Pattern, text: str) -> int | None:
    for match in pattern.loose.finditer(text):
        if pattern.modal is None or not (
            _negated(match, pattern.modal) or _weaker(match, pattern.modal)
        ):
            return match.start()
    return None
