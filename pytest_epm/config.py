"""Settings: the one table of options, and `[tool.epm]` or `epm.toml` read into frozen values.

Precedence: flag, then environment, then pytest's ini, then the settings file.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pytest_epm.errors import ConfigError
from pytest_epm.files import read_regular

_MOST = 1 << 22  # bytes of a settings file


class Option(NamedTuple):
    """One setting, under each name a user can give it by.

    name: key in `[tool.epm]` and attribute of Settings. An empty flag, ini, env or file means
    that it cannot be given in that way. takes: a word for its value; nothing for a switch.
    choices: all its values; none where any will do. many: whether it takes several.
    help: one sentence, used in `--help`, in pytest's ini help and in the docs.
    """

    name: str
    help: str
    flag: str = ""
    ini: str = ""
    env: str = ""
    choices: tuple[str, ...] = ()
    takes: str = ""
    many: bool = False
    file: bool = True

    def pick(self, flag: str | None, environ: Mapping[str, str], ini: str, file: str) -> str:
        """Return the first value given, in order of precedence, or an empty string."""
        given = (
            (flag or "", self.flag),
            (environ.get(self.env, "") if self.env else "", f"environment variable {self.env}"),
            (ini, f"ini {self.ini}"),
            (file, f"[tool.epm] {self.name}"),
        )
        value, source = next(((v, s) for v, s in given if v), ("", ""))
        if value and self.choices and value not in self.choices:
            raise ConfigError(
                f"{source} is {value!r}, which is none of {', '.join(self.choices)}",
                next_step=f"set it to one of {', '.join(self.choices)}",
            )
        return value


BYTECODE = Option(
    name="bytecode",
    flag="--epm-bytecode",
    ini="epm_bytecode",
    env="EPM_BYTECODE",
    choices=("purge", "audit", "off"),
    takes="MODE",
    help="What to do about cached bytecode before anything of the project is imported: "
    "purge removes it and keeps children from writing any, audit removes nothing and fails "
    "on what is stale, off does neither. Default: purge with -p epm, else off.",
)

REAL_ARMS = Option(
    name="real_arms",
    flag="--real-arms",
    file=False,
    help="Fail unless the real computation of every planned arm ran, and nothing stood in for it. "
    "Purges bytecode first, as -p epm does.",
)
PLAN = Option(
    name="plan",
    flag="--epm-plan",
    ini="epm_plan",
    env="EPM_PLAN",
    takes="FILE",
    help="With --real-arms: the Markdown file whose table under the heading Arms names the arms, "
    "from the rootdir. Without one every mock-only branch of the session counts.",
)
REPORT = Option(
    name="report",
    flag="--epm-report",
    takes="FILE",
    many=True,
    file=False,
    help="With --real-arms: write the report to this file too, as its ending says: .json or .md. "
    "May be given several times.",
)
BASE = Option(
    name="base",
    flag="--epm-base",
    takes="REF",
    file=False,
    help="With --real-arms: judge branches and imports only in files that changed since the merge "
    "base with this revision.",
)
EDGES = Option(
    name="edges",
    ini="epm_edges",
    takes="GLOB",
    many=True,
    help="With --real-arms: names that tests may substitute in every arm, such as requests.*.",
)
FLAG_WORDS = Option(
    name="flag_words",
    ini="epm_flag_words",
    takes="WORD",
    many=True,
    help="With --real-arms: further words for flags that choose a mock, such as rehearsal.",
)

OPTIONS = (BYTECODE, REAL_ARMS, PLAN, REPORT, BASE, EDGES, FLAG_WORDS)


# Tables of the settings file that a capability reads by itself.
TABLES = ("lint",)


class Found(NamedTuple):
    """A table of the settings file. text: the whole file. prefix: names that lead to the table."""

    path: str
    text: str
    table: Any
    prefix: tuple[str, ...]


_LISTS = frozenset(option.name for option in OPTIONS if option.many and option.file)


class Settings(NamedTuple):
    """What the settings file says; empty where it is silent."""

    bytecode: str = ""
    plan: str = ""
    edges: tuple[str, ...] = ()
    flag_words: tuple[str, ...] = ()


def load(start: Path) -> Settings:
    """Read the nearest settings file at or above `start`, no higher than the git top.

    Raises ConfigError with path and line for a file that cannot be read, an unknown
    key, a wrong type, or two files that both claim to be the settings.
    """
    for folder in _folders(start):
        found = [(path, text) for path, text in _candidates(folder) if text]
        if len(found) > 1:
            raise ConfigError(
                f"both epm.toml and [tool.epm] in {found[1][0]} hold settings",
                where=str(found[0][0]),
                next_step="keep one of the two",
            )
        if found:
            return _parsed(*found[0])
    return Settings()


def table(start: Path, name: str) -> Found | None:
    """Return a capability's own table of the nearest settings file, or None without one.

    Raises ConfigError as `load` does; whether the table is one, its reader judges.
    """
    load(start)  # two files, or a broken one, are refused there
    for folder in _folders(start):
        for path, text in _candidates(folder):
            if not text:
                continue
            whole = _toml(path, text)
            own = whole if path.name == "epm.toml" else whole["tool"]["epm"]
            prefix = (name,) if path.name == "epm.toml" else ("tool", "epm", name)
            return Found(str(path), text, own[name], prefix) if name in own else None
    return None


def holds_settings(pyproject: Path) -> bool:
    """Whether a pyproject.toml has a table [tool.epm]. Raises ConfigError for a broken one."""
    return any(path == pyproject and text for path, text in _candidates(pyproject.parent))


def read_table(path: Path) -> Found:
    """Return a file whose top level is a capability's table. Raises ConfigError."""
    try:
        raw = read_regular(os.fspath(path), _MOST)[0]
    except OSError as error:
        why = error.strerror or str(error)
        raise ConfigError(f"cannot be read: {why}", where=str(path)) from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"not UTF-8 at byte {error.start}", where=str(path)) from error
    return Found(str(path), text, _toml(path, text), ())


