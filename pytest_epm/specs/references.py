"""What a document refers to: paths, anchors, steps, markers, skills and agents. Pure."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from pytest_epm.specs.document import Block, Document
from pytest_epm.specs.model import Ground
from pytest_epm.specs.settings import References

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#")
_NOT_A_PATH = re.compile(r"[<>{}*$~|\"'?=,;()\[\]\\!&%@\s]|\.\.\.|\N{HORIZONTAL ELLIPSIS}|://")
_TAIL = re.compile(r"(?:::[\w.\[\]:-]+|:\d+(?:[-:,]\d+)*|#L?[\w-]*)$")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}$")
_CAPITALS = re.compile(
    r"(?:^|[/_.-])(?:CODE|NAME|ID|N|X|FILE|TASK|DATE|VERSION|TOPIC|NUMBER|RULE|DIR)(?=$|[/_.-])"
)
# Words that an example puts where a path would stand.
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:x{2,}|y{2,}|n{2,}|foo|bar|baz|path|your|my|some|name|example|examples?|"
    r"placeholder|todo|slug|yyyy|mm|dd|nnn?|n|m)(?=$|[/_.-])",
    re.IGNORECASE,
)
_STEP = re.compile(r"\bStep\s+(?P<n>\d+[a-z]?(?:\.\d+|-[a-z]+)*)(?![\w])")
_LEADS = re.compile(r"\W*(?:Step\s+)?(?P<n>\d+[a-z]?(?:\.\d+|-[a-z]+)*)(?!\w)")
_DEFINES = re.compile(r"\s*(?:[:.)\]\N{EM DASH}\N{EN DASH}]|\s-|$)")
_RIGHT_BEFORE = re.compile(
    r"(?:['\N{RIGHT SINGLE QUOTATION MARK}]s)?"
    r"[\s,:(>\N{SECTION SIGN}\"'`\N{RIGHTWARDS ARROW}\N{EM DASH}\N{EN DASH}-]*"
)
_AFTER_OF = re.compile(r"\s+(?:of|in|from)\s+(?:the\s+)?")
_NAMED = re.compile(
    r"(?P<before>\b(?:skill|subagent|agent)s?\s+)?\N{NULL}(?P<after>\s+(?:skill|subagent|agent)\b)?"
)
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# Agents are sent to run what lies there; that it holds nothing any more is no excuse.
_SCRIPTS = "scripts"
BUILT_IN_AGENTS = frozenset(
    {"general-purpose", "explore", "plan", "statusline-setup", "output-style-setup",
     "claude-code-guide", "claude", "fork"}
)  # fmt: skip


_EXAMPLE = re.compile(
    r"(?:\be\.g\.|\bfor (?:example|instance)\b|\bexamples?\b|\bsuch as\b|\blike\b|\bimagine\b)"
    r"(?:(?![.!?]\s).)*$|\b(?:a|an|any|some)\s+[`\"']?$",
    re.IGNORECASE | re.DOTALL,
)
_COMES_TO_BE = re.compile(
    r"\b(?:create|creates|created|creating|write|writes|written|writing|save|saves|saved|saving|"
    r"generate|generates|generated|output|outputs|produce|produces|emit|emits|export|exports|"
    r"store|stores|stored|append|appends|dump|dumps|mkdir|deleted?|removed?|renamed?|was|were|"
    r"if|whether|optional|optionally|missing)\b",
    re.IGNORECASE,
)


def unquoted(target: str) -> str:
    """Return a target with its percent signs decoded."""
    if "%" not in target:
        return target
    from urllib.parse import unquote  # seldom needed, and slow to import

    return unquote(target)


class Reference(NamedTuple):
    """Something a document points at, where it does. path: normalized, from the top."""

    target: str
    block: Block
    at: int
    path: str = ""
    anchor: str = ""


class Folder(NamedTuple):
    """Where a file lies, for what it names. roots: first folders of a path in a code span."""

    here: str
    roots: frozenset[str]


def children(ground: Ground) -> dict[str, list[str]]:
    """Return the names of the folders that each folder holds, those of the last commit too."""
    found: dict[str, list[str]] = {}
    for folder in ground.folders | ground.committed:
        above, _, name = folder.rpartition("/")
        found.setdefault(above, []).append(name)
    return found


def folder_of(
    path: str, below: Mapping[str, Iterable[str]], settings: References, *, is_shipped: bool
) -> Folder:
    """Return the folder of a file with the first folders that count for it.

    below: the folders that each folder holds. is_shipped: the file is made for other
    repositories, whose folders are not known here.
    """
    here = posixpath.dirname(path)
    if settings.roots:
        return Folder(here, frozenset(settings.roots))
    roots = set(below.get(here, ()))
    if not is_shipped:
        roots |= {*below.get("", ()), _SCRIPTS}
    return Folder(here, frozenset(roots))


def links(document: Document, path: str, ground: Ground) -> Iterator[Reference]:
    """Yield links to files of the repository and to anchors."""
    here = posixpath.dirname(path)
    for block in document.blocks:
        if block.kind == "hidden":
            continue
        for link in block.links:
            if link.automatic or not link.target.strip():
                continue
            target, hash_, anchor = link.target.partition("#")
            if _SCHEME.match(link.target) and not link.target.startswith("#"):
                continue
            name = unquoted(target.partition("?")[0])
            if not name:
                if hash_ and anchor:
                    yield Reference(f"#{anchor}", block, link.start, path, unquoted(anchor))
                continue
            if not _is_claim(name):
                continue
            whole = name.lstrip("/") if name.startswith("/") else posixpath.join(here, name)
            found = posixpath.normpath(whole)
            first = posixpath.normpath(posixpath.join(here, name.partition("/")[0]))
            if _is_bare(name) and first not in ground.folders:
                continue  # an address of a wiki, say
            slash = "/" if name.endswith("/") else ""
            yield Reference(link.target, block, link.start, found + slash, unquoted(anchor))


def _is_claim(name: str) -> bool:
    """Whether a link's target claims that a file is there."""
    if re.search(r"[<>{}*|$\s]|\.\.\.", name) or ("/" not in name and "." not in name):
        return False
    return not _PLACEHOLDER.search(name) or name.startswith(("./", "../"))


