"""How a file is imported: as which module, and with what first on the path. Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from os import sep
from os.path import basename, dirname, join, splitext

from pytest_epm.imports.collect import Source

_TEST = re.compile(r"(test_.*|.*_test|conftest)\.py\Z")
_MAIN = re.compile(r"^if\s+__name__\s*==\s*['\"]__main__['\"]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ground:
    """The folders of a project.

    root: its top. packages: folders with an `__init__.py`. given: what pytest's ini puts on the
    path. shared: that, and where the project's packages lie.
    """

    root: str
    packages: Collection[str]
    given: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Placement:
    """A file as a module. path: what stands first on sys.path when it is imported or run."""

    source: Source
    path: tuple[str, ...]


def place(file: str, text: str, ground: Ground) -> Placement:
    """Return how an absolute `file` is imported; relative to the root in `source`."""
    folder, shown = dirname(file), _below(file, ground.root)
    stem = splitext(basename(file))[0]
    words: list[str] = []
    while folder in ground.packages and basename(folder).isidentifier():
        words.insert(0, basename(folder))
        folder = dirname(folder)
    if words:
        package = ".".join(words)
        return Placement(
            Source(shown, package, _named(package, stem)), _path(folder, ground.shared)
        )
    if is_script(basename(file), text):
        return Placement(Source(shown), _path(folder, ground.given))
    # Without `__init__.py` it may still be imported by way of the folders above it.
    above = _namespace(folder, ground)
    return Placement(Source(shown, above, _named("", stem)), _path(folder, ground.shared))


def is_script(name: str, text: str) -> bool:
    """Whether a file outside of packages is run by its path, and finds only what lies beside it.

    One that changes sys.path by itself finds more, and pytest finds more for a test file.
    """
    if _TEST.match(name) or "sys.path" in text:
        return False
    return text.startswith("#!") or _MAIN.search(text) is not None


def tops(placements: Sequence[Placement]) -> frozenset[str]:
    """Return the top names by which a project's own modules are imported."""
    found = set()
    for placement in placements:
        source = placement.source
        stem = splitext(basename(source.file))[0]
        found |= {source.package.partition(".")[0], source.module.partition(".")[0]}
        if not source.package:
            found.add(stem)
    return frozenset(found - {"", "__init__", "__main__"})


def _named(package: str, stem: str) -> str:
    if stem == "__main__" or not stem.isidentifier():
        return ""
    return package if stem == "__init__" else f"{package}.{stem}".lstrip(".")


def _path(first: str, more: tuple[str, ...]) -> tuple[str, ...]:
    return (first, *(folder for folder in more if folder != first))


def _namespace(folder: str, ground: Ground) -> str:
    bases = sorted((b for b in ground.shared if folder.startswith(join(b, ""))), key=len)
    words = folder[len(bases[-1]) :].strip(sep).split(sep) if bases else []
    return ".".join(words) if all(word.isidentifier() for word in words) else ""


def _below(file: str, root: str) -> str:
    return file.removeprefix(join(root, ""))
