"""Comments that allow a mock branch: `# epm: allow mock-branch -- reason`. Pure."""

import io
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_epm.report import Finding
from pytest_epm.verdicts import Reason

_COMMENT = re.compile(r"#\s*epm:\s*allow\s+(?P<rule>[\w-]+)\s*(?:--\s*(?P<reason>.*))?")


@dataclass(frozen=True, slots=True)
class Waiver:
    """A comment that allows something. alone: whether it has its line to itself."""

    line: int
    rule: str
    reason: str
    alone: bool


def waivers(source: str) -> tuple[Waiver, ...]:
    """Return the waivers of a file; a file that is no Python has none."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            match = _COMMENT.match(token.string) if token.type == tokenize.COMMENT else None
            if match:
                alone = not token.line[: token.start[1]].strip()
                reason = (match["reason"] or "").strip()
                found.append(Waiver(token.start[0], match["rule"], reason, alone))
    except (tokenize.TokenError, SyntaxError):
        return ()
    return tuple(found)


def covering(found: Iterable[Waiver], line: int, end_line: int) -> Waiver | None:
    """Return the waiver with a reason for what stands on these lines: on one, or right above."""
    return next(
        (
            waiver
            for waiver in found
            if waiver.rule == Reason.MOCK_BRANCH
            and waiver.reason
            and (line <= waiver.line <= end_line or (waiver.alone and waiver.line == line - 1))
        ),
        None,
    )


def judged(found: Iterable[Waiver], guarded: Iterable[tuple[int, int]], path: str) -> list[Finding]:
    """Return what is wrong with the waivers of a file.

    guarded: first and last line of every guard's condition. A waiver without a reason, of
    an unknown rule, or where no guard stands is a finding.
    """
    places = list(guarded)
    findings = []
    for waiver in found:
        code, message = "", ""
        if waiver.rule != Reason.MOCK_BRANCH:
            code, message = "waiver-unknown", f"nothing called {waiver.rule} can be allowed here"
        elif not waiver.reason:
            code, message = "waiver-without-reason", "allows a mock branch and does not say why"
        elif not any(covering([waiver], line, end) for line, end in places):
            code, message = "waiver-unused", "allows a mock branch, and no guard stands here"
        if code:
            step = f"# epm: allow {Reason.MOCK_BRANCH} -- why this branch may be mocked"
            findings.append(Finding(code, message, path, waiver.line, next_step=step))
    return findings
