"""Rule token-retired: a token that the vocabulary has given up."""

import pytest

from epm_testing.specs import at

CONFIG = """
[vocabulary.smoke]
tokens = ["PASS_FULL", "PASS_PARTIAL", "FAIL"]
retired = ["PASS_OLD"]
retired_allowed_under = ["History"]
prefixes = ["PASS_", "FAIL_"]
contract = [".claude/agents/*.md"]
"""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("PASS_FULL PASS_PARTIAL FAIL\n", id="live ones"),
        pytest.param("# History\n\n## Of 2025\n\nPASS_OLD\n", id="under an allowed heading"),
        pytest.param("PASS_OLDER XPASS_OLD\n", id="part of another word"),
        pytest.param("<!-- PASS_OLD -->\n", id="in a comment"),
        pytest.param("`x/PASS_OLD.md`\n", id="in a path"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("token-retired", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("x PASS_OLD\n", ["1:3"], id="in prose"),
        pytest.param("```\nPASS_OLD\n```\n", ["2:1"], id="in a fence"),
        pytest.param("# History\n\nx\n\n# Now\n\nPASS_OLD\n", ["7:1"], id="under another heading"),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("token-retired", body, CONFIG) == places
