"""What an import that failed comes to. Pure: it takes the answers of the child."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from os import sep
from typing import Any

from pytest_epm.imports.declared import declares
from pytest_epm.imports.guards import IMPORT
from pytest_epm.imports.results import (
    CRASHED,
    FAILS_INSIDE,
    MISSING_MODULE,
    MISSING_NAME,
    NO_PACKAGE,
    TIMED_OUT,
    Import,
    Problem,
)
from pytest_epm.imports.static import made_later, offers
from pytest_epm.imports.suggest import nearest

Answer = Mapping[str, Any]
# Errors that the code itself is the cause of; others may come from what is not set up here.
_OF_THE_CODE = frozenset({"ImportError", "SyntaxError", "NameError", "AttributeError", "TypeError"})
_FOREIGN = ("site-packages", "dist-packages")


class State(Enum):
    """What a failed import comes to."""

    BROKEN = "broken"
    UNAVAILABLE = "unavailable"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Owners:
    """Who owns which modules.

    root: top of the project. tops, modules: top and full names of its own. needed: distributions
    it declares. installed: import names with the distributions they come from. texts: sources of
    the project's modules that something was not found in.
    """

    root: str
    tops: Collection[str] = ()
    modules: Collection[str] = ()
    needed: Collection[str] = ()
    standard: Collection[str] = ()
    installed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def state(self, module: str, file: str = "") -> State:
        """Return what it comes to if something of this module is not there."""
        top = module.partition(".")[0]
        if top in self.tops or self.holds(file):
            return State.BROKEN
        if top in self.standard:
            return State.NOTE
        own = declares(self.needed, top, self.installed.get(top, ()))
        return State.BROKEN if own else State.UNAVAILABLE

    def is_first_party(self, module: str, file: str = "") -> bool:
        """Whether the module is the project's own."""
        return module.partition(".")[0] in self.tops or self.holds(file)

    def holds(self, file: str) -> bool:
        """Whether a file, or a place in one, lies in the project."""
        inside = file.startswith(self.root.rstrip(sep) + sep)
        return inside and not any(f"{sep}{name}{sep}" in file for name in _FOREIGN)


def judge(item: Import, answer: Answer, owners: Owners) -> tuple[State, Problem]:
    """Return what a failed import comes to, guards taken into account."""
    match answer["kind"]:
        case "name":
            state, problem = _missing_name(item, answer, owners)
        case "error":
            state, problem = _error(item, answer, owners)
        case kind:
            problem = _problem(item, kind, answer["message"])
            state = owners.state(item.module)
    state, problem = _by_text(item, state, problem, owners)
    if state is State.BROKEN and item.guard and not _stays(item, answer, problem, owners):
        state = State.UNAVAILABLE
    return state, problem


def _by_text(item: Import, state: State, problem: Problem, owners: Owners) -> tuple[State, Problem]:
    """Let the module's source decide where running it does not."""
    text = owners.texts.get(item.module, "")
    if not text or not item.name or item.name == "*":
        return state, problem
    if problem.problem == MISSING_NAME and made_later(text, item.name):
        detail = f"{problem.detail}; a function of it gives it that name"
        return State.UNAVAILABLE, replace(problem, detail=detail)
    if state is State.UNAVAILABLE and f"{item.module}.{item.name}" not in owners.modules:
        offered = offers(text)
        if offered is not None and item.name not in dict(offered):
            detail = (
                f"cannot import name {item.name!r} from {item.module!r}: nothing binds it there"
            )
            return State.BROKEN, _problem(item, MISSING_NAME, detail, nearest(item.name, offered))
    return state, problem


def no_package(item: Import) -> Problem:
    """Return the problem of a relative import in a file that no package holds."""
    detail = "relative import in a file that is run by its path, and so has no package"
    return _problem(item, NO_PACKAGE, detail)


