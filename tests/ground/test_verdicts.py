"""The vocabulary, and the note of a smoke verdict there and back."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_epm.verdicts import Arm, ArmRow, NoteError, Smoke, SmokeNote, parse, render, stubbed

NOTE = """\
verdict: PASS_PARTIAL arms_stubbed=rung7,rung8
import-resolution: 12 deferred imports in 3 files, 12 resolved
per-arm-resolution:
- rung6: REAL — ladder:rung6 ran 5 of 5 (test_ladder.py::test_rung[rung6])
- rung7: FALLBACK — stub (ladder.py:17)
phase-coverage: fit executed, subset cells=1; eval executed"""


def test_the_shape() -> None:
    note = SmokeNote(
        Smoke.PASS_PARTIAL,
        stubbed(("rung7", "rung8")),
        "12 deferred imports in 3 files, 12 resolved",
        (
            ArmRow("rung6", Arm.REAL, "ladder:rung6 ran 5 of 5 (test_ladder.py::test_rung[rung6])"),
            ArmRow("rung7", Arm.FALLBACK, "stub (ladder.py:17)"),
        ),
        "fit executed, subset cells=1; eval executed",
    )
    assert render(note) == NOTE
    assert parse(NOTE) == note
    assert note.stubbed == ("rung7", "rung8")


def test_the_vacuous_line() -> None:
    text = render(SmokeNote(Smoke.PASS_UNIFIED))
    assert text.splitlines()[-1] == "per-arm-resolution: N/A — no plan-named arms"
    assert parse(text).rows == ()
    assert parse(text).stubbed == ()


WORDS = st.from_regex(r"[a-z][a-z=:—.,\- \[\]]{0,12}[a-z]", fullmatch=True)
ROWS = st.builds(
    ArmRow, st.from_regex(r"[a-z_][a-z :\[\]\-]{0,8}[a-z]", fullmatch=True), st.sampled_from(Arm)
)


@given(
    st.builds(
        SmokeNote,
        st.sampled_from(Smoke),
        st.just("") | WORDS,
        st.just("") | WORDS,
        st.lists(ROWS, max_size=4).map(tuple),
        st.just("") | WORDS,
    )
)
def test_there_and_back(note: SmokeNote) -> None:
    assert parse(render(note)) == note


def test_a_hostile_name_stays_on_its_line() -> None:
    row = ArmRow("a\n- b: REAL", Arm.FALLBACK, "stub\nverdict: PASS_UNIFIED")
    text = render(SmokeNote(Smoke.FAIL, rows=(row,)))
    assert len(text.splitlines()) == 3
    assert parse(text).verdict is Smoke.FAIL


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        pytest.param("", "note:1", "no line `verdict:`", id="empty"),
        pytest.param("verdict: FAIL", "note:1", "per-arm-resolution", id="without rows"),
        pytest.param(
            NOTE.replace("PASS_PARTIAL", "PASS"), "note:1", "'PASS' is none", id="unknown verdict"
        ),
        pytest.param(
            NOTE.replace("PASS_PARTIAL", "pass_partial"), "note:1", "is none", id="letter case"
        ),
        pytest.param(
            NOTE.replace("FALLBACK", "OKAY"), "note:5", "not in the shape", id="unknown status"
        ),
        pytest.param(f"{NOTE}\nverdict: PASS_UNIFIED", "note:7", "second time", id="two verdicts"),
        pytest.param(
            "verdict: PASS_UNIFIED\nper-arm-resolution:", "note:2", "neither rows", id="no row"
        ),
        pytest.param(
            "verdict: PASS_UNIFIED\nper-arm-resolution: N/A — lazy",
            "note:2",
            "neither rows",
            id="another reason for no rows",
        ),
    ],
)
def test_what_is_no_note(text: str, where: str, words: str) -> None:
    with pytest.raises(NoteError, match=re.escape(words)) as caught:
        parse(text)
    assert caught.value.where == where


def test_nothing_else_spells_a_token() -> None:
    tokens = "|".join(token for token in Smoke if token is not Smoke.FAIL)
    package = Path(__file__).parents[2] / "pytest_epm"
    spelled = [
        path.name
        for path in package.rglob("*.py")
        if re.search(rf"\b({tokens})\b(?<!\.)", re.sub(r"Smoke\.\w+", "", path.read_text("utf-8")))
    ]
    assert spelled == ["verdicts.py"]
