"""A Report as Markdown, for a summary page of CI. Names and messages cannot leave their cells."""

import re
from collections.abc import Iterator

from pytest_epm.report import Finding, Report, Section, shown

# An underscore inside a word marks nothing, and a token stays one that a search finds.
_SPECIAL = re.compile(r"([\\`*{}\[\]<>()#+!|~&-]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")


def to_markdown(report: Report) -> str:
    """Return headline, tables and findings."""
    lines = [f"## {escaped(report.headline)}"]
    for section in report.sections:
        if section:
            lines += ["", *_section(section)]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", shown(text))


def _section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"### {escaped(section.title)}"
        yield ""
    if section.rows:
        yield "| name | status | reasons | notes |"
        yield "|---|---|---|---|"
        for row in section.rows:
            cells = (row.name, row.status, ", ".join(row.reasons), "; ".join(row.notes))
            yield f"| {' | '.join(map(escaped, cells))} |"
    for finding in section.findings:
        yield f"- {_finding(finding)}"
    for line in section.lines:
        yield f"- {escaped(line)}"


def _finding(finding: Finding) -> str:
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    step = f" Next: {finding.next_step}" if finding.next_step else ""
    words = f"{finding.code} {finding.message}.{step}"
    return f"{escaped(place)}: {escaped(words)}" if place else escaped(words)
