"""Conditions that decide whether an import is tried at all. Pure: it looks at syntax only."""

import ast
import re
from collections.abc import Iterable, Iterator
from enum import Enum

from pytest_epm.syntax import nodes


class Side(Enum):
    """Which side of an `if` is left out."""

    NONE = ""
    BODY = "body"
    ELSE = "else"
    BOTH = "both"


IMPORT, BROAD = "import", "broad"

_TYPING = "TYPE_CHECKING"
# Facts of the machine: the side for another one cannot be tried here.
_PLATFORM = frozenset(
    {"sys.platform", "os.name", "sys.version_info", "sys.hexversion", "sys.implementation"}
)
_PLATFORM_CALLS = re.compile(r"platform\.(system|machine|python_implementation|python_version)\Z")
_PLATFORM_WORDS = frozenset(
    {"win32", "cygwin", "darwin", "macos", "osx", "posix", "pypy", "jython", "py2", "py3"}
)
# These mean other things as well, unless the name asks: IS_WIN, on_linux, WINDOWS.
_PERHAPS_PLATFORM = frozenset({"windows", "win", "mac", "linux"})
_ASKING = frozenset({"is", "on", "running"})
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_BROAD_ERRORS = frozenset({"Exception", "BaseException"})
_EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def left_out(test: ast.expr) -> Side:
    """Return which side is not tried: for the type checker, a machine, or another version."""
    if any(map(_of_platform, nodes(test))) or _of_version(test):
        return Side.BOTH
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    if any(dotted(node).rpartition(".")[2] == _TYPING for node in nodes(test)):
        return Side.ELSE if negated else Side.BODY
    return Side.NONE


def _of_platform(node: ast.AST) -> bool:
    whole = dotted(node)
    if whole in _PLATFORM or _PLATFORM_CALLS.match(whole):
        return True
    name = whole.rpartition(".")[2]
    words = set(name.lower().split("_"))
    asks = name.isupper() or bool(words & _ASKING)
    return bool(words & _PLATFORM_WORDS) or (asks and bool(words & _PERHAPS_PLATFORM))


def _of_version(test: ast.expr) -> bool:
    """Whether a version is compared: what the other one lacks is no fault."""
    versions = any("version" in dotted(node).lower() for node in nodes(test))
    return versions and any(isinstance(node, ast.Compare) for node in nodes(test))


def exits(block: Iterable[ast.stmt]) -> bool:
    """Whether this block leaves the one around it at its end."""
    last = list(block)[-1:]
    return bool(last) and isinstance(last[0], _EXITS)


def caught(handlers: Iterable[ast.ExceptHandler]) -> str:
    """Return how the handlers of a `try` catch a failing import: IMPORT, BROAD or not at all."""
    kinds = {handled(handler) for handler in handlers}
    return next((kind for kind in (IMPORT, BROAD) if kind in kinds), "")


def handled(handler: ast.ExceptHandler) -> str:
    """Return how one handler does."""
    names = set(_names(handler.type)) if handler.type else set(_BROAD_ERRORS)
    return IMPORT if names & _IMPORT_ERRORS else BROAD if names & _BROAD_ERRORS else ""


def catches(handlers: Iterable[ast.ExceptHandler], error: str) -> bool:
    """Whether one of the handlers names this very error."""
    return any(error in _names(handler.type) for handler in handlers if handler.type)


def suppressed(item: ast.expr) -> str:
    """Return the same for `with suppress(...)`."""
    if not isinstance(item, ast.Call) or dotted(item.func).rpartition(".")[2] != "suppress":
        return ""
    names = {name for argument in item.args for name in _names(argument)}
    return IMPORT if names & _IMPORT_ERRORS else BROAD if names & _BROAD_ERRORS else ""


def awaits_failure(item: ast.expr) -> bool:
    """Whether this context manager is there for an error to be raised, as `pytest.raises`."""
    if not isinstance(item, ast.Call):
        return False
    return dotted(item.func).rpartition(".")[2] in {"raises", "assertRaises", "assertRaisesRegex"}


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` for a name or a chain of attributes of one, else an empty string."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(words)])


def _names(node: ast.expr) -> Iterator[str]:
    elements = node.elts if isinstance(node, ast.Tuple) else [node]
    for element in elements:
        yield dotted(element).rpartition(".")[2]
