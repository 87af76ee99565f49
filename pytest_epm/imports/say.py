"""The outcome as a report. Pure."""

from collections.abc import Iterable
from typing import Any

from pytest_epm.errors import Exit
from pytest_epm.imports.results import BadCall, Checked, Problem
from pytest_epm.report import Finding, Report, Row, Section

SCHEMA = "epm.imports/1"


def report(checked: Checked) -> Report:
    """Return the report of `epm imports check`: what is judged counts, the rest is listed."""
    broken = [item for item in checked.broken if item.judged]
    bad = [item for item in checked.call_shapes if item.judged]
    elsewhere = [
        *(_import(item) for item in checked.broken if not item.judged),
        *(_call(item) for item in checked.call_shapes if not item.judged),
    ]
    sections = (
        Section("unavailable, and not needed always", rows=tuple(_rows(checked.unavailable))),
        Section("notes", findings=tuple(_import(item) for item in checked.notes)),
        Section("elsewhere, not judged", findings=tuple(elsewhere)),
        Section("broken imports", findings=tuple(map(_import, broken))),
        Section("calls that cannot work", findings=tuple(map(_call, bad))),
    )
    exit_code = Exit.HOLDS if checked.holds else Exit.AGAINST
    return Report(SCHEMA, headline(checked), exit_code, sections, data(checked))


def headline(checked: Checked) -> str:
    """Return the outcome in one line."""
    lost = len(checked.broken) + len(checked.unavailable) + len(checked.notes)
    faults = sum(item.problem == "not-parsed" for item in checked.notes)
    resolved = checked.imports - checked.alternatives - lost + faults
    parts = [
        f"{_count(checked.imports, 'deferred import')} in {_count(checked.files, 'file')}",
        f"{resolved} resolved",
        *(f"{len(found)} {name}" for found, name in _counted(checked) if found),
    ]
    if checked.alternatives:
        parts.append(f"{checked.alternatives} stood in for or by another")
    return ", ".join(parts)


def _counted(checked: Checked) -> Iterable[tuple[tuple[object, ...], str]]:
    yield checked.broken, "broken"
    yield checked.unavailable, "unavailable"
    yield checked.notes, "noted"
    yield checked.call_shapes, "bad calls" if len(checked.call_shapes) > 1 else "bad call"


def data(checked: Checked) -> dict[str, Any]:
    """Return the JSON object, without `schema` and `exit_code`."""
    return {
        "imports": [_problem(item) for item in checked.broken],
        "unavailable": [_problem(item) for item in checked.unavailable],
        "notes": [_problem(item) for item in checked.notes],
        "call_shapes": [
            {
                "file": item.file,
                "line": item.line,
                "function": item.function,
                "callee": item.callee,
                "problem": item.problem,
                "detail": item.detail,
                "judged": item.judged,
            }
            for item in checked.call_shapes
        ],
        "counts": {
            "files": checked.files,
            "imports": checked.imports,
            "calls": checked.calls,
            "alternatives": checked.alternatives,
        },
    }


def _problem(item: Problem) -> dict[str, Any]:
    return {
        "file": item.file,
        "line": item.line,
        "function": item.function,
        "module": item.module,
        "name": item.name or None,
        "problem": item.problem,
        "detail": item.detail,
        "did_you_mean": item.did_you_mean[0] if item.did_you_mean else None,
        "needs": item.needs or None,
        "judged": item.judged,
    }


def _import(item: Problem) -> Finding:
    near = ", ".join(map(repr, item.did_you_mean))
    message = f"{item.detail} (did you mean {near}?)" if near else item.detail
    return Finding(item.problem, message, item.file, item.line)


def _call(item: BadCall) -> Finding:
    return Finding(item.problem, f"{item.callee}: {item.detail}", item.file, item.line)


def _rows(items: Iterable[Problem]) -> Iterable[Row]:
    """Yield what is missing, each once, with the places that import it."""
    found: dict[tuple[str, str], list[str]] = {}
    for item in items:
        top = item.needs or item.module.partition(".")[0]
        found.setdefault((top, item.detail), []).append(f"{item.file}:{item.line}")
    for (top, detail), places in sorted(found.items()):
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        yield Row(top, detail, notes=(places[0] + more,))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
