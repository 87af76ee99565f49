"""Every statement of a file with what stands around it. Pure: it takes a syntax tree."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_epm.imports import guards
from pytest_epm.imports.guards import Side


@dataclass(frozen=True, slots=True)
class Place:
    """What stands around a statement.

    function: qualified name of the innermost function; scope: prefix for names defined here.
    deferred: it does not run each time the file is imported. guard, attempts, instead_of: as in
    `Import`. eafp: a call that does not fit is caught.
    """

    function: str = ""
    scope: str = ""
    deferred: bool = False
    guard: str = ""
    attempts: tuple[int, ...] = ()
    instead_of: tuple[int, ...] = ()
    eafp: bool = False


Part = tuple[ast.stmt | ast.expr, Place]
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Try = ast.Try | ast.TryStar


def placed(tree: ast.Module) -> Iterator[Part]:
    """Yield simple statements, and the heads of compound ones, with their places.

    Left out: what only a type checker or another platform runs, and what is there to fail.
    """
    yield from _block(tree.body, Place())


def _block(statements: Sequence[ast.stmt], place: Place) -> Iterator[Part]:
    for statement in statements:
        yield from _statement(statement, place)
        if isinstance(statement, ast.If) and _leaves_platform(statement):
            return


def _leaves_platform(statement: ast.If) -> bool:
    return guards.left_out(statement.test) is Side.BOTH and guards.exits(statement.body)


def _statement(node: ast.stmt, place: Place) -> Iterator[Part]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _function(node, place)
        case ast.ClassDef():
            yield from ((expr, place) for expr in (*node.decorator_list, *node.bases))
            yield from _block(node.body, replace(place, scope=f"{place.scope}{node.name}."))
        case ast.If():
            yield from _if(node, place)
        case ast.Try() | ast.TryStar():
            yield from _try(node, place)
        case ast.With() | ast.AsyncWith():
            yield from _with(node, place)
        case ast.For() | ast.AsyncFor() | ast.While():
            yield (node.test if isinstance(node, ast.While) else node.iter, place)
            yield from _block([*node.body, *node.orelse], replace(place, deferred=True))
        case ast.Match():
            yield (node.subject, place)
            for case in node.cases:
                yield from _block(case.body, replace(place, deferred=True))
        case _:
            yield (node, place)


def _function(node: _Function, place: Place) -> Iterator[Part]:
    defaults = [default for default in node.args.kw_defaults if default]
    for expr in (*node.decorator_list, *node.args.defaults, *defaults):
        yield (expr, place)
    name = f"{place.scope}{node.name}"
    yield from _block(node.body, Place(name, f"{name}.<locals>.", deferred=True))


def _if(node: ast.If, place: Place) -> Iterator[Part]:
    yield (node.test, place)
    out = guards.left_out(node.test)
    # What is not for the type checker alone runs each time.
    deferred = place.deferred or out is Side.NONE
    if out in (Side.NONE, Side.ELSE):
        yield from _block(node.body, replace(place, deferred=deferred))
    if out in (Side.NONE, Side.BODY):
        yield from _block(node.orelse, replace(place, deferred=deferred))


def _try(node: _Try, place: Place) -> Iterator[Part]:
    guard = guards.caught(node.handlers)
    eafp = place.eafp or guards.catches(node.handlers, "TypeError")
    inside = replace(place, guard=_stronger(guard, place.guard), eafp=eafp)
    attempt = node.lineno  # no two begin on one line
    yield from _block(node.body, replace(inside, attempts=(*place.attempts, attempt)))
    for handler in node.handlers:
        where = replace(place, deferred=True)
        if guards.handled(handler):
            where = replace(where, instead_of=(*place.instead_of, attempt))
        yield from _block(handler.body, where)
    yield from _block(node.orelse, inside)
    yield from _block(node.finalbody, place)


def _stronger(one: str, other: str) -> str:
    return next((kind for kind in (guards.IMPORT, guards.BROAD) if kind in (one, other)), "")


def _with(node: ast.With | ast.AsyncWith, place: Place) -> Iterator[Part]:
    items = [item.context_expr for item in node.items]
    yield from ((item, place) for item in items)
    if any(map(guards.awaits_failure, items)):
        return
    for item in items:
        place = replace(place, guard=_stronger(guards.suppressed(item), place.guard))
    yield from _block(node.body, place)
