"""Rule ref-anchor: a link to a heading that is not there."""

import pytest

from epm_testing.specs import AGENT, at, found

CONFIG = ""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "# One Two\n\n## One Two\n\n[a](#one-two) [b](#one-two-1)\n", id="own headings"
        ),
        pytest.param("# `epm` & *Co.*: what?\n\n[a](#epm--co-what)\n", id="marks and signs"),
        pytest.param('<a id="here"></a>\n\n[a](#here)\n', id="explicit ids"),
        pytest.param("[a](#top)\n", id="the top"),
        pytest.param("[a](../x.py#L12)\n", id="lines of code"),
        pytest.param("[a](other.md#x)\n", id="a file that is not read"),
        pytest.param("# One\n\n[a](#One)\n", id="letter case aside"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("ref-anchor", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("# Step 3\n\n[below](#step-three)\n", ["3:2"], id="no such heading"),
        pytest.param("```\n# Step\n```\n\n[x](#step)\n", ["5:2"], id="a heading in a fence"),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("ref-anchor", body, CONFIG) == places


def test_of_another_file() -> None:
    files = {AGENT: "[x](b.md#one) [y](b.md#two)", ".claude/agents/b.md": "# One"}
    assert found("ref-anchor", files) == [f"{AGENT}:1:16"]
