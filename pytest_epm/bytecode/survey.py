"""Gather all that purge and audit decide from: every tree, its mirrors, what git tracks."""

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pytest_epm import git
from pytest_epm.bytecode.names import mirror
from pytest_epm.bytecode.roots import Chosen, Root, below
from pytest_epm.bytecode.tree import Tree, legacy
from pytest_epm.bytecode.walk import walk, walk_mirror
from pytest_epm.errors import GitError


class Survey(NamedTuple):
    """What lies below the roots.

    tracked: legacy bytecode that git tracks. failed: path and words of what could not
    be looked into or asked about. closed: folders that nobody of this user can list.
    """

    trees: tuple[Tree, ...]
    tracked: frozenset[str] = frozenset()
    failed: tuple[tuple[str, str], ...] = ()
    closed: tuple[str, ...] = ()


def survey(chosen: Chosen, prefixes: Sequence[str] = ()) -> Survey:
    """Walk every root once, and its mirror below each cache prefix, a real path."""
    trees = list(_trees(chosen.roots, chosen.keep_out.union(prefixes)))
    for prefix in prefixes:
        trees += _mirrors(chosen, prefix)
    loose = [path for tree in trees for path in legacy(tree)]
    tracked, unasked = _tracked(loose)
    unread = [pair for tree in trees for pair in tree.unread]
    closed = tuple(path for tree in trees for path in tree.closed)
    return Survey(tuple(trees), tracked, (*unread, *unasked), closed)


def cache_prefixes() -> tuple[str, ...]:
    """Return the folders in which this interpreter and its children keep bytecode, if set.

    They may differ: `-X pycache_prefix` and `-I` decide for this process alone.
    """
    found = (sys.pycache_prefix, os.environ.get("PYTHONPYCACHEPREFIX"))
    return tuple(dict.fromkeys(os.path.realpath(prefix) for prefix in found if prefix))


def _trees(roots: Sequence[Root], keep_out: frozenset[str]) -> Iterator[Tree]:
    seen: set[str] = set()
    wanted = {root.path for root in roots}
    for root in sorted(roots, key=lambda root: root.path):
        # A root inside another was walked with it, unless the walk stopped above it.
        if root.path not in seen:
            tree = walk(root.path, keep_out)
            if len(wanted) > 1:
                seen |= wanted.intersection(f.path for f in tree.folders if f.entered)
            yield tree


def _mirrors(chosen: Chosen, prefix: str) -> Iterator[Tree]:
    seen: set[str] = set()
    for root in sorted(chosen.roots, key=lambda root: root.path):
        for spelled in root.spellings:
            mirrored = mirror(prefix, spelled)
            real = os.path.realpath(mirrored)
            # A link inside the prefix could lead anywhere, and a mirror may not be the root.
            apart = not any(real == r.path or below(r.path, real) for r in chosen.roots)
            if os.path.isdir(real) and below(real, prefix) and apart and real not in seen:
                tree = walk_mirror(real, spelled, chosen.keep_out)
                seen.update(folder.path for folder in tree.folders if folder.entered)
                yield tree


def _tracked(paths: Iterable[str]) -> tuple[frozenset[str], list[tuple[str, str]]]:
    """Return those of `paths` that git tracks, and those it could not be asked about."""
    by_repository: dict[str, list[str]] = defaultdict(list)
    tops: dict[str, str] = {}
    for path in paths:
        folder = os.path.dirname(path)
        if folder not in tops:
            tops[folder] = git.top(folder)
        if tops[folder]:
            by_repository[tops[folder]].append(path)
    tracked: frozenset[str] = frozenset()
    failed: list[tuple[str, str]] = []
    for repository, asked in by_repository.items():
        try:
            tracked |= git.tracked(repository, (".pyc", ".pyo")).intersection(asked)
        except GitError as error:
            failed += [(path, f"cannot tell whether git tracks it: {error.what}") for path in asked]
    return tracked, failed
