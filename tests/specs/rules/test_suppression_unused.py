"""Rule suppression-unused: a suppression that silences nothing; and what suppressions cover."""

import pytest

from epm_testing.specs import AGENT, HEAD, project
from pytest_epm.specs.judge import judge
from pytest_epm.specs.registry import RULES
from pytest_epm.specs.select import Selection

ALLOW = "<!-- epm: allow {} -- reason -->"
RAN = ("ref-anchor", "suppression-unused", "suppression-without-reason")


def lines(body: str) -> list[str]:
    chosen = tuple(rule for rule in RULES if rule.name in RAN)
    items = judge(project({AGENT: HEAD + body}), Selection(chosen, RULES), None)
    return [f"{item.finding.line - 4} {item.rule.name}" for item in items]


A = ALLOW.format("ref-anchor")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"[x](#gone) {A}\n", id="in the paragraph"),
        pytest.param(f"[x](#gone)\nmore {A}\n", id="at the end of a paragraph"),
        pytest.param(f"# [x](#gone) {A}\n", id="in a heading"),
        pytest.param(f"- [x](#gone) {A}\n- y\n", id="in an item"),
        pytest.param(f"| a |\n|---|\n| [x](#gone) {A} |\n", id="in a row"),
        pytest.param(f"{A}\n\n[x](#gone)\n", id="above a paragraph"),
        pytest.param(f"{A}\n- a\n- [x](#gone)\n", id="above a list"),
        pytest.param(f"{A}\n\n| a |\n|---|\n| [x](#gone) |\n", id="above a table"),
        pytest.param(f"[x](#gone) {ALLOW.format('EPM302')}\n", id="by its code"),
        pytest.param(f"[x](#gone) {ALLOW.format('ref-path, ref-anchor')}\n", id="one of two"),
        pytest.param(ALLOW.format("size") + "\n\nx\n", id="a rule that did not run"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert lines(body) == []


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        pytest.param(f"x {A}\n", ["1 suppression-unused"], id="nothing to silence"),
        pytest.param(
            f"x {A}\n\n[x](#gone)\n",
            ["1 suppression-unused", "3 ref-anchor"],
            id="of another paragraph",
        ),
        pytest.param(
            f"- x {A}\n- [x](#gone)\n", ["1 suppression-unused", "2 ref-anchor"], id="other item"
        ),
        pytest.param(
            f"{A}\n\nx\n\n[x](#gone)\n",
            ["1 suppression-unused", "5 ref-anchor"],
            id="only the next block",
        ),
        pytest.param(
            f"[x](#gone) {ALLOW.format('ref-ancor')}\n",
            ["1 ref-anchor", "1 suppression-unused"],
            id="no such rule",
        ),
        pytest.param(
            "[x](#gone) <!-- epm: allow ref-anchor -->\n",
            ["1 ref-anchor", "1 suppression-without-reason"],
            id="without a reason it is not unused besides",
        ),
    ],
)
def test_finds(body: str, wanted: list[str]) -> None:
    assert lines(body) == wanted
