"""Another tool takes the events: a child pytest watches instead, or the row is UNKNOWN."""

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from epm_testing import Project
from epm_testing.processes import Done
from epm_testing.scenarios import Scenario, run

CODE = """
    def compute(xs):
        total = 0
        for x in xs:
            total += x
        return total
"""
TEST = """
    @ARM
    def test(): assert arm.compute([1, 2]) == 3
    def test_beside(): assert arm.compute([])  == 0
"""
# Whoever comes first traces, as a debugger that is attached to one process does.
ONE_PROCESS = """
    import os, sys
    if not os.path.exists("traced"):
        open("traced", "w").close()
        sys.settrace(lambda *_: None)
"""
EVERY_PROCESS = "import sys\nsys.settrace(lambda *_: None)\n"
IN_A_TEST = """
    import sys
    @ARM
    def test():
        sys.settrace(None)
        assert arm.compute([1, 2]) == 3
"""
OLD = sys.version_info < (3, 12)


def ran(
    root: Path, *arguments: str, test: str = TEST, conftest: str = ""
) -> tuple[dict[str, Any], Done]:
    scenario = Scenario("arm", CODE, test, conftest=conftest)
    found, done = run([scenario], root, "-p", "no:cacheprovider", *arguments)
    row: dict[str, Any] = found["arms"]["arm"]
    return row, done


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["plain", "xdist"])
def test_coverage_is_no_obstacle(tmp_path: Path, workers: tuple[str, ...]) -> None:
    row, done = ran(tmp_path, "--cov=arm", "--cov-report=term", "--junitxml=j.xml", *workers)
    assert row["status"] == "REAL", done.said
    assert row["ran"] == "arm:compute ran 4 of 4"
    assert "arm.py" in done.out
    assert "100%" in done.out  # the report is the one of the run itself
    suite = ET.parse(tmp_path / "j.xml").getroot()[0]  # noqa: S314 - pytest has just written it
    assert suite.get("tests") == "2"
    found = {p.get("name"): p.get("value") for p in suite.iter("property")}
    assert found["epm.verdict"] == "PASS_UNIFIED"
    assert found["epm.arm.arm"] == "REAL"


def test_a_tracer_in_this_process(tmp_path: Path) -> None:
    row, done = ran(tmp_path, conftest=ONE_PROCESS)
    assert row["status"] == "REAL", done.said


def test_a_tracer_in_every_process(tmp_path: Path) -> None:
    row, done = ran(tmp_path, conftest=EVERY_PROCESS)
    assert row["status"] == ("UNKNOWN" if OLD else "REAL"), done.said
    if OLD:
        assert "traces already" in row["reasons"][0]
        assert done.code == 1


def test_a_test_that_takes_the_trace_function_away(tmp_path: Path) -> None:
    row, done = ran(tmp_path, test=IN_A_TEST)
    assert row["status"] == ("UNKNOWN" if OLD else "REAL"), done.said


@pytest.mark.skipif(OLD, reason="Python 3.11 has no sys.monitoring")
@pytest.mark.parametrize(
    ("conftest", "before"),
    [
        ("import sys\nfor n in (3, 4): sys.monitoring.use_tool_id(n, 'x')\n", "no free"),
        ("", "took the monitoring events away"),
    ],
    ids=["ids are taken", "events are switched off in the test"],
)
def test_monitoring_is_not_ours(tmp_path: Path, conftest: str, before: str) -> None:
    off = IN_A_TEST.replace("settrace(None)", "monitoring.set_events(4, 0)")
    row, done = ran(tmp_path, conftest=conftest, test=TEST if conftest else off)
    assert row["status"] == "UNKNOWN", done.said
    assert before in row["reasons"][0]
    assert done.code == 1


@pytest.mark.parametrize(
    "line",
    ["sys.settrace(None)"]
    if OLD
    else ["sys.monitoring.set_events(4, 0)", "sys.monitoring.free_tool_id(4)"],
)
def test_without_a_plan_a_session_that_lost_its_events_fails(project: Project, line: str) -> None:
    project.git("init", "-q")
    project.put("test_it.py", f"import sys\ndef test(): {line}\n")
    done = project.pytest("-q", "--real-arms")
    assert done.code == 1
    assert "away" in done.out
    assert "FAIL no-evidence" in done.out
