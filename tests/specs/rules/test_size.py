"""Rule size: a file above the bound."""

import pytest

from epm_testing.specs import AGENT, found, run


@pytest.mark.parametrize("size", [0, 100, 200])
def test_leaves_alone(size: int) -> None:
    assert found("size", {AGENT: "x" * size}, "[size]\nwarn = 200\nfail = 300\n") == []


def test_leaves_alone_what_the_ratchet_holds() -> None:
    config = f'[size]\nwarn = 2\nfail = 3\n[size.ratchet]\n"{AGENT}" = 10\n'
    assert found("size", {AGENT: "x" * 50}, config) == []


@pytest.mark.parametrize(("size", "severity"), [(201, "warning"), (300, "warning"), (301, "error")])
def test_finds(size: int, severity: str) -> None:
    (item,) = run("size", {AGENT: "x" * size}, "[size]\nwarn = 200\nfail = 300\n")
    assert (item.finding.line, item.finding.column) == (1, 1)
    assert (item.finding.severity, item.more["bytes"]) == (severity, size)


def test_bytes_count_as_they_lie_on_disk() -> None:
    raw = b"\xef\xbb\xbf" + "ä\r\n".encode()
    (item,) = run("size", {AGENT: raw}, "[size]\nwarn = 1\n")
    assert item.more["bytes"] == 7