def _folders(start: Path) -> list[Path]:
    """Return `start` and what lies above it, up to the git top; without one, `start` alone."""
    folders = [start, *start.parents]
    tops = [index for index, folder in enumerate(folders) if (folder / ".git").exists()]
    return folders[: tops[0] + 1] if tops else [start]


def _candidates(folder: Path) -> Iterable[tuple[Path, str]]:
    yield (folder / "epm.toml", _text(folder / "epm.toml"))
    pyproject = _text(folder / "pyproject.toml")
    if "epm" in pyproject:  # most projects have no such table: look before parsing
        table = _toml(folder / "pyproject.toml", pyproject).get("tool", {})
        if isinstance(table, dict) and "epm" in table:
            yield (folder / "pyproject.toml", pyproject)


def _text(path: Path) -> str:
    try:
        return read_regular(os.fspath(path), _MOST)[0].decode("utf-8")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return ""
    except UnicodeDecodeError as error:
        raise ConfigError(f"not UTF-8 at byte {error.start}", where=str(path)) from error
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from error


def _toml(path: Path, text: str) -> dict[str, Any]:
    import tomllib  # a plain run without settings has no use for it

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        where = f"{path}:{found[1]}" if found else str(path)
        raise ConfigError(f"not valid TOML: {error}", where=where) from error
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"not TOML that can be read: {error}", where=str(path)) from error


def _parsed(path: Path, text: str) -> Settings:
    whole = _toml(path, text)
    table = whole if path.name == "epm.toml" else whole["tool"]["epm"]
    if not isinstance(table, dict):
        raise ConfigError("[tool.epm] is no table", where=f"{path}:{_line(text, 'epm')}")
    known = set(Settings._fields)
    for key, value in table.items():
        if key in TABLES:
            continue
        where = f"{path}:{_line(text, key)}"
        if key not in known:
            raise _unknown(key, known, where)
        kind = "a list of strings" if key in _LISTS else "a string"
        words = value if key in _LISTS else [value]
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ConfigError(f"{key} takes {kind}, not {value!r}", where)
    try:
        BYTECODE.pick(None, {}, "", table.get(BYTECODE.name, ""))
    except ConfigError as error:
        where = f"{path}:{_line(text, BYTECODE.name)}"
        raise ConfigError(error.what, where, error.next_step) from None
    own = {k: v for k, v in table.items() if k not in TABLES}
    taken: dict[str, Any] = {k: tuple(v) if k in _LISTS else v for k, v in own.items()}
    return Settings(**taken)


def _unknown(key: str, known: set[str], where: str) -> ConfigError:
    import difflib  # a plain run has no use for it

    near = difflib.get_close_matches(key, known, 1)
    step = f"write {near[0]!r}" if near else "remove it"
    return ConfigError(f"unknown key {key!r}; known: {', '.join(sorted(known))}", where, step)


def _line(text: str, key: str) -> int:
    """Return the line that sets `key`, for a message; 1 where it is spelled in an unusual way."""
    pattern = re.compile(rf"^\s*(?:\[?[\w.\s\"']*\.)?[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    lines = text.split("\n")
    return next((n for n, line in enumerate(lines, 1) if pattern.match(line)), 1)
