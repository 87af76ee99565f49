"""Rule size-ratchet: a file of another size than it is held at."""

import pytest

from epm_testing.specs import AGENT, found, run

CONFIG = f'[size.ratchet]\n"{AGENT}" = 100\n'


def test_leaves_alone() -> None:
    assert found("size-ratchet", {AGENT: "x" * 100, "CLAUDE.md": "x" * 101}, CONFIG) == []


@pytest.mark.parametrize(("size", "word"), [(101, "grew"), (99, "must come down")])
def test_finds(size: int, word: str) -> None:
    (item,) = run("size-ratchet", {AGENT: "x" * size}, CONFIG)
    assert (item.finding.line, item.finding.severity) == (1, "error")
    assert word in item.finding.message
