"""The second incident, end to end: a green smoke whose arms were mocks and stubs."""

import json
import shutil
from pathlib import Path

import pytest

from epm_testing import Project

EXAMPLE = Path(__file__).parents[2] / "examples/mock_only_smoke"
ASKED = ("--real-arms", "--epm-plan", "plan.md", "--epm-report", "arms.json")


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["plain", "xdist"])
def test_the_gate_sees_what_really_ran(tmp_path: Path, workers: tuple[str, ...]) -> None:
    shutil.copytree(EXAMPLE / "red", tmp_path / "red")
    project = Project(tmp_path / "red")
    plain = project.pytest("-q", *workers)
    assert plain.code == pytest.ExitCode.OK, "plain pytest is green"

    gate = project.pytest("-q", *ASKED, *workers)
    assert gate.code == pytest.ExitCode.TESTS_FAILED
    assert "cannot import name 'DispatchCall' from 'dispatchlib'" in gate.out
    assert "(did you mean 'DispatchItem'?)" in gate.out
    found = json.loads((project.root / "arms.json").read_text(encoding="utf-8"))
    rows = {name: (arm["status"], arm["reasons"]) for name, arm in found["arms"].items()}
    assert rows == {
        "generation": ("FALLBACK", ["mock-branch"]),
        "rung6": ("REAL", []),
        "rung7": ("FALLBACK", ["stub"]),
    }
    assert (found["verdict"], len(found["imports"]), len(found["call_shapes"])) == ("FAIL", 1, 1)


def test_the_same_mended(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE / "green", tmp_path / "green")
    gate = Project(tmp_path / "green").pytest("-q", *ASKED)
    assert gate.code == pytest.ExitCode.OK
    assert "PASS_UNIFIED: 3 arms ran for real" in gate.out
