"""Rule ref-step: a step that the file does not have."""

import pytest

from epm_testing.specs import AGENT, SKILL, at, found

CONFIG = ""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("Go on as in Step 4.\n", id="no headings of steps"),
        pytest.param("## Step 3\n\nAs in Step 3.\n", id="there"),
        pytest.param(
            "## Step 6d.0\n\n## Step 9a-ter: x\n\nSteps: Step 6d.0, Step 9a-ter, Step 6d, Step 9.\n",
            id="parts",
        ),
        pytest.param(
            "## Step 1\n\n**Step 1b: x**\n\n**9a. y**\n\nStep 1b, then Step 9a.\n",
            id="defined by a bold line",
        ),
        pytest.param(
            "## Step 1: x\n\n### 1a. y\n\nGo to Step 1a.\n", id="headings with bare numbers"
        ),
        pytest.param("## Step 1\n\nstep 7\n", id="small letters"),
        pytest.param("## Step 1\n\n```\nStep 7\n```\n", id="in code"),
        pytest.param("## Step 1\n\n`x/none.md` Step 7\n", id="of a file that cannot be read"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("ref-step", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("## Step 3\n\nGo on as in Step 4 of this file.\n", ["3:13"], id="absent"),
        pytest.param(
            "## Step 1\n\n- see Step 2\n\n| a |\n|---|\n| x Step 5 |\n",
            ["3:7", "7:5"],
            id="in an item and a row",
        ),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("ref-step", body, CONFIG) == places


def test_of_the_file_whose_path_stands_beside() -> None:
    skill = "## Step 1\n"
    body = "`.claude/skills/s/SKILL.md` Step 1, [s](../skills/s/SKILL.md), Step 2; Step 3 of `.claude/skills/s/SKILL.md`"
    assert found("ref-step", {AGENT: body, SKILL: skill}) == [f"{AGENT}:1:64", f"{AGENT}:1:72"]
