"""Which files are the project's own, and which of these are tests."""

import os
from collections.abc import Iterable
from fnmatch import fnmatch
from functools import cache

_FOREIGN = frozenset({"site-packages", "dist-packages", "node_modules", ".git", ".hg", ".svn"})
_ENVIRONMENT = ("pyvenv.cfg", "conda-meta")
_TESTS = frozenset({"test", "tests", "testing"})
_ALWAYS = ("conftest.py", "test_*.py", "*_test.py")


class Project:
    """The code below some folders, without environments and installed packages."""

    def __init__(self, roots: Iterable[str], patterns: Iterable[str] = ()) -> None:
        """Take real paths. patterns: of names of test files, as pytest's ini has them."""
        self.roots = tuple(root.rstrip(os.sep) + os.sep for root in dict.fromkeys(roots))
        self.patterns = (*_ALWAYS, *patterns)
        self.has = cache(self._has)

    def _has(self, path: str) -> bool:
        root = next((root for root in self.roots if path.startswith(root)), "")
        return bool(root) and path.endswith(".py") and not _foreign(os.path.dirname(path), root)

    def is_test(self, path: str) -> bool:
        """Whether a file of the project is a test, or helps some."""
        root = next((root for root in self.roots if path.startswith(root)), "")
        *folders, name = path[len(root) :].split(os.sep)
        return bool(_TESTS & set(folders)) or any(fnmatch(name, p) for p in self.patterns)


@cache
def _foreign(folder: str, root: str) -> bool:
    if len(folder) < len(root):
        return False
    if os.path.basename(folder) in _FOREIGN:
        return True
    if any(os.path.exists(os.path.join(folder, name)) for name in _ENVIRONMENT):
        return True
    return _foreign(os.path.dirname(folder), root)
