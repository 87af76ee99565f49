"""Whether a call of a planned computation was left before it computed. Pure."""

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from pytest_epm.arms.scopes import Definition, blocks
from pytest_epm.arms.statements import empty, own, parameters, says


@dataclass(frozen=True, slots=True)
class Step:
    """A statement of a body: its own lines, a compound one's without its blocks.

    work: whether it is more than a condition, an import or a message.
    """

    line: int
    end_line: int
    work: bool


@dataclass(frozen=True, slots=True)
class Return:
    """A `return`. plain: it gives a literal, nothing, or an argument as it came."""

    line: int
    column: int
    end_line: int
    plain: bool


@dataclass(frozen=True, slots=True)
class Body:
    """What early exits are judged by: the statements of a function and its returns."""

    steps: tuple[Step, ...]
    returns: tuple[Return, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """A call that returned. lines: those that ran.

    at: line and column of the return, column -1 if only the line is known. Where no `return`
    stands there, the call came to the end of the body.
    """

    lines: frozenset[int]
    at: tuple[int, int]


def body_of(node: Definition) -> Body:
    """Return what is known about a function before it runs."""
    steps = tuple(_steps(node.body))
    rebound = {n.id for n in own(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    given = {*parameters(node), "self", "cls"} - rebound
    returns = tuple(
        Return(n.lineno, n.col_offset, n.end_lineno or n.lineno, _plain(n.value, given))
        for n in own(node)
        if isinstance(n, ast.Return)
    )
    return Body(steps, returns)


def ran(body: Body, lines: Collection[int]) -> tuple[int, int]:
    """Return how many statements of a body ran, and how many it has."""
    hit = sum(any(s.line <= line <= s.end_line for line in lines) for s in body.steps)
    return hit, len(body.steps)


def early_exit(body: Body, calls: Iterable[Left], mocked: Collection[tuple[int, int]] = ()) -> str:
    """Return `ran 3 of 41` if every call was left before it computed, else nothing.

    calls: those that returned. mocked: positions of returns under a flag guard, which are
    judged there and not here.
    """
    worst = ""
    for call in calls:
        at = _return_at(body, call.at)
        if (at and (at.line, at.column) in mocked) or not _early(body, call, at):
            return ""
        hit, total = ran(body, call.lines)
        worst = worst or f"ran {hit} of {total}"
    return worst


def _early(body: Body, call: Left, at: Return | None) -> bool:
    if at is not None and not at.plain:
        return False
    hit, total = ran(body, call.lines)
    if hit * 2 < total:
        return True
    own_line = range(at.line, at.end_line + 1) if at else range(0)
    others = [step for step in body.steps if step.work and step.line not in own_line]
    done = any(s.line <= line <= s.end_line for s in others for line in call.lines)
    return bool(others) and not done


def _return_at(body: Body, at: tuple[int, int]) -> Return | None:
    """Return the `return` that a call was left by; None if it came to the end of the body."""
    line, column = at
    here = [r for r in body.returns if r.line <= line <= r.end_line]
    if column >= 0:
        exact = [r for r in here if r.line < line or r.column <= column]
        here = exact or here
    return max(here, key=lambda r: (r.line, r.column), default=None)


def _plain(value: ast.expr | None, given: set[str]) -> bool:
    match value:
        case ast.Name(id=name):
            plain = name in given
        case ast.UnaryOp(operand=inner):
            plain = isinstance(inner, ast.Constant)
        case ast.Tuple(elts=held) | ast.List(elts=held) | ast.Set(elts=held):
            plain = all(_plain(element, given) for element in held)
        case ast.Dict(keys=keys, values=values):
            plain = all(_plain(element, given) for element in (*filter(None, keys), *values))
        case ast.Call(func=ast.Name(id="dict" | "list" | "tuple" | "set"), args=[], keywords=[]):
            plain = True
        case _:
            plain = value is None or isinstance(value, ast.Constant)
    return plain


def _steps(block: list[ast.stmt]) -> Iterator[Step]:
    for node in block:
        if empty(node):
            continue
        inner = list(blocks(node))
        first = min((b[0].lineno for b in inner if b), default=0)
        last = node.end_lineno or node.lineno
        if first:
            last = max(node.lineno, first - 1)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            last = node.lineno
        decorators = getattr(node, "decorator_list", [])
        start = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        yield Step(start, last, _works(node))
        for body in inner:
            yield from _steps(body)


def _works(node: ast.stmt) -> bool:
    conditions = (ast.If, ast.Match, ast.While, ast.Assert, ast.Try, ast.Import, ast.ImportFrom)
    return not isinstance(node, conditions) and not says(node)
