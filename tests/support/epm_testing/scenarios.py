"""Small arms, each with its module and its test, run together by one pytest process."""

import json
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from epm_testing.processes import Done
from epm_testing.projects import Project

_HEAD = "import pytest\nimport {name}\n"


@dataclass(frozen=True)
class Scenario:
    """An arm and what its row should be.

    code: the module, called as the arm. test: the test file below its imports. computes:
    functions of the module. reasons, notes: all of them.
    """

    name: str
    code: str
    test: str
    status: str = "REAL"
    reasons: tuple[str, ...] = ()
    computes: str = "compute"
    edges: str = ""
    notes: tuple[str, ...] | None = None
    conftest: str = ""


def run(scenarios: list[Scenario], root: Path, *arguments: str) -> tuple[dict[str, Any], Done]:
    """Write them all into one project, run it, and return the report."""
    project = Project(root)
    project.git("init", "-q")
    lines = ["# Plan", "", "## Arms", "", "| arm | computes | edges |", "|---|---|---|"]
    for one in scenarios:
        computes = ", ".join(f"{one.name}:{part}" for part in one.computes.split("; "))
        lines.append(f"| {one.name} | {computes} | {one.edges} |")
        project.put(f"{one.name}.py", textwrap.dedent(one.code))
        test = _HEAD.format(name=one.name) + textwrap.dedent(one.test)
        project.put(f"test_{one.name}.py", test.replace("@ARM", f'@pytest.mark.arm("{one.name}")'))
    project.put("conftest.py", "\n".join(textwrap.dedent(one.conftest) for one in scenarios))
    project.put("pytest.ini", "[pytest]\naddopts = --strict-markers\n")
    project.put("plan.md", "\n".join(lines) + "\n")
    report = ("--real-arms", "--epm-plan", "plan.md", "--epm-report", "out.json")
    done = project.pytest("-q", *report, *arguments)
    out = root / "out.json"
    if not out.exists():
        raise AssertionError(done.said)
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found, done
