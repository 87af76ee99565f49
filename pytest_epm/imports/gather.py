"""Look at a project on disk: its Python files, what it declares, where its packages lie."""

import configparser
import os
import tokenize
import tomllib
from collections.abc import Iterable, Iterator, Mapping

from pytest_epm import git
from pytest_epm.errors import EpmError, GitError
from pytest_epm.imports.layout import Ground

# Not a project's own code; environments are told by what they hold.
_SKIP = frozenset(
    {"node_modules", "__pycache__", "site-packages", "dist-packages", "__pypackages__"}
)
_DECLARE = ("pyproject.toml", "setup.cfg", "requirements.txt")
_INIS = (
    ("pytest.ini", "pytest"),
    (".pytest.ini", "pytest"),
    ("tox.ini", "pytest"),
    ("setup.cfg", "tool:pytest"),
)
_PROJECT_FILES = (*_DECLARE, "setup.py", "pytest.ini", "tox.ini", "epm.toml", ".git")
_SOURCES = ("src", "lib")


def project_root(start: str) -> str:
    """Return the nearest folder at or above `start` that is the top of a project."""
    folder = os.path.abspath(start)
    while not any(os.path.lexists(os.path.join(folder, name)) for name in _PROJECT_FILES):
        above = os.path.dirname(folder)
        if above == folder:
            return os.path.abspath(start)
        folder = above
    return folder


def is_home(folder: str) -> bool:
    """Whether a folder is this user's home, or holds it."""
    home, real = os.path.realpath(os.path.expanduser("~")), os.path.realpath(folder)
    return home == real or home.startswith(real.rstrip(os.sep) + os.sep)


def python_files(root: str) -> list[str]:
    """Return the project's Python files; of a git repository, those git tracks or would take."""
    try:
        found = git.files(root, (".py",)) if git.top(root) else frozenset()
    except GitError:
        found = frozenset()
    # A folder that git ignores is a project of its own.
    return sorted(path for path in found or _walked(root) if os.path.isfile(path))


def changed(root: str, base: str) -> frozenset[str]:
    """Return what differs from the merge base with `base`. Raises EpmError outside of git."""
    top = git.top(root)
    if not top:
        raise EpmError("no git repository, so there is no base", root, "leave --base out")
    return git.changed(top, base)


def _walked(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not _is_foreign(os.path.join(folder, name))]
        yield from (os.path.join(folder, name) for name in names if name.endswith(".py"))


def _is_foreign(folder: str) -> bool:
    name = os.path.basename(folder)
    return (
        name in _SKIP
        or name.startswith(".")
        or any(os.path.lexists(os.path.join(folder, sign)) for sign in ("pyvenv.cfg", "conda-meta"))
    )


def text_of(path: str) -> str:
    """Return a source as the interpreter decodes it. Raises OSError, SyntaxError, ValueError."""
    with tokenize.open(path) as file:
        return file.read()


def declaring(root: str) -> list[tuple[str, str]]:
    """Return names and texts of the files in which a project says what it needs."""
    return [(name, _read(os.path.join(root, name))) for name in _DECLARE]


def ground(root: str, files: Iterable[str], given: Iterable[str] | None = None) -> Ground:
    """Return the project's folders. given: pytest's `pythonpath`, else its ini file is read."""
    paths = _ini_paths(root) if given is None else list(given)
    extra = tuple(os.path.normpath(os.path.join(root, path)) for path in paths)
    sources = [os.path.join(root, name) for name in _SOURCES]
    lie = [root, *(folder for folder in sources if os.path.isdir(folder) and not _has_init(folder))]
    shared = dict.fromkeys((*extra, *lie))
    return Ground(root, _packages(files), extra, tuple(shared))


def _packages(files: Iterable[str]) -> frozenset[str]:
    found: dict[str, bool] = {}
    for file in files:
        folder = os.path.dirname(file)
        while folder not in found:
            found[folder] = _has_init(folder)
            folder = os.path.dirname(folder) if found[folder] else folder
    return frozenset(folder for folder, is_package in found.items() if is_package)


def _has_init(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "__init__.py"))


def _ini_paths(root: str) -> list[str]:
    for name, section in _INIS[:2]:
        if os.path.isfile(os.path.join(root, name)):
            return _of_ini(os.path.join(root, name), section)
    try:
        table = tomllib.loads(_read(os.path.join(root, "pyproject.toml")))
        found = table["tool"]["pytest"]["ini_options"]["pythonpath"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        inis = (_of_ini(os.path.join(root, name), section) for name, section in _INIS[2:])
        return next(filter(None, inis), [])
    return found.split() if isinstance(found, str) else [str(path) for path in found]


def _of_ini(path: str, section: str) -> list[str]:
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(_read(path))
    except configparser.Error:
        return []
    return parser.get(section, "pythonpath", fallback="").split()


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def child_environment(environ: Mapping[str, str], temporary: str) -> dict[str, str]:
    """Return what the importing child sees: paths made absolute, no bytecode written."""
    kept = {name: value for name, value in environ.items() if name not in _LOUD}
    if kept.get("PYTHONPATH"):
        parts = kept["PYTHONPATH"].split(os.pathsep)
        kept["PYTHONPATH"] = os.pathsep.join(os.path.abspath(part) for part in parts)
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **dict.fromkeys(_TEMPORARY, temporary)}


_TEMPORARY = ("TMPDIR", "TEMP", "TMP")
# These change what an import says, or keep the child from ending.
_LOUD = frozenset({"PYTHONWARNINGS", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONVERBOSE"})
