"""Every case folder's tree, linted, held against its `expected.json`.

EPM_CASES=DIR points at another set of the same shape. Each finding that is expected must be
there on its line, with what the case says of it; no other may be, but kinds in `may_report`.
"""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from epm_testing import Project

CASES = Path(os.environ.get("EPM_CASES", Path(__file__).parent)) / "lint"
FOLDERS = sorted(path.parent for path in CASES.glob("*/expected.json"))
_SAME = {"file": "path", "kind": "name"}


def held(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether a finding is the one that is wanted."""
    return all(found.get(_SAME.get(key, key)) == value for key, value in wanted.items())


def differences(expected: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> list[str]:
    left = list(found)
    wrong = []
    for wanted in expected["expect"]:
        match = next((finding for finding in left if held(wanted, finding)), None)
        if match is None:
            wrong.append(f"not found: {wanted}")
        else:
            left.remove(match)
    may = expected.get("may_report", ())
    return wrong + [f"false alarm: {finding}" for finding in left if finding["name"] not in may]


@pytest.mark.skipif(not FOLDERS, reason=f"no lint cases in {CASES}")
@pytest.mark.parametrize("in_git", [True, False], ids=["git", "plain"])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_findings(folder: Path, tmp_path: Path, *, in_git: bool) -> None:
    shutil.copytree(folder / "tree", tmp_path / "case")
    project = Project(tmp_path / "case")
    if in_git:
        project.git("init", "-q")
        project.git("-c", "core.autocrlf=false", "add", "-Af")
    done = project.epm("lint", "--config", "epm-lint.toml", "--output-format", "json")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert done.code == bool(expected["expect"]), done.said
    found = json.loads(done.out)
    assert differences(expected, found) == []
    assert not {finding["name"] for finding in found} & set(expected["must_stay_silent"])


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_driver_can_fail(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert differences(expected, [{"name": "none", "path": "x"}])
