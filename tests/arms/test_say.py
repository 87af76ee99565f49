"""Reports, notes and markers of a run."""

import json

from pytest_epm.arms.decide import Verdict
from pytest_epm.arms.guards import Guard, Span
from pytest_epm.arms.judge import Fault
from pytest_epm.arms.rows import ArmResult, Outcome, PhaseResult
from pytest_epm.arms.say import NEXT, Leg, Told, marker, note, report
from pytest_epm.report import Finding
from pytest_epm.reports.json import to_json
from pytest_epm.reports.text import to_lines
from pytest_epm.verdicts import Arm, Reason, Smoke, parse, render

TEST = "test_ladder.py::test_rung[rung6]"
STUB = Fault(Reason.STUB, "/p/ladder.py", 17, "it only hands its parameters to ladder:other")
HANDLER = Fault(Reason.FALLBACK_HANDLER, "/p/ladder.py", 22, "an exception left the last call")
SPAN = Span(4, 0, 4, 9)
TOLD = Told(
    Verdict(Smoke.PASS_PARTIAL, "arms_stubbed=rung7", 1, "1 arm of 3 did not really run"),
    "/p",
    (
        ArmResult(
            "rung6",
            Arm.REAL,
            (),
            ("ladder:rung6",),
            "ladder:rung6 ran 5 of 5",
            ("cached",),
            (
                Outcome("other", "passed", (STUB,)),
                Outcome("unseen", "passed", unknown="no tracer"),
                Outcome(TEST, "passed"),
            ),
        ),
        ArmResult(
            "rung7",
            Arm.FALLBACK,
            (Reason.FALLBACK_HANDLER, Reason.STUB),
            ("ladder:rung7",),
            "ladder:rung7 ran 1 of 1",
            items=(Outcome("t7", "passed", (STUB, HANDLER)),),
        ),
        ArmResult("d", Arm.NA, ("needs 4 GPUs",)),
    ),
    (
        PhaseResult("fit", executed=True, subset="cells=1"),
        PhaseResult("eval", executed=False, words="no passing test ran m:ev"),
    ),
    (("/p/gen.py", Guard(4, 3, "generate", "mock", SPAN, (SPAN,), (SPAN,))),),
    Leg(
        ({"file": "gen.py", "line": 7, "problem": "no Call", "did_you_mean": "Item"},),
        (),
        ({"file": "gen.py", "line": 9, "callee": "lib.call", "problem": "not-awaited"},),
        "2 deferred imports in 1 file, 1 resolved",
    ),
    (Finding("waiver-unused", "allows nothing", "a.py", 3),),
)


def test_the_note() -> None:
    assert render(note(TOLD)) == (
        "verdict: PASS_PARTIAL arms_stubbed=rung7\n"
        "import-resolution: 2 deferred imports in 1 file, 1 resolved\n"
        "per-arm-resolution:\n"
        f"- rung6: REAL — ladder:rung6 ran 5 of 5 ({TEST})\n"
        "- rung7: FALLBACK — fallback-handler (ladder.py:22), stub (ladder.py:17)\n"
        "- d: N/A — needs 4 GPUs\n"
        "phase-coverage: fit executed, subset cells=1; "
        "eval not executed: no passing test ran m:ev"
    )


def test_the_marker() -> None:
    posted = marker(TOLD)
    assert posted.kind == "epm:smoke-architecture-check"
    assert parse(posted.note) == note(TOLD)
    assert posted.data["schema"] == "epm.arms/1"
    assert json.loads(json.dumps(posted.data)) == posted.data


def test_the_object() -> None:
    data = json.loads(to_json(report(TOLD)))
    assert list(data) == [
        "schema",
        "exit_code",
        "verdict",
        "detail",
        "arms",
        "mock_only",
        "imports",
        "unavailable",
        "call_shapes",
        "phases",
        "selection",
        "bytecode",
    ]
    assert (data["schema"], data["verdict"], data["exit_code"]) == (
        "epm.arms/1",
        "PASS_PARTIAL",
        1,
    )
    assert data["arms"]["rung7"]["reasons"] == ["fallback-handler", "stub"]
    assert set(data["arms"]["rung6"]) == {
        "status",
        "reasons",
        "computes",
        "ran",
        "notes",
        "items",
    }
    assert data["mock_only"][0]["file"] == "gen.py"


def test_people_are_told_what_where_and_what_next() -> None:
    text = "\n".join(to_lines(report(TOLD)))
    for words in (
        "PASS_PARTIAL arms_stubbed=rung7: 1 arm of 3 did not really run",
        "ladder.py:17",
        NEXT[Reason.STUB],
        "gen.py:7",
        "did you mean 'Item'?",
        "eval not executed",
        "waiver-unused",
    ):
        assert words in text


def test_nothing_to_tell() -> None:
    told = Told(Verdict(Smoke.PASS_UNIFIED, "", 0, "no plan-named arms"), "/p")
    assert not any(report(told).sections)
    assert render(note(told)).endswith("per-arm-resolution: N/A — no plan-named arms")


def test_every_reason_has_a_next_step() -> None:
    assert set(NEXT) == set(Reason)
