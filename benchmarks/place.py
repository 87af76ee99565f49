"""What several benchmarks need, made when the first of them asks for it."""

import os
import shutil
import sys
import sysconfig
import venv
from functools import cached_property
from importlib.metadata import version

from measure import NotRunError, progress, text_of
from tree import OPEN, USUAL, Tree

_REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Place:
    """A folder for one call of the benchmarks."""

    def __init__(self, folder: str, *, quick: bool) -> None:
        """Make nothing yet. quick: measure a few times only."""
        self.folder = folder
        self._quick = quick

    def rounds(self, number: int, quick: int) -> int:
        """Return how often to measure."""
        return quick if self._quick else number

    @property
    def monitors(self) -> bool:
        """Whether this interpreter has `sys.monitoring`."""
        return hasattr(sys, "monitoring")

    def sdist(self, name: str, release: str) -> str:
        """Return the folder of a project's source, downloaded once and unpacked."""
        folder = os.path.join(self.folder, name)
        project = os.path.join(folder, f"{name}-{release}")
        if not os.path.isdir(project):
            progress(f"{name}: downloading")
            pip = [os.path.join(self.scripts, "pip"), "download", "--quiet", "--no-deps"]
            what = ["--no-binary", name, "--dest", folder, f"{name}=={release}"]
            text_of([*pip, *what], self.folder)
            shutil.unpack_archive(f"{project}.tar.gz", folder, filter="data")
        return project

    @cached_property
    def tree(self) -> Tree:
        """The tree with environment, repository and node_modules."""
        progress("making the tree")
        return Tree(os.path.join(self.folder, "tree"), USUAL)

    @cached_property
    def open_tree(self) -> Tree:
        """The same tree under names that no walk stops at."""
        progress("making the open tree")
        return Tree(os.path.join(self.folder, "open"), OPEN)

    @cached_property
    def scripts(self) -> str:
        """The commands of an environment in which epm is installed as its users have it.

        Not in editable mode: the plugin would be a part of what it purges.
        """
        progress("installing epm")
        home = os.path.join(self.folder, "installed")
        venv.create(home, with_pip=True, symlinks=True)
        scripts = os.path.join(home, "bin")
        install(scripts, _REPOSITORY, f"pytest=={version('pytest')}")
        return scripts


def install(scripts: str, *what: str) -> None:
    """Install into the environment of `scripts`; raises NotRunError where that fails."""
    text_of([os.path.join(scripts, "pip"), "install", "--quiet", *what], scripts)


def find(name: str) -> str:
    """Return a command of this environment or of the system; raises NotRunError without one."""
    own = shutil.which(name, path=sysconfig.get_path("scripts"))
    found = own or shutil.which(name)
    if found is None:
        raise NotRunError(f"{name} is absent")
    return found
