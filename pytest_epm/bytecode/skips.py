"""Folders that are not the project's, told by evidence rather than by name."""

import os
import re

# By name only: what these hold is never imported from there.
NAMES = frozenset({".git", ".hg", ".svn", "node_modules"})
# Where installers put what is not the project's.
INSTALLED = frozenset({"site-packages", "dist-packages"})
# Entries of a folder that are worth a closer look.
SIGNS = frozenset({"pyvenv.cfg", "conda-meta", "os.py", "os.pyc", "encodings", "lib", "bin"})

# Some interpreters come without sources.
_OS = frozenset({"os.py", "os.pyc"})
_LIBRARY = re.compile(r"(python|pypy)\d+(\.\d+)?t?\Z")


def foreign(folder: str, signs: set[str]) -> str:
    """Return why the inside of `folder` is not the project's, or an empty string.

    signs: those of its entries that are in SIGNS.
    """
    if "pyvenv.cfg" in signs:
        return "a virtual environment"
    if "conda-meta" in signs:
        return "a conda environment"
    if "encodings" in signs and signs & _OS:
        return "an interpreter's library"
    if "bin" in signs and "lib" in signs:
        if holds_interpreter(folder):
            return "an interpreter's home"
        if _is_environment(folder):
            return "a virtual environment"
    return ""


def foreign_on_disk(folder: str) -> str:
    """Return the same for a folder that was not listed."""
    name = os.path.basename(folder)
    if name in NAMES or name in INSTALLED:
        return f"a folder called {name}"
    return foreign(folder, {s for s in SIGNS if os.path.lexists(os.path.join(folder, s))})


def is_library(folder: str) -> bool:
    """Whether this is the standard library of some interpreter."""
    return os.path.isdir(os.path.join(folder, "encodings")) and any(
        os.path.isfile(os.path.join(folder, name)) for name in _OS
    )


def holds_interpreter(folder: str) -> bool:
    """Whether an interpreter is installed here, with its library in `lib/pythonX.Y`."""
    return any(is_library(library) for library in _libraries(folder))


def _is_environment(folder: str) -> bool:
    """Whether this is a virtual environment that lost its pyvenv.cfg."""
    return os.path.lexists(os.path.join(folder, "bin", "python")) and any(
        os.path.isdir(os.path.join(library, "site-packages")) for library in _libraries(folder)
    )


def _libraries(folder: str) -> list[str]:
    above = os.path.join(folder, "lib")
    try:
        return [os.path.join(above, name) for name in os.listdir(above) if _LIBRARY.match(name)]
    except OSError:
        return []


def between(path: str, root: str) -> str:
    """Return what foreign folder lies between `root` and `path`, or an empty string.

    `path` is a file or folder below `root`; neither end counts.
    """
    folder = os.path.dirname(path)
    while len(folder) > len(root):
        why = foreign_on_disk(folder)
        if why:
            return f"{folder} is {why}"
        folder = os.path.dirname(folder)
    return ""
