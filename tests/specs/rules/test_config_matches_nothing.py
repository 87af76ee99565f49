"""Rule config-matches-nothing: an entry that looks at nothing."""

import pytest

from epm_testing.specs import AGENT, found, run

FILES = {AGENT: "# Clarify\n"}


@pytest.mark.parametrize(
    "config",
    [
        pytest.param("", id="nothing said"),
        pytest.param('files = [".claude/agents/*.md"]', id="a glob"),
        pytest.param('[vocabulary.x]\ntokens = ["A"]\ncontract = ["**/a.md"]', id="deep glob"),
        pytest.param(
            f'asks = {{ allow = [{{ file = "{AGENT}", section = "clarify" }}] }}', id="section"
        ),
        pytest.param(f'[size.ratchet]\n"{AGENT}" = 1', id="ratchet"),
    ],
)
def test_leaves_alone(config: str) -> None:
    assert found("config-matches-nothing", FILES, config) == []


@pytest.mark.parametrize(
    ("config", "line"),
    [
        pytest.param('files = [\n  ".claude/agents/*.md",\n  "x/*.md",\n]', 3, id="files"),
        pytest.param('[vocabulary.x]\ntokens = ["A"]\ncontract = ["x.md"]', 3, id="contract"),
        pytest.param('[vocabulary.x]\ntokens = ["A"]\nrestated_in = ["x.md"]', 3, id="restated"),
        pytest.param(
            f'[[duty]]\nid = "a"\nfiles = ["{AGENT}"]\nsentence = "x"\n'
            '[[duty]]\nid = "b"\nfiles = ["x.md"]\nsentence = "x"',
            7,
            id="second duty",
        ),
        pytest.param('[size.ratchet]\n"x.md" = 1', 2, id="ratchet"),
        pytest.param('[per-file-ignores]\n"x.md" = ["size"]', 2, id="ignores"),
        pytest.param('[asks]\nallow = [{ file = "x.md" }]', 2, id="allow"),
        pytest.param(f'[asks]\nallow = [{{ file = "{AGENT}", section = "No" }}]', 2, id="section"),
    ],
)
def test_finds(config: str, line: int) -> None:
    (item,) = run("config-matches-nothing", FILES, config)
    assert (item.finding.path, item.finding.line) == ("lint.toml", line)
