"""Look at what lies below a root, without following a link and without changing anything."""

import os
from collections.abc import Collection

from pytest_epm.bytecode import skips
from pytest_epm.bytecode.names import CACHE, is_bytecode
from pytest_epm.bytecode.tree import Folder, Tree

_EFFECTIVE = os.access in os.supports_effective_ids
_SIGNS, _NAMES = skips.SIGNS, skips.NAMES | skips.INSTALLED


# Bytecode, links to caches, folders; whether there is anything else; which of the signs.
_Listing = tuple[list[str], list[str], list[str], bool, set[str]]


def walk(root: str, keep_out: Collection[str] = ()) -> Tree:
    """Return every folder of the project below `root`, a real path.

    keep_out: folders not to enter. A name or evidence that a folder is not the
    project's stops the walk there; for the root itself only an interpreter's library does.
    """
    folders: list[Folder] = []
    unread: list[tuple[str, str]] = []
    closed: list[str] = []
    stack = [(root, -1, False)]
    while stack:
        path, parent, cache = stack.pop()
        try:
            bytecode, links, inner, other, signs = _list(path, in_cache=cache)
        except (FileNotFoundError, NotADirectoryError):
            continue  # it vanished while we walked
        except OSError as error:
            # One that cannot be listed but searched gives out files to who knows their names.
            if cache or os.access(path, os.X_OK, effective_ids=_EFFECTIVE):
                unread.append((path, error.strerror or str(error)))
            else:
                closed.append(path)
            folders.append(Folder(path, parent, cache=cache, other=True, entered=False))
            continue
        if signs and _stops(path, parent, signs):
            folders.append(Folder(path, parent, other=True, entered=False))
            continue
        index = len(folders)
        for name in inner:
            below = f"{path}{os.sep}{name}"
            if name in _NAMES or below in keep_out:
                other = True
            else:
                stack.append((below, index, name == CACHE))
        folders.append(Folder(path, parent, tuple(bytecode), tuple(links), cache, other))
    return Tree(root, tuple(folders), tuple(unread), tuple(closed))


def walk_mirror(mirrored: str, source: str, keep_out: Collection[str] = ()) -> Tree:
    """Return the folders of a cache prefix that mirror `source`; all of them are caches.

    Whether a folder is the project's is told by the source folder it stands for.
    """
    folders: list[Folder] = []
    unread: list[tuple[str, str]] = []
    stack = [(mirrored, source, -1)]
    while stack:
        path, stands_for, parent = stack.pop()
        try:
            bytecode, links, inner, other, _ = _list(path, in_cache=True)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            unread.append((path, error.strerror or str(error)))
            folders.append(Folder(path, parent, cache=True, other=True, entered=False))
            continue
        if parent >= 0 and (stands_for in keep_out or skips.foreign_on_disk(stands_for)):
            folders.append(Folder(path, parent, cache=True, other=True, entered=False))
            continue
        index = len(folders)
        stack += [
            (os.path.join(path, name), os.path.join(stands_for, name), index) for name in inner
        ]
        other = other or bool(links)
        folders.append(Folder(path, parent, tuple(bytecode), (), cache=True, other=other))
    return Tree(mirrored, tuple(folders), tuple(unread), mirror_of=source)


def _list(path: str, *, in_cache: bool) -> _Listing:
    bytecode: list[str] = []
    links: list[str] = []
    folders: list[str] = []
    signs: set[str] = set()
    other = False
    with os.scandir(path) as entries:
        for entry in entries:
            name = entry.name
            if name in _SIGNS:
                signs.add(name)
            if entry.is_dir(follow_symlinks=False):
                folders.append(name)
            elif ".py" in name and is_bytecode(name, in_cache=in_cache):
                bytecode.append(name)
            elif name == CACHE and entry.is_symlink():
                links.append(name)
            else:
                other = True
    return bytecode, links, folders, other, signs


def _stops(path: str, parent: int, signs: set[str]) -> bool:
    if parent < 0:
        return skips.is_library(path)
    return bool(skips.foreign(path, signs))
