"""The child that imports for real. It needs nothing but the standard library and its own files.

Reads one JSON object from stdin: `path` (what stands first on sys.path), `fresh` (folders whose
cached bytecode is not to be trusted) and `tasks`. Answers each task with one JSON line.
"""

import gc
import importlib.machinery
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pytest_epm.imports import installed, loading, shapes

_OURS = "pytest_epm"
_FOREIGN = frozenset({"site-packages", "dist-packages"})


class _FromSource(importlib.machinery.SourceFileLoader):
    """Loads a module from its source, whatever is cached."""

    def path_stats(self, path: str) -> Any:  # noqa: ANN401 - as it is declared above
        """Say that nothing is known of the source, so that no cached file can match it."""
        raise OSError(path)


def main(before: Iterable[str], ours: str) -> None:
    """Answer all tasks and end at once.

    before: modules that the interpreter had loaded by itself. ours: the entry of sys.path that
    this file was found by.
    """
    request = json.load(sys.stdin.buffer)
    answers = _contain()
    gc.disable()  # imports make objects that stay, and this process ends soon
    sys.dont_write_bytecode = True
    sys.path.remove(ours)
    sys.path[:0] = request["path"]
    sys.path_hooks.insert(0, _hook(request["fresh"]))
    sys.path_importer_cache.clear()
    _give_way(request["path"], set(sys.modules) - set(before))
    sys.argv = [""]
    warnings.simplefilter("ignore")
    loader = loading.Loader()
    for task in request["tasks"]:
        os.write(answers, json.dumps(_answer(task, loader)).encode() + b"\n")
    # What the imports started, threads and exit handlers, is not waited for.
    os._exit(0)


def _answer(task: dict[str, Any], loader: loading.Loader) -> dict[str, Any]:
    match task["do"]:
        case "import":
            return loading.answer(task, loader)
        case "call":
            return shapes.answer(task, loader)
        case "installed":
            return installed.answer(task)
        case _:
            return {"ok": True}


def _contain() -> int:
    """Keep our own way to the parent, and give what is imported empty streams."""
    answers = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return answers


def _hook(fresh: Sequence[str]) -> Callable[[str], Any]:
    finder = importlib.machinery.FileFinder.path_hook(
        (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
        (_FromSource, importlib.machinery.SOURCE_SUFFIXES),
    )

    def hook(path: str) -> Any:  # noqa: ANN401 - as path hooks are declared
        real = os.path.realpath(path)
        inside = any(real == top or real.startswith(top + os.sep) for top in fresh)
        if not inside or _FOREIGN & set(real.split(os.sep)):
            raise ImportError(path)
        return finder(path)

    return hook


def _give_way(path: Sequence[str], loaded: set[str]) -> None:
    """Forget our own modules, and those loaded for us whose name the project has as well."""
    for name in loaded:
        if name.partition(".")[0] == _OURS or (
            "." not in name and importlib.machinery.PathFinder.find_spec(name, path)
        ):
            sys.modules.pop(name, None)
