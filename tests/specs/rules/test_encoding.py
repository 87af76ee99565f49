"""Rule encoding: a file that is not UTF-8 text."""

import pytest

from epm_testing.specs import AGENT, found

CONFIG = ""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ä 漢 😀\n", id="letters of several bytes"),
        pytest.param("\ufeffa\r\nb\r\n", id="a byte order mark and CRLF"),
        pytest.param("", id="nothing"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert found("encoding", {AGENT: text}, CONFIG) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param("x\ny\x00z\n", ["2:2"], id="a NUL"),
    ],
)
def test_finds(text: str, places: list[str]) -> None:
    wanted = [f"{AGENT}:{place}" for place in places]
    assert found("encoding", {AGENT: text}, CONFIG) == wanted


@pytest.mark.parametrize(
    ("raw", "places"),
    [
        pytest.param(b"a\nb\xff", ["2:2"], id="a byte that is none"),
        pytest.param(b"\xef\xbb\xbfa\r\n\xff", ["2:1"], id="after a mark and CRLF"),
        pytest.param("x".encode("utf-16"), ["1:1"], id="UTF-16"),
    ],
)
def test_bytes(raw: bytes, places: list[str]) -> None:
    assert found("encoding", {AGENT: raw}) == [f"{AGENT}:{place}" for place in places]


def test_of_utf_16_nothing_else_is_said() -> None:
    assert found("frontmatter-missing", {AGENT: "x".encode("utf-16")}) == []