def _missing_name(item: Import, answer: Answer, owners: Owners) -> tuple[State, Problem]:
    name = answer["name"]
    near = nearest(name, answer["names"])
    detail = f"cannot import name {name!r} from {item.module!r}"
    problem = _problem(item, MISSING_NAME, detail, near)
    return owners.state(item.module, answer["origin"]), problem


def _error(item: Import, answer: Answer, owners: Owners) -> tuple[State, Problem]:
    error, missing, place = answer["error"], answer["missing"], answer["place"]
    words = f"{error}: {answer['message']}" if answer["message"] else error
    if error == "ModuleNotFoundError" and missing:
        return owners.state(missing), _missing_module(item, missing, place, owners)
    problem = _problem(item, FAILS_INSIDE, _at(words, place, owners))
    if not _OF_THE_CODE & set(answer["bases"]):
        return State.UNAVAILABLE, problem
    if "ImportError" in answer["bases"]:
        # One without a name was raised by hand: it asks for something to be installed.
        return owners.state(missing, place) if missing else State.UNAVAILABLE, problem
    return owners.state(item.module, place), problem


def _missing_module(item: Import, missing: str, place: str, owners: Owners) -> Problem:
    detail = f"no module named {missing!r}"
    own = owners.is_first_party(missing)
    near = nearest(missing, ((m, "module") for m in owners.modules)) if own else ()
    if item.module == missing or item.module.startswith(f"{missing}."):
        if owners.state(missing) is State.BROKEN and not own:
            detail += ", though the project declares it as a dependency"
        return _problem(item, MISSING_MODULE, detail, near)
    needs = missing.partition(".")[0]
    return _problem(item, FAILS_INSIDE, _at(detail, place, owners), near, needs)


def _at(words: str, place: str, owners: Owners) -> str:
    if owners.holds(place):
        place = place[len(owners.root.rstrip(sep)) + 1 :]
    return f"{words} (at {place})" if place else words


def _stays(item: Import, answer: Answer, problem: Problem, owners: Owners) -> bool:
    """Whether a guard around it makes no difference: it hides a fault of the project's own."""
    if problem.problem in (TIMED_OUT, CRASHED):
        return False
    about = item.module if problem.problem == MISSING_NAME else answer.get("missing") or item.module
    if not owners.is_first_party(about, answer.get("origin", "")):
        return False
    if item.guard != IMPORT:
        return True
    if problem.problem == MISSING_NAME:
        # A submodule may be built, or generated, elsewhere.
        return not answer.get("is_package") or item.name.lstrip("_")[:1].isupper()
    return answer.get("error") not in (None, "ModuleNotFoundError")


def _problem(
    item: Import, problem: str, detail: str, near: tuple[str, ...] = (), needs: str = ""
) -> Problem:
    return Problem(
        item.file,
        item.line,
        item.function,
        item.module,
        item.name,
        problem,
        detail,
        near,
        needs,
    )


def skipped(items: Sequence[Import], ok: Sequence[bool]) -> tuple[frozenset[int], frozenset[int]]:
    """Return indices of handler imports that were not needed, and of failures that were made up.

    An import in a handler is judged only if the `try` side failed; a failure on the `try` side
    does not count if all the handlers import in its stead works.
    """
    sides = _by_attempt(items, lambda item: item.attempts)
    stands_in = _by_attempt(items, lambda item: item.instead_of)
    worked = {key for key, found in sides.items() if all(ok[i] for i in found)}
    made_up = {key for key, found in stands_in.items() if all(ok[i] for i in found)}
    spare = {i for key in worked for i in stands_in.get(key, ())}
    cured = {i for key in made_up - worked for i in sides.get(key, ()) if not ok[i]}
    return frozenset(spare), frozenset(cured)


def _by_attempt(items: Iterable[Import], lines: Any) -> dict[tuple[str, int], list[int]]:  # noqa: ANN401
    found: dict[tuple[str, int], list[int]] = {}
    for index, item in enumerate(items):
        for line in lines(item):
            found.setdefault((item.file, line), []).append(index)
    return found
