"""All that was found, judged and in order. Pure: it takes the answers of the child."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pytest_epm.imports.judge import Answer, Owners, State, judge, no_package, skipped
from pytest_epm.imports.misfits import misfits
from pytest_epm.imports.read import Read
from pytest_epm.imports.results import BadCall, Call, Checked, Import, Problem


@dataclass(frozen=True, slots=True)
class Found:
    """Imports and calls, each with the child's answer."""

    imports: tuple[tuple[Import, Answer], ...] = ()
    calls: tuple[tuple[Call, Answer], ...] = ()


def tally(
    reads: Sequence[Read], found: Found, owners: Owners, judged: Collection[str] | None
) -> Checked:
    """Return what became of everything. judged: files as they are shown; None for all."""
    by_state = _sorted(reads, found, owners)
    bad = [b for call, answer in found.calls for b in misfits(call, answer, owners)]
    spare, cured = _skipped(found)

    def counted(problems: Sequence[Problem]) -> tuple[Problem, ...]:
        marked = (replace(p, judged=judged is None or p.file in judged) for p in problems)
        return tuple(sorted(marked, key=_place))

    return Checked(
        files=sum(bool(item.imports) for item in reads),
        imports=sum(len(item.imports) for item in reads),
        calls=len(found.calls),
        broken=counted(by_state[State.BROKEN]),
        unavailable=counted(by_state[State.UNAVAILABLE]),
        notes=counted(by_state[State.NOTE]),
        call_shapes=tuple(
            sorted((replace(b, judged=judged is None or b.file in judged) for b in bad), key=_place)
        ),
        alternatives=len(spare | cured),
    )


def _sorted(reads: Sequence[Read], found: Found, owners: Owners) -> dict[State, list[Problem]]:
    by_state: dict[State, list[Problem]] = {state: [] for state in State}
    spare, cured = _skipped(found)
    for index, (item, answer) in enumerate(found.imports):
        if not answer["ok"] and index not in spare | cured:
            state, problem = judge(item, answer, owners)
            by_state[state].append(problem)
    for read in reads:
        lone = (item for item in read.imports if item.module.startswith("."))
        by_state[State.BROKEN] += map(no_package, lone)
        by_state[State.NOTE] += [read.fault] if read.fault else []
    return by_state


def _skipped(found: Found) -> tuple[frozenset[int], frozenset[int]]:
    worked = [bool(answer["ok"]) for _, answer in found.imports]
    return skipped([item for item, _ in found.imports], worked)


def _place(item: Problem | BadCall) -> tuple[str, int]:
    return item.file, item.line
