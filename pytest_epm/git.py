"""The only module that starts git."""

import os
from collections.abc import Iterable

from pytest_epm.errors import GitError

# A hook or a rebase exports these for its own repository; we name the repository ourselves.
_REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")

# A repository's own configuration must not start a program of its choice for our question.
_NO_PROGRAMS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


def top(path: str | os.PathLike[str]) -> str:
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
    names = (os.fsdecode(name) for name in listed.split(b"\0") if name)
    return frozenset(os.path.join(repository, name) for name in names)


def _run(repository: str, *arguments: str) -> bytes:
    import subprocess  # a purge seldom has anything to ask

    environ = {k: v for k, v in os.environ.items() if k not in _REPOSITORY_VARIABLES}
    environ |= {"LC_ALL": "C", "LANGUAGE": "C"}
    command = ["git", "--no-optional-locks", *_NO_PROGRAMS, "-C", repository, *arguments]
    try:
        done = subprocess.run(command, env=environ, capture_output=True, check=False)
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}", repository) from error
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip() or f"exit {done.returncode}"
        raise GitError(f"git {arguments[0]} failed: {words}", repository)
    return done.stdout
