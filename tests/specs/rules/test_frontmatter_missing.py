"""Rule frontmatter-missing: an agent or a skill without front matter."""

import pytest

from epm_testing.specs import AGENT, found

CONFIG = ""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\nname: a\ndescription: A.\n---\n", id="there"),
        pytest.param("\ufeff---\r\nname: a\r\n---\r\n", id="with a byte order mark and CRLF"),
        pytest.param("---\nname: a\n", id="unclosed, told by another rule"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert found("frontmatter-missing", {AGENT: text}, CONFIG) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param("# A\n", ["1:1"], id="none"),
        pytest.param("", ["1:1"], id="empty file"),
        pytest.param("\n---\nname: a\n---\n", ["1:1"], id="after a blank line"),
    ],
)
def test_finds(text: str, places: list[str]) -> None:
    wanted = [f"{AGENT}:{place}" for place in places]
    assert found("frontmatter-missing", {AGENT: text}, CONFIG) == wanted
