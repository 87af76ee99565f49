"""A Report as lines for people at a terminal."""

from collections.abc import Iterator

from pytest_epm.report import Finding, Report, Row, Section, shown


def to_lines(report: Report) -> list[str]:
    """Return findings and tables first and the headline last, where a terminal leaves the eye."""
    lines: list[str] = []
    for section in report.sections:
        if section:
            lines.extend(_section(section))
    return [*lines, report.headline]


def _section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"{section.title}:"
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
    return f"{shown(row.name):<{width}}  {row.status}{' - ' if why else ''}{why}{notes}"


def _finding(finding: Finding) -> Iterator[str]:
    place = shown(finding.path)
    if finding.line:
        place += f":{finding.line}"
        if finding.column:
            place += f":{finding.column}"
    yield f"{place}: {finding.code} {shown(finding.message)}" if place else finding.message
    if finding.next_step:
        yield f"  next: {shown(finding.next_step)}"
