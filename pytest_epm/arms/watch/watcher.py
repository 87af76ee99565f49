"""Follows the tests of one process: begins, ends, and keeps what each one was seen to do."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pytest_epm.arms.evidence import OVERLAP, Computed, Item
from pytest_epm.arms.setting import Setting
from pytest_epm.arms.sources import async_names
from pytest_epm.arms.watch.branches import Branches
from pytest_epm.arms.watch.children import Children, follow_forks
from pytest_epm.arms.watch.events import Events, source_of_events
from pytest_epm.arms.watch.interest import Interests
from pytest_epm.arms.watch.notes import Notes
from pytest_epm.arms.watch.places import Places
from pytest_epm.arms.watch.recorder import Recorder

SESSION = ""


class Watcher:
    """One per process that runs tests."""

    def __init__(self, made: Setting) -> None:
        """Take what is planned; without a plan the whole session is watched from now on."""
        self._made = made
        project = made.project
        self._interests = Interests(project.has, made.reader.read, made.targets)
        self._interests.async_names = lambda: async_names(project.roots)
        self._places = Places(project.has, project.is_test)
        self._events: Events | None = None
        self._branches = None if made.bound else Branches(self._interests)
        self._phases = bool(made.plan and made.plan.phases)
        self._wide: frozenset[str] = frozenset()
        self._fixtures: dict[int, tuple[object, Notes]] = {}
        self._gaps: dict[int, str] = {}
        self._recorder: Recorder | None = None
        self._children: Children | None = None
        self._under_way: set[str] = set()
        self._unknown: dict[str, str] = {}
        self._seen: dict[str, Notes] = {}
        self._filled: dict[str, Computed] = {}

    def collected(self, wide: frozenset[str]) -> None:
        """Take names of fixtures that bound tests use; the tests are about to begin."""
        self._wide = wide
        if self._made.bound:
            self._places.remember()

    def begin(self, test: str, arms: tuple[str, ...]) -> None:
        """Begin with a test; one that is bound to no arm may still execute a phase."""
        self._unknown.pop(test, None)
        if self._branches:
            self._branches.between()
        if self._under_way:
            for other in (test, *self._under_way):
                self._unknown[other] = OVERLAP
        self._under_way.add(test)
        if not (arms or self._phases) or len(self._under_way) > 1:
            return
        notes = self._seen[test] = Notes()
        problem = self._start(notes)
        if problem:
            self._unknown[test] = problem

    def end(self, definitions: Iterable[object]) -> None:
        """End with the test under way. definitions: of the fixtures that it uses."""
        lost = self._stop()
        for test in self._under_way & set(self._seen):
            for definition in definitions:
                _, notes = self._fixtures.get(id(definition), (None, None))
                if notes:
                    self._seen[test].absorb(notes)
                lost = lost or self._gaps.get(id(definition), "")
            if lost:
                self._unknown.setdefault(test, lost)
        self._under_way.clear()

    def item(self, test: str, arms: tuple[str, ...], outcome: str) -> Item:
        """Return what was seen of a test that is over."""
        notes = self._seen.pop(test, None)
        unknown = self._unknown.get(test, "") or self._interests.problem
        unknown = unknown or (notes.problem if notes else "")
        if self._branches:
            self._branches.over(passed=outcome == "passed")
        if notes is None:
            return Item(test, arms, outcome, unknown=unknown if arms else "")
        ran, computed = notes.build()
        found = {name: self._from_cache(name, one) for name, one in computed.items()}
        return Item(test, arms, outcome, found, ran, unknown)

    def session(self) -> Item:
        """Return what the session as a whole ran, for a run without a plan."""
        return self._branches.item() if self._branches else Item(SESSION, (), "session")

    @contextlib.contextmanager
    def fixture(self, name: str, definition: object) -> Iterator[None]:
        """Watch the setup of a fixture that outlives its test, if a bound test uses it."""
        if name not in self._wide or not self._made.bound:
            yield
            return
        notes = Notes()
        self._fixtures[id(definition)] = (definition, notes)
        recorder = self._recorder
        if recorder is None:
            self._start(notes)
            try:
                yield
            finally:
                self._gaps[id(definition)] = self._stop()
            return
        before, recorder.notes = recorder.notes, notes
        try:
            yield
        finally:
            recorder.notes = before

    def close(self) -> None:
        """Give back what was taken."""
        self._stop()
        if self._branches:
            self._branches.close()
        if self._events:
            self._events.close()

    def _start(self, notes: Notes) -> str:
        """Begin to watch; return why that is not possible, or an empty string."""
        self._places.remember()
        if self._events is None:
            self._events = source_of_events(self._interests)
        if self._events.problem:
            return self._events.problem
        recorder = self._recorder = Recorder(self._interests, notes, self._places)
        self._children = Children(self._request())
        self._interests.tell = lambda words: recorder.notes.add(("problem", "", words))
        recorder.changed = self._children.within
        follow_forks(recorder, self._children.folder)
        self._events.start(recorder)
        return ""

    def _stop(self) -> str:
        """Watch no more; return who took the events away meanwhile, or an empty string."""
        if self._recorder is None or self._events is None:
            return ""
        self._events.stop()
        follow_forks(None)
        self._recorder.finish()
        if self._children:
            self._recorder.notes.merge(self._children.close())
        self._recorder = self._children = None
        return self._events.lost

    def _request(self) -> dict[str, object]:
        made = self._made
        return {
            "roots": list(made.project.roots),
            "patterns": list(made.project.patterns),
            "flags": sorted(made.reader.flags),
            "targets": [(str(t.compute), t.path, t.line, t.sub) for t in made.targets],
        }

    def _from_cache(self, name: str, computed: Computed) -> Computed:
        """Return the evidence of the call that filled a cache, if a cache was hit."""
        filled = self._filled.get(name)
        if computed.cached:
            return replace(filled or computed, cached=True)
        # Which call filled the cache is not known: the evidence is that of all.
        calls = (*filled.calls, *computed.calls) if filled else computed.calls
        ran = filled.ran | computed.ran if filled else computed.ran
        self._filled[name] = Computed(calls, ran)
        return computed
