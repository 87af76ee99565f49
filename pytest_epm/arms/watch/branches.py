"""Without a plan: which sides of guards the whole session ran, told by few events."""

from pytest_epm.arms.evidence import Computed, Item
from pytest_epm.arms.watch.interest import Interests
from pytest_epm.arms.watch.notes import Notes
from pytest_epm.arms.watch.sides import sides

WHOLE = "whole"


class Branches:
    """Watches code objects that hold a guard, and each place of these until it has run."""

    def __init__(self, interests: Interests) -> None:
        """Begin at once: guards at the top of a module run when it is imported."""
        self._all, self._passing, self._now = Notes(), Notes(), Notes()
        self._interests = interests
        self._source = sides(interests, self)

    def line(self, path: str, number: int) -> None:
        """Take that a line ran."""
        self._now.add(("line", "", path, number))

    def landed(self, path: str, line: int, column: int) -> None:
        """Take where a branch went."""
        self._now.add(("landing", "", path, line, column))

    def between(self) -> None:
        """Take what ran between the tests, as imports do."""
        if self._now.facts:
            self._all.absorb(self._now)
            self._passing.absorb(self._now)
            self._now = Notes()

    def over(self, *, passed: bool) -> None:
        """Take that a test is over; of one that did not pass, the places are watched again."""
        if not self._now.facts:
            return
        self._all.absorb(self._now)
        if passed:
            self._passing.absorb(self._now)
        else:
            self._source.again()
        self._now = Notes()

    def item(self) -> Item:
        """Return the session as an item: what passing tests ran, and under WHOLE what any did."""
        self.between()
        ran, _ = self._passing.build()
        whole, _ = self._all.build()
        return Item("", (), "session", {WHOLE: Computed(ran=whole)}, ran, self._problem())

    def _problem(self) -> str:
        return self._source.problem() or self._interests.problem

    def close(self) -> None:
        """Watch no more."""
        self._source.close()
