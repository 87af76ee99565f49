"""A report as text and as JSON."""

import json

import pytest

from pytest_epm.errors import Exit
from pytest_epm.report import Finding, Report, Row, Section
from pytest_epm.reports.json import to_json
from pytest_epm.reports.text import to_lines


def lines(*sections: Section) -> list[str]:
    return to_lines(Report("epm.x/1", "done", sections=sections))


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        pytest.param(Section("title"), [], id="empty"),
        pytest.param(Section("title", lines=("a", "b")), ["title:", "  a", "  b"], id="lines"),
        pytest.param(Section("", lines=("a",)), ["a"], id="no title"),
        pytest.param(Section("", lines=("a\n::b",)), ["a\\n::b"], id="hostile line"),
        pytest.param(
            Section("", rows=(Row("rung6", "REAL"), Row("r", "FALLBACK", ("stub", "x"), ("n",)))),
            ["rung6  REAL", "r      FALLBACK - stub, x (n)"],
            id="rows",
        ),
        pytest.param(
            Section("", findings=(Finding("code", "message"),)), ["message"], id="finding, nowhere"
        ),
        pytest.param(
            Section("", findings=(Finding("code", "message", "a.py"),)),
            ["a.py: code message"],
            id="finding in a file",
        ),
        pytest.param(
            Section("", findings=(Finding("code", "message", "a.py", 3, next_step="do"),)),
            ["a.py:3: code message", "  next: do"],
            id="finding on a line",
        ),
        pytest.param(
            Section("", findings=(Finding("code", "message", "a.py", 3, 7),)),
            ["a.py:3:7: code message"],
            id="finding at a column",
        ),
        pytest.param(
            Section("", findings=(Finding("code", "m\nn", "a\x1b.py"),)),
            ["a\\x1b.py: code m\\nn"],
            id="hostile name",
        ),
    ],
)
def test_text(section: Section, expected: list[str]) -> None:
    assert lines(section) == [*expected, "done"]


HOSTILE = "a\x1b[2J\nPASS_UNIFIED: all is well\r\u2028\x9b"


@pytest.mark.parametrize(
    "section",
    [
        pytest.param(Section(HOSTILE, lines=("a",)), id="title"),
        pytest.param(Section("", lines=(HOSTILE,)), id="line"),
        pytest.param(Section("", rows=(Row(HOSTILE, "REAL"),)), id="name"),
        pytest.param(Section("", rows=(Row("a", HOSTILE),)), id="status"),
        pytest.param(Section("", rows=(Row("a", "N/A", (HOSTILE,)),)), id="reason"),
        pytest.param(Section("", rows=(Row("a", "REAL", (), (HOSTILE,)),)), id="note"),
        pytest.param(Section("", findings=(Finding("c", HOSTILE),)), id="message, nowhere"),
        pytest.param(Section("", findings=(Finding("c", HOSTILE, "p"),)), id="message"),
        pytest.param(Section("", findings=(Finding(HOSTILE, "m", "p"),)), id="code"),
        pytest.param(Section("", findings=(Finding("c", "m", HOSTILE, 1),)), id="path"),
        pytest.param(Section("", findings=(Finding("c", "m", next_step=HOSTILE),)), id="step"),
    ],
)
@pytest.mark.parametrize("headline", ["done", HOSTILE])
def test_nothing_leaves_its_line(section: Section, headline: str) -> None:
    found = to_lines(Report("epm.x/1", headline, sections=(section,)))
    assert all(line.isprintable() for line in found)
    assert not any(line.startswith("PASS_UNIFIED") for line in found)


def test_json_is_the_data_under_its_schema() -> None:
    report = Report("epm.x/1", "done", Exit.AGAINST, data={"names": ["a\udcff", "ü\n"]})
    text = to_json(report)
    assert text.isascii()
    assert json.loads(text) == {"schema": "epm.x/1", "exit_code": 1, "names": ["a\udcff", "ü\n"]}
