"""Rule name-mismatch: a skill whose name is not that of its folder."""

import pytest

from epm_testing.specs import SKILL, found

CONFIG = ""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\nname: s\n---\n", id="the same"),
        pytest.param("---\nname: S\n---\n", id="told by frontmatter-type"),
        pytest.param("---\nx: s\n---\n", id="no name"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert found("name-mismatch", {SKILL: text}, CONFIG) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param("---\nname: t\n---\n", ["2:1"], id="another"),
    ],
)
def test_finds(text: str, places: list[str]) -> None:
    wanted = [f"{SKILL}:{place}" for place in places]
    assert found("name-mismatch", {SKILL: text}, CONFIG) == wanted
