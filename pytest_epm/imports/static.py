"""What a source offers, as far as its text tells. Pure; for modules that cannot be run here."""

import ast
from collections.abc import Iterator

from pytest_epm.syntax import nodes

# With one of these a module may offer what its text does not bind.
_MAKERS = frozenset({"*", "__getattr__", "globals", "vars", "exec", "setattr"})


def offers(text: str) -> tuple[tuple[str, str], ...] | None:
    """Return the names that a source binds, with their kinds; None if it may offer others."""
    tree = _parsed(text)
    found = dict(_bound(tree)) if tree else {}
    return tuple(found.items()) if tree and not _MAKERS & set(found) else None


def made_later(text: str, name: str) -> bool:
    """Whether a function of the module gives it this name when it is called."""
    tree = _parsed(text)
    return tree is not None and any(
        isinstance(node, ast.Global) and name in node.names for node in nodes(tree)
    )


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _bound(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names of all scopes: one too many costs less than one too few."""
    for node in nodes(tree):
        match node:
            case ast.Name(id=name):
                if isinstance(node.ctx, ast.Store) or name in _MAKERS:
                    yield name, "value"
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name, "function"
            case ast.ClassDef():
                yield node.name, "class"
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    yield alias.asname or alias.name.partition(".")[0], "value"
            case ast.Global():
                yield from ((name, "value") for name in node.names)
