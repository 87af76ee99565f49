"""Find and read the project's sources: modules by name, files by path, guards in them."""

import ast
import importlib.machinery
import os
import re
import sys
import warnings
from collections.abc import Iterable, Sequence

from pytest_epm.arms.guards import Guard, guards
from pytest_epm.arms.project import Project
from pytest_epm.arms.resolve import Module
from pytest_epm.arms.texts import Text
from pytest_epm.arms.waivers import Waiver, waivers
from pytest_epm.files import MOST, read_regular
from pytest_epm.imports import gather

_ASYNC = re.compile(rb"^[ \t]*async[ \t]+def[ \t]+(\w+)", re.MULTILINE)


class Reader:
    """Reads each file once."""

    def __init__(
        self, project: Project, flags: frozenset[str] = frozenset(), *, only_guarded: bool = False
    ) -> None:
        """Take which files are the project's. flags: flag words of its own.

        only_guarded: whether a file without guards is not worth its memory.
        """
        self.only_guarded = only_guarded
        self.project = project
        self.flags = flags
        self._texts: dict[str, Text | None] = {}
        self._waivers: dict[str, tuple[Waiver, ...]] = {}

    def read(self, path: str) -> Text | None:
        """Return a source by its real path; None if it cannot be read as Python."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def guards(self, path: str) -> tuple[Guard, ...]:
        """Return the guards of a file; a test has none."""
        text = self.read(path)
        return text.guards if text else ()

    def waivers(self, path: str) -> tuple[Waiver, ...]:
        """Return the comments of a file that allow something."""
        self.read(path)
        return self._waivers.get(path, ())

    def _read(self, path: str) -> Text | None:
        if self.only_guarded and self.project.is_test(path):
            return None
        try:
            data, _ = read_regular(path, MOST)
            # A test may have taken the module out of sys.modules, where it is looked for else.
            with warnings.catch_warnings(module=warnings):
                warnings.simplefilter("ignore")
                tree = ast.parse(data, path)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if self.project.is_test(path):
            return Text(path, tree, ())
        allowed = waivers(data.decode("utf-8", "replace")) if b"epm:" in data else ()
        self._waivers[path] = allowed
        found = guards(tree, self.flags, allowed)
        return Text(path, tree, found) if found or not self.only_guarded else None


def async_names(roots: Iterable[str]) -> frozenset[str]:
    """Return the names of all async functions in the Python files below some folders."""
    found: set[str] = set()
    for root in roots:
        for path in gather.python_files(root):
            try:
                data, _ = read_regular(path, MOST)
            except OSError:
                continue
            found.update(name.decode("utf-8", "replace") for name in _ASYNC.findall(data))
    return frozenset(found)


def _below(spec: importlib.machinery.ModuleSpec, name: str, search: Sequence[str]) -> Sequence[str]:
    """Return where a package's modules lie; a namespace package asks its imported parent."""
    if spec.loader is None:
        return [found for entry in search if os.path.isdir(found := os.path.join(entry, name))]
    return list(spec.submodule_search_locations or ())


class Finder:
    """Finds modules by their dotted names, without importing anything."""

    def __init__(self, reader: Reader, path: Sequence[str]) -> None:
        """Take what reads a file. path: folders that stand before sys.path."""
        self.reader = reader
        self.path = tuple(path)
        self._found: dict[str, Module | None] = {}

    def __call__(self, name: str) -> Module | None:
        """Return a module, or None if there is none of this name."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> Module | None:
        spec = self._spec(name)
        if spec is None:
            return None
        path = os.path.realpath(spec.origin) if spec.has_location and spec.origin else ""
        ours = bool(path) and self.reader.project.has(path)
        package = name if spec.submodule_search_locations is not None else name.rpartition(".")[0]
        text = self.reader.read(path) if path.endswith(".py") else None
        return Module(name, path, text.tree if text else None, package, ours)

    def _spec(self, name: str) -> importlib.machinery.ModuleSpec | None:
        search: Sequence[str] = (*self.path, *sys.path)
        spec = None
        words = name.split(".")
        try:
            if words[0] in sys.builtin_module_names:
                return importlib.machinery.BuiltinImporter.find_spec(name)
            for count in range(1, len(words) + 1):
                # By its last name alone, else a namespace package asks for its parent.
                spec = importlib.machinery.PathFinder.find_spec(words[count - 1], search)
                if spec is None:
                    return None
                search = _below(spec, words[count - 1], search)
        except (ImportError, ValueError, AttributeError):
            return None
        return spec
