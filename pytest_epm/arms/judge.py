"""One test against one planned computation: the clauses, and how each one fails. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pytest_epm.arms.cells import Compute
from pytest_epm.arms.evidence import Call, Computed, Item, Ran
from pytest_epm.arms.exits import Body, Left, early_exit, ran
from pytest_epm.arms.guards import Guard
from pytest_epm.arms.substitutes import Replaced, allowed, counts
from pytest_epm.verdicts import Reason


@dataclass(frozen=True, slots=True)
class Target:
    """A planned computation and what its source says.

    names: `module.qualname` as planned and as defined. body: None without a source. stub:
    why it is one. sub: `module:Class` that `self` must be of. missing: why it was not found.
    opaque: module and name of what has no source. others: what the same name means where a
    condition of the source went the other way; what ran of them counts as well.
    """

    compute: Compute
    path: str = ""
    line: int = 0
    names: tuple[str, ...] = ()
    body: Body | None = None
    stub: str = ""
    sub: str = ""
    missing: str = ""
    nearest: tuple[str, ...] = ()
    opaque: tuple[str, str] | None = None
    others: tuple["Target", ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known before a test runs.

    targets: by `str(Compute)`. guards: of project files, tests left out, by path. edges:
    globs of names that every arm may substitute.
    """

    targets: Mapping[str, Target]
    guards: Mapping[str, tuple[Guard, ...]] = field(default_factory=dict)
    edges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A clause that failed, where, and in words."""

    reason: Reason
    path: str
    line: int
    words: str


def faults(item: Item, target: Target, facts: Facts, edges: tuple[str, ...]) -> Iterator[Fault]:
    """Yield every clause that a test fails for a computation.

    edges: names that the arm may substitute.
    """
    computed = item.computed.get(str(target.compute), Computed())
    calls = counted(computed, target)
    target = taken(target, calls)
    if calls:
        yield from _left_early(calls, target, facts)
        yield from _mocked(computed.ran, facts)
    else:
        yield Fault(Reason.NOT_EXECUTED, target.path, target.line, _never_ran(target))
        yield from _mocked(item.ran | computed.ran, facts, alone=True)
    if target.stub:
        yield Fault(Reason.STUB, target.path, target.line, target.stub)
    yield from _swallowed(computed.ran, calls, target)
    yield from _substituted(item, computed, target, facts, edges)
    for dropped in computed.ran.dropped:
        if not allowed(dropped.names, edges, facts.edges):
            words = f"{dropped.names[0]} was called, and its body never entered"
            yield Fault(Reason.NOT_AWAITED, dropped.path, dropped.line, words)


def counted(computed: Computed, target: Target) -> tuple[Call, ...]:
    """Return the calls that count: entered, or opaque, and of the planned class."""
    return tuple(
        call
        for call in computed.calls
        if (call.lines or call.opaque) and (not target.sub or target.sub in call.owner)
    )


def taken(target: Target, calls: tuple[Call, ...]) -> Target:
    """Return the one that ran of what a name may mean."""
    lines = frozenset[int]().union(*(call.lines for call in calls))
    every = [one for one in (target, *target.others) if one.body is not None]
    # Of equals the first: it stands for all where nothing ran.
    return max(every, key=lambda one: ran(one.body, lines)[0] if one.body else 0, default=target)


def _never_ran(target: Target) -> str:
    wanted = ", ".join(map(str, target.compute.patterns))
    whose = f" with self a {target.sub}" if target.sub else ""
    which = f" in a call with {wanted}" if wanted else ""
    return f"no line of {target.compute.name} ran{which}{whose}"


def _left_early(calls: tuple[Call, ...], target: Target, facts: Facts) -> Iterator[Fault]:
    left = [Left(call.lines, call.at) for call in calls if call.returned and not call.opaque]
    if target.body is None or not left:
        return
    mocked = {
        (at.line, at.column)
        for at in target.body.returns
        for guard in facts.guards.get(target.path, ())
        if guard.covers(at.line, at.column)
    }
    words = early_exit(target.body, left, mocked)
    if words:
        yield Fault(Reason.EARLY_EXIT, target.path, target.line, words)


def _mocked(ran: Ran, facts: Facts, *, alone: bool = False) -> Iterator[Fault]:
    """Yield guards that took the mock side. alone: even if the real side ran too."""
    for path, guards in facts.guards.items():
        lines, landings = ran.in_file(path)
        for guard in guards if lines or landings else ():
            mock, real = guard.ran(lines, landings)
            if mock and (alone or not real) and not guard.reason:
                words = f"`{guard.condition}` took its mock side in {guard.function}"
                yield Fault(Reason.MOCK_BRANCH, path, guard.line, words)


def _swallowed(ran: Ran, calls: tuple[Call, ...], target: Target) -> Iterator[Fault]:
    if calls and calls[-1].returned is False:
        words = f"an exception left the last call of {target.compute.name}, and the test passed"
        yield Fault(Reason.FALLBACK_HANDLER, target.path, target.line, words)
    for caught in ran.caught:
        if caught.handler.judged:
            what = ", ".join(caught.handler.types) or "everything"
            words = f"the handler of {what} in {caught.function} swallowed"
            yield Fault(Reason.FALLBACK_HANDLER, caught.path, caught.handler.line, words)


def _by_definition(found: list[Replaced]) -> Iterator[Replaced]:
    """Yield one replacement for each that is replaced, whichever ways it was come to."""
    alike: dict[str, list[Replaced]] = {}
    for replaced in found:
        alike.setdefault(replaced.names[0], []).append(replaced)
    for first, *more in alike.values():
        names = tuple(dict.fromkeys(name for one in (first, *more) for name in one.names))
        yield Replaced(names, first.by, first.spied or any(one.spied for one in more))


def _substituted(
    item: Item, computed: Computed, target: Target, facts: Facts, edges: tuple[str, ...]
) -> Iterator[Fault]:
    itself = [r for r in item.ran.replaced if set(r.names) & set(target.names)]
    for replaced in _by_definition([*itself, *computed.ran.replaced]):
        if counts(replaced, edges, facts.edges):
            by = f" by {replaced.by}" if replaced.by else ""
            words = f"{replaced.names[-1]} was replaced{by}"
            yield Fault(Reason.SUBSTITUTED, target.path, target.line, words)
