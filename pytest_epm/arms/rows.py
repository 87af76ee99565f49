"""From evidence to rows: what each arm, each phase and each guard came to. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pytest_epm.arms.cells import Compute
from pytest_epm.arms.evidence import Computed, Item, Ran
from pytest_epm.arms.exits import ran
from pytest_epm.arms.guards import Guard
from pytest_epm.arms.judge import Facts, Fault, Target, counted, faults, taken
from pytest_epm.arms.plan import Phase, Plan, PlannedArm
from pytest_epm.verdicts import Arm, Reason


@dataclass(frozen=True, slots=True)
class Outcome:
    """A bound test: what it came to, and the clauses that it failed."""

    id: str
    outcome: str
    faults: tuple[Fault, ...] = ()
    unknown: str = ""

    @property
    def clean(self) -> bool:
        """Whether it passed, with evidence, and failed no clause."""
        return self.outcome == "passed" and not self.faults and not self.unknown


@dataclass(frozen=True, slots=True)
class ArmResult:
    """A row. reasons: codes, or the plan's own words for N/A. ran: `m:f ran 5 of 5`.

    notes: what is listed and not judged. items: the bound tests.
    """

    name: str
    status: Arm
    reasons: tuple[str, ...] = ()
    computes: tuple[str, ...] = ()
    ran: str = ""
    notes: tuple[str, ...] = ()
    items: tuple[Outcome, ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault of every bound test, each once."""
        return tuple(dict.fromkeys(fault for item in self.items for fault in item.faults))


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """A phase. executed: by a passing test, with the subset. words: what is missing."""

    name: str
    executed: bool
    subset: str = ""
    words: str = ""


def watched(plan: Plan) -> tuple[Compute, ...]:
    """Return what evidence is needed of, each once: of a phase with and without its subset."""
    found = [compute for arm in plan.arms if not arm.na for compute in arm.computes]
    for phase in plan.phases:
        found += [*phase.computes, *_with_subset(phase)]
    return tuple(dict.fromkeys(found))


def rows(plan: Plan, facts: Facts, items: Iterable[Item]) -> tuple[ArmResult, ...]:
    """Return a row for every arm, in the order of the plan."""
    bound: dict[str, list[Item]] = {}
    for item in items:
        for name in dict.fromkeys(item.arms):
            bound.setdefault(name, []).append(item)
    return tuple(_row(arm, facts, bound.get(arm.name, [])) for arm in plan.arms)


def phases(plan: Plan, facts: Facts, items: Iterable[Item]) -> tuple[PhaseResult, ...]:
    """Return what became of each phase; any passing test may execute it."""
    passed = [item for item in items if item.outcome == "passed" and not item.unknown]
    return tuple(_phase(phase, facts, passed) for phase in plan.phases)


def mock_only(facts: Facts, passing: Ran, whole: Ran) -> tuple[tuple[str, Guard], ...]:
    """Return path and guard where the mock side ran in a passing test, the real side never."""
    found: list[tuple[str, Guard]] = []
    for path, guards in sorted(facts.guards.items()):
        ours, every = passing.in_file(path), whole.in_file(path)
        found += [
            (path, guard)
            for guard in guards
            if guard.ran(*ours)[0] and not guard.ran(*every)[1] and not guard.reason
        ]
    return tuple(found)


def _row(arm: PlannedArm, facts: Facts, bound: list[Item]) -> ArmResult:
    names = tuple(map(str, arm.computes))
    if arm.na:
        return ArmResult(arm.name, Arm.NA, (arm.na,), names)
    targets = [facts.targets[name] for name in names]
    missing = [target for target in targets if target.missing]
    if missing:
        notes = tuple(_missing(target) for target in missing)
        return ArmResult(arm.name, Arm.MISSING, (Reason.NOT_FOUND,), names, notes=notes)
    passed = [item for item in bound if item.outcome == "passed"]
    if not passed:
        others = tuple(Outcome(item.id, item.outcome) for item in bound)
        return ArmResult(arm.name, Arm.MISSING, _why_none(bound), names, items=others)
    return _judged(arm, targets, [(i, _outcome(i, arm, targets, facts)) for i in bound])


