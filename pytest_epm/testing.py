"""A fixture for suites and plugins that bind arms: `pytest_plugins = ["pytest_epm.testing"]`.

It needs pytest's own `pytester`, in whose folder the files lie.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

pytest_plugins = ["pytester"]
_REPORT = "epm-report.json"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run came to.

    code: pytest's exit code. verdict: with its detail, empty if the run was refused. arms:
    name to row, as in the JSON report. data: that report. lines: what pytest printed.
    """

    code: int
    verdict: str
    arms: Mapping[str, Mapping[str, Any]]
    data: Mapping[str, Any]
    lines: tuple[str, ...]


@pytest.fixture
def real_arms(pytester: pytest.Pytester) -> Callable[..., Ran]:
    """Return a function that runs `pytest --real-arms` in a process of its own."""

    def run(*arguments: str, plan: str = "") -> Ran:
        report = pytester.path / _REPORT
        report.unlink(missing_ok=True)
        words = ["--real-arms", "--epm-report", _REPORT, *arguments]
        if plan:
            (pytester.path / "epm-plan.md").write_text(plan, encoding="utf-8")
            words += ["--epm-plan", "epm-plan.md"]
        done = pytester.runpytest_subprocess(*words)
        data = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
        verdict = " ".join(filter(None, (data.get("verdict", ""), data.get("detail", ""))))
        arms = data.get("arms", {})
        return Ran(int(done.ret), verdict, arms, data, (*done.outlines, *done.errlines))

    return run
