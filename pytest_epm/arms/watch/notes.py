"""Evidence of one test as it comes in: facts, each once, and what they add up to.

A fact is a tuple of plain values, its kind first and then the computation that was on the
stack, empty for the test as a whole. So a child can write it as one line of JSON.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from pytest_epm.arms.evidence import Call, Caught, Computed, Dropped, Ran
from pytest_epm.arms.handlers import Swallowed
from pytest_epm.arms.substitutes import Replaced

Fact = tuple[Any, ...]
# A function: path, line of its definition, qualified name.
Key = tuple[str, int, str]


class Notes:
    """Facts of one test, of a fixture, or of a child process."""

    def __init__(self, tell: Callable[[Fact], None] | None = None) -> None:
        """Collect. tell: is given each new fact at once, as a child may be killed any time."""
        self.tell = tell
        self.facts: dict[Fact, None] = {}
        self.times_entered: Counter[Key] = Counter()
        self.times_asked: Counter[Key] = Counter()

    def add(self, fact: Fact) -> None:
        """Keep a fact; of calls the latest stands last."""
        known = fact in self.facts
        if known and fact[0] == "call":
            del self.facts[fact]
        self.facts[fact] = None
        if self.tell and not known:
            self.tell(fact)

    def for_each(self, kind: str, names: Iterable[str], *values: Any) -> None:  # noqa: ANN401 - plain values
        """Keep a fact for the test and for each computation on the stack."""
        for name in ("", *names):
            self.add((kind, name, *values))

    def call(self, name: str, call: Call) -> None:
        """Keep a call of a computation."""
        lines = tuple(sorted(call.lines))
        self.add(("call", name, lines, call.returned, call.at, call.owner, call.opaque))

    def asked(
        self, names: Iterable[str], key: Key, known_as: tuple[str, ...], place: tuple[str, int]
    ) -> None:
        """Keep that an async function was called. place: path and line of the call."""
        self.times_asked[key] += 1
        self.for_each("asked", names, key, known_as, *place)

    def entered(self, key: Key) -> None:
        """Keep that the body of an async function was entered."""
        self.times_entered[key] += 1
        self.add(("entered", "", key))

    def merge(self, facts: Iterable[Fact]) -> None:
        """Take what a child wrote."""
        for fact in facts:
            if fact[0] == "asked" and not fact[1]:
                self.times_asked[fact[2]] += 1
            elif fact[0] == "entered":
                self.times_entered[fact[2]] += 1
            self.add(fact)

    def absorb(self, other: "Notes") -> None:
        """Take what a fixture did before."""
        for fact in other.facts:
            self.add(fact)
        self.times_asked += other.times_asked
        self.times_entered += other.times_entered

    @property
    def problem(self) -> str:
        """Return why there is a gap in what was seen, or an empty string."""
        return next((str(fact[2]) for fact in self.facts if fact[0] == "problem"), "")

    def never_entered(self) -> frozenset[Key]:
        """Return async functions that were called more often than entered."""
        return frozenset(key for key, n in self.times_asked.items() if n > self.times_entered[key])

    def build(self) -> tuple[Ran, dict[str, Computed]]:
        """Return what the test ran, and its computations by their spelling."""
        of: dict[str, list[Fact]] = defaultdict(list)
        for fact in self.facts:
            of[fact[1]].append(fact)
        lost, spied = self.never_entered(), {fact[2] for fact in _of("original", of[""])}
        found = {name: _computed(facts, lost, spied) for name, facts in of.items() if name}
        return _ran(of[""], lost, spied), found


def _computed(facts: list[Fact], lost: frozenset[Key], spied: set[Key]) -> Computed:
    calls = tuple(
        Call(frozenset(lines), returned, at, owner, opaque)
        for _, _, lines, returned, at, owner, opaque in _of("call", facts)
    )
    cached = not calls and bool(_of("cached", facts))
    return Computed(calls, _ran(facts, lost, spied), cached)


def _ran(facts: list[Fact], lost: frozenset[Key], spied: set[Key]) -> Ran:
    return Ran(
        frozenset((path, line) for _, _, path, line in _of("line", facts)),
        frozenset((path, line, column) for _, _, path, line, column in _of("landing", facts)),
        tuple(
            Caught(path, function, Swallowed(line, types, judged))
            for _, _, path, function, line, types, judged in _of("caught", facts)
        ),
        tuple(
            Replaced(names, by, original in spied)
            for _, _, names, by, original in _of("replaced", facts)
        ),
        tuple(
            Dropped(names, path, line)
            for _, _, key, names, path, line in _of("asked", facts)
            if key in lost
        ),
    )


def _of(kind: str, facts: list[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact[0] == kind]