def _judged(arm: PlannedArm, targets: list[Target], bound: list[tuple[Item, Outcome]]) -> ArmResult:
    # Pairs, and not a look-up by id: two runs of one test may stand here.
    passed = [(item, outcome) for item, outcome in bound if item.outcome == "passed"]
    clean = [item for item, outcome in passed if outcome.clean]
    best = clean[0] if clean else passed[0][0]
    status, reasons = Arm.REAL, tuple[str, ...]()
    if not clean:
        unsure = sorted({outcome.unknown for _, outcome in passed if outcome.unknown})
        codes = sorted({fault.reason for _, outcome in passed for fault in outcome.faults})
        status = Arm.UNKNOWN if unsure else Arm.FALLBACK
        reasons = tuple(unsure or codes)
    return ArmResult(
        arm.name,
        status,
        reasons,
        tuple(map(str, arm.computes)),
        ", ".join(_ran(best, target) for target in targets),
        _notes(best, targets),
        tuple(outcome for _, outcome in bound),
    )


def _outcome(item: Item, arm: PlannedArm, targets: list[Target], facts: Facts) -> Outcome:
    if item.outcome != "passed" or item.unknown:
        return Outcome(item.id, item.outcome, unknown=item.unknown)
    found = [fault for target in targets for fault in faults(item, target, facts, arm.edges)]
    return Outcome(item.id, item.outcome, tuple(dict.fromkeys(found)))


def _why_none(bound: list[Item]) -> tuple[Reason, ...]:
    """Why no bound test passed; an xfail and an xpass count as not run."""
    if not bound:
        return (Reason.NO_TEST,)
    failed = ("failed", "error")
    return tuple(sorted({Reason.FAILED if i.outcome in failed else Reason.SKIPPED for i in bound}))


def _missing(target: Target) -> str:
    nearest = f" (did you mean {' or '.join(target.nearest)}?)" if target.nearest else ""
    return f"{target.missing}{nearest}"


def _ran(item: Item, target: Target) -> str:
    calls = counted(item.computed.get(str(target.compute), Computed()), target)
    if not calls:
        return f"{target.compute} did not run"
    target = taken(target, calls)
    if target.body is None or all(call.opaque for call in calls):
        return f"{target.compute} was called"
    hit, total = ran(target.body, frozenset().union(*(call.lines for call in calls)))
    return f"{target.compute} ran {hit} of {total}"


def _notes(item: Item, targets: list[Target]) -> tuple[str, ...]:
    notes = []
    for target in targets:
        computed = item.computed.get(str(target.compute), Computed())
        calls = counted(computed, target)
        notes += ["cached"] if computed.cached else []
        notes += ["called"] if calls and all(call.opaque for call in calls) else []
        notes += [
            f"handled {', '.join(c.handler.types)} in {c.function}"
            for c in computed.ran.caught
            if not c.handler.judged
        ]
    return tuple(dict.fromkeys(notes))


def _with_subset(phase: Phase) -> list[Compute]:
    """Return the computations of a phase, each carrying the subset."""
    if not phase.subset:
        return []
    taken = {pattern.path for pattern in phase.subset}
    return [
        replace(
            compute,
            patterns=tuple(
                sorted(
                    (*(p for p in compute.patterns if p.path not in taken), *phase.subset), key=str
                )
            ),
        )
        for compute in phase.computes
    ]


def _phase(phase: Phase, facts: Facts, passed: list[Item]) -> PhaseResult:
    subset = ", ".join(map(str, phase.subset))
    for compute in phase.computes:
        if facts.targets[str(compute)].missing:
            words = _missing(facts.targets[str(compute)])
            return PhaseResult(phase.name, executed=False, subset=subset, words=words)
        if not _any_call(compute, facts, passed):
            words = f"no passing test ran {compute}"
            return PhaseResult(phase.name, executed=False, subset=subset, words=words)
    for compute in _with_subset(phase):
        if not _any_call(compute, facts, passed):
            words = f"no call of {compute.name} carried {subset}"
            return PhaseResult(phase.name, executed=False, subset=subset, words=words)
    return PhaseResult(phase.name, executed=True, subset=subset)


def _any_call(compute: Compute, facts: Facts, passed: list[Item]) -> bool:
    target = facts.targets[str(compute)]
    return any(
        counted(item.computed[str(compute)], target)
        for item in passed
        if str(compute) in item.computed
    )
