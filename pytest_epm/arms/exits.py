"""Whether a call of a planned computation was left before it computed. Pure."""

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pytest_epm.arms.scopes import Definition, blocks
from pytest_epm.arms.statements import empty, own, parameters, says
from pytest_epm.syntax import nodes


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
    """A `return`. plain: it gives a literal, nothing, or an argument as it came.

    made: the line on which a local container that it gives is made, empty, 0 if it gives none.
    used: other lines that name this container; if none of them ran, it gives a literal.
    """

    line: int
    column: int
    end_line: int
    plain: bool
    made: int = 0
    used: tuple[int, ...] = ()


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


def body_of(node: Definition, constants: frozenset[str] = frozenset()) -> Body:
    """Return what is known about a function before it runs.

    constants: names of its module that stand for literals.
    """
    steps = tuple(_steps(node.body))
    every = list(own(node))
    rebound = {n.id for n in every if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    given = {*parameters(node), "self", "cls"} - rebound
    fixed = constants - rebound - {*parameters(node)}
    found = [n for n in every if isinstance(n, ast.Return)]
    containers = _containers(node, every, found)
    returns = tuple(
        Return(
            n.lineno,
            n.col_offset,
            n.end_lineno or n.lineno,
            _plain(n.value, given | fixed),
            *containers.get(n.value.id if isinstance(n.value, ast.Name) else "", (0, ())),
        )
        for n in found
    )
    return Body(steps, returns)


def constants_of(tree: ast.Module) -> frozenset[str]:
    """Return names that a module binds once, to a literal."""
    found = [
        (target.id, node.value)
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    times = Counter(
        node.id
        for node in nodes(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    return frozenset(
        name for name, value in found if value and times[name] == 1 and _literal(value)
    )


def _containers(
    node: Definition, every: list[ast.AST], returns: list[ast.Return]
) -> dict[str, tuple[int, tuple[int, ...]]]:
    """Return locals bound once, to an empty container: where that is, where else they stand."""
    bound = Counter(n.id for n in every if isinstance(n, ast.Name) and not _loads(n))
    made = {
        target.id: n.lineno
        for n in every
        if isinstance(n, ast.Assign | ast.AnnAssign) and _empty_container(n.value)
        for target in (n.targets if isinstance(n, ast.Assign) else [n.target])
        if isinstance(target, ast.Name) and bound[target.id] == 1
    }
    given = {id(one.value) for one in returns}
    used: dict[str, list[int]] = {name: [] for name in made}
    for inner in ast.walk(node):  # inner functions may fill them, too
        if isinstance(inner, ast.Name) and inner.id in used and _loads(inner):
            used[inner.id] += [] if id(inner) in given else [inner.lineno]
    return {name: (line, tuple(used[name])) for name, line in made.items()}


def _loads(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _empty_container(value: ast.expr | None) -> bool:
    if isinstance(value, ast.List):
        return not value.elts
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in ("dict", "list", "set") and not value.args and not value.keywords
    return False


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
    untouched = at is not None and at.made > 0 and not call.lines & {*at.used}
    if at is not None and not (at.plain or untouched):
        return False
    hit, total = ran(body, call.lines)
    if hit * 2 < total:
        return True
    own_line = range(at.line, at.end_line + 1) if at else range(0)
    made = at.made if at and untouched else 0
    others = [s for s in body.steps if s.work and s.line not in own_line and s.line != made]
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


_MAKERS = frozenset({"dict", "list", "tuple", "set", "frozenset", "float", "int", "str", "bool"})


def _literal(value: ast.expr) -> bool:
    return _plain(value, set())


def _plain(value: ast.expr | None, given: AbstractSet[str]) -> bool:
    match value:
        case ast.Name(id=name):
            plain = name in given
        case ast.UnaryOp(operand=inner):
            plain = isinstance(inner, ast.Constant)
        case ast.Tuple(elts=held) | ast.List(elts=held) | ast.Set(elts=held):
            plain = all(_plain(element, given) for element in held)
        case ast.Dict(keys=keys, values=values):
            plain = all(_plain(element, given) for element in (*filter(None, keys), *values))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in _MAKERS:
            plain = all(map(_literal, (*args, *(keyword.value for keyword in keywords))))
        case ast.JoinedStr(values=parts):
            plain = all(map(_literal, parts))
        case ast.FormattedValue(value=inner):
            plain = _literal(inner)
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
