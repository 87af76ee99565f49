"""Ask this machine and this interpreter which folders code may be imported from."""

import os
import site
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from pytest_epm.bytecode import skips
from pytest_epm.bytecode.roots import Candidate, Machine, Origin, Within, below
from pytest_epm.files import read_regular

_EFFECTIVE = os.access in os.supports_effective_ids
_MOST_OF_A_RECORD = 1 << 20
_Path = str | os.PathLike[str]

# A folder with one of these is where a project begins.
_PROJECT_FILES = (
    "pyproject.toml",
    "epm.toml",
    "pytest.ini",
    "tox.ini",
    "setup.cfg",
    "setup.py",
    ".git",
)


def machine(environ: Mapping[str, str]) -> Machine:
    """Return what of this machine no root may be or hold."""
    base = os.path.realpath(sys.base_prefix)
    held = {base, os.path.realpath(os.path.dirname(os.__file__))}
    if sys.executable:
        held.add(os.path.realpath(sys.executable))
    # An environment made with copies holds its own executable; the walk does not enter it.
    if sys.prefix != sys.base_prefix:
        held = {path for path in held if not below(path, os.path.realpath(sys.prefix))}
    environment = base if os.path.isdir(os.path.join(base, "conda-meta")) else ""
    named = [environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")]
    temporary = {os.path.realpath(path) for path in (*named, "/tmp", "/var/tmp") if path}  # noqa: S108 - never written to
    return Machine(_homes(environ), frozenset(held), environment, _account(), frozenset(temporary))


def _homes(environ: Mapping[str, str]) -> frozenset[str]:
    named = {environ.get(name, "") for name in ("HOME", "USERPROFILE")} - {""}
    homes = {os.path.realpath(home) for home in named if os.path.isabs(home)}
    # pytest's own `pytester` makes the folder of a test its home, beside this one.
    throwaway = environ.get("PYTEST_DEBUG_TEMPROOT", "")
    if throwaway:
        beside = os.path.dirname(os.path.realpath(throwaway))
        homes = {home for home in homes if os.path.dirname(home) != beside}
    return frozenset(homes)


def _account() -> str:
    try:
        import pwd

        home = pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError, AttributeError):  # no such database, or no such user in it
        return ""
    return os.path.realpath(home) if os.path.isabs(home) and len(home) > 1 else ""


def for_run(rootdir: _Path, invocation: _Path, pythonpath: Iterable[_Path]) -> list[Candidate]:
    """Return the folders that a pytest run imports project code from."""
    named = [(os.fspath(rootdir), Origin.ROOTDIR), (os.fspath(invocation), Origin.INVOCATION)]
    named += [(os.fspath(path), Origin.PYTHONPATH) for path in pythonpath]
    return _candidates([*named, *_on_the_path(sys.path)])


def for_shell(paths: Iterable[str]) -> list[Candidate]:
    """Return the folders named at a shell; without any, those of the project around us."""
    given = [(path, Origin.ARGUMENT) for path in paths]
    if given:
        return _candidates(given)
    here = os.getcwd()
    top = project_top(here, _homes(os.environ) | {_account()})
    named = [(top, Origin.PROJECT), (here, Origin.INVOCATION)]
    return _candidates([*named, *_on_the_path(sys.path)])


def for_arguments(arguments: Iterable[str], invocation: _Path) -> list[Candidate]:
    """Return where pytest will put the folders of these test arguments on the path from."""
    named = []
    for argument in arguments:
        path = os.path.join(invocation, argument.split("::", 1)[0])
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        while os.path.isfile(os.path.join(folder, "__init__.py")):
            folder = os.path.dirname(folder)
        named.append((folder, Origin.TESTS))
    return _candidates(named)


def project_top(start: str, homes: Collection[str] = ()) -> str:
    """Return the git top at or above `start`, else the nearest folder with a project file.

    homes: real paths at which to stop, as they are no project, even one that keeps its
    settings in git.
    """
    folders = [start]
    while (above := os.path.dirname(folders[-1])) != folders[-1] and above not in homes:
        folders.append(above)
    for wanted in ((".git",), _PROJECT_FILES):
        for folder in folders:
            if any(os.path.lexists(os.path.join(folder, name)) for name in wanted):
                return folder
    return start


def _on_the_path(entries: Iterable[str]) -> Iterator[tuple[str, Origin]]:
    entries = [entry or os.getcwd() for entry in entries]
    commands = os.path.dirname(sys.executable or "")
    installed = [*site.getsitepackages(), _user_site()]
    own = {os.path.realpath(path) for path in (sys.prefix, commands, *installed) if path}
    for entry in entries:
        if os.path.realpath(entry) not in own:
            yield entry, Origin.SYS_PATH
    # Only where installers put their records: a project may hold files of the same name.
    for folder in {os.path.realpath(path) for path in installed if path}:
        for project in _editable(folder):
            yield project, Origin.EDITABLE


def _user_site() -> str:
    return site.getusersitepackages() if site.ENABLE_USER_SITE else ""


def _editable(folder: str) -> Iterator[str]:
    """Yield projects installed in editable mode into `folder`. Source: PEP 610."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".dist-info")]
    except OSError:
        return
    for name in names:
        path = _recorded(os.path.join(folder, name, "direct_url.json"))
        if path:
            yield path


def _recorded(file: str) -> str:
    """Return the project that a record names as installed in editable mode, or nothing."""
    try:
        text, _ = read_regular(file, _MOST_OF_A_RECORD)
    except OSError:
        return ""  # most packages come from a registry and have no such record
    import json
    from urllib.parse import unquote, urlsplit

    try:
        content = json.loads(text)
        url = urlsplit(content["url"])
        editable = content["dir_info"]["editable"] is True and url.scheme == "file"
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ""  # not of the form that the standard gives: no editable install
    path = unquote(url.path) if editable else ""
    if "\0" in path or not path.isprintable():
        return ""
    return path.lstrip("/") if os.name == "nt" else path


def _candidates(named: Iterable[tuple[str, Origin]]) -> list[Candidate]:
    return [
        Candidate(
            path,
            os.path.abspath(spelled),
            origin,
            _within(path),
            os.access(path, os.W_OK, effective_ids=_EFFECTIVE),
        )
        for spelled, origin in named
        if os.path.isdir(path := os.path.realpath(spelled))
    ]


def _within(path: str) -> Within:
    return Within.HOME_OF_INTERPRETER if skips.holds_interpreter(path) else _inside(path)


def _inside(folder: str) -> Within:
    """Return what the nearest telling folder at or above `folder` says."""
    while True:
        found = _is_itself(folder)
        above = os.path.dirname(folder)
        if found is not Within.PROJECT or above == folder:
            return found
        folder = above


@cache
def _is_itself(folder: str) -> Within:
    if os.path.basename(folder) in skips.INSTALLED:
        return Within.INSTALLED
    return Within.INTERPRETER if skips.is_library(folder) else Within.PROJECT


def is_installed(folder: str) -> bool:
    """Whether `folder` lies among installed packages or in an interpreter's library."""
    return _inside(folder) is not Within.PROJECT


def is_beside(runner: str, folder: str) -> bool:
    """Whether `folder` is or lies in the one that pytest was installed into.

    With `pip install --target` that is a folder of any name; it holds pytest's metadata,
    which an editable install keeps elsewhere.
    """
    return (folder == runner or below(folder, runner)) and _holds_metadata(runner)


@cache
def _holds_metadata(folder: str) -> bool:
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    return any(name.startswith("pytest-") and name.endswith(".dist-info") for name in names)
