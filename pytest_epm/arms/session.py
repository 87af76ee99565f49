"""What a session came to: judges the evidence, checks the imports, makes the report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_epm.arms import leg
from pytest_epm.arms.decide import Judged, Session, decide
from pytest_epm.arms.evidence import Item, Ran
from pytest_epm.arms.guards import Guard
from pytest_epm.arms.judge import Facts
from pytest_epm.arms.rows import mock_only, phases, rows
from pytest_epm.arms.say import Told, near, report
from pytest_epm.arms.setting import Setting
from pytest_epm.arms.waivers import judged as judged_waivers
from pytest_epm.arms.watch.branches import WHOLE
from pytest_epm.report import Finding, Report


@dataclass(frozen=True, slots=True)
class Ended:
    """How the session went. purged: what was done about bytecode, empty if nothing."""

    exit_code: int
    red: int
    collected: int
    early: bool
    purged: Mapping[str, object]
    selection: Mapping[str, object]


def decided(made: Setting, items: Iterable[Item], ended: Ended) -> Report:
    """Judge the evidence, check the imports, and return the report."""
    every = list(items)
    session = [item for item in every if not item.id]
    tests = [item for item in every if item.id]
    facts = Facts(made.facts, _guards(made, every), made.given.edges)
    checked = leg.run(made)
    only = _mock_only(made, facts, tests, session)
    judged = Judged(
        Session(ended.exit_code, ended.red, ended.collected, ended.early, bool(ended.purged)),
        made.plan,
        rows(made.plan, facts, tests) if made.plan else (),
        phases(made.plan, facts, tests) if made.plan else (),
        sum(item.judged for item in checked.broken),
        leg.bad_calls(made, checked),
        len(only),
        next((item.unknown for item in session if item.unknown), ""),
    )
    told = Told(
        decide(judged),
        made.given.root,
        judged.arms,
        judged.phases,
        only,
        leg.told(checked),
        tuple(_waivers(made, facts)),
        ended.selection,
        ended.purged,
    )
    return report(told)


def _guards(made: Setting, items: Iterable[Item]) -> dict[str, tuple[Guard, ...]]:
    """Return guards of the files that were seen to run, as no others can have taken a side."""
    paths: set[str] = set()
    for item in items:
        for ran in (item.ran, *(computed.ran for computed in item.computed.values())):
            paths |= {path for path, _ in ran.lines} | {path for path, _, _ in ran.landings}
    found = {path: made.reader.guards(path) for path in sorted(paths)}
    return {path: guards for path, guards in found.items() if guards}


def _mock_only(
    made: Setting, facts: Facts, tests: list[Item], session: list[Item]
) -> tuple[tuple[str, Guard], ...]:
    if made.plan is None:
        passing, whole = Ran(), Ran()
        for item in session:
            passing |= item.ran
            whole |= item.computed[WHOLE].ran if WHOLE in item.computed else item.ran
    else:
        passing, whole = _together(i for i in tests if i.outcome == "passed"), _together(tests)
    found = mock_only(facts, passing, whole)
    base = leg.changed(made)
    return tuple(one for one in found if base is None or one[0] in base)


def _together(items: Iterable[Item]) -> Ran:
    ran = Ran()
    for item in items:
        ran |= Ran(item.ran.lines, item.ran.landings)
    return ran


def _waivers(made: Setting, facts: Facts) -> list[Finding]:
    found: list[Finding] = []
    for path, guards in facts.guards.items():
        waivers = made.reader.waivers(path)
        if waivers:
            spans = [(guard.head.line, guard.head.end_line) for guard in guards]
            found += judged_waivers(waivers, spans, near(path, made.given.root))
    return found
