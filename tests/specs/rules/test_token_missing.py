"""Rule token-missing: a file of the contract that lacks a token."""

import pytest

from epm_testing.specs import AGENT, at, found

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
        pytest.param(
            "| `PASS_FULL` |\n|---|\n\n**PASS_PARTIAL**\n\n```\nFAIL\n```\n",
            id="all there, in any form",
        ),
        pytest.param(
            "PASS_FULL/PASS_PARTIAL/FAIL\n", id="in the front matter's reach of a slash list"
        ),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("token-missing", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("x\n\nPASS_FULL, FAIL\n", ["3:1"], id="one absent, on the line of the first"),
        pytest.param(
            "PASS_FULL PASS_PARTIAL FAIL_NOT FAILED\n", ["1:1"], id="a longer word does not hold it"
        ),
        pytest.param(
            "PASS_FULL PASS_PARTIAL <!-- FAIL -->\n", ["1:1"], id="a comment does not hold it"
        ),
        pytest.param(
            "PASS_FULL PASS_PARTIAL [x](FAIL.md)\n", ["1:1"], id="a link target does not hold it"
        ),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("token-missing", body, CONFIG) == places


def test_none_there_is_told_on_line_1() -> None:
    assert found("token-missing", {AGENT: "nothing"}, CONFIG) == [f"{AGENT}:1:1"] * 3


def test_a_file_that_restates_is_held_too() -> None:
    more = CONFIG + 'restated_in = ["docs/v.md"]\n'
    assert found("token-missing", {"docs/v.md": "PASS_FULL FAIL"}, more) == ["docs/v.md:1:1"]
