"""What lies below one root, and what of it goes. Pure: it takes what a walk saw."""

from collections.abc import Collection, Iterator, Sequence
from os.path import join
from typing import NamedTuple


class Folder(NamedTuple):
    """One folder that the walk entered.

    parent: index of the folder it lies in; -1 for the root.
    bytecode: names of bytecode files right in it.
    links: names of cache folders in it that are symbolic links.
    cache: whether it is a cache folder, in which bytecode is not importable by itself.
    other: whether it holds anything else; folders that were entered do not count.
    entered: whether its inside was looked at.
    """

    path: str
    parent: int
    bytecode: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    cache: bool = False
    other: bool = False
    entered: bool = True


class Tree(NamedTuple):
    """Folders below a root, each after the one it lies in.

    unread: cache folders that could not be listed, with the system's words: what they
    hold may be imported all the same. closed: other folders that could not be listed:
    the importer cannot list them either.
    """

    root: str
    folders: tuple[Folder, ...]
    unread: tuple[tuple[str, str], ...] = ()
    closed: tuple[str, ...] = ()
    mirror_of: str = ""


class Removal(NamedTuple):
    """What goes, by folder index.

    files: names to delete, links to cache folders among them. folders: emptied folders,
    inner ones first. kept: legacy bytecode that stays, because git tracks it.
    """

    files: tuple[tuple[int, tuple[str, ...]], ...]
    folders: tuple[int, ...]
    kept: tuple[str, ...]


def legacy(tree: Tree) -> Iterator[str]:
    """Yield bytecode outside cache folders: `x.pyc` where the importer looks for `x`."""
    for folder in tree.folders:
        if not folder.cache:
            for name in folder.bytecode:
                yield join(folder.path, name)


def removal(tree: Tree, tracked: Collection[str] = frozenset()) -> Removal:
    """Decide what goes: bytecode that git does not track, and folders that held nothing else.

    A folder of bytecode only would import as a namespace package. One that was empty
    before stays, and so does the root.
    """
    files: list[tuple[int, tuple[str, ...]]] = []
    kept: list[str] = []
    holds_other = [folder.other for folder in tree.folders]
    for index, folder in enumerate(tree.folders):
        names = folder.bytecode
        if tracked and names and not folder.cache:
            staying = [name for name in names if join(folder.path, name) in tracked]
            kept += [join(folder.path, name) for name in staying]
            holds_other[index] |= bool(staying)
            names = tuple(name for name in names if name not in staying)
        if names or folder.links:
            files.append((index, names + folder.links))
    return Removal(tuple(files), tuple(_emptied(tree.folders, holds_other)), tuple(kept))


def ghosts(tree: Tree, tracked: Collection[str] = frozenset()) -> list[str]:
    """Return folders outside caches that hold nothing but bytecode, outermost only."""
    gone = set(removal(tree, tracked).folders)
    return [
        folder.path
        for index, folder in enumerate(tree.folders)
        if index in gone and not folder.cache and folder.parent not in gone
    ]


def _emptied(folders: Sequence[Folder], holds_other: list[bool]) -> Iterator[int]:
    """Yield indices of folders that held bytecode and nothing else, inner ones first."""
    held = [bool(f.cache or f.bytecode or f.links) for f in folders]
    for index in range(len(folders) - 1, 0, -1):
        parent = folders[index].parent
        if held[index] and not holds_other[index]:
            held[parent] = True
            yield index
        else:
            holds_other[parent] = True
