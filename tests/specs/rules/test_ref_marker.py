"""Rule ref-marker: a marker that the settings do not name."""

import pytest

from epm_testing.specs import at

CONFIG = """[markers]
known = ["epm:smoke-done"]
"""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("Post `epm:smoke-done`.\n", id="known"),
        pytest.param("`epm:status`\n", id="the product's own"),
        pytest.param("`epm:<kind>` epm:* epm:{x} epm:smoke-*\n", id="placeholders"),
        pytest.param("x:smoke a:b\n", id="another namespace"),
        pytest.param("<!-- epm: allow x -- y -->\n", id="a suppression"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("ref-marker", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("Post `epm:smoke-done`, then `epm:smoke-dnoe`.\n", ["1:30"], id="misspelt"),
        pytest.param("```\nepm post epm:gone\n```\n", ["2:10"], id="in a fence"),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("ref-marker", body, CONFIG) == places


def test_without_the_table_nothing_is_looked_at() -> None:
    assert at("ref-marker", "epm:gone") == []
