"""The report files of a run: gone before it begins, written at its end."""

import contextlib
import os
import stat
from collections.abc import Callable, Sequence

from pytest_epm.errors import EpmError
from pytest_epm.report import Report

Writer = Callable[[Report], str]


def forget(paths: Sequence[str], plan: str) -> None:
    """Remove reports of an earlier run: one that dies must not leave a green one behind.

    Raises EpmError for a report that would take the place of the plan, or of a folder or pipe.
    """
    for path in paths:
        if plan and os.path.realpath(path) == os.path.realpath(plan):
            raise EpmError("the report would be written over the plan", path, "name another file")
        with contextlib.suppress(OSError):  # what cannot be removed is told when it is written
            if stat.S_ISREG(os.stat(path).st_mode):
                os.unlink(path)
                continue
            # A pipe would have us wait for its reader.
            raise EpmError("the report's place is taken by no regular file", path, "name another")


def write(report: Report, paths: Sequence[str], writers: Callable[[str], Writer]) -> str:
    """Write the report to each path; return what could not be written, or an empty string."""
    for path in paths:
        text = writers(path)(report)
        try:
            with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text + "\n")
        except OSError as error:
            return f"epm: {path}: the report cannot be written: {error.strerror}"
    return ""
