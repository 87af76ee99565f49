"""Rule ask-unsanctioned: an instruction to ask outside sanctioned gates."""

import pytest

from epm_testing.specs import at

CONFIG = """[asks]
phrases = ["ask the user", "wait for the user", "AskUserQuestion"]
allow = [{ file = ".claude/agents/*.md", section = "clarify", reason = "r" }]
"""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("Never ask the user; pick the default.\n", id="forbidden"),
        pytest.param("Do not stop or ask the user.\n", id="do not"),
        pytest.param("You MUST NOT guess, wait, or ask the user.\n", id="must not, in a list"),
        pytest.param("Go on without AskUserQuestion.\n", id="without"),
        pytest.param("`AskUserQuestion` is never allowed here.\n", id="forbidden after"),
        pytest.param("```\nask the user\n```\n", id="fence"),
        pytest.param("# Clarify\n\n## First\n\nAsk the user.\n", id="sanctioned section"),
        pytest.param("Never, under any circumstances, ask the user.\n", id="parenthetical"),
        pytest.param("task the users\n", id="part of a word"),
        pytest.param("~~ask the user~~\n", id="struck through"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("ask-unsanctioned", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("If unclear, ask the user which arm\nto drop.\n", ["1:13"], id="plain"),
        pytest.param("Call `AskUserQuestion` first.\n", ["1:7"], id="code span"),
        pytest.param("x\nAsk\nthe user.\n", ["2:1"], id="wrapped"),
        pytest.param("Do not guess, ask the user.\n", ["1:15"], id="another clause forbids"),
        pytest.param("Never guess but ask the user.\n", ["1:17"], id="but"),
        pytest.param("If you do not know, ask the user.\n", ["1:21"], id="the condition is denied"),
        pytest.param(
            "# Clarify\n\nx\n\n# Merge\n\nWait for the user.\n", ["7:1"], id="another section"
        ),
        pytest.param("| a |\n|---|\n| ask the user |\n", ["3:3"], id="in a row"),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("ask-unsanctioned", body, CONFIG) == places
