"""A project on disk, with stale bytecode where a test wants it."""

import importlib.util
import os
import py_compile
import sys
from collections.abc import Mapping
from pathlib import Path

from epm_testing.processes import Done, clean_environment, python, run

_THEN = 1_700_000_000
OLD, NEW = 'VALUE = "old"\n', 'VALUE = "new"\n'


class Project:
    """A folder of files. `stale` leaves a module whose bytecode still validates."""

    def __init__(self, root: Path) -> None:
        """Make the folder if it is not there yet."""
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    def put(self, name: str, text: str, mtime: int | None = None) -> Path:
        """Write a file and the folders it lies in."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if mtime is not None:
            os.utime(path, (mtime, mtime))
        return path

    def compiled(self, name: str, text: str = OLD, optimize: int = 0) -> Path:
        """Write a module and its cached file; return the cached file."""
        source = self.put(name, text, _THEN)
        return Path(py_compile.compile(str(source), doraise=True, optimize=optimize) or "")

    def stale(self, name: str, old: str = OLD, new: str = NEW, optimize: int = 0) -> Path:
        """Write a module whose cached file validates and holds other code; return that file."""
        cached = self.compiled(name, old, optimize)
        self.put(name, new, _THEN)
        return cached

    def legacy(self, name: str, text: str = OLD) -> Path:
        """Write bytecode where a source would stand, without the source."""
        source = self.put(f"{name}.py", text)
        path = source.with_suffix(".pyc")
        py_compile.compile(str(source), cfile=str(path), doraise=True)
        source.unlink()
        return path

    def ghost(self, name: str) -> Path:
        """Leave a package folder that holds nothing but bytecode."""
        self.compiled(f"{name}/__init__.py", "")
        (self.root / name / "__init__.py").unlink()
        return self.root / name

    def bytecode(self) -> list[str]:
        """Return all bytecode below the root, as sorted relative paths."""
        found = [*self.root.rglob("*.pyc"), *self.root.rglob("*.pyo")]
        return sorted(str(path.relative_to(self.root)) for path in found)

    def git(self, *arguments: str) -> Done:
        """Run git here with an identity of its own."""
        identity = ("-c", "user.name=tester", "-c", "user.email=tester@example.invalid")
        return run(["git", *identity, *arguments], self.root)

    def pytest(
        self, *arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> Done:
        """Run pytest here in a process of its own."""
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
        return run(command, cwd or self.root, clean_environment(**(env or {})))

    def python(self, *arguments: str, **env: str) -> Done:
        """Run the interpreter here."""
        return python(*arguments, cwd=self.root, **env)

    def epm(
        self, *arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> Done:
        """Run the `epm` command here."""
        return python("-m", "pytest_epm.cli", *arguments, cwd=cwd or self.root, **(env or {}))


def cache_of(source: Path, optimize: str = "") -> Path:
    """Return where the interpreter keeps the bytecode of a source."""
    return Path(importlib.util.cache_from_source(str(source), optimization=optimize))


GREEN_ON_OLD_CODE = """
def test_value():
    import mod
    assert mod.VALUE == "old"
"""


def incident(project: Project) -> Project:
    """Put the first incident into a project: stale `mod` and a test that is green only on it."""
    project.stale("mod.py")
    project.put("test_mod.py", GREEN_ON_OLD_CODE)
    return project
