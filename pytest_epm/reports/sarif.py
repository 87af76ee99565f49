"""A Report as SARIF 2.1.0, which code scanning services read."""

import json
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from pytest_epm.report import Described, Finding, Report, shown

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning"}


def to_sarif(report: Report, rules: Sequence[Described], version: str) -> str:
    """Return one run as ASCII text. rules: those that ran, found something or not."""
    findings = [finding for section in report.sections for finding in section.findings]
    driver = {
        "name": "epm",
        "semanticVersion": version,
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": list(_results(findings, [rule.code for rule in rules])),
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(rule: Described) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _LEVELS.get(rule.severity, "note")},
    }


def _results(findings: Iterable[Finding], codes: list[str]) -> Iterable[dict[str, object]]:
    for finding in findings:
        step = f". Next: {finding.next_step}" if finding.next_step else ""
        index = {"ruleIndex": codes.index(finding.code)} if finding.code in codes else {}
        yield {
            "ruleId": finding.code,
            **index,
            "level": _LEVELS.get(finding.severity, "note"),
            "message": {"text": shown(finding.message + step)},
            "locations": [{"physicalLocation": _place(finding)}],
        }


def _place(finding: Finding) -> dict[str, object]:
    uri = quote(finding.path.encode("utf-8", "surrogateescape"), safe="/")
    place: dict[str, object] = {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}}
    if finding.line:
        region = {"startLine": finding.line}
        if finding.column:
            region["startColumn"] = finding.column
        place["region"] = region
    return place
