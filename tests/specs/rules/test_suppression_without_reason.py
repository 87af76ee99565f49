"""Rule suppression-without-reason: a suppression that says not why."""

import pytest

from epm_testing.specs import at

CONFIG = ""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<!-- epm: allow ref-path -- made at run time -->\n", id="with a reason"),
        pytest.param("<!-- allow ref-path -->\n", id="another comment"),
        pytest.param(
            "```\n<!-- epm: allow ref-path -->\n```\n`<!-- epm: allow x -->`\n", id="in code"
        ),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("suppression-without-reason", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("<!-- epm: allow ref-path -->\n", ["1:1"], id="none"),
        pytest.param("x <!-- epm: allow ref-path -- --> y\n", ["1:3"], id="blank"),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("suppression-without-reason", body, CONFIG) == places
