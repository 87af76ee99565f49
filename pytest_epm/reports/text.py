"""A Report as lines for people at a terminal.

Whatever a name or a message holds, it stays on its line and moves no cursor.
"""

from collections.abc import Iterator

from pytest_epm.report import Finding, Report, Row, Section, shown


def to_lines(report: Report) -> list[str]:
    """Return findings and tables first and the headline last, where a terminal leaves the eye."""
    lines: list[str] = []
    for section in report.sections:
        if section:
            lines.extend(_section(section))
    return [*lines, shown(report.headline)]


def _section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"{shown(section.title)}:"
    indent = "  " if section.title else ""
    width = max((len(shown(row.name)) for row in section.rows), default=0)
    for row in section.rows:
        yield indent + _row(row, width)
    for finding in section.findings:
        for line in _finding(finding):
            yield indent + line
    for line in section.lines:
        yield indent + shown(line)


def _row(row: Row, width: int) -> str:
    why = ", ".join(row.reasons)
    notes = f" ({'; '.join(row.notes)})" if row.notes else ""
    said = f"{row.status}{' - ' if why else ''}{why}{notes}"
    return f"{shown(row.name):<{width}}  {shown(said)}"


def _finding(finding: Finding) -> Iterator[str]:
    place = shown(finding.path)
    if finding.line:
        place += f":{finding.line}"
        if finding.column:
            place += f":{finding.column}"
    message = shown(finding.message)
    yield f"{place}: {shown(finding.code)} {message}" if place else message
    if finding.next_step:
        yield f"  next: {shown(finding.next_step)}"
