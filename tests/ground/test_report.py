"""The types that every capability returns."""

import pickle

import pytest

from pytest_epm.errors import ConfigError, EpmError, Exit, GitError, RefusedError
from pytest_epm.report import Finding, Marker, Report, Row, Section, shown


@pytest.mark.parametrize("text", ["plain.py", "with space", "ümlaut", "名前", "a\\b"])
def test_shown_as_it_is(text: str) -> None:
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\nb", "a\\nb", id="newline"),
        pytest.param("a\x1b[31mb", "a\\x1b[31mb", id="a terminal's escape"),
        pytest.param("a\udcffb", "a\\xffb", id="a byte that is no UTF-8"),
        pytest.param("a\u2028b", "a\\u2028b", id="line separator"),
        pytest.param("a\u202eb", "a\\u202eb", id="right to left"),
    ],
)
def test_shown_on_one_line(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "value",
    [
        Finding("code", "message"),
        Row("name", "REAL"),
        Section("title"),
        Marker("epm:x", "note"),
        Report("epm.x/1", "headline"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_frozen(value: Finding | Row | Section | Marker | Report) -> None:
    with pytest.raises(AttributeError):
        setattr(value, value._fields[0], "other")


def test_an_empty_section_is_false() -> None:
    assert not Section("title")
    assert Section("title", lines=("x",))
    assert Section("title", rows=(Row("a", "REAL"),))
    assert Section("title", findings=(Finding("a", "b"),))


@pytest.mark.parametrize("kind", [EpmError, ConfigError, GitError, RefusedError])
def test_errors_cross_a_process_border(kind: type[EpmError]) -> None:
    error = kind("what", "where:3", "epm run")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - made on this line
    assert (type(again), again.what, again.where, again.next_step) == (
        kind,
        "what",
        "where:3",
        "epm run",
    )
    assert again.exit_code == Exit.USAGE


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (EpmError("what"), "what"),
        (EpmError("what", "where:3"), "where:3: what"),
        (EpmError("what", "where:3", "epm run"), "where:3: what\n  next: epm run"),
    ],
)
def test_an_error_says_what_where_and_the_next_command(error: EpmError, text: str) -> None:
    assert str(error) == text
