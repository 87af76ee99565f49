"""A source of the project, read: its tree, its guards, its functions and calls. Pure."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pytest_epm.arms.guards import Guard
from pytest_epm.arms.resolve import dotted_name
from pytest_epm.arms.scopes import Definition, definition

# First and last line, first and last column, as code objects and trees have them.
Position = tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True)
class Text:
    """A source, read. defs: its functions, by first line, decorators included, and name."""

    path: str
    tree: ast.Module
    guards: tuple[Guard, ...]

    @cached_property
    def defs(self) -> Mapping[tuple[int, str], Definition]:
        """Return functions and lambdas."""
        return dict(_defs(self.tree))

    @cached_property
    def calls(self) -> Mapping[Position, tuple[str, ...]]:
        """Return what is called, as dotted names, by the place of the call."""
        found: dict[Position, tuple[str, ...]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                place = (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)
                found[place] = dotted_name(node.func)
        return found


def _defs(tree: ast.Module) -> Iterator[tuple[tuple[int, str], Definition]]:
    for node in ast.walk(tree):
        found = definition(node)
        if found is not None:
            first = min([node.lineno for node in found.decorator_list] or [found.lineno])
            yield (first, found.name), found
