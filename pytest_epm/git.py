"""The only module that starts git."""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from pytest_epm.errors import GitError

# A hook or an alias exports these for its own repository and way of matching names; we name
# the repository ourselves. Where configuration lies stays the user's.
_KEPT_VARIABLES = ("GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")
# A repository's own configuration must not start a program of its choice for our question.
_NO_PROGRAMS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_SECONDS = 60


def top(path: str | os.PathLike[str]) -> str:
    """Return the nearest folder at or above `path` that holds a `.git`, or an empty string."""
    folder = os.path.abspath(path)
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder


def tracked(repository: str, suffixes: tuple[str, ...]) -> frozenset[str]:
    """Return absolute paths of files below `repository` that git tracks, by their endings.

    Raises GitError with git's own words.
    """
    listed = _run(repository, "ls-files", "-z")
    return _absolute(repository, listed, suffixes)


def files(repository: str, suffixes: tuple[str, ...]) -> frozenset[str]:
    """Return absolute paths of files, by their endings, that git tracks or would take.

    Raises GitError with git's own words.
    """
    listed = _run(repository, "ls-files", "-z", "-co", "--exclude-standard", "--deduplicate")
    return _absolute(repository, listed, suffixes)


class Listing(NamedTuple):
    """What git says of the files below a repository, by relative paths with slashes.

    tracked: with its mode, such as 120000 of a link. untracked: on disk, not ignored.
    """

    tracked: dict[str, str]
    untracked: frozenset[str]


def listing(repository: str) -> Listing:
    """Return what is tracked or staged, and what is not.

    repository: its top folder. A hook of this repository that runs in a commit of some of the
    files is told of what will be committed. Raises GitError with git's own words.
    """
    options = ("-z", "-c", "-o", "-s", "-t", "--exclude-standard", "--deduplicate")
    listed = _run(repository, "ls-files", *options, index=_hook_index(repository))
    tracked: dict[str, str] = {}
    untracked = set()
    for entry in listed.split(b"\0"):
        if entry.startswith(b"? "):
            untracked.add(os.fsdecode(entry[2:]))
        elif entry:
            facts, _, name = entry.partition(b"\t")
            tracked[os.fsdecode(name)] = facts.split(b" ")[1].decode()
    return Listing(tracked, frozenset(untracked))


def committed_folders(repository: str) -> frozenset[str]:
    """Return the folders of the last commit, by relative paths; none where there is no commit."""
    try:
        listed = _run(repository, "ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", "HEAD")
    except GitError:
        return frozenset()
    return frozenset(os.fsdecode(name) for name in listed.split(b"\0") if name)


def ignored(repository: str, paths: Iterable[str]) -> frozenset[str]:
    """Return those of the paths that git would not take, whether they exist or not.

    Raises GitError with git's own words.
    """
    asked = b"".join(os.fsencode(path) + b"\0" for path in paths)
    if not asked:
        return frozenset()
    options = ("-z", "--stdin", "--no-index")
    said = _run(repository, "check-ignore", *options, sent=asked, good=(0, 1))
    return frozenset(os.fsdecode(name) for name in said.split(b"\0") if name)


def _hook_index(repository: str) -> str:
    """Return the index that git made for the commit this hook runs in, or nothing."""
    index = os.environ.get("GIT_INDEX_FILE", "")
    if not index:
        return ""
    path = os.path.realpath(os.path.join(repository, index))
    homes = (os.path.join(repository, ".git"), os.environ.get("GIT_DIR", ""))
    reals = [os.path.realpath(os.path.join(repository, home)) for home in homes if home]
    return path if os.path.dirname(path) in reals and os.path.exists(path) else ""


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


def _absolute(repository: str, listed: bytes, suffixes: tuple[str, ...] = ("",)) -> frozenset[str]:
    names = (os.fsdecode(name) for name in listed.split(b"\0") if name)
    return frozenset(os.path.join(repository, name) for name in names if name.endswith(suffixes))


def _run(
    repository: str,
    *arguments: str,
    index: str = "",
    sent: bytes | None = None,
    good: tuple[int, ...] = (0,),
) -> bytes:
    import subprocess  # a purge seldom has anything to ask

    environ = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT_VARIABLES
    }
    environ |= {"LC_ALL": "C", "LANGUAGE": "C"} | ({"GIT_INDEX_FILE": index} if index else {})
    given: dict[str, Any] = {"stdin": subprocess.DEVNULL} if sent is None else {"input": sent}
    command = ["git", "--no-optional-locks", *_NO_PROGRAMS, "-C", repository, *arguments]
    try:
        done = subprocess.run(
            command,
            env=environ,
            **given,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}", repository) from error
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git did not answer within {_SECONDS} s", repository) from error
    if done.returncode not in good:
        words = done.stderr.decode("utf-8", "replace").strip() or f"exit {done.returncode}"
        raise GitError(f"git {arguments[0]} failed: {words}", repository)
    return bytes(done.stdout)
