"""What the names of cached files say. Pure text: nothing here looks at a disk."""

import os
import re
from typing import NamedTuple

CACHE = "__pycache__"

_SUFFIXES = (".pyc", ".pyo")
# The interpreter writes `x.pyc.123` first and renames it; a kill leaves it behind.
_INTERRUPTED = re.compile(r"\.py[co]\.\d+\Z")
_OPTIMIZE = {"": 0, ".opt-1": 1, ".opt-2": 2}
_REWRITTEN = "-pytest-"


class Cached(NamedTuple):
    """A cached file's name, taken apart.

    stem: the module's file name without `.py`.
    optimize: 0, 1 or 2, as `compile` takes it.
    rewritten: whether pytest's assertion rewriting made it.
    """

    stem: str
    optimize: int
    rewritten: bool


def is_bytecode(name: str, *, in_cache: bool) -> bool:
    """Whether a file of this name is bytecode.

    in_cache: it lies in a cache folder, where an interrupted write of one is as much as one.
    """
    return name.endswith(_SUFFIXES) or (in_cache and _INTERRUPTED.search(name) is not None)


def parse(name: str, tag: str) -> Cached | None:
    """Take the name apart; None unless an interpreter with this cache tag would look for it."""
    base, suffix = os.path.splitext(name)
    stem, found, rest = base.rpartition(f".{tag}")
    if not found or not stem:
        return None
    if rest.startswith(_REWRITTEN):
        return Cached(stem, 1 if suffix == ".pyo" else 0, rewritten=True)
    if suffix != ".pyc" or rest not in _OPTIMIZE:
        return None
    return Cached(stem, _OPTIMIZE[rest], rewritten=False)


def mirror(prefix: str, folder: str) -> str:
    """Return where below a cache prefix the interpreter keeps the bytecode of `folder`.

    Both are absolute. Source: `importlib.util.cache_from_source`, which drops a drive letter.
    """
    return os.path.join(prefix, os.path.splitdrive(folder)[1].lstrip(os.sep + (os.altsep or "")))
