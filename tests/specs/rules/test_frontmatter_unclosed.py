"""Rule frontmatter-unclosed: front matter without an end."""

import pytest

from epm_testing.specs import AGENT, found

CONFIG = ""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\nname: a\ndescription: A.\n---\n# A\n", id="closed"),
        pytest.param("---\nname: a\ndescription: A.\n---", id="closed at the end of the file"),
        pytest.param("---\nname: a\ndescription: A.\n...\n", id="closed by dots"),
        pytest.param("# A\n\n---\n", id="none"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert found("frontmatter-unclosed", {AGENT: text}, CONFIG) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param("---\nname: a\ndescription: A.\n# A\n", ["1:1"], id="no end"),
        pytest.param(
            "---\nname: a\ndescription: A.\n--- x\n", ["1:1"], id="dashes with more behind"
        ),
    ],
)
def test_finds(text: str, places: list[str]) -> None:
    wanted = [f"{AGENT}:{place}" for place in places]
    assert found("frontmatter-unclosed", {AGENT: text}, CONFIG) == wanted
