"""Read cached files and their sources, and name each that is stale and would be imported."""

import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Sequence

from pytest_epm.bytecode.compared import Pair, differences
from pytest_epm.bytecode.header import SIZE, Importer, Source, would_import
from pytest_epm.bytecode.names import Cached, parse
from pytest_epm.bytecode.results import Examined, Stale
from pytest_epm.bytecode.roots import Chosen
from pytest_epm.bytecode.survey import Survey, survey
from pytest_epm.bytecode.tree import Folder, Tree, ghosts, legacy
from pytest_epm.files import MOST, read_regular

TAG = sys.implementation.cache_tag or ""


def examine_roots(
    chosen: Chosen, prefixes: Sequence[str], progress: Callable[[int], None] | None = None
) -> Examined:
    """Hold every cached file that this interpreter would take against its source."""
    seen = survey(chosen, prefixes)
    examiner = _Examiner(_importer())
    stale = list(_found(seen, examiner, prefixed=bool(prefixes)))
    stale += _differing(examiner.pairs, progress)
    return Examined(
        chosen.roots,
        tuple(stale),
        len(examiner.pairs),
        tuple(examiner.uncompared),
        tuple(sorted(seen.tracked)),
        seen.closed,
    )


def stale_cache(cached: str, source: str) -> Stale | None:
    """Return what is wrong with one cached file that stands where the importer looks for it."""
    name = parse(os.path.basename(cached), TAG)
    if name is None:
        return None
    examiner = _Examiner(_importer())
    unreadable = examiner.held_against(cached, source, name)
    return unreadable or next(_differing(examiner.pairs), None)


def _differing(
    pairs: Sequence[Pair], progress: Callable[[int], None] | None = None
) -> Iterator[Stale]:
    for pair, detail in zip(pairs, differences(pairs, progress), strict=True):
        if detail:
            yield Stale(pair.cached, pair.why, pair.source, detail)


def _found(seen: Survey, examiner: "_Examiner", *, prefixed: bool) -> Iterator[Stale]:
    for path, words in seen.failed:
        yield Stale(path, "unreadable", detail=words)
    for tree in seen.trees:
        for path in ghosts(tree, seen.tracked):
            if os.path.basename(path).isidentifier():
                yield Stale(path, "namespace-ghost", detail="holds nothing but bytecode")
        for path in legacy(tree):
            if path not in seen.tracked and examiner.is_orphan(path):
                yield Stale(path, "orphan", detail="has no source and is imported all the same")
        # With a prefix this interpreter does not look into `__pycache__`.
        if tree.mirror_of or not prefixed:
            for cached, source, name in _cached(tree):
                found = examiner.held_against(cached, source, name)
                if found:
                    yield found


def _cached(tree: Tree) -> Iterator[tuple[str, str, Cached]]:
    """Yield each cached file of ours with the source it stands for."""
    for folder in tree.folders:
        for place, names in _caches(folder):
            if tree.mirror_of:
                sources = os.path.join(tree.mirror_of, os.path.relpath(place, tree.root))
                sources = os.path.normpath(sources)
            else:
                sources = os.path.dirname(place)
            for file in names:
                name = parse(file, TAG)
                if name:
                    yield os.path.join(place, file), os.path.join(sources, f"{name.stem}.py"), name


def _caches(folder: Folder) -> Iterator[tuple[str, Sequence[str]]]:
    if folder.cache:
        yield folder.path, folder.bytecode
    for link in folder.links:
        place = os.path.join(folder.path, link)
        try:
            yield place, os.listdir(place)
        except OSError:
            continue


class _Examiner:
    """Finds what the importer would take; whether it differs, a child has to say."""

    def __init__(self, importer: Importer) -> None:
        self.importer = importer
        self.pairs: list[Pair] = []
        self.uncompared: list[str] = []

    def held_against(self, cached: str, source: str, name: Cached) -> Stale | None:
        try:
            text, stat = read_regular(source, MOST)
            data, _ = read_regular(cached, MOST)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None  # without a source, or without the file, nothing is imported from here
        except OSError as error:
            return Stale(cached, "unreadable", source, error.strerror or str(error))
        facts = Source(int(stat.st_mtime), stat.st_size, importlib.util.source_hash(text))
        why = would_import(data[:SIZE], facts, self.importer)
        if not why:
            return None
        if not name.rewritten:
            self.pairs.append(Pair(cached, source, why, name.optimize))
        elif why == "same-mtime":
            self.uncompared.append(cached)
        return None

    def is_orphan(self, path: str) -> bool:
        base, suffix = os.path.splitext(path)
        if suffix != ".pyc":
            return False
        ahead = (*importlib.machinery.EXTENSION_SUFFIXES, *importlib.machinery.SOURCE_SUFFIXES)
        if any(os.path.isfile(base + end) for end in ahead):
            return False
        if any(os.path.isfile(os.path.join(base, f"__init__{end}")) for end in ahead):
            return False
        try:
            data, _ = read_regular(path, MOST)
            return data[:4] == self.importer.magic
        except OSError:
            return False


def _importer() -> Importer:
    flag = "--check-hash-based-pycs"
    given = sys.orig_argv
    value = given[given.index(flag) + 1] if flag in given[:-1] else "default"
    return Importer(importlib.util.MAGIC_NUMBER, value)
