"""Rule frontmatter-type: a value that its key does not take."""

import pytest

from epm_testing.specs import AGENT, found

CONFIG = ""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "---\nname: a\ndescription: A.\ntools: [Read]\nskills: a, b\nmaxTurns: 3\nbackground: true\nhooks:\n  Stop: []\n---\n",
            id="all of their types",
        ),
        pytest.param("---\nname: a\ndescription: A.\ntools:\n---\n", id="nothing given"),
        pytest.param("---\nname: a\ndescription: A.\neffort: high\n---\n", id="a known choice"),
        pytest.param("---\nname: a\ndescription: A.\nx: []\n---\n", id="an unknown key"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert found("frontmatter-type", {AGENT: text}, CONFIG) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param(
            "---\nname: a\ndescription: A.\nhooks: []\n---\n", ["4:1"], id="an empty list of hooks"
        ),
        pytest.param(
            "---\nname: a\ndescription: A.\nhooks: {}\n---\n",
            ["4:1"],
            id="an empty mapping of hooks",
        ),
        pytest.param("---\nname: 1\ndescription: A.\n---\n", ["2:1"], id="a name that is a number"),
        pytest.param(
            "---\nname: a\ndescription: A.\ntools: [1]\n---\n", ["4:1"], id="a list of numbers"
        ),
        pytest.param(
            "---\nname: a\ndescription: A.\nbackground: often\n---\n", ["4:1"], id="a flag in words"
        ),
        pytest.param(
            "---\nname: a\ndescription: A.\nmemory: global\n---\n", ["4:1"], id="no choice of it"
        ),
        pytest.param(
            "---\nname: a\ndescription: A.\nmaxTurns: true\n---\n", ["4:1"], id="true is no number"
        ),
    ],
)
def test_finds(text: str, places: list[str]) -> None:
    wanted = [f"{AGENT}:{place}" for place in places]
    assert found("frontmatter-type", {AGENT: text}, CONFIG) == wanted
