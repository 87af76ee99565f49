"""Guards: places where a flag chooses between a mock side and a real one. Pure.

A guard is known by where it stands, its sides by where their code lies. Which of them
ran is told from executed lines and from the positions at which branches landed.
"""

import ast
from collections.abc import Collection
from dataclasses import dataclass

from pytest_epm.arms.data import Names, names_of
from pytest_epm.arms.flags import Flags, module_flags
from pytest_epm.arms.scopes import blocks
from pytest_epm.arms.statements import leaves, local_names
from pytest_epm.arms.waivers import Waiver, covering
from pytest_epm.syntax import nodes

_Block = list[ast.stmt]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source: 1-based lines, columns in bytes from 0, the end not included."""

    line: int
    column: int
    end_line: int
    end_column: int

    def __contains__(self, place: tuple[int, int]) -> bool:
        """Whether a position lies inside."""
        start, end = (self.line, self.column), (self.end_line, self.end_column)
        return start <= place < end


@dataclass(frozen=True, slots=True)
class Guard:
    """A choice on a flag.

    function: qualified name, `<module>` at the top. condition: as written. head: the span of
    the condition. mock, real: where the code of each side lies. reason: of a waiver, if any.
    """

    line: int
    column: int
    function: str
    condition: str
    head: Span
    mock: tuple[Span, ...]
    real: tuple[Span, ...]
    reason: str = ""

    def ran(
        self, lines: Collection[int], landings: Collection[tuple[int, int]]
    ) -> tuple[bool, bool]:
        """Return whether the mock side and the real side ran.

        lines: executed lines of the file. landings: positions that branches went to; they
        tell sides apart that share a line.
        """
        return (
            self._side(self.mock, self.real, lines, landings),
            self._side(self.real, self.mock, lines, landings),
        )

    def covers(self, line: int, column: int) -> bool:
        """Whether a position lies on the mock side."""
        return any((line, column) in span for span in self.mock)

    def _side(
        self,
        side: tuple[Span, ...],
        other: tuple[Span, ...],
        lines: Collection[int],
        landings: Collection[tuple[int, int]],
    ) -> bool:
        if any(place in span for place in landings for span in side):
            return True
        shared = (self.head, *other)
        return any(
            span.line <= line <= span.end_line
            and not any(away.line <= line <= away.end_line for away in shared)
            for line in lines
            for span in side
        )


def guards(
    tree: ast.Module, extra: frozenset[str] = frozenset(), waivers: tuple[Waiver, ...] = ()
) -> tuple[Guard, ...]:
    """Return the guards of a module, in order of their place.

    extra: flag words of the project. waivers: comments that allow a mock branch.
    """
    flags = module_flags(tree, extra)
    if not _any_flag(tree, flags):  # most files; to walk them with care takes ten times as long
        return ()
    walker = _Walker(names_of(tree), waivers)
    walker.block(tree.body, _Scope(flags, "<module>"), (), ())
    return tuple(sorted(walker.found, key=lambda guard: (guard.line, guard.column)))


@dataclass(frozen=True, slots=True)
class _Scope:
    flags: Flags
    function: str
    prefix: str = ""


class _Walker:
    def __init__(self, names: Names, waivers: tuple[Waiver, ...]) -> None:
        self.names = names
        self.waivers = waivers
        self.found: list[Guard] = []

    def block(
        self, block: _Block, scope: _Scope, after: tuple[_Block, ...], loop: tuple[_Block, ...]
    ) -> None:
        """Visit a block. after: what runs once it is through; loop: the same, in its loop."""
        for index, node in enumerate(block):
            rest = block[index + 1 :]
            behind, turn = (rest, *after), (rest, *loop)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.enter(node, scope)
                continue
            if isinstance(node, ast.If):
                self.chain(node, scope, behind, turn)
                continue
            if isinstance(node, ast.Match):
                self.matched(node, scope, behind, turn)
            self.expressions(node, scope)
            if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                self.block(node.body, scope, behind, ())
                self.block(node.orelse, scope, behind, turn)
            else:
                self.inside(node, scope, behind, turn)

    def inside(
        self, node: ast.stmt, scope: _Scope, behind: tuple[_Block, ...], turn: tuple[_Block, ...]
    ) -> None:
        """Visit the blocks of a `with`, a `try` or a `match`."""
        tail = [getattr(node, "orelse", [])] if isinstance(node, ast.Try) else []
        for inner in blocks(node):
            more = tail if isinstance(node, ast.Try) and inner is node.body else []
            self.block(inner, scope, (*more, *behind), (*more, *turn))

    def enter(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, scope: _Scope
    ) -> None:
        qualname = f"{scope.prefix}{node.name}"
        self.outside(node, scope)
        if isinstance(node, ast.ClassDef):
            self.block(node.body, _Scope(scope.flags, qualname, f"{qualname}."), (), ())
        else:
            flags = scope.flags.without(local_names(node))
            self.block(node.body, _Scope(flags, qualname, f"{qualname}.<locals>."), (), ())

    def outside(self, node: ast.stmt, scope: _Scope) -> None:
        """Visit decorators, defaults and bases: they run where the definition stands."""
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt):
                self.ternaries(child, scope, "")

    def expressions(self, node: ast.stmt, scope: _Scope) -> None:
        """Visit what a statement evaluates itself."""
        target = ""
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                self.ternaries(child, scope, target)

    def ternaries(self, node: ast.AST, scope: _Scope, target: str) -> None:
        every = list(nodes(node))
        picked = {id(inner.func) for inner in every if isinstance(inner, ast.Call)}
        for inner in every:
            if isinstance(inner, ast.IfExp):
                bound = None if id(inner) in picked else target if inner is node else ""
                self.ternary(inner, scope, bound)

    def ternary(self, node: ast.IfExp, scope: _Scope, target: str | None) -> None:
        """Judge a ternary. target: what it is bound to; None if the choice is called."""
        way = scope.flags.polarity(node.test)
        if not way:
            return
        if target is not None and self.names.same_data(node.body, node.orelse, target):
            return
        mock, real = (node.body, node.orelse) if way > 0 else (node.orelse, node.body)
        self.add(node, node.test, scope, (_span(mock),), (_span(real),))

    def chain(
        self,
        node: ast.If,
        scope: _Scope,
        behind: tuple[_Block, ...],
        turn: tuple[_Block, ...],
    ) -> None:
        """Judge an `if` with all its `elif`, then visit its blocks."""
        branches, last = _branches(node)
        judged = [(scope.flags.polarity(test), test, body) for test, body in branches]
        real = [body for way, _, body in judged if way <= 0]
        mocked = any(way > 0 for way, _, _ in judged)
        for index, (way, test, body) in enumerate(judged):
            rest = () if last else _rest(body, behind, turn)
            if way > 0:
                self.judge(test, scope, [body], [*real, last, *rest])
            elif way < 0 and not mocked:
                others = [other for _, other in branches[index + 1 :]]
                self.judge(test, scope, [*others, last, *rest], [body])
            self.ternaries(test, scope, "")
            self.block(body, scope, behind, turn)
        self.block(last, scope, behind, turn)

    def matched(
        self, node: ast.Match, scope: _Scope, behind: tuple[_Block, ...], turn: tuple[_Block, ...]
    ) -> None:
        ways = [_case_way(case, node.subject, scope.flags) for case in node.cases]
        mock = [case.body for case, way in zip(node.cases, ways, strict=True) if way > 0]
        real = [case.body for case, way in zip(node.cases, ways, strict=True) if way <= 0]
        if mock:
            rest = _rest(mock[0], behind, turn) if not real else ()
            self.judge(node.subject, scope, mock, [*real, *rest])

    def judge(
        self,
        test: ast.expr,
        scope: _Scope,
        mock: list[_Block],
        real: list[_Block],
    ) -> None:
        """Keep a choice between blocks, unless it lacks a side or is one between data."""
        mock, real = [b for b in mock if b], [b for b in real if b]
        if not mock or not real:
            return
        if len(mock) == 1 and all(self.names.chosen_data(mock[0], block) for block in real):
            return
        self.add(test, test, scope, _spans(mock), _spans(real))

    def add(
        self,
        place: ast.expr,
        test: ast.expr,
        scope: _Scope,
        mock: tuple[Span, ...],
        real: tuple[Span, ...],
    ) -> None:
        waiver = covering(self.waivers, place.lineno, test.end_lineno or test.lineno)
        self.found.append(
            Guard(
                place.lineno,
                place.col_offset,
                scope.function,
                ast.unparse(test),
                _span(test),
                mock,
                real,
                waiver.reason if waiver else "",
            )
        )


def _any_flag(tree: ast.Module, flags: Flags) -> bool:
    for node in nodes(tree):
        if isinstance(node, ast.If | ast.IfExp) and flags.polarity(node.test):
            return True
        if isinstance(node, ast.Match):
            return True
    return False


def _branches(node: ast.If) -> tuple[list[tuple[ast.expr, _Block]], _Block]:
    """Return condition and body of an `if` and its `elif`s, and what its `else` holds."""
    found = [(node.test, node.body)]
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        found.append((node.test, node.body))
    return found, node.orelse


def _rest(body: _Block, behind: tuple[_Block, ...], turn: tuple[_Block, ...]) -> tuple[_Block, ...]:
    """Return what runs instead of a body that leaves its function or its turn of a loop."""
    way = leaves(body)
    later = behind if way == "function" else turn if way == "loop" else ()
    return tuple(block for block in later if block)


def _case_way(case: ast.match_case, subject: ast.expr, flags: Flags) -> int:
    if case.guard is not None:
        way = flags.polarity(case.guard)
        if way:
            return way
    return _pattern_way(case.pattern, subject, flags)


def _pattern_way(pattern: ast.pattern, subject: ast.expr, flags: Flags) -> int:
    if isinstance(pattern, ast.MatchSequence) and isinstance(subject, ast.Tuple):
        if len(pattern.patterns) != len(subject.elts):
            return 0
        pairs = zip(pattern.patterns, subject.elts, strict=True)
        return next((way for pair in pairs if (way := _pattern_way(*pair, flags))), 0)
    values = _case_values(pattern)
    if not values:
        return 0
    ways = {flags.polarity(ast.Compare(subject, [ast.Eq()], [value])) for value in values}
    return ways.pop() if len(ways) == 1 else 0


def _case_values(pattern: ast.pattern) -> list[ast.expr]:
    if isinstance(pattern, ast.MatchValue):
        return [pattern.value]
    if isinstance(pattern, ast.MatchSingleton):
        return [ast.Constant(pattern.value)]
    if isinstance(pattern, ast.MatchOr):
        return [value for inner in pattern.patterns for value in _case_values(inner)]
    return []


def _span(node: ast.expr | ast.stmt) -> Span:
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
    return Span(node.lineno, node.col_offset, end_line, end_column)


def _spans(found: list[_Block]) -> tuple[Span, ...]:
    return tuple(_outer(_span(block[0]), _span(block[-1])) for block in found)


def _outer(first: Span, last: Span) -> Span:
    return Span(first.line, first.column, last.end_line, last.end_column)
