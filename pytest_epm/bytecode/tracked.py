"""Bytecode that git tracks: whoever checks it out imports what someone compiled once."""

import os
from collections.abc import Iterable

from pytest_epm import git
from pytest_epm.bytecode.say import tracked_found
from pytest_epm.errors import EpmError
from pytest_epm.report import Report


def tracked_report(here: str, paths: Iterable[str] = ()) -> Report:
    """Return what of `paths`, or of the whole repository around `here`, git tracks as bytecode.

    Raises EpmError outside a repository, GitError with git's own words.
    """
    repository = git.top(here)
    if not repository:
        raise EpmError("no git repository at or above this folder", here)
    tracked = git.tracked(repository, (".pyc", ".pyo"))
    asked = {os.path.abspath(os.path.join(here, path)) for path in paths}
    return tracked_found(sorted(tracked & asked if asked else tracked), here)
