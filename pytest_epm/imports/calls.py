"""Calls by names that imports bind. Pure: it takes a syntax tree."""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from pytest_epm.imports.awaits import dropped
from pytest_epm.imports.collect import Source
from pytest_epm.imports.guards import Side, dotted, left_out
from pytest_epm.imports.places import Part, Place
from pytest_epm.imports.results import Call
from pytest_epm.imports.scopes import Bound, Scope, walked


def calls(
    tree: ast.Module, parts: Sequence[Part], source: Source, steady: Collection[str] = ()
) -> Iterator[Call]:
    """Yield each such call that runs late, with its shape and with what becomes of its value.

    steady: top names of modules to look into only where the import is deferred as well.
    """
    places = dict(parts)
    late = {node for node, place in parts if place.deferred or place.guard}
    found = walked(tree, source, late)
    for node, scope in sorted(found.calls, key=_position):
        written = dotted(node.func)
        bound = scope.means(written.partition(".")[0]) if written else None
        if not bound or (not bound.late and bound.module.partition(".")[0] in steady):
            continue
        place = _place(node, places, found.parents)
        if place and place.deferred and not bound.module.startswith("."):
            lost = dropped(node, found)
            yield _made(node, place, source, bound, written, lost=lost)


def _position(found: tuple[ast.Call, Scope]) -> tuple[int, int]:
    return found[0].lineno, found[0].col_offset


def _place(
    node: ast.AST | None,
    places: Mapping[ast.stmt | ast.expr, Place],
    parents: Mapping[ast.AST, ast.AST],
) -> Place | None:
    """Return the place of the statement around a node; None where it was left out."""
    while node is not None:
        if isinstance(node, ast.stmt | ast.expr) and node in places:
            return places[node]
        above = parents.get(node)
        test = above.test if isinstance(above, ast.IfExp) else node
        if isinstance(test, ast.expr) and test is not node and left_out(test) is Side.BOTH:
            return None
        node = above
    return None


def _made(
    node: ast.Call, place: Place, source: Source, bound: Bound, written: str, *, lost: bool
) -> Call:
    rest = written.split(".")[1:]
    return Call(
        source.file,
        node.lineno,
        place.function,
        ".".join([bound.shown, *rest]),
        bound.module,
        (*bound.path, *rest),
        bool(bound.path),
        -1 if place.eafp or _open(node) else len(node.args),
        tuple(keyword.arg for keyword in node.keywords if keyword.arg),
        lost,
    )


def _open(node: ast.Call) -> bool:
    """Whether `*` or `**` hides how many arguments there are."""
    return any(isinstance(argument, ast.Starred) for argument in node.args) or any(
        keyword.arg is None for keyword in node.keywords
    )
