"""Look at the repository on disk: its files, the specs among them, what is around."""

import os
import posixpath
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pytest_epm import git
from pytest_epm.errors import EpmError
from pytest_epm.files import read_regular
from pytest_epm.specs import globs
from pytest_epm.specs.kinds import kind_of, specs
from pytest_epm.specs.model import Ground, Project, Spec
from pytest_epm.specs.settings import Entry, Settings

MOST = 1 << 26  # bytes of a spec
_LINK, _SUBMODULE = "120000", "160000"
_FOREIGN = frozenset({"node_modules", "__pycache__", ".git", ".hg", ".svn", ".tox", ".nox"})
GATES = (
    ".github/workflows/*.yml",
    ".github/workflows/*.yaml",
    ".github/actions/**/*.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "azure-pipelines.yml",
    ".ci/*",
    "Makefile",
    "**/Makefile",
    "**/*.mk",
    "justfile",
    "Justfile",
    "tox.ini",
    "noxfile.py",
    "**/*.sh",
    "scripts/**/*.py",
    ".pre-commit-config.yaml",
    ".claude/settings.json",
    ".claude/hooks/**",
)
_INIS = (
    ("pytest.ini", "pytest"),
    (".pytest.ini", "pytest"),
    ("tox.ini", "pytest"),
    ("setup.cfg", "tool:pytest"),
)


class Files(NamedTuple):
    """What is below a top folder. tracked: with git's mode; outside git everything on disk."""

    top: str
    tracked: Mapping[str, str]
    untracked: frozenset[str]
    in_git: bool


def files_below(top: str) -> Files:
    """List a repository by git, or any other folder by a walk. Raises GitError."""
    if git.top(top):
        listing = git.listing(top)
        untracked = frozenset(p for p in listing.untracked if not p.endswith("/"))
        return Files(top, listing.tracked, untracked, in_git=True)
    return Files(top, dict.fromkeys(_walked(top), ""), frozenset(), in_git=False)


def _walked(top: str) -> Iterator[str]:
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(
            name
            for name in folders
            if name not in _FOREIGN
            and not os.path.lexists(os.path.join(folder, name, "pyvenv.cfg"))
        )
        below = os.path.relpath(folder, top).replace(os.sep, "/")
        for name in names:
            yield name if below == "." else f"{below}/{name}"


def project(files: Files, settings: Settings, more: Iterable[str] = (), *, gates: bool) -> Project:
    """Read the specs, and what the settings name besides. more: further paths to read as specs.

    gates: whether scripts and CI files are wanted. Raises EpmError for a file that cannot be read.
    """
    names = [*files.tracked, *files.untracked]
    listed = set(specs(names, settings)) | set(more)
    named = [
        *(entry for vocabulary in settings.vocabularies for entry in vocabulary.entries),
        *(entry for duty in settings.duties for entry in duty.files),
        *(entry for entry, _ in settings.size.ratchet),
    ]
    wanted = listed | set(_meant(named, names))
    reader = _Reader(files)
    read = (reader.spec(path, listed=path in listed) for path in sorted(wanted))
    found = tuple(spec for spec in read if spec is not None)
    reader.known.update({spec.path: spec for spec in found})
    return Project(found, settings, _ground(files, settings, reader, gates=gates))


def _meant(entries: Iterable[Entry], names: list[str]) -> Iterator[str]:
    wanted = {entry.glob for entry in entries}
    if wanted:
        yield from (name for name in names if globs.any_matches(wanted, name))


