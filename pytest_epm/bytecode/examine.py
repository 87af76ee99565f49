"""Read cached files and their sources, and name each that is stale and would be imported."""

import importlib.machinery
import importlib.util
import marshal
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from types import CodeType

from pytest_epm.bytecode.compare import same_code
from pytest_epm.bytecode.header import SIZE, Importer, Source, would_import
from pytest_epm.bytecode.names import Cached, parse
from pytest_epm.bytecode.results import Examined, Stale
from pytest_epm.bytecode.roots import Chosen
from pytest_epm.bytecode.survey import Survey, survey
from pytest_epm.bytecode.tree import Folder, Tree, ghosts, legacy
from pytest_epm.files import read_regular

_MOST = 1 << 28  # bytes of a source or a cached file
TAG = sys.implementation.cache_tag or ""


def examine_roots(
    chosen: Chosen, prefixes: Sequence[str], progress: Callable[[int], None] | None = None
) -> Examined:
    """Hold every cached file that this interpreter would take against its source."""
    seen = survey(chosen, prefixes)
    examiner = _Examiner(_importer(), progress)
    stale = list(_found(seen, examiner, prefixed=bool(prefixes)))
    return Examined(
        chosen.roots,
        tuple(stale),
        examiner.compared,
        tuple(examiner.uncompared),
        tuple(sorted(seen.tracked)),
        seen.closed,
    )


def stale_cache(cached: str, source: str) -> Stale | None:
    """Return what is wrong with one cached file that stands where the importer looks for it."""
    name = parse(os.path.basename(cached), TAG)
    return _Examiner(_importer()).held_against(cached, source, name) if name else None


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
    def __init__(self, importer: Importer, progress: Callable[[int], None] | None = None) -> None:
        self.importer = importer
        self.progress = progress
        self.compared = 0
        self.uncompared: list[str] = []

    def held_against(self, cached: str, source: str, name: Cached) -> Stale | None:
        try:
            text, stat = read_regular(source, _MOST)
            data, _ = read_regular(cached, _MOST)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None  # without a source, or without the file, nothing is imported from here
        except OSError as error:
            return Stale(cached, "unreadable", source, error.strerror or str(error))
        facts = Source(int(stat.st_mtime), stat.st_size, importlib.util.source_hash(text))
        why = would_import(data[:SIZE], facts, self.importer)
        if not why:
            return None
        if name.rewritten:
            if why == "same-mtime":
                self.uncompared.append(cached)
            return None
        self.compared += 1
        if self.progress:
            self.progress(self.compared)
        detail = _difference(data[SIZE:], text, source, name.optimize)
        return Stale(cached, why, source, detail) if detail else None

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
            data, _ = read_regular(path, _MOST)
            return data[:4] == self.importer.magic
        except OSError:
            return False


def _difference(marshalled: bytes, text: bytes, source: str, optimize: int) -> str:
    """Return in what a cached code object differs from its source, or an empty string."""
    try:
        cached = marshal.loads(marshalled)  # noqa: S302 - the next import would run it, we only look
    except Exception:  # noqa: BLE001 - whatever broken bytes make of it, it is no code
        return "cannot be loaded"
    if not isinstance(cached, CodeType):
        return "holds no code object"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fresh = compile(text, source, "exec", dont_inherit=True, optimize=optimize)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "its source does not compile"
    try:
        same = same_code(cached, fresh)
    except RecursionError:
        same = False
    return "" if same else "holds other code than its source"


def _importer() -> Importer:
    flag = "--check-hash-based-pycs"
    given = sys.orig_argv
    value = given[given.index(flag) + 1] if flag in given[:-1] else "default"
    return Importer(importlib.util.MAGIC_NUMBER, value)