def _is_bare(name: str) -> bool:
    """Whether nothing about a link's target says that it is a file or a folder."""
    return not (name.endswith("/") or name.startswith(("./", "../")) or _SUFFIX.search(name))


def paths(document: Document, folder: Folder) -> Iterator[Reference]:
    """Yield code spans that are paths; `path` as written, not yet resolved."""
    for block in document.blocks:
        if block.kind == "hidden" or not block.codes:
            continue
        for start, end in block.codes:
            span = block.text[start:end]
            if "/" not in span or not (path := as_path(span, folder.roots)):
                continue
            if not _is_hypothetical(block.text, start):
                yield Reference(path, block, start + span.index(span.strip()[:1]), path)


def as_path(span: str, roots: Iterable[str]) -> str:
    """Return the path that a code span is, or nothing."""
    word = _TAIL.sub("", _TAIL.sub("", span.strip())).removeprefix("./")
    if _NOT_A_PATH.search(word) or "//" in word:
        return ""
    if not any(word.startswith(f"{root}/") and word != f"{root}/" for root in roots):
        return ""
    if not word.endswith("/") and not _SUFFIX.search(word):
        return ""
    return "" if _PLACEHOLDER.search(word) or _CAPITALS.search(word) else word


def candidates(path: str, here: str) -> list[str]:
    """Return where a path may lie: from the top, then from each folder down to the file's."""
    found = [posixpath.normpath(path)]
    parts = here.split("/") if here else []
    above = ("/".join((*parts[:length], path)) for length in range(len(parts), 0, -1))
    return [*found, *map(posixpath.normpath, above)]


