"""Which folders are purged. Pure: it takes candidates and facts of the machine.

A folder that was asked for and is no project is refused; one that merely stands on
the path is left out, and the proof at the end of the run watches what comes from it.
"""

import os
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple


class Origin(Enum):
    """Where a candidate comes from, in the words that a message uses."""

    ROOTDIR = "rootdir"
    PROJECT = "project around the current folder"
    ARGUMENT = "argument"
    INVOCATION = "invocation directory"
    PYTHONPATH = "ini pythonpath"
    SYS_PATH = "sys.path"
    EDITABLE = "editable install"
    TESTS = "test arguments"


_HOLD_HOMES = ("/home", "/Users")
# What pytest says is the project.
NAMED = frozenset({Origin.ROOTDIR, Origin.INVOCATION, Origin.PYTHONPATH})
# What the user named himself: refused aloud rather than left out.
_ASKED_FOR = frozenset({Origin.ROOTDIR, Origin.PROJECT, Origin.ARGUMENT})
# What the interpreter puts there: its own folders are no project.
_ON_THE_PATH = frozenset({Origin.SYS_PATH, Origin.EDITABLE})


class Within(Enum):
    """What a candidate is or lies in."""

    PROJECT = ""
    INTERPRETER = "an interpreter's library"
    INSTALLED = "a folder of installed packages"
    HOME_OF_INTERPRETER = "the home of an interpreter"


_OF_AN_INTERPRETER = frozenset({Within.INTERPRETER, Within.HOME_OF_INTERPRETER})


class Candidate(NamedTuple):
    """A folder that code may be imported from.

    path: real. spelled: absolute, as it stands on the path; a cache prefix mirrors this one.
    """

    path: str
    spelled: str
    origin: Origin
    within: Within = Within.PROJECT
    writable: bool = True


class Machine(NamedTuple):
    """What no root may be or hold; real paths.

    homes: home folders in use. account: the home that the system has on record for this
    user, which no root may hold either. interpreter: the running interpreter's executable, home
    and library. environment: the conda environment that holds these, if one does.
    temporary: where every program of this machine puts its files for a while.
    """

    homes: frozenset[str]
    interpreter: frozenset[str]
    environment: str = ""
    account: str = ""
    temporary: frozenset[str] = frozenset()


class Root(NamedTuple):
    """A folder to purge and the ways it is spelled."""

    path: str
    origin: Origin
    spellings: tuple[str, ...]


class Chosen(NamedTuple):
    """roots: each once, in the order of the candidates. refused, left_out: path, origin and why.

    keep_out: home folders, which a walk from above does not enter.
    """

    roots: tuple[Root, ...]
    refused: tuple[tuple[str, Origin, str], ...] = ()
    left_out: tuple[tuple[str, Origin, str], ...] = ()
    keep_out: frozenset[str] = frozenset()

    def plus(self, other: "Chosen") -> "Chosen":
        """Return both, each root once."""
        known = {root.path for root in self.roots}
        more = tuple(root for root in other.roots if root.path not in known)
        return Chosen(
            self.roots + more,
            self.refused + other.refused,
            self.left_out + other.left_out,
            self.keep_out | other.keep_out,
        )


def choose(candidates: Iterable[Candidate], machine: Machine) -> Chosen:
    """Sort candidates into roots, refused and left out; the first origin of a path counts."""
    roots: dict[str, Root] = {}
    refused: list[tuple[str, Origin, str]] = []
    left_out: dict[str, tuple[str, Origin, str]] = {}
    for candidate in candidates:
        path, origin = candidate.path, candidate.origin
        if origin in _ON_THE_PATH and candidate.within is not Within.PROJECT:
            continue
        why = unsafe(candidate, machine)
        if origin in _ON_THE_PATH and not candidate.writable:
            why = why or "a folder that this user cannot write to"
        if why and origin in _ASKED_FOR:
            refused.append((path, origin, why))
        elif why:
            left_out.setdefault(path, (path, origin, why))
        else:
            known = roots.get(path, Root(path, origin, (path,)))
            if candidate.spelled not in known.spellings:
                known = Root(path, known.origin, (*known.spellings, candidate.spelled))
            roots[path] = known
    return Chosen(tuple(roots.values()), tuple(refused), tuple(left_out.values()), machine.homes)


def unsafe(candidate: Candidate, machine: Machine) -> str:
    """Return why nothing may be deleted below this folder, or an empty string."""
    path = candidate.path
    above = os.path.dirname(path)
    homes = machine.homes | {machine.account, "/root"}
    # Inside an environment of its own the interpreter is passed by.
    holds = not below(machine.environment, path) and any(
        held == path or below(held, path) for held in machine.interpreter
    )
    reasons = (
        ("the top of the file system", path == above),
        ("a home folder", path in homes or above in _HOLD_HOMES),
        ("a folder that holds a home folder", path in _HOLD_HOMES or below(machine.account, path)),
        ("the folder for temporary files", path in machine.temporary),
        (candidate.within.value, candidate.within in _OF_AN_INTERPRETER),
        ("a folder that holds the running interpreter", holds),
    )
    return next((why for why, applies in reasons if applies), "")


def below(path: str, folder: str) -> bool:
    """Whether `path` lies inside `folder` and is not the folder itself."""
    return bool(folder) and path != folder and path.startswith(folder.rstrip(os.sep) + os.sep)


def covering(path: str, roots: Iterable[Root]) -> Root | None:
    """Return the innermost root that `path` lies in."""
    return max(
        (root for root in roots if below(path, root.path)),
        key=lambda root: len(root.path),
        default=None,
    )
