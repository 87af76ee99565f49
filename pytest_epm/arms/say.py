"""What a run came to, as a report, a note and a marker. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_epm.arms.decide import Verdict
from pytest_epm.arms.guards import Guard
from pytest_epm.arms.rows import ArmResult, PhaseResult
from pytest_epm.report import Finding, Marker, Report, Row, Section
from pytest_epm.verdicts import Arm, ArmRow, Kind, Reason, SmokeNote, render

SCHEMA = "epm.arms/1"

NEXT = {
    Reason.NOT_EXECUTED: "call the computation in a test bound to this arm",
    Reason.EARLY_EXIT: "give the test input on which the computation does its work",
    Reason.STUB: "implement it, or name in `computes` what it hands over to",
    Reason.MOCK_BRANCH: "run the real side in a test of this arm, or waive it: "
    f"`# epm: allow {Reason.MOCK_BRANCH} -- reason`",
    Reason.FALLBACK_HANDLER: "let the error through, or catch a narrower type",
    Reason.SUBSTITUTED: "run the real one, or list it in `edges`",
    Reason.NOT_AWAITED: "await the call",
    Reason.NO_TEST: 'bind a test to it: `@pytest.mark.arm("NAME")`',
    Reason.SKIPPED: "run it where its test is not skipped, or say in n/a why it cannot run",
    Reason.FAILED: "mend the failing test",
    Reason.NOT_FOUND: "name an existing `module:function` in `computes`",
}


@dataclass(frozen=True, slots=True)
class Leg:
    """What the import leg found, as plain objects of the report.

    broken, unavailable, call_shapes: as the report lists them. words: for the note.
    """

    broken: tuple[Mapping[str, object], ...] = ()
    unavailable: tuple[Mapping[str, object], ...] = ()
    call_shapes: tuple[Mapping[str, object], ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """Everything that is reported. root: rootdir, which paths are shown from.

    selection: which tests ran, as given. bytecode: what the purge did. findings: about
    waivers and the like, listed and not judged.
    """

    verdict: Verdict
    root: str
    arms: tuple[ArmResult, ...] = ()
    phases: tuple[PhaseResult, ...] = ()
    mock_only: tuple[tuple[str, Guard], ...] = ()
    leg: Leg = Leg()
    findings: tuple[Finding, ...] = ()
    selection: Mapping[str, object] | None = None
    bytecode: Mapping[str, object] | None = None


def report(told: Told) -> Report:
    """Return the report, schema `epm.arms/1`."""
    verdict = told.verdict
    headline = f"{verdict.token} {verdict.detail}".rstrip()
    return Report(
        SCHEMA,
        f"{headline}: {verdict.words}",
        verdict.exit_code,
        (
            Section("arms", tuple(_row(arm, told.root) for arm in told.arms)),
            Section("why", findings=_faults(told)),
            Section("phases", lines=tuple(map(_phase, told.phases))),
            Section("ran as a mock only", findings=_mock_only(told)),
            Section("imports", findings=_imports(told.leg)),
            Section("to look at", findings=told.findings),
        ),
        _data(told),
    )


def note(told: Told) -> SmokeNote:
    """Return the note of the marker; `render` makes its text."""
    return SmokeNote(
        told.verdict.token,
        told.verdict.detail,
        told.leg.words,
        tuple(ArmRow(arm.name, arm.status, _why(arm, told.root)) for arm in told.arms),
        "; ".join(map(_phase, told.phases)),
    )


def marker(told: Told) -> Marker:
    """Return the marker that a task gets."""
    data = {"schema": SCHEMA, "exit_code": told.verdict.exit_code, **_data(told)}
    return Marker(Kind.SMOKE, render(note(told)), data)


def near(path: str, root: str) -> str:
    """Return a path as seen from rootdir, else as it is; always with slashes."""
    base = root.rstrip("/") + "/"
    return path.removeprefix(base).replace("\\", "/")


def _row(arm: ArmResult, root: str) -> Row:
    notes = arm.notes
    if arm.status is Arm.REAL:
        notes = (_why(arm, root), *notes)
    elif arm.status is Arm.FALLBACK:
        places = dict.fromkeys(f"{near(f.path, root)}:{f.line}" for f in arm.faults)
        notes = (", ".join(places), *notes)
    return Row(arm.name, arm.status, arm.reasons, tuple(filter(None, notes)))


def _why(arm: ArmResult, root: str) -> str:
    """Return the words behind a row: what ran and in which test, or why it did not."""
    if arm.status is Arm.REAL:
        clean = next(item for item in arm.items if item.clean)
        return f"{arm.ran} ({clean.id})"
    if arm.status is not Arm.FALLBACK:
        return "; ".join((*arm.reasons, *arm.notes))
    places: dict[str, str] = {}
    for fault in arm.faults:
        places.setdefault(fault.reason, f"{fault.reason} ({near(fault.path, root)}:{fault.line})")
    return ", ".join(places[reason] for reason in sorted(places))


def _faults(told: Told) -> tuple[Finding, ...]:
    found = []
    for arm in told.arms:
        if arm.status is Arm.FALLBACK:
            found += [
                Finding(
                    fault.reason,
                    f"{arm.name}: {fault.words}",
                    near(fault.path, told.root),
                    fault.line,
                    next_step=NEXT[fault.reason],
                )
                for fault in arm.faults
            ]
        elif arm.status is Arm.MISSING:
            words = "; ".join(arm.notes) or "no bound test passed"
            found += [
                Finding(reason, f"{arm.name}: {words}", next_step=NEXT[Reason(reason)])
                for reason in arm.reasons
            ]
    return tuple(found)


def _mock_only(told: Told) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            Reason.MOCK_BRANCH,
            f"`{guard.condition}` in {guard.function}: its real side never ran",
            near(path, told.root),
            guard.line,
            next_step=NEXT[Reason.MOCK_BRANCH],
        )
        for path, guard in told.mock_only
    )


def _imports(leg: Leg) -> tuple[Finding, ...]:
    found = []
    for item in leg.broken:
        hint = f" (did you mean {item['did_you_mean']!r}?)" if item.get("did_you_mean") else ""
        words = f"{item.get('detail') or item.get('problem')}{hint}"
        found.append(Finding("import", words, str(item["file"]), _number(item)))
    for item in leg.call_shapes:
        words = f"{item['callee']}: {item.get('detail') or item['problem']}"
        found.append(Finding("call-shape", words, str(item["file"]), _number(item)))
    return tuple(found)


def _number(item: Mapping[str, object]) -> int:
    line = item.get("line")
    return line if isinstance(line, int) else 0


def _phase(phase: PhaseResult) -> str:
    if not phase.executed:
        return f"{phase.name} not executed: {phase.words}"
    return f"{phase.name} executed" + (f", subset {phase.subset}" if phase.subset else "")


def _data(told: Told) -> dict[str, object]:
    return {
        "verdict": str(told.verdict.token),
        "detail": told.verdict.detail,
        "arms": {arm.name: _arm(arm, told.root) for arm in told.arms},
        "mock_only": [
            {
                "file": near(path, told.root),
                "line": guard.line,
                "function": guard.function,
                "condition": guard.condition,
            }
            for path, guard in told.mock_only
        ],
        "imports": [dict(item) for item in told.leg.broken],
        "unavailable": [dict(item) for item in told.leg.unavailable],
        "call_shapes": [dict(item) for item in told.leg.call_shapes],
        "phases": {
            phase.name: {
                "executed": phase.executed,
                "subset": phase.subset,
                "words": phase.words,
            }
            for phase in told.phases
        },
        "selection": dict(told.selection or {}),
        "bytecode": dict(told.bytecode or {}),
    }


def _arm(arm: ArmResult, root: str) -> dict[str, object]:
    return {
        "status": str(arm.status),
        "reasons": [str(reason) for reason in arm.reasons],
        "computes": list(arm.computes),
        "ran": arm.ran,
        "notes": list(arm.notes),
        "items": [
            {
                "id": item.id,
                "outcome": item.outcome,
                "unknown": item.unknown,
                "faults": [
                    {
                        "reason": str(fault.reason),
                        "file": near(fault.path, root),
                        "line": fault.line,
                        "words": fault.words,
                    }
                    for fault in item.faults
                ],
            }
            for item in arm.items
        ],
    }