def is_present(path: str, ground: Ground) -> bool:
    """Whether git knows a file or folder, or may know it behind a link or a submodule."""
    path = path.rstrip("/")
    if path in ("", ".") or path in ground.present or path in ground.folders:
        return True
    parts = path.split("/")
    for length in range(1, len(parts) + 1):
        above = "/".join(parts[:length])
        if above in ground.opaque:
            target = ground.opaque[above]
            rest = "/".join(parts[length:])
            whole = posixpath.normpath(posixpath.join(posixpath.dirname(above), target, rest))
            return not target or whole.startswith("..") or is_present(whole, ground)
    return False


def _is_hypothetical(text: str, at: int) -> bool:
    """Whether the words before a path say that it is an example, or that it comes to be."""
    before = text[max(at - 200, 0) : at]
    sentence = re.split(r"[.!?:](?=\s)|[\n\t]{2}", before)[-1]
    return bool(_EXAMPLE.search(before) or _COMES_TO_BE.search(sentence))


class Step(NamedTuple):
    """A step that a document speaks of. file: the path that stands right before it, or nothing."""

    number: str
    block: Block
    at: int
    file: str


@lru_cache(4096)
def _number(text: str) -> str:
    found = _STEP.search(text)
    return found["n"].lower() if found else ""


def steps(document: Document, pattern: re.Pattern[str]) -> tuple[frozenset[str], bool]:
    """Return the steps that a document has, and whether it has headings of steps."""
    found: set[str] = set()
    for heading in document.headings:
        match = pattern.search(heading.text[:200])
        if match and match["n"]:
            found |= {match["n"].lower(), _number(heading.text[:200])}
    headed = bool(found)
    for block in document.blocks:
        match = _LEADS.match(block.text) if block.kind != "code" else None
        if match and (block.kind == "heading" or _DEFINES.match(block.text, match.end())):
            found.add(match["n"].lower())
    return frozenset(found) - {""}, headed


def has_step(number: str, known: Iterable[str]) -> bool:
    """Whether a step is there, by itself or as the one that others are parts of."""
    number = number.lower()
    return any(
        step == number or (step.startswith(number) and not step[len(number)].isdigit())
        for step in known
    )


def named_steps(document: Document) -> Iterator[Step]:
    """Yield the steps that a document speaks of; those that it defines left out."""
    for block in document.blocks:
        if block.kind not in ("text", "row", "heading") or "Step" not in block.text:
            continue
        for match in _STEP.finditer(block.text):
            at = match.start()
            if at == 0 and (block.kind == "heading" or _DEFINES.match(block.text, match.end())):
                continue
            if block.kind == "heading" and not block.text[:at].strip(" #\N{EM DASH}-"):
                continue
            yield Step(match["n"], block, at, _file_beside(block, at, match.end()))


def _file_beside(block: Block, start: int, end: int) -> str:
    spans = [(a, b, block.text[a:b]) for a, b in block.codes if "/" in block.text[a:b]]
    spans += [(link.start, link.end, link.target) for link in block.links]
    for begin, stop, target in spans:
        if stop <= start and _RIGHT_BEFORE.fullmatch(block.text, stop, start):
            return target
        after = _AFTER_OF.match(block.text, end)
        if after and after.end() == begin:
            return target
    return ""


class Mention(NamedTuple):
    """A skill or an agent that a document names. kind: `skill` or `agent`."""

    kind: str
    name: str
    block: Block
    at: int


def mentions(document: Document) -> Iterator[Mention]:
    """Yield names in code spans that the word skill or agent stands beside."""
    for block in document.blocks:
        if block.kind not in ("text", "row"):
            continue
        for start, end in block.codes:
            name = block.text[start:end].strip()
            if "-" not in name or not _NAME.fullmatch(name):
                continue
            before = block.text[max(start - 12, 0) : start]
            match = _NAMED.search(f"{before}\0{block.text[end : end + 12]}")
            words = f"{match['before'] or ''} {match['after'] or ''}" if match else ""
            if words.strip():
                kind = "skill" if "skill" in words.lower() else "agent"
                yield Mention(kind, name, block, start)
