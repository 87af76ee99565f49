"""The table of verdicts: the first row that applies."""

from dataclasses import replace

import pytest

from pytest_epm.arms.decide import Judged, Session, decide
from pytest_epm.arms.plan import Plan
from pytest_epm.arms.rows import ArmResult, PhaseResult
from pytest_epm.verdicts import Arm, Smoke

GREEN = Session(exit_code=0, red=0, collected=3)
PLAN = Plan("plan.md")
DIVERGES = Plan("plan.md", diverges="mock judge")
CANARY = Plan("plan.md", diverges="mock judge", canary="a")


def arms(**statuses: Arm) -> tuple[ArmResult, ...]:
    return tuple(ArmResult(name, status) for name, status in statuses.items())


REAL = Judged(GREEN, PLAN, arms(a=Arm.REAL, b=Arm.NA))
BACK = Judged(GREEN, PLAN, arms(a=Arm.REAL, c=Arm.FALLBACK, b=Arm.FALLBACK))
IDLE = (PhaseResult("fit", executed=True), PhaseResult("eval", executed=False))


@pytest.mark.parametrize(
    ("judged", "token", "detail"),
    [
        pytest.param(Judged(GREEN), Smoke.PASS_UNIFIED, "", id="no plan, nothing found"),
        pytest.param(Judged(GREEN, PLAN), Smoke.PASS_UNIFIED, "", id="no arms"),
        pytest.param(replace(REAL, mock_only=3), Smoke.PASS_UNIFIED, "", id="listed, not judged"),
        pytest.param(REAL, Smoke.PASS_UNIFIED, "", id="real or not applicable"),
        pytest.param(
            replace(REAL, plan=CANARY), Smoke.PASS_CANARY, "canary_cell=a", id="diverges, canary"
        ),
        pytest.param(
            replace(REAL, plan=Plan("p", canary="a")), Smoke.PASS_UNIFIED, "", id="canary unneeded"
        ),
    ],
)
def test_holds(judged: Judged, token: Smoke, detail: str) -> None:
    verdict = decide(judged)
    assert (verdict.token, verdict.detail, verdict.exit_code) == (token, detail, 0)


RED = Session(exit_code=1, red=2, collected=3)


@pytest.mark.parametrize(
    ("judged", "token", "detail", "code"),
    [
        pytest.param(Judged(RED), Smoke.FAIL, "suite-red", 1, id="a failing test"),
        pytest.param(
            replace(REAL, session=replace(RED, exit_code=2)),
            Smoke.FAIL,
            "suite-red",
            2,
            id="errors",
        ),
        pytest.param(Judged(replace(RED, exit_code=0)), Smoke.FAIL, "suite-red", 1, id="code of 0"),
        pytest.param(
            Judged(Session(5, 0, 0)), Smoke.FAIL, "no-evidence", 5, id="nothing collected"
        ),
        pytest.param(
            Judged(Session(0, 0, 3, ended_early=True)), Smoke.FAIL, "no-evidence", 1, id="stopped"
        ),
        pytest.param(
            Judged(Session(1, 0, 3)), Smoke.FAIL, "suite-red", 1, id="another plugin's no"
        ),
        pytest.param(
            replace(REAL, session=replace(GREEN, purged=False)),
            Smoke.FAIL,
            "stale-possible",
            1,
            id="not purged",
        ),
        pytest.param(replace(REAL, broken=1), Smoke.FAIL, "", 1, id="an import"),
        pytest.param(replace(BACK, bad_calls=1), Smoke.FAIL, "", 1, id="a call, before fallbacks"),
        pytest.param(
            replace(BACK, arms=arms(a=Arm.MISSING, b=Arm.FALLBACK)), Smoke.FAIL, "", 1, id="missing"
        ),
        pytest.param(
            replace(REAL, arms=arms(a=Arm.UNKNOWN, b=Arm.REAL)), Smoke.FAIL, "", 1, id="unknown"
        ),
        pytest.param(replace(REAL, arms=arms(a=Arm.NA)), Smoke.FAIL, "", 1, id="all N/A"),
        pytest.param(replace(REAL, phases=IDLE), Smoke.FAIL, "", 1, id="a phase"),
        pytest.param(
            replace(BACK, plan=DIVERGES), Smoke.FAIL_NO_CANARY, "", 1, id="no canary comes first"
        ),
        pytest.param(BACK, Smoke.PASS_PARTIAL, "arms_stubbed=b,c", 1, id="sorted"),
        pytest.param(
            replace(BACK, plan=CANARY), Smoke.PASS_PARTIAL, "arms_stubbed=b,c", 1, id="and a canary"
        ),
        pytest.param(Judged(GREEN, mock_only=2), Smoke.FAIL, "mock_only=2", 1, id="mock only"),
    ],
)
def test_against(judged: Judged, token: Smoke, detail: str, code: int) -> None:
    verdict = decide(judged)
    assert (verdict.token, verdict.detail, verdict.exit_code) == (token, detail, code)
    assert verdict.words