class _Reader:
    """Reads files once. A link is read where it leads to, if that is no spec of its own."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.known: dict[str, Spec | None] = {}
        self.reals: set[str] = set()

    def spec(self, path: str, *, listed: bool) -> Spec | None:
        raw = self.raw(path, is_spec=True)
        return None if raw is None else Spec(path, raw, kind_of(path), listed=listed)

    def other(self, path: str) -> Spec | None:
        """Return a file that a spec refers to, or None where it cannot be read."""
        if path not in self.known:
            try:
                raw = None if path.startswith("../") else self.raw(path, is_spec=False)
            except EpmError:
                raw = None
            self.known[path] = None if raw is None else Spec(path, raw, kind_of(path), listed=False)
        return self.known[path]

    def raw(self, path: str, *, is_spec: bool) -> bytes | None:
        whole = os.path.join(self.files.top, path)
        real = os.path.realpath(whole)
        if real != whole:
            top = os.path.realpath(self.files.top)
            inside = real.startswith(top + os.sep)
            is_link = os.path.islink(whole)
            if not inside or (is_link and is_spec and self.is_known(os.path.relpath(real, top))):
                return None
        try:
            return read_regular(whole, MOST)[0]
        except FileNotFoundError:
            return None  # deleted, and not yet staged so
        except OSError as error:
            if os.path.isdir(whole):
                return None
            raise EpmError(f"cannot be read: {error.strerror or error}", path) from error

    def is_known(self, path: str) -> bool:
        path = path.replace(os.sep, "/")
        return path in self.files.tracked or path in self.files.untracked


def _ground(files: Files, settings: Settings, reader: _Reader, *, gates: bool) -> Ground:
    opaque = {
        path: _target(files.top, path) if mode == _LINK else ""
        for path, mode in files.tracked.items()
        if mode in (_LINK, _SUBMODULE)
    }
    scripts = tuple(_scripts(files, settings)) if gates else ()
    return Ground(
        frozenset(files.tracked),
        opaque,
        files.untracked,
        files.in_git,
        frozenset(_folders(files.tracked)),
        git.committed_folders(files.top) if files.in_git else frozenset(),
        scripts,
        _addopts(files.top) if gates else "",
        lambda paths: git.ignored(files.top, _inside(paths)) if files.in_git else frozenset(),
        reader.other,
    )


def _inside(paths: Iterable[str]) -> list[str]:
    return [path for path in paths if not path.startswith(("../", "/")) and path not in ("", "..")]


def _target(top: str, path: str) -> str:
    try:
        return os.readlink(os.path.join(top, path))
    except OSError:
        return ""


def _folders(paths: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for path in paths:
        folder = posixpath.dirname(path)
        while folder and folder not in seen:
            seen.add(folder)
            yield folder
            folder = posixpath.dirname(folder)


def _scripts(files: Files, settings: Settings) -> Iterator[tuple[str, str]]:
    wanted = [entry.glob for entry in settings.gates] or list(GATES)
    for path in sorted((*files.tracked, *files.untracked)):
        if globs.any_matches(wanted, path) and not path.endswith(".md"):
            try:
                raw = read_regular(os.path.join(files.top, path), MOST)[0]
            except OSError:
                continue  # a folder, a pipe, or gone since
            if b"pytest" in raw or b"py.test" in raw:
                yield path, raw.decode("utf-8", "replace").replace("\r\n", "\n")


def _addopts(top: str) -> str:
    """Return pytest's addopts of the repository's top, from the file that pytest would take."""
    for name, section in _INIS[:2]:
        if os.path.isfile(os.path.join(top, name)):
            return _of_ini(os.path.join(top, name), section)
    try:
        with open(os.path.join(top, "pyproject.toml"), "rb") as file:
            found = tomllib.load(file)["tool"]["pytest"]["ini_options"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return next(filter(None, (_of_ini(os.path.join(top, n), s) for n, s in _INIS[2:])), "")
    words = found.get("addopts", "") if isinstance(found, dict) else ""
    mode = f" --epm-bytecode={found.get('epm_bytecode')}" if "epm_bytecode" in found else ""
    return (" ".join(map(str, words)) if isinstance(words, list) else str(words)) + mode


def _of_ini(path: str, section: str) -> str:
    import configparser

    parser = configparser.RawConfigParser()
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            parser.read_string(file.read())
    except (OSError, configparser.Error):
        return ""
    words = " ".join(parser.get(section, "addopts", fallback="").split())
    mode = parser.get(section, "epm_bytecode", fallback="")
    return f"{words} --epm-bytecode={mode}" if mode else words


def top_of(start: str) -> str:
    """Return the folder whose files are linted: the git top, else `start` itself."""
    return git.top(start) or os.path.abspath(start)
