"""Every case folder's project, run with `--real-arms`, held against its `expected.json`.

EPM_CASES=DIR points at another set of the same shape. A key that a case leaves out is not
checked; neither are keys of a row or a finding that it leaves out.
"""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from epm_testing import Project

CASES = Path(os.environ.get("EPM_CASES", Path(__file__).parent)) / "arms"
FOLDERS = sorted(path.parent for path in CASES.glob("*/expected.json"))
MODES = {"plain": (), "xdist": ("-n", "2"), "cov": ("--cov=.", "--cov-report=")}
_LISTS = ("imports", "call_shapes", "unavailable", "mock_only")


def held(expected: object, found: object) -> bool:
    """Whether everything that is expected is there."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            key in found and held(value, found[key]) for key, value in expected.items()
        )
    return bool(expected == found)


def differences(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    wrong = [
        f"{key}: wanted {expected[key]!r}, got {found[key]!r}"
        for key in ("verdict", "detail", "exit_code")
        if key in expected and expected[key] != found[key]
    ]
    arms = expected.get("arms", {})
    if "arms" in expected and set(arms) != set(found["arms"]):
        wrong.append(f"arms: wanted {set(arms)}, got {set(found['arms'])}")
    wrong += [
        f"{name}: wanted {arm!r}, got {found['arms'].get(name)!r}"
        for name, arm in arms.items()
        if not held(arm, found["arms"].get(name))
    ]
    for key in _LISTS:
        wanted, got = expected.get(key), found[key]
        if wanted is not None:
            pairs = zip(wanted, got, strict=False)
            if len(wanted) != len(got) or not all(held(one, other) for one, other in pairs):
                wrong.append(f"{key}: wanted {wanted!r}, got {got!r}")
    return wrong


@pytest.mark.skipif(not FOLDERS, reason=f"no arms cases in {CASES}")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_rows_and_verdict(folder: Path, mode: str, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "case")
    project = Project(tmp_path / "case")
    project.git("init", "-q")
    plan = ("--epm-plan", "plan.md") if (folder / "plan.md").exists() else ()
    done = project.pytest("--real-arms", *plan, "--epm-report", "out.json", *MODES[mode])
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    found = json.loads((project.root / "out.json").read_text(encoding="utf-8"))
    assert differences(expected, found) == [], done.said
    assert done.code == expected["exit_code"]


@pytest.mark.parametrize("folder", FOLDERS[:1], ids=lambda folder: folder.name)
def test_the_driver_can_fail(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    empty = {"verdict": "", "exit_code": 9, "arms": {}} | dict.fromkeys(_LISTS, ())
    assert differences(expected, empty)
