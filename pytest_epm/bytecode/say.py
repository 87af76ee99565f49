"""What purge, audit and proof found, as reports, lines and refusals. Pure."""

import shlex
from collections.abc import Iterable, Sequence
from os import sep
from os.path import dirname

from pytest_epm.bytecode.proof import Doubt
from pytest_epm.bytecode.results import Examined, Purged
from pytest_epm.bytecode.roots import Chosen, Origin, Root, below, covering
from pytest_epm.errors import Exit, RefusedError
from pytest_epm.report import Finding, Report, Section, shown

SCHEMA = "epm.bytecode/1"
_MOST_ROOTS = 4  # named in the header line
_MOST = 20  # of a list, before the rest is only counted


def purge_report(purged: Purged, chosen: Chosen, here: str) -> Report:
    """Return the report of `epm bytecode purge`; paths are shown as seen from `here`."""
    failed = [Finding("not-removed", words, near(path, here)) for path, words in purged.failed]
    headline = removed_in_words(purged)
    if failed:
        headline += f"; {_count(len(failed), 'path')} may be stale: mend the rights and run again"
    data = {
        "action": "purge",
        **_whence(chosen),
        "removed": {"files": purged.files, "folders": purged.folders},
        "failed": [{"path": path, "error": words} for path, words in purged.failed],
        "kept": list(purged.kept),
        "closed": list(purged.closed),
        "seconds": round(purged.seconds, 6),
    }
    sections = (
        *notes(purged.kept, purged.closed, here),
        Section("not removed", findings=tuple(failed)),
    )
    return Report(SCHEMA, headline, Exit.AGAINST if failed else Exit.HOLDS, sections, data)


def audit_report(examined: Examined, chosen: Chosen, here: str) -> Report:
    """Return the report of an audit; anything stale is a verdict against."""
    stale = [
        Finding(item.why, _detail(item.detail, item.source, here), near(item.path, here))
        for item in examined.stale
    ]
    headline = (
        f"{_count(len(stale), 'stale path')}; {_count(examined.compared, 'cached file')} compared"
    )
    if stale:
        places = [shlex.quote(near(root.path, here)) for root in chosen.roots]
        few = " ".join(places) if len(places) <= _MOST_ROOTS else "FOLDER, for each root"
        headline += f"; next: epm bytecode purge {few}"
    uncompared = [near(path, here) for path in examined.uncompared]
    data = {
        "action": "audit",
        **_whence(chosen),
        "stale": [
            {"path": s.path, "why": s.why, "source": s.source, "detail": s.detail}
            for s in examined.stale
        ],
        "compared": examined.compared,
        "uncompared": list(examined.uncompared),
        "kept": list(examined.kept),
        "closed": list(examined.closed),
    }
    sections = (
        *notes(examined.kept, examined.closed, here),
        Section("rewritten by pytest and validated by time alone", lines=_some(uncompared)),
        Section("stale", findings=tuple(stale)),
    )
    return Report(SCHEMA, headline, Exit.AGAINST if stale else Exit.HOLDS, sections, data)


def tracked_found(paths: Sequence[str], here: str) -> Report:
    """Return the report of `epm bytecode tracked`."""
    findings = tuple(
        Finding("tracked-bytecode", "is compiled, and git tracks it", near(path, here))
        for path in paths
    )
    headline = f"{_count(len(paths), 'tracked bytecode file')}"
    if paths:
        headline += "; next: git rm --cached FILE, and *.py[co] in .gitignore"
    data = {"action": "tracked", "tracked": list(paths)}
    code = Exit.AGAINST if paths else Exit.HOLDS
    return Report(SCHEMA, headline, code, (Section("", findings=findings),), data)


def with_roots(report: Report, chosen: Chosen, here: str) -> Report:
    """Return a report that first names the folders it is about."""
    lines = [f"{near(root.path, here)} ({root.origin.value})" for root in chosen.roots]
    left_out = [f"{near(path, here)} ({why})" for path, _, why in chosen.left_out]
    ahead = (Section("roots", lines=_some(lines)), Section("left out", lines=_some(left_out)))
    return report._replace(sections=(*ahead, *report.sections))


def proof_report(doubts: Sequence[Doubt], purged: Purged, chosen: Chosen, here: str) -> Report:
    """Return what a reader of a finished run should know; empty sections if nothing."""
    section = _doubts(doubts, chosen.roots, here)
    headline, code = "nothing of the project was read from a cached file", Exit.HOLDS
    if purged.kept:
        headline = "nothing of the project was read from a cached file, what git tracks aside"
    if doubts:
        headline = f"{_count(len(doubts), 'module')} may be stale: this run does not count"
        code = Exit.AGAINST
    data = {
        "action": "run",
        **_whence(chosen),
        "removed": {"files": purged.files, "folders": purged.folders},
        "doubts": [doubt._asdict() for doubt in doubts],
        "kept": list(purged.kept),
        "closed": list(purged.closed),
    }
    sections = (*notes(purged.kept, purged.closed, here), section)
    return Report(SCHEMA, headline, code, sections, data)


