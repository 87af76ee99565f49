"""What a run is asked to judge: the options, the plan, and what its computations are."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_epm.arms import plan as plans
from pytest_epm.arms.judge import Target
from pytest_epm.arms.plan import Plan
from pytest_epm.arms.project import Project
from pytest_epm.arms.rows import watched
from pytest_epm.arms.say import near
from pytest_epm.arms.sources import Finder, Reader
from pytest_epm.arms.targets import targets
from pytest_epm.errors import EpmError
from pytest_epm.files import read_regular
from pytest_epm.verdicts import VACUOUS

_MOST_OF_A_PLAN = 1 << 23
_ENDINGS = (".json", ".md")


@dataclass(frozen=True, slots=True)
class Given:
    """What the options say. root: rootdir, real. plan, reports: as given, perhaps relative."""

    root: str
    invocation: str
    plan: str = ""
    base: str = ""
    reports: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    flag_words: tuple[str, ...] = ()
    pythonpath: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """What is planned, and what is known of it before a test runs."""

    given: Given
    plan: Plan | None
    project: Project
    reader: Reader
    facts: Mapping[str, Target] = field(default_factory=dict)

    @property
    def targets(self) -> tuple[Target, ...]:
        """Return planned computations that exist, and what else their names may mean."""
        found = [target for target in self.facts.values() if not target.missing]
        return tuple(one for target in found for one in (target, *target.others))

    @property
    def bound(self) -> bool:
        """Whether there is a plan, so that only tests bound to its arms are watched."""
        return self.plan is not None


def make(given: Given) -> Setting:
    """Read the plan and find what it names. Raises EpmError with file and line."""
    for name in given.reports:
        if not name.endswith(_ENDINGS):
            known = " or ".join(_ENDINGS)
            raise EpmError(f"a report ends in {known}", name, "name the file by one of them")
    project = Project([given.root], given.patterns)
    words = frozenset(given.flag_words)
    plan = _plan(given)
    if plan is None:
        return Setting(given, None, project, Reader(project, words, only_guarded=True))
    reader = Reader(project, words)
    finder = Finder(reader, (*given.pythonpath, given.root))
    facts = targets(plan, watched(plan), finder)
    return Setting(given, plan, project, reader, facts)


def header(made: Setting) -> str:
    """Return the line at the top of the run."""
    if made.plan is None:
        return "epm: real arms: no plan, so every mock-only branch counts"
    arms = [arm for arm in made.plan.arms if not arm.na]
    words = f"{len(arms)} arms to run for real" if arms else VACUOUS
    return f"epm: real arms: {words}, from {near(made.plan.path, made.given.root)}"


def _plan(given: Given) -> Plan | None:
    if not given.plan:
        return None
    path = os.path.join(given.root, given.plan)
    try:
        data, _ = read_regular(path, _MOST_OF_A_PLAN)
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise EpmError(f"not UTF-8 at byte {error.start}", path) from error
    except OSError as error:
        raise EpmError(f"the plan cannot be read: {error.strerror or error}", path) from error
    return plans.parse(text, path)
