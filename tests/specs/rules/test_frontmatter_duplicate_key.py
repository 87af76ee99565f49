"""Rule frontmatter-duplicate-key: a key that is there a second time."""

import pytest

from epm_testing.specs import AGENT, found

CONFIG = ""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\nname: a\ndescription: A.\n---\n", id="once"),
        pytest.param("---\nname: a\nx:\n  name: b\n---\n", id="nested ones are another's"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert found("frontmatter-duplicate-key", {AGENT: text}, CONFIG) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param(
            "---\nname: a\ndescription: A.\ndescription: Two.\n---\n", ["4:1"], id="twice"
        ),
        pytest.param("---\nname: a\nname: b\nname: c\n---\n", ["3:1", "4:1"], id="three times"),
    ],
)
def test_finds(text: str, places: list[str]) -> None:
    wanted = [f"{AGENT}:{place}" for place in places]
    assert found("frontmatter-duplicate-key", {AGENT: text}, CONFIG) == wanted
