"""Rule vocabulary-undeclared: a verdict that nothing declares."""

import pytest

from epm_testing.specs import SKILL, at, found

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
        pytest.param("Verdict: PASS_FULL / FAIL\n", id="declared"),
        pytest.param("LGTM is a word\n", id="no verdict line"),
        pytest.param("Verdict: fine\n", id="a small word"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("vocabulary-undeclared", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("**Verdict:** LGTM\n", ["1:14"], id="unknown token"),
        pytest.param("```\nVerdict: SHIP_IT\n```\n", ["2:10"], id="in a fence"),
        pytest.param("- Final verdict: LGTM or NACK\n", ["1:18", "1:26"], id="two of them"),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("vocabulary-undeclared", body, CONFIG) == places


def test_a_file_without_any_vocabulary() -> None:
    assert found("vocabulary-undeclared", {SKILL: "Verdict: PASS"}) == [f"{SKILL}:1:10"]
    assert found("vocabulary-undeclared", {"CLAUDE.md": "Verdict: PASS"}) == []
