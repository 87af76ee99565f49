"""A source of the project, read: its tree, its guards, its functions and calls. Pure."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pytest_epm.arms.guards import Guard
from pytest_epm.arms.handlers import Aliases, aliases
from pytest_epm.arms.resolve import dotted_name
from pytest_epm.arms.scopes import Definition, definition
from pytest_epm.syntax import nodes

# First and last line, first and last column, as code objects and trees have them.
Position = tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True)
class Text:
    """A source, read. defs: its functions, by first line, decorators included, and name."""

    path: str
    tree: ast.Module
    guards: tuple[Guard, ...]

    @property
    def defs(self) -> Mapping[tuple[int, str], Definition]:
        """Return functions and lambdas."""
        return self._held.defs

    @property
    def calls(self) -> Mapping[Position, tuple[str, ...]]:
        """Return what is called, as dotted names, by the place of the call."""
        return self._held.calls

    @cached_property
    def aliases(self) -> Aliases:
        """Return what its names stand for in handlers."""
        return aliases(self.tree)

    @cached_property
    def plain(self) -> frozenset[str]:
        """Return its functions that are bound once, without a decorator."""
        return frozenset(_undecorated(self.tree, self._held.stored))

    @cached_property
    def _held(self) -> "_Held":
        held = _Held()
        for node in nodes(self.tree):
            held.take(node)
        return held


class _Held:
    """What stands in a source, found in one walk."""

    def __init__(self) -> None:
        self.defs: dict[tuple[int, str], Definition] = {}
        self.calls: dict[Position, tuple[str, ...]] = {}
        self.stored: set[str] = set()

    def take(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                self.stored.add(node.id)
        elif isinstance(node, ast.Call):
            place = (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)
            self.calls[place] = dotted_name(node.func)
        else:
            found = definition(node)
            if found is not None:
                first = min([node.lineno for node in found.decorator_list] or [found.lineno])
                self.defs[first, found.name] = found


def _undecorated(tree: ast.Module, stored: set[str]) -> Iterator[str]:
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if not node.decorator_list and node.name not in stored:
            yield node.name