def _doubts(doubts: Sequence[Doubt], roots: Sequence[Root], here: str) -> Section:
    """Name each module that this run may have taken from a stale cached file."""
    findings = []
    for doubt in doubts[:_MOST]:
        message = f"{doubt.module} was read from it, or raced by it"
        place = dirname(doubt.file)
        if covering(doubt.file, roots):
            step = (
                "something wrote bytecode during this run: start that child with -B or pass "
                "PYTHONDONTWRITEBYTECODE on to it, and leave sys.dont_write_bytecode as it is"
            )
        else:
            step = f"this lies outside what was purged: epm bytecode purge {near(place, here)}"
        findings.append(
            Finding("stale-possible", message, near(doubt.cached, here), next_step=step)
        )
    rest = len(doubts) - len(findings)
    lines = (f"and {rest} more modules",) if rest else ()
    return Section("modules that may be stale", findings=tuple(findings), lines=lines)


def removed_in_words(purged: Purged) -> str:
    """Return `removed 3 files and 1 folder in 0.02 s`."""
    files, folders = _count(purged.files, "file"), _count(purged.folders, "folder")
    return f"removed {files} and {folders} in {purged.seconds:.2f} s"


def header(purged: Purged, chosen: Chosen, here: str) -> str:
    """Return the line at the top of a pytest run."""
    places = [f"{shown(near(root.path, here))} ({root.origin.value})" for root in chosen.roots]
    if len(places) > _MOST_ROOTS:
        places[_MOST_ROOTS - 1 :] = [f"{len(places) - _MOST_ROOTS + 1} more"]
    line = f"epm: fresh bytecode: {removed_in_words(purged)}; {', '.join(places)}"
    left_out = [f"{shown(near(path, here))} ({why})" for path, _, why in chosen.left_out]
    return f"{line}; left out: {', '.join(left_out)}" if left_out else line


def notes(kept: Sequence[str], closed: Sequence[str], here: str) -> tuple[Section, ...]:
    """Return what a reader should know and need not act on."""
    return (
        Section("kept, because git tracks it", lines=_some([near(path, here) for path in kept])),
        Section(
            "not looked into, because nobody of this user can list it",
            lines=_some([near(path, here) for path in closed]),
        ),
    )


def refuse_unsafe(chosen: Chosen) -> RefusedError | None:
    """Return the refusal of a root that the user named, or None."""
    if not chosen.refused:
        return None
    path, origin, why = chosen.refused[0]
    step = {
        Origin.ROOTDIR: "run from the project's own folder, or name it: --rootdir=FOLDER",
        Origin.PROJECT: "run from the project's own folder",
    }.get(origin, "name the project's own folder")
    if "home folder" in why:
        step += "; where the home folder is the project, move the project or HOME"
    what = f"bytecode is not purged here: this {origin.value} is {why}"
    return RefusedError(what, shown(path), step)


def refuse_failed(failed: Sequence[tuple[str, str]], here: str) -> RefusedError:
    """Return the refusal of a run whose purge left something that may be stale."""
    listed = [shown(f"{near(path, here)}: {words}") for path, words in failed]
    return RefusedError(
        "cached bytecode could not be removed and may be stale:\n  " + "\n  ".join(_some(listed)),
        next_step="mend the rights or remove it by hand, then run again",
    )


def refuse_early(early: Sequence[Doubt], here: str) -> RefusedError:
    """Return the refusal of a run that came too late to make the project fresh."""
    listed = [f"{doubt.module} from {shown(near(doubt.file, here))}" for doubt in early]
    return RefusedError(
        "the project was imported before its bytecode was purged, so this run may test "
        "old code:\n  " + "\n  ".join(_some(listed)),
        next_step="put `-p epm` before any other -p, first in addopts or PYTEST_ADDOPTS; if "
        "pytest itself imports the project, start the run with `epm run -- pytest -p epm`",
    )


def near(path: str, here: str) -> str:
    """Return a path as seen from a folder it lies in, else as it is."""
    if path == here:
        return "."
    return path[len(here.rstrip(sep)) + 1 :] if below(path, here) else path


def _whence(chosen: Chosen) -> dict[str, object]:
    return {
        "roots": [{"path": root.path, "origin": root.origin.value} for root in chosen.roots],
        "left_out": [
            {"path": path, "origin": origin.value, "why": why}
            for path, origin, why in chosen.left_out
        ],
    }


def _detail(detail: str, source: str, here: str) -> str:
    return f"{detail}: {near(source, here)}" if source else detail


def _some(lines: Iterable[str]) -> tuple[str, ...]:
    every = list(lines)
    rest = len(every) - _MOST
    return (*every[:_MOST], f"and {rest} more") if rest > 0 else tuple(every)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
