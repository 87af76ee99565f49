"""A spec that lost a duty, a token and a script in a trim, end to end."""

import json
import shutil
from pathlib import Path

import pytest

from epm_testing import Project

EXAMPLE = Path(__file__).parents[2] / "examples/trimmed_spec"
AGENT = ".claude/agents/uploader.md"


@pytest.mark.parametrize("in_git", [True, False], ids=["git", "plain"])
def test_what_was_lost_is_named(tmp_path: Path, *, in_git: bool) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "spec")
    red, green = (Project(tmp_path / "spec" / name) for name in ("red", "green"))
    if in_git:
        for project in (red, green):
            project.git("init", "-q")
            project.git("add", "-Af")
    assert green.epm("lint").out == "1 file linted: nothing found\n"
    done = red.epm("lint", "--output-format", "json")
    assert done.code == 1
    found = [(item["name"], item["path"], item["line"]) for item in json.loads(done.out)]
    assert found == [
        ("frontmatter-key", AGENT, 4),
        ("ref-path", AGENT, 8),
        ("duty-weakened", AGENT, 9),
        ("token-unknown", AGENT, 11),
    ]
