"""The plan: Markdown into arms and phases, or an error with file and line. Pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from pytest_epm.arms import cells
from pytest_epm.arms.cells import Compute, Pattern
from pytest_epm.arms.tables import Document, Row, Table, read
from pytest_epm.errors import EpmError


class PlanError(EpmError):
    """A plan that cannot be read as one; `where` is `path:line`."""


@dataclass(frozen=True, slots=True)
class PlannedArm:
    """An arm of the plan. na: the reason why it does not run here, or nothing."""

    name: str
    line: int
    computes: tuple[Compute, ...] = ()
    edges: tuple[str, ...] = ()
    na: str = ""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the smoke. subset: what its calls must carry."""

    name: str
    line: int
    computes: tuple[Compute, ...]
    subset: tuple[Pattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a plan promises. No arms: it has no heading `Arms`, and nothing of it is judged.

    diverges: why the smoke is not the production path, or nothing. canary: an arm's name.
    """

    path: str
    arms: tuple[PlannedArm, ...] = ()
    phases: tuple[Phase, ...] = ()
    diverges: str = ""
    canary: str = ""


_ARMS = ("arm", "computes", "edges", "n/a")
_PHASES = ("phase", "computes", "subset")
_NUMBERED = re.compile(r"^\d[\d.)]*\s+")
_KEY = re.compile(r"(diverges|canary)\s*:\s*(.*)", re.IGNORECASE)
_DASHES = frozenset({"-", "\N{EN DASH}", "—"})
_NO_REASON = frozenset({"yes", "no", "x", "none", "n/a", "na", "true", "false"})
_T = TypeVar("_T")
_LOOKS_LIKE_ROW = re.compile(r"\|.*\|")


def parse(text: str, path: str) -> Plan:
    """Read a plan. path: as messages name it. Raises PlanError with `path:line`."""
    return _Parser(read(text.removeprefix("\ufeff")), path).plan()


@dataclass(frozen=True)
class _Parser:
    document: Document
    path: str

    def plan(self) -> Plan:
        self.no_table_elsewhere()
        diverges, canary = self.line_of("diverges"), self.line_of("canary")
        if not any(_is(heading.text, "arms") for heading in self.document.headings):
            return Plan(self.path, diverges=diverges[1])
        arms = tuple(self.arm(row) for row in self.rows("arms", _ARMS))
        if not arms:
            raise self.error(self.heading("arms"), "the heading Arms has no table of arms")
        self.each_once(arms)
        phases = tuple(self.phase(row) for row in self.rows("phases", _PHASES))
        if not phases and any(_is(h.text, "phases") for h in self.document.headings):
            form = "write `| phase | computes | subset |`, with a row for each phase below"
            what = "the heading Phases has no table of phases"
            raise self.error(self.heading("phases"), what, form)
        self.each_once(phases)
        self.cells_differ(arms)
        if canary[1] and not any(arm.name == canary[1] and not arm.na for arm in arms):
            what = f"canary {canary[1]!r} is none of the arms that run"
            raise self.error(canary[0], what)
        return Plan(self.path, arms, phases, diverges[1], canary[1])

    def error(self, line: int, what: str, step: str = "") -> PlanError:
        form = "write `| arm | computes | edges | n/a |`, with a row for each arm below"
        return PlanError(what, f"{self.path}:{line}", step or form)

    def heading(self, name: str) -> int:
        return next(h.line for h in self.document.headings if _is(h.text, name))

    def no_table_elsewhere(self) -> None:
        """A table of arms under another heading would be read by nobody."""
        for table in self.document.tables:
            first = [cell.lower() for cell in table.header.cells[:2]]
            for columns, name in ((_ARMS, "Arms"), (_PHASES, "Phases")):
                if first == list(columns[:2]) and not _under(table, name.lower()):
                    what = f"this table stands under no heading {name}"
                    raise self.error(table.header.line, what, f"put `## {name}` above it")

    def rows(self, name: str, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
        headings = [h for h in self.document.headings if _is(h.text, name)]
        if len(headings) > 1:
            raise self.error(headings[1].line, f"a second heading {headings[1].text}")
        tables = [
            table
            for table in self.document.tables
            if _under(table, name)
            and (_is(table.under[-1].text, name) or table.header.cells[0].lower() == columns[0])
        ]
        for table in tables:
            yield from self.read_table(table, columns)
        if headings and not tables:
            self.no_torn_table(headings[0].line)

    def no_torn_table(self, line: int) -> None:
        later = [h.line for h in self.document.headings if h.line > line]
        for number, words in self.document.lines:
            if line < number < min(later, default=number + 1) and _LOOKS_LIKE_ROW.search(words):
                what = "this looks like a table and is none"
                step = "put a line `|---|---|` below its header, and blank lines around it"
                raise self.error(number, what, step)

    def read_table(
        self, table: Table, columns: tuple[str, ...]
    ) -> Iterator[tuple[int, dict[str, str]]]:
        header = [cell.lower() for cell in table.header.cells]
        known = f"its columns are {' | '.join(columns)}; those after the second may be left out"
        if header[:2] != list(columns[:2]) or len(set(header)) < len(header):
            raise self.error(table.header.line, f"no table of {columns[0]}s", known)
        for name in header:
            if name not in columns:
                raise self.error(table.header.line, f"unknown column {name!r}", known)
        for row in table.rows:
            yield row.line, self.named(row, header)

    def named(self, row: Row, header: list[str]) -> dict[str, str]:
        if len(row.cells) > len(header):
            what = f"{len(row.cells)} cells under {len(header)} columns"
            raise self.error(row.line, what, "write a pipe inside a cell as `\\|`")
        values = ("" if cell in _DASHES else cell for cell in row.cells)
        return dict.fromkeys(header, "") | dict(zip(header, values, strict=False))

    def arm(self, given: tuple[int, dict[str, str]]) -> PlannedArm:
        line, cell = given
        name, reason = cell["arm"], cell.get("n/a", "")
        self.check_name(line, name, "arm")
        if reason.lower() in _NO_REASON:
            what = f"{reason!r} is no reason why {name} does not apply"
            raise self.error(line, what, "say why it cannot run here, or leave the cell empty")
        if not cell["computes"] and not reason:
            what = f"{name} computes nothing and gives no reason"
            raise self.error(line, what, "name `module:function`, or say in n/a why it cannot run")
        computed = self.cell(line, cells.computes, cell["computes"])
        allowed = self.cell(line, cells.edges, cell.get("edges", ""))
        for compute in computed:
            if compute.name.replace(":", ".") in allowed:
                raise self.error(line, f"{name} lists its own computation as an edge")
        return PlannedArm(name, line, computed, allowed, reason)

    def phase(self, given: tuple[int, dict[str, str]]) -> Phase:
        line, cell = given
        self.check_name(line, cell["phase"], "phase")
        if not cell["computes"]:
            raise self.error(line, f"{cell['phase']} computes nothing", "name `module:function`")
        computed = self.cell(line, cells.computes, cell["computes"])
        subset = self.cell(line, cells.patterns, cell.get("subset", ""))
        return Phase(cell["phase"], line, computed, subset)

    def cell(self, line: int, reader: Callable[[str], tuple[_T, ...]], text: str) -> tuple[_T, ...]:
        try:
            return reader(text) if text else ()
        except ValueError as error:
            step = "such as `train:fit(penalty='l2')`, `rank.fetch` or `cells=1`"
            raise self.error(line, str(error), step) from None

    def check_name(self, line: int, name: str, kind: str) -> None:
        if not name or "," in name or ": " in name or not name.isprintable():
            raise self.error(
                line, f"{name!r} is no name of an {kind}", "no comma and no `: ` in it"
            )

    def each_once(self, items: tuple[PlannedArm, ...] | tuple[Phase, ...]) -> None:
        seen: dict[str, int] = {}
        for item in items:
            if item.name in seen:
                what = f"{item.name} is named twice, first on line {seen[item.name]}"
                raise self.error(item.line, what, "give each row a name of its own")
            seen[item.name] = item.line

    def cells_differ(self, arms: tuple[PlannedArm, ...]) -> None:
        seen: dict[frozenset[Compute], str] = {}
        for arm in arms:
            if arm.na:
                continue
            other = seen.setdefault(frozenset(arm.computes), arm.name)
            if other != arm.name:
                step = "tell them apart by arguments: `train:fit(penalty='l2')`"
                raise self.error(arm.line, f"{other} and {arm.name} compute the same", step)

    def line_of(self, key: str) -> tuple[int, str]:
        found = []
        for line, words in self.document.lines:
            match = _KEY.fullmatch(words)
            if match and match[1].lower() == key:
                found.append((line, match[2].strip()))
        if len(found) > 1:
            raise self.error(found[1][0], f"a second line `{key}:`", "keep one of them")
        if found and not found[0][1]:
            raise self.error(
                found[0][0], f"`{key}:` says nothing", f"write `{key}: ...` or drop it"
            )
        return found[0] if found else (0, "")


def _is(text: str, name: str) -> bool:
    return _NUMBERED.sub("", text).strip().rstrip(":").lower() == name


def _under(table: Table, name: str) -> bool:
    return any(_is(heading.text, name) for heading in table.under)
