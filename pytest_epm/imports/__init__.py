"""Deferred imports: collect them, import them for real in a fresh child, check calls by them."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_epm.report import Report


def check_report(files: Iterable[str] = (), *, base: str = "", seconds: float = 60.0) -> "Report":
    """Check the project around the current folder, or only some of its files and folders.

    base: judge what changed since the merge base with this revision, and list the rest.
    seconds: for one import. Returns a report with schema `epm.imports/1`; its exit code is 1 if
    anything judged is broken. Raises EpmError for a path that is not there or a child that
    cannot be started, and GitError for a base that git does not know.
    """
    from pytest_epm.errors import EpmError
    from pytest_epm.imports import gather, say
    from pytest_epm.imports.check import Asked, check

    named = list(_named(files))
    root = gather.project_root(os.getcwd())
    if not named and gather.is_home(root):
        step = "run from the project's own folder, or name files"
        raise EpmError("a home folder is no project: all below it would be imported", root, step)
    judged = gather.changed(root, base) if base else None
    return say.report(check(Asked(root, named or None, judged, seconds=seconds)))


def _named(files: Iterable[str]) -> Iterator[str]:
    from pytest_epm.errors import EpmError
    from pytest_epm.imports import gather

    for file in files:
        path = os.path.abspath(file)
        if os.path.isdir(path):
            yield from gather.python_files(path)
        elif os.path.isfile(path):
            yield path
        else:
            raise EpmError("no such file", file, "name a Python file or a folder")
