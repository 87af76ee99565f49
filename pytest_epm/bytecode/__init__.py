"""Fresh bytecode: find what may be stale, remove it, prove that nothing stale was read.

`purge`, `audit` and `child_env` are public and promised; all else here is private.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from pytest_epm.report import Report

if TYPE_CHECKING:
    from pytest_epm.bytecode.roots import Chosen

__all__ = ["audit", "child_env", "purge"]


def purge(roots: Iterable[str | os.PathLike[str]] = ()) -> Report:
    """Delete cached bytecode below `roots`; without any, below the project around us.

    Returns a report with schema `epm.bytecode/1`; its exit code is 1 if something could
    not be removed. Raises RefusedError for a root that is no project, such as `/`, a
    home folder or an interpreter, and EpmError for one that is no folder.
    """
    return _purged(_chosen(roots))


def audit(
    roots: Iterable[str | os.PathLike[str]] = (), progress: Callable[[int], None] | None = None
) -> Report:
    """Hold cached files below `roots` against their sources; without any, as `purge` does.

    Deletes nothing. progress: called with the number of cached files compared so far.
    Returns a report with schema `epm.bytecode/1`; its exit code is 1 if anything stale
    would be imported. Raises as `purge` does.
    """
    from pytest_epm.bytecode import say
    from pytest_epm.bytecode.examine import examine_roots
    from pytest_epm.bytecode.survey import cache_prefixes

    chosen = _chosen(roots)
    examined = examine_roots(chosen, cache_prefixes(), progress)
    here = os.getcwd()
    return say.with_roots(say.audit_report(examined, chosen, here), chosen, here)


def child_env(env: Mapping[str, str]) -> dict[str, str]:
    """Return a copy of `env` in which a Python child writes no bytecode."""
    from pytest_epm.bytecode.process import NO_WRITE

    return {**env, NO_WRITE: "1"}


def prepared(env: Mapping[str, str]) -> tuple[Report, dict[str, str]]:
    """Purge the project around us for the command that this process is about to become.

    Returns the report of the purge, and the command's environment. Raises as `purge` does.
    """
    from pytest_epm.bytecode.process import fresh_environment

    chosen = _chosen(())
    return _purged(chosen), fresh_environment(env, [root.path for root in chosen.roots])


def _purged(chosen: "Chosen") -> Report:
    from pytest_epm.bytecode import say
    from pytest_epm.bytecode.purge import purge_roots
    from pytest_epm.bytecode.survey import cache_prefixes

    purged = purge_roots(chosen, cache_prefixes())
    here = os.getcwd()
    return say.with_roots(say.purge_report(purged, chosen, here), chosen, here)


def _chosen(roots: Iterable[str | os.PathLike[str]]) -> "Chosen":
    from pytest_epm.bytecode import gather, say
    from pytest_epm.bytecode.roots import choose
    from pytest_epm.errors import EpmError

    paths = [os.fspath(root) for root in roots]
    for path in paths:
        if not os.path.isdir(path):
            what = "no folder" if os.path.lexists(path) else "no such folder"
            raise EpmError(what, path, "name the project's folder")
    chosen = choose(gather.for_shell(paths), gather.machine(os.environ))
    refusal = say.refuse_unsafe(chosen)
    if refusal:
        raise refusal
    return chosen
