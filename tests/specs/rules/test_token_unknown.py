"""Rule token-unknown: a word that was meant for a token."""

import pytest

from epm_testing.specs import AGENT, at, found, run

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
            "| `PASS_FULL` | **PASS_PARTIAL** |\n|---|---|\n\n```\nFAIL\n```\n",
            id="tokens in every form",
        ),
        pytest.param("PASS_OLD\n", id="retired, told by another rule"),
        pytest.param("PASSED BYPASS_FLAG XFAIL fail failed\n", id="only looks alike"),
        pytest.param("[x](PASS_FULLL.md)\n", id="in a link target"),
        pytest.param(
            "see https://example.org/PASS_FULLL and <https://example.org/PASS_X>\n", id="in a URL"
        ),
        pytest.param("`conf/PASS_THROUGH.env`, `cat conf/PASS_X.env`\n", id="path in a code span"),
        pytest.param("PASS_* and PASS_<x> and `PASS_{x}` and PASS_\n", id="several tokens at once"),
        pytest.param("<!-- PASS_FULLL -->\n", id="in a comment"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("token-unknown", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("Return PASS_FULLL now\n", ["1:8"], id="one letter too many, in prose"),
        pytest.param("| a |\n|---|\n| PASS_PARTAIL |\n", ["3:3"], id="swapped, in a table"),
        pytest.param("FAIL_SOFT\n", ["1:1"], id="begins with a prefix"),
        pytest.param("pass_full\n", ["1:1"], id="other case"),
        pytest.param("x PASS-FULL y\n", ["1:3"], id="hyphens"),
        pytest.param("ASS_FULL\n", ["1:1"], id="one edit, no prefix"),
        pytest.param("```text\nVerdict: PASS_FULLL\n```\n", ["2:10"], id="in a fence"),
        pytest.param("1. x\n\n   ```\n   PASS_FULLL\n   ```\n", ["4:4"], id="in a fence of a list"),
        pytest.param("> **PASS_FULLL**\n", ["1:5"], id="in bold and quoted"),
        pytest.param("`PASS_FULLL`\n", ["1:2"], id="in a code span that is no path"),
        pytest.param("äöü 漢 PASS_FULLL\n", ["1:7"], id="after letters of several bytes"),
        pytest.param("a\\*b &amp; PASS_FULLL\n", ["1:12"], id="after an escape and an entity"),
        pytest.param("[PASS_FULLL](x.md)\n", ["1:2"], id="words of a link"),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("token-unknown", body, CONFIG) == places


def test_names_the_nearest_and_looks_into_front_matter() -> None:
    head = "---\nname: a\ndescription: Returns PASS_PARTAIL.\n---\n"
    (item,) = run("token-unknown", {AGENT: head}, CONFIG)
    assert (item.finding.line, item.finding.column) == (3, 22)
    assert (item.more["token"], item.more["nearest"]) == ("PASS_PARTAIL", "PASS_PARTIAL")


def test_a_file_that_no_vocabulary_names_is_left_alone() -> None:
    assert found("token-unknown", {"CLAUDE.md": "PASS_FULLL"}, CONFIG) == []


def test_tokens_of_another_vocabulary_are_known() -> None:
    other = '[vocabulary.gate]\ntokens = ["PASS_GATE"]\ncontract = ["x.md"]\n'
    assert found("token-unknown", {AGENT: "PASS_GATE"}, CONFIG + other) == []
