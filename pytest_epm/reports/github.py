"""A Report as workflow commands, which GitHub shows beside the lines of a change."""

from pytest_epm.report import Finding, Report, shown

_LEVELS = {"error": "error", "warning": "warning"}


def to_github(report: Report) -> str:
    """Return a command for each finding, and the headline."""
    findings = (finding for section in report.sections for finding in section.findings)
    lines = [shown(line) for section in report.sections for line in section.lines]
    return "\n".join([*map(_command, findings), *lines, report.headline])


def _command(finding: Finding) -> str:
    keys = [("file", finding.path), ("line", str(finding.line)), ("col", str(finding.column))]
    keys += [("title", f"{finding.code} {finding.message.partition(':')[0]}")]
    properties = ",".join(f"{key}={_property(value)}" for key, value in keys if value != "0")
    step = f" Next: {finding.next_step}" if finding.next_step else ""
    level = _LEVELS.get(finding.severity, "notice")
    return f"::{level} {properties}::{_data(f'{finding.code} {finding.message}.{step}')}"


def _data(text: str) -> str:
    return shown(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
