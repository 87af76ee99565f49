"""Globs over paths with slashes: `*` stays within a folder, `**` does not. Pure."""

import re
from collections.abc import Iterable
from functools import lru_cache

_WILD = re.compile(r"[*?\[]")


def matches(glob: str, path: str) -> bool:
    """Whether a path, relative with slashes, is meant by a glob."""
    return path == glob or bool(_WILD.search(glob) and _compiled(glob).fullmatch(path))


def any_matches(globs: Iterable[str], path: str) -> bool:
    """Whether any glob means the path."""
    return any(matches(glob, path) for glob in globs)


def leaves(glob: str) -> bool:
    """Whether a glob points out of the folder that it is taken from."""
    return glob.startswith(("/", "~")) or ".." in glob.split("/")


@lru_cache(1024)
def _compiled(glob: str) -> re.Pattern[str]:
    parts = []
    at = 0
    glob = re.sub(r"\*{3,}", "**", glob.removeprefix("./"))
    while at < len(glob):
        if glob.startswith("**/", at):
            # Folders one after another, each taken whole: no second way to match them.
            parts.append("(?:[^/]+/)*+" if glob.count("**") == 1 else "(?:[^/]+/)*")
            at += 3
        elif glob.startswith("**", at):
            parts.append(".*")
            at += 2
        elif glob[at] == "*":
            parts.append("[^/]*")
            at += 1
        elif glob[at] == "?":
            parts.append("[^/]")
            at += 1
        elif glob[at] == "[" and (end := glob.find("]", at + 2)) > 0:
            inner = glob[at + 1 : end].replace("\\", "\\\\")
            parts.append(f"[{'^' + inner[1:] if inner[0] == '!' else inner}]")
            at = end + 1
        else:
            parts.append(re.escape(glob[at]))
            at += 1
    try:
        return re.compile("".join(parts), re.DOTALL)
    except re.error:
        return re.compile(re.escape(glob))
