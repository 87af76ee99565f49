"""The only module that starts git."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from pytest_epm.errors import GitError

# A hook or a rebase exports these for its own repository; we name the repository ourselves.
_REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


def top(path: str | Path) -> str:
    """Return the nearest folder at or above `path` that holds a `.git`, or an empty string."""
    folder = os.path.abspath(path)
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder


def tracked(repository: str, patterns: Iterable[str]) -> frozenset[str]:
    """Return absolute paths of files that git tracks below `repository` and that match a glob.

    Raises GitError with git's own words.
    """
    listed = _run(repository, "ls-files", "-z", "--", *patterns)
    return _absolute(repository, listed)


def files(repository: str, patterns: Iterable[str]) -> frozenset[str]:
    """Return absolute paths of files that match a glob and that git tracks or would take.

    Raises GitError with git's own words.
    """
    listed = _run(
        repository, "ls-files", "-z", "-co", "--exclude-standard", "--deduplicate", "--", *patterns
    )
    return _absolute(repository, listed)


def changed(repository: str, base: str) -> frozenset[str]:
    """Return absolute paths of files that differ from the merge base of `base` and HEAD.

    repository: its top folder. What is not committed counts as well, and what git does not
    track yet. Deleted files are left out. Raises GitError with git's own words.
    """
    if base.startswith("-"):
        raise GitError(f"{base!r} is no revision", repository)
    fork = _run(repository, "merge-base", "--", base, "HEAD").decode().strip()
    options = ("--name-only", "--no-relative", "--no-ext-diff", "--diff-filter=d", "-z")
    differ = _run(repository, "diff", *options, fork)
    new = _run(repository, "ls-files", "-z", "-o", "--exclude-standard")
    return _absolute(repository, differ) | _absolute(repository, new)


def _absolute(repository: str, listed: bytes) -> frozenset[str]:
    names = (os.fsdecode(name) for name in listed.split(b"\0") if name)
    return frozenset(os.path.join(repository, name) for name in names)


def _run(repository: str, *arguments: str) -> bytes:
    environ = {k: v for k, v in os.environ.items() if k not in _REPOSITORY_VARIABLES}
    environ |= {"LC_ALL": "C", "LANGUAGE": "C"}
    command = ["git", "-C", repository, *arguments]
    try:
        done = subprocess.run(command, env=environ, capture_output=True, check=False)
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}", repository) from error
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip() or f"exit {done.returncode}"
        raise GitError(f"git {arguments[0]} failed: {words}", repository)
    return done.stdout
