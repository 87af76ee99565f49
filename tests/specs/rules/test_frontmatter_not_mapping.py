"""Rule frontmatter-not-mapping: front matter that is no mapping."""

import pytest

from epm_testing.specs import AGENT, found

CONFIG = ""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\nname: a\ndescription: A.\n---\n", id="a mapping"),
        pytest.param("---\na: b: c\n---\n", id="broken, told by another rule"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert found("frontmatter-not-mapping", {AGENT: text}, CONFIG) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param("---\n- name: c\n---\n", ["2:1"], id="a list"),
        pytest.param("---\nhello\n---\n", ["2:1"], id="a text"),
        pytest.param("---\n---\n", ["1:1"], id="empty"),
    ],
)
def test_finds(text: str, places: list[str]) -> None:
    wanted = [f"{AGENT}:{place}" for place in places]
    assert found("frontmatter-not-mapping", {AGENT: text}, CONFIG) == wanted
