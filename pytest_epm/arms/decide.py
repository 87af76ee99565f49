"""The verdict: a table, of which the first row that applies holds. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pytest_epm.arms.plan import Plan
from pytest_epm.arms.rows import ArmResult, PhaseResult
from pytest_epm.verdicts import (
    CANARY_CELL,
    MOCK_ONLY,
    NO_EVIDENCE,
    STALE_POSSIBLE,
    SUITE_RED,
    Arm,
    Smoke,
    stubbed,
)


@dataclass(frozen=True, slots=True)
class Session:
    """How the test run went.

    exit_code: pytest's own. red: tests that failed or errored, collection errors included.
    collected: tests. ended_early: it was stopped, whatever by. purged: bytecode was.
    """

    exit_code: int
    red: int
    collected: int
    ended_early: bool = False
    purged: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything that a verdict is made from.

    plan: None without one. broken: judged imports that are. bad_calls: in planned
    computations. mock_only: mock-only branches of a session without a plan. unknown: why
    such a session could not be watched.
    """

    session: Session
    plan: Plan | None = None
    arms: tuple[ArmResult, ...] = ()
    phases: tuple[PhaseResult, ...] = ()
    broken: int = 0
    bad_calls: int = 0
    mock_only: int = 0
    unknown: str = ""

    def named(self, *statuses: Arm) -> tuple[str, ...]:
        """Return the arms of these statuses, sorted."""
        return tuple(sorted(arm.name for arm in self.arms if arm.status in statuses))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run came to. detail: as the vocabulary has it. words: the same for people."""

    token: Smoke
    detail: str
    exit_code: int
    words: str


_Rule = Callable[[Judged], Verdict | None]


def decide(judged: Judged) -> Verdict:
    """Return the verdict of the first rule that applies."""
    for rule in _RULES:
        verdict = rule(judged)
        if verdict:
            return verdict
    real = len(judged.named(Arm.REAL))
    words = "no plan-named arms" if judged.plan else "no branch ran as a mock only"
    if judged.arms:
        words = f"{_count(real, 'arm')} ran for real"
    return Verdict(Smoke.PASS_UNIFIED, "", 0, words)


def _suite(judged: Judged) -> Verdict | None:
    session = judged.session
    own = session.exit_code or 1  # a run without tests is not made good by an exit code of 0
    if session.red:
        words = f"{_count(session.red, 'test')} failed or did not start"
        return Verdict(Smoke.FAIL, SUITE_RED, own, words)
    if session.ended_early or not session.collected:
        words = "no test ran" if not session.collected else "the session ended early"
        return Verdict(Smoke.FAIL, NO_EVIDENCE, own, words)
    if session.exit_code:
        return Verdict(Smoke.FAIL, SUITE_RED, own, f"pytest ended with {session.exit_code}")
    return None


def _stale(judged: Judged) -> Verdict | None:
    if judged.session.purged:
        return None
    words = "bytecode was not purged, so this run may have executed old code"
    return Verdict(Smoke.FAIL, STALE_POSSIBLE, 1, words)


def _imports(judged: Judged) -> Verdict | None:
    found = [
        *([f"{_count(judged.broken, 'import')} broken"] if judged.broken else []),
        *([f"{_count(judged.bad_calls, 'bad call')}"] if judged.bad_calls else []),
    ]
    return Verdict(Smoke.FAIL, "", 1, ", ".join(found)) if found else None


def _rows(judged: Judged) -> Verdict | None:
    idle = [phase.name for phase in judged.phases if not phase.executed]
    unplaced = judged.named(Arm.MISSING, Arm.UNKNOWN)
    if judged.unknown:
        return Verdict(Smoke.FAIL, NO_EVIDENCE, 1, f"the session was not watched: {judged.unknown}")
    if unplaced:
        return Verdict(Smoke.FAIL, "", 1, f"no evidence for {_listed(unplaced)}")
    if judged.arms and len(judged.named(Arm.NA)) == len(judged.arms):
        return Verdict(Smoke.FAIL, "", 1, "every arm of the plan is N/A, so nothing ran")
    if idle:
        return Verdict(Smoke.FAIL, "", 1, f"phase not executed: {_listed(idle)}")
    return None


def _no_canary(judged: Judged) -> Verdict | None:
    if judged.plan and judged.plan.diverges and not judged.plan.canary:
        words = f"the plan diverges and names no canary: {judged.plan.diverges}"
        return Verdict(Smoke.FAIL_NO_CANARY, "", 1, words)
    return None


def _fallback(judged: Judged) -> Verdict | None:
    names = judged.named(Arm.FALLBACK)
    if not names:
        return None
    words = f"{_count(len(names), 'arm')} of {len(judged.arms)} did not really run"
    return Verdict(Smoke.PASS_PARTIAL, stubbed(names), 1, words)


def _mock_only(judged: Judged) -> Verdict | None:
    if judged.plan or not judged.mock_only:
        return None
    words = f"{_count(judged.mock_only, 'branch', 'branches')} ran as a mock only"
    return Verdict(Smoke.FAIL, f"{MOCK_ONLY}{judged.mock_only}", 1, words)


def _canary(judged: Judged) -> Verdict | None:
    plan = judged.plan
    if plan and plan.diverges and plan.canary in judged.named(Arm.REAL):
        words = f"the smoke diverges, and its canary ran for real: {plan.canary}"
        return Verdict(Smoke.PASS_CANARY, f"{CANARY_CELL}{plan.canary}", 0, words)
    return None


_RULES: Sequence[_Rule] = (
    _suite,
    _stale,
    _imports,
    _rows,
    _no_canary,
    _fallback,
    _mock_only,
    _canary,
)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"
