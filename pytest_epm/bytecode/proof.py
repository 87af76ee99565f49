"""What the loaded modules prove about a run. Pure: it takes what was asked of them."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from pytest_epm.bytecode.roots import Root, covering

# Ours are at work before anything can be purged.
_OURS = ("pytest_epm", "epm_hooks")
# The interpreter imports these by itself at its start, whatever command it runs.
START_UP = frozenset({"sitecustomize", "usercustomize"})


class Loaded(NamedTuple):
    """A loaded module that may have come from bytecode.

    file: real path of its source, or of the bytecode where there is no source.
    cached: where the interpreter keeps its bytecode.
    """

    name: str
    file: str
    cached: str


class Doubt(NamedTuple):
    """A loaded module of the project that may be stale: its name, source, cached file."""

    module: str
    file: str
    cached: str


def too_early(
    modules: Iterable[Loaded],
    roots: Collection[Root],
    foreign: Callable[[str, str], str],
    start_up_stale: Callable[[Loaded], bool],
) -> list[Doubt]:
    """Return modules of the project that were imported before the purge.

    foreign: tells for a path and a root what stands between them that is not the project's.
    start_up_stale: whether the cached file of a start-up module is not its source's.
    """
    early = []
    for module in modules:
        root = None if _is_ours(module) else covering(module.file, roots)
        if root is None or foreign(module.file, root.path):
            continue
        if module.name in START_UP and not start_up_stale(module):
            continue
        early.append(Doubt(module.name, module.file, module.cached))
    return early


def doubtful(
    modules: Iterable[Loaded],
    exists: Callable[[str], bool],
    foreign: Callable[[str], bool],
    caches: Callable[[str], Iterable[str]],
    kept: Collection[str] = frozenset(),
) -> list[Doubt]:
    """Return modules of the project that were read from a cached file, or raced by one.

    Nothing was there when the run began and this process writes nothing, so a cached file
    that exists now was read or came while we ran. caches: the files in which this process
    may keep the bytecode of a cached path. kept: sourceless modules that git tracks.
    """
    doubts = []
    for module in modules:
        if _is_ours(module) or module.file in kept or foreign(module.file):
            continue
        found = next((path for path in _looked_for(module, caches) if exists(path)), "")
        if found:
            doubts.append(Doubt(module.name, module.file, found))
    return doubts


def _looked_for(module: Loaded, caches: Callable[[str], Iterable[str]]) -> Iterable[str]:
    if module.file.endswith(".pyc"):
        return (module.file,)
    return caches(module.cached) if module.cached else ()


def _is_ours(module: Loaded) -> bool:
    return module.name.partition(".")[0] in _OURS
