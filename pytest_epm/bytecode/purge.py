"""Remove every cached file of the project, and say what was done."""

import importlib
import time
from collections.abc import Sequence

from pytest_epm.bytecode.remove import remove
from pytest_epm.bytecode.results import Purged
from pytest_epm.bytecode.roots import Chosen
from pytest_epm.bytecode.survey import survey
from pytest_epm.bytecode.tree import removal


def purge_roots(chosen: Chosen, prefixes: Sequence[str]) -> Purged:
    """Delete bytecode below the roots and their mirrors; raises nothing for a single file."""
    began = time.perf_counter()
    seen = survey(chosen, prefixes)
    unasked = frozenset(path for path, _ in seen.failed)
    files = folders = 0
    kept: list[str] = []
    failed = list(seen.failed)
    for tree in seen.trees:
        # What git could not be asked about stays, and is reported as failed.
        goes = removal(tree, seen.tracked | unasked)
        outcome = remove(tree, goes)
        files += outcome.files
        folders += outcome.folders
        failed += outcome.failed
        kept += [path for path in goes.kept if path not in unasked]
    importlib.invalidate_caches()
    return Purged(
        chosen.roots,
        files,
        folders,
        tuple(kept),
        tuple(failed),
        seen.closed,
        time.perf_counter() - began,
    )
