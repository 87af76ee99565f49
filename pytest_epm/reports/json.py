"""A Report as one JSON object: the capability's own data under its schema id."""

import json

from pytest_epm.report import Report


def to_json(report: Report) -> str:
    """Return the object as ASCII text, so that a hostile name cannot break the encoding."""
    body = {"schema": report.schema, "exit_code": int(report.exit_code), **report.data}
    return json.dumps(body, indent=2)
