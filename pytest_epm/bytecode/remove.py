"""Delete what was decided, from within folders that are held open.

Every folder is opened from the one it lies in and never through a link, so a folder
that turns into a link while we work cannot lead a deletion out of its root.
"""

import errno
import os
from collections import defaultdict
from collections.abc import Iterable

from pytest_epm.bytecode.names import is_bytecode
from pytest_epm.bytecode.tree import Folder, Removal, Tree

_BY_DESCRIPTOR = {os.open, os.unlink, os.rmdir} <= os.supports_dir_fd
_OPEN = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_REFILLS = 3


class Outcome:
    """How many files and folders went, and what did not go, with the system's words."""

    __slots__ = ("failed", "files", "folders")

    def __init__(self) -> None:
        self.files = 0
        self.folders = 0
        self.failed: list[tuple[str, str]] = []


def remove(tree: Tree, removal: Removal) -> Outcome:
    """Delete the files and folders of `removal`; what is gone already is no fault."""
    outcome = Outcome()
    if removal.files or removal.folders:
        _Remover(tree, removal, outcome).run()
    return outcome


class _Remover:
    def __init__(self, tree: Tree, removal: Removal, outcome: Outcome) -> None:
        self.folders = tree.folders
        self.files = dict(removal.files)
        self.emptied = frozenset(removal.folders)
        self.outcome = outcome
        self.children: dict[int, list[int]] = defaultdict(list)
        for index in self._needed():
            if index:
                self.children[self.folders[index].parent].append(index)

    def _needed(self) -> set[int]:
        """Return folders to delete in, and every folder on the way to them."""
        needed: set[int] = set()
        for target in (*self.files, *self.emptied):
            index = target
            while index >= 0 and index not in needed:
                needed.add(index)
                index = self.folders[index].parent
        return needed

    def run(self) -> None:
        """Go down to each folder and delete on the way back, inner folders first."""
        root = self._open(self.folders[0].path, self.folders[0], None)
        if root == _ABSENT:
            return
        path: list[tuple[int, int | None, list[int]]] = [(0, root, self.children[0])]
        while path:
            index, handle, ahead = path[-1]
            if ahead:
                child = ahead.pop()
                inner = self._open(
                    os.path.basename(self.folders[child].path), self.folders[child], handle
                )
                if inner != _ABSENT:
                    path.append((child, inner, self.children[child]))
                continue
            path.pop()
            above = path[-1][1] if path else None
            self._clear(index, handle, above)

    def _open(self, name: str, folder: Folder, above: int | None) -> int | None:
        """Return a handle; None where the system works by path; _ABSENT if it is gone."""
        if not _BY_DESCRIPTOR:
            return None if os.path.isdir(folder.path) else _ABSENT
        try:
            return os.open(name, _OPEN, dir_fd=above)
        except OSError as error:
            if error.errno not in _GONE:
                self._fail(folder.path, error)
            return _ABSENT

    def _clear(self, index: int, handle: int | None, above: int | None) -> None:
        folder = self.folders[index]
        try:
            all_went = self._unlink(folder, self.files.get(index, ()), handle)
            if all_went and index in self.emptied:
                self._rmdir(folder, handle, above)
        finally:
            if handle is not None:
                os.close(handle)

    def _unlink(self, folder: Folder, names: Iterable[str], handle: int | None) -> bool:
        """Delete files; return whether all of them are gone."""
        before = len(self.outcome.failed)
        for name in names:
            try:
                if handle is None:
                    os.unlink(os.path.join(folder.path, name))
                else:
                    os.unlink(name, dir_fd=handle)
                self.outcome.files += 1
            except OSError as error:
                if error.errno not in _GONE:
                    self._fail(os.path.join(folder.path, name), error)
        return len(self.outcome.failed) == before

    def _rmdir(self, folder: Folder, handle: int | None, above: int | None) -> None:
        for _ in range(_REFILLS):
            try:
                if above is None:
                    os.rmdir(folder.path)
                else:
                    os.rmdir(os.path.basename(folder.path), dir_fd=above)
            except OSError as error:
                left = _listed(folder.path if handle is None else handle)
                written = [name for name in left if is_bytecode(name, in_cache=True)]
                if error.errno in _GONE or (folder.cache and not left):
                    return  # an empty cache folder that cannot go, as on a mount, harms nobody
                if error.errno not in _FILLED:
                    self._fail(folder.path, error)
                    return
            else:
                self.outcome.folders += 1
                return
            # A process that writes beside us has filled it again; only bytecode is ours to take.
            if not folder.cache or len(written) < len(left):
                return
            if not self._unlink(folder, written, handle):
                return
        self.outcome.failed.append((folder.path, "another process keeps writing bytecode here"))

    def _fail(self, path: str, error: OSError) -> None:
        self.outcome.failed.append((path, error.strerror or str(error)))


_ABSENT = -1
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_FILLED = frozenset({errno.ENOTEMPTY, errno.EEXIST})


def _listed(folder: str | int) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
