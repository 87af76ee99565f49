"""The tree that is purged and walked: a project, and all that lies around in one."""

import os
import sys
from typing import NamedTuple

_MODULES = 10  # of a package
_GROUP = 20  # packages or folders that lie together
_CACHE = "__pycache__"
_CACHED = f".{sys.implementation.cache_tag}.pyc"
_PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
# As long as a header; nothing of a tree is ever imported.
_BYTECODE = b"\0" * 16
_TEXT = b"VALUE = 1\n"


class Names(NamedTuple):
    """What the folders are called that are not the project's."""

    git: str = ".git"
    modules: str = "node_modules"
    venv: str = ".venv"
    library: str = f".venv/lib/{_PYTHON}/site-packages"
    config: str = "pyvenv.cfg"


USUAL = Names()
# Nothing in these tells a walk to stop.
OPEN = Names("git", "modules", "env", f"env/lib/{_PYTHON}/packages", "environment.cfg")


class Counts(NamedTuple):
    """What lies in a tree."""

    folders: int
    files: int
    cached: int


class Tree:
    """A tree in the folder `top`; `names` says how much of it is the project's."""

    def __init__(self, top: str, names: Names) -> None:
        """Make it."""
        self.top = top
        self._project = [*_parts(top, "src", 800), *_parts(top, "tests", 200)]
        self._installed = _parts(top, names.library, 2000)
        for package in (*self._project, *self._installed):
            _fill(package, _MODULES, ".py")
        for folder in _parts(top, "docs", 3700):
            _fill(folder, 4, ".md")
        for folder in _parts(top, names.modules, 6600):
            _fill(folder, 4, ".js")
        for number in range(256):
            _fill(os.path.join(top, names.git, "objects", f"{number:02x}"), 34)
        _write(os.path.join(top, names.git, "HEAD"), b"ref: refs/heads/main\n")
        _write(os.path.join(top, names.venv, names.config), b"version = 3\n")
        _compile(self._installed)
        os.sync()
        self.restore()

    def restore(self) -> None:
        """Put the project's bytecode back.

        It is not forced to the disk: what a disk takes to discard blocks differs by
        seconds from run to run, and would be all that is seen.
        """
        _compile(self._project)

    def is_purged(self) -> bool:
        """Whether the project's bytecode is gone, and that of what is installed is not."""
        caches = (os.path.join(package, _CACHE) for package in self._installed)
        return all(len(os.listdir(cache)) == _MODULES for cache in caches) and not any(
            os.path.lexists(os.path.join(package, _CACHE)) for package in self._project
        )

    def count(self) -> Counts:
        """Count what is there now; the top counts as a folder."""
        folders = files = cached = 0
        for _, _, names in os.walk(self.top):
            folders += 1
            files += len(names)
            cached += sum(name.endswith(".pyc") for name in names)
        return Counts(folders, files, cached)

    def count_project(self) -> int:
        """Return how many cached files of the project a purge removes."""
        return len(self._project) * _MODULES


def _parts(top: str, below: str, number: int) -> list[str]:
    return [
        os.path.join(top, below, f"group{index // _GROUP}", f"part{index % _GROUP}")
        for index in range(number)
    ]


def _compile(packages: list[str]) -> None:
    for package in packages:
        _fill(os.path.join(package, _CACHE), _MODULES, _CACHED, _BYTECODE)


def _fill(folder: str, number: int, suffix: str = "", content: bytes = _TEXT) -> None:
    os.makedirs(folder, exist_ok=True)
    for index in range(number):
        _write(os.path.join(folder, f"file{index}{suffix}"), content)


def _write(path: str, content: bytes) -> None:
    with open(path, "wb", 0) as file:
        file.write(content)
