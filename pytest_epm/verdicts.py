"""The vocabulary: every token that a verdict, a row or a marker may carry, and the smoke note.

Nothing else spells a token. The note is text for people with a shape that `parse` reads
back: `parse(render(note)) == note` for every note that this package makes.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from pytest_epm.errors import EpmError
from pytest_epm.report import shown


class Smoke(StrEnum):
    """What a smoke run came to."""

    PASS_UNIFIED = "PASS_UNIFIED"
    PASS_PARTIAL = "PASS_PARTIAL"
    PASS_CANARY = "PASS_CANARY"
    FAIL = "FAIL"
    FAIL_NO_CANARY = "FAIL_NO_CANARY"


class Arm(StrEnum):
    """What an arm of the plan came to."""

    REAL = "REAL"
    FALLBACK = "FALLBACK"
    MISSING = "MISSING"
    NA = "N/A"
    UNKNOWN = "UNKNOWN"


class Reason(StrEnum):
    """Why an arm is not REAL; each has a page."""

    NOT_EXECUTED = "not-executed"
    EARLY_EXIT = "early-exit"
    STUB = "stub"
    MOCK_BRANCH = "mock-branch"
    FALLBACK_HANDLER = "fallback-handler"
    SUBSTITUTED = "substituted"
    NOT_AWAITED = "not-awaited"
    NO_TEST = "no-test"
    SKIPPED = "skipped"
    FAILED = "failed"
    NOT_FOUND = "not-found"


class Upload(StrEnum):
    """What an upload verification came to; only PASS opens a guard."""

    PASS = "PASS"
    FAIL = "FAIL"
    WARN = "WARN"
    ERROR = "ERROR"
    INCOMPLETE = "INCOMPLETE"
    NOTHING_TO_UPLOAD = "NOTHING-TO-UPLOAD"


class Gate(StrEnum):
    """What a test verdict came to."""

    PASS = "PASS"
    FAIL = "FAIL"
    INDETERMINATE = "INDETERMINATE"


class Kind(StrEnum):
    """Kinds of markers that the product itself posts or reads."""

    SMOKE = "epm:smoke-architecture-check"
    UPLOAD_STARTED = "epm:upload-verify-started"
    UPLOAD = "epm:upload-verification"
    UPLOAD_SKIPPED = "epm:upload-verify-skipped"
    TEST = "epm:test-verdict"
    STATUS = "epm:status"
    MACHINE = "epm:machine"
    FENCE = "epm:fence"


ARMS_STUBBED = "arms_stubbed="
CANARY_CELL = "canary_cell="
MOCK_ONLY = "mock_only="
SUITE_RED = "suite-red"
NO_EVIDENCE = "no-evidence"
STALE_POSSIBLE = "stale-possible"
VACUOUS = "no plan-named arms"

_DASH = " — "
_ROW = re.compile(rf"- (?P<name>.+?): (?P<status>{'|'.join(Arm)})(?:{_DASH}(?P<text>.*))?")
_KEYS = ("verdict", "import-resolution", "per-arm-resolution", "phase-coverage")


class NoteError(EpmError):
    """A note that is not in the shape of a smoke verdict; `where` is `note:line`."""


@dataclass(frozen=True, slots=True)
class ArmRow:
    """One arm of a note: its name, what it came to, and why in words."""

    name: str
    status: Arm
    text: str = ""


@dataclass(frozen=True, slots=True)
class SmokeNote:
    """The text of a smoke verdict, taken apart.

    detail: what follows the token on its line, such as `arms_stubbed=a,b`.
    imports, phases: the text after their keys; an empty one is not written.
    rows: none means that the plan names no arm.
    """

    verdict: Smoke
    detail: str = ""
    imports: str = ""
    rows: tuple[ArmRow, ...] = ()
    phases: str = ""

    @property
    def stubbed(self) -> tuple[str, ...]:
        """The arms that a PASS_PARTIAL lists."""
        listed = self.detail.removeprefix(ARMS_STUBBED)
        return tuple(listed.split(",")) if listed != self.detail else ()


def stubbed(names: tuple[str, ...]) -> str:
    """Return the detail of a PASS_PARTIAL."""
    return ARMS_STUBBED + ",".join(names)


def render(note: SmokeNote) -> str:
    """Return the note as text, every part on lines of its own."""
    lines = [f"verdict: {note.verdict} {shown(note.detail)}".rstrip()]
    if note.imports:
        lines.append(f"import-resolution: {shown(note.imports)}")
    if note.rows:
        lines.append("per-arm-resolution:")
        lines += [f"- {shown(r.name)}: {r.status}{_after_dash(r.text)}" for r in note.rows]
    else:
        lines.append(f"per-arm-resolution: {Arm.NA}{_DASH}{VACUOUS}")
    if note.phases:
        lines.append(f"phase-coverage: {shown(note.phases)}")
    return "\n".join(lines)


def parse(text: str) -> SmokeNote:
    """Take a note apart; lines that are no part of the shape are left to people.

    Raises NoteError where a part is there twice, is missing, or holds an unknown token.
    """
    found: dict[str, tuple[int, str]] = {}
    rows: list[ArmRow] = []
    in_rows = False
    for number, line in enumerate(text.splitlines(), 1):
        key, colon, rest = line.partition(":")
        if colon and key in _KEYS:
            if key in found:
                raise NoteError(f"{key} stands here a second time", f"note:{number}")
            found[key] = (number, rest.strip())
            in_rows = key == "per-arm-resolution" and not rest.strip()
        elif in_rows and line.startswith("- "):
            rows.append(_row(line, number))
        else:
            in_rows = False
    return _assembled(found, tuple(rows))


def _after_dash(text: str) -> str:
    return f"{_DASH}{shown(text)}" if text else ""


def _row(line: str, number: int) -> ArmRow:
    match = _ROW.fullmatch(line)
    if not match:
        what = f"not in the shape `- arm: STATUS{_DASH}why`, STATUS one of {', '.join(Arm)}"
        raise NoteError(what, f"note:{number}")
    return ArmRow(match["name"], Arm(match["status"]), match["text"] or "")


def _assembled(found: dict[str, tuple[int, str]], rows: tuple[ArmRow, ...]) -> SmokeNote:
    for key in ("verdict", "per-arm-resolution"):
        if key not in found:
            raise NoteError(f"no line `{key}:`", "note:1")
    number, line = found["verdict"]
    token, _, detail = line.partition(" ")
    if token not in set(Smoke):
        raise NoteError(f"{token!r} is none of {', '.join(Smoke)}", f"note:{number}")
    number, inline = found["per-arm-resolution"]
    if bool(inline) == bool(rows) or inline not in ("", f"{Arm.NA}{_DASH}{VACUOUS}"):
        raise NoteError("neither rows below nor the vacuous line", f"note:{number}")
    imports = found.get("import-resolution", (0, ""))[1]
    phases = found.get("phase-coverage", (0, ""))[1]
    return SmokeNote(Smoke(token), detail.strip(), imports, rows, phases)
