"""Lint: settings, files and rules brought together into a report."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pytest_epm import config
from pytest_epm.errors import EpmError, Exit
from pytest_epm.report import Report, Section
from pytest_epm.specs import gather, packs, read_settings
from pytest_epm.specs.bounds import bounded
from pytest_epm.specs.judge import Found, judge
from pytest_epm.specs.model import Project, Rule
from pytest_epm.specs.registry import RULES
from pytest_epm.specs.schema import At
from pytest_epm.specs.select import Selection, selected
from pytest_epm.specs.settings import Settings
from pytest_epm.specs.where import Lines

SCHEMA = "epm.lint/1"


class Outcome(NamedTuple):
    """What lint came to. files: how many were read as specs."""

    found: tuple[Found, ...]
    rules: tuple[Rule, ...]
    files: int
    settings: Settings
    project: Project


def lint(start: str, paths: Sequence[str] = (), config_file: str = "") -> Outcome:
    """Lint the repository around `start`.

    paths: files and folders to which rules that look at one file are narrowed. config_file:
    a file whose top level is the table, instead of the settings file. Raises EpmError for
    settings that cannot be read, and where there is nothing to look at.
    """
    own = settings_at(start, config_file)
    extra = packs.others(own)
    settings = packs.with_packs(own, extra)
    selection = selected((*RULES, *packs.rules(extra, RULES)), settings)
    files = gather.files_below(gather.top_of(start))
    chosen = _chosen(files, paths, start)
    project = project_of(files, settings, selection, chosen)
    narrowed = _narrowed(project, chosen)
    if not any(spec.listed for spec in project.specs) or (chosen and not narrowed):
        what = f"{', '.join(paths)} holds no spec" if chosen else "no spec was found"
        step = 'name them: files = ["docs/agents/*.md"] in [tool.epm.lint]'
        raise EpmError(what, settings.path or files.top, step)
    found = _judged(project, selection, narrowed)
    if settings.baseline:
        found = _less_accepted(found, files.top, settings, is_whole=narrowed is None)
    return Outcome(tuple(found), selection.rules, len(project.specs), settings, project)


def project_of(
    files: gather.Files, settings: Settings, selection: Selection, chosen: Sequence[str] = ()
) -> Project:
    """Read the specs; the pack `smoke` looks at them to know what it asks for."""
    gates = any(rule.name in packs.GATES for rule in selection.rules)
    project = gather.project(files, settings, _further(chosen), gates=gates)
    if packs.SMOKE not in settings.packs:
        return project
    from pytest_epm.specs import smoke  # few have the pack

    texts = tuple((s.path, s.source.text) for s in project.specs if s.listed)
    return project.under(smoke.with_smoke(settings, texts))


def _judged(project: Project, selection: Selection, narrowed: frozenset[str] | None) -> list[Found]:
    line = project.settings.references.steps_line
    if not line:
        return judge(project, selection, narrowed)
    with bounded(f"{project.settings.path}:{line}", "references.heading_steps"):
        return judge(project, selection, narrowed)


def _less_accepted(
    found: list[Found], top: str, settings: Settings, *, is_whole: bool
) -> list[Found]:
    """Return findings less those of the baseline; of a part no entry is told to be unused."""
    import datetime as dt  # few have a baseline

    from pytest_epm.specs import baseline

    rule = next(rule for rule in RULES if rule.name == "suppression-unused")
    accepted = baseline.read(top, settings.baseline)
    left = baseline.without(
        found, accepted, settings.baseline, rule, dt.datetime.now(tz=dt.UTC).date()
    )
    if is_whole:
        return left
    return [
        f for f in left if f.finding.path != settings.baseline or "ended on" in f.finding.message
    ]


def settings_at(start: str, config_file: str = "") -> Settings:
    """Return the settings that hold for a folder. Raises ConfigError with file and line."""
    found = (
        config.read_table(Path(config_file)) if config_file else config.table(Path(start), "lint")
    )
    if found is None:
        return Settings()
    shown = os.path.relpath(found.path, gather.top_of(start)).replace(os.sep, "/")
    name = found.path if shown.startswith("../") else shown
    at = At(name, Lines(found.text, found.prefix))
    return read_settings.read(at, found.table)


def report(outcome: Outcome, *, statistics: bool = False, fail_on: str = "warning") -> Report:
    """Return the outcome as a report; its exit code is 1 if anything was found."""
    findings = tuple(found.finding for found in outcome.found)
    against = [f for f in findings if fail_on == "warning" or f.severity == "error"]
    code = Exit.AGAINST if against else Exit.HOLDS
    if statistics:
        counts = Counter((found.rule.code, found.rule.name) for found in outcome.found)
        width = len(str(max(counts.values(), default=0)))
        lines = tuple(
            f"{number:>{width}}  {code}  {name}"
            for (code, name), number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        )
        return Report(SCHEMA, _headline(outcome), code, (Section("", lines=lines),))
    return Report(SCHEMA, _headline(outcome), code, (Section("", findings=findings),))


def as_data(outcome: Outcome) -> list[dict[str, object]]:
    """Return the findings as plain objects, for JSON."""
    return [
        {
            "code": found.rule.code,
            "name": found.rule.name,
            "path": found.finding.path,
            "line": found.finding.line,
            "column": found.finding.column,
            "severity": found.finding.severity,
            "message": found.finding.message.removeprefix(f"{found.rule.name}: "),
            "next_step": found.finding.next_step,
            **found.more,
        }
        for found in outcome.found
    ]


def _headline(outcome: Outcome) -> str:
    files = f"{outcome.files} file{'s' if outcome.files != 1 else ''}"
    if not outcome.found:
        return f"{files} linted: nothing found"
    errors = sum(found.finding.severity == "error" for found in outcome.found)
    warnings = len(outcome.found) - errors
    words = [
        f"{n} {word}{'s' if n != 1 else ''}"
        for n, word in ((errors, "error"), (warnings, "warning"))
        if n
    ]
    hint = f"epm rule {outcome.found[0].rule.code} explains the first"
    return f"{files} linted: {', '.join(words)}; {hint}"


def _chosen(files: gather.Files, paths: Sequence[str], start: str) -> list[str]:
    """Return paths as git has them. Raises EpmError for one that is not there."""
    found = []
    top = os.path.realpath(files.top)
    for path in paths:
        whole = os.path.abspath(os.path.join(start, path))
        if not os.path.lexists(whole):
            raise EpmError("there is no such file or folder", path)
        real = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
        below = os.path.relpath(real, top).replace(os.sep, "/")
        if below.startswith("../"):
            raise EpmError("this lies outside of the repository", path, f"cd to {files.top}")
        found.append(below)
    return found


def _further(chosen: Sequence[str]) -> list[str]:
    """Return files named outright, which are linted whatever the globs say."""
    return [path for path in chosen if path.endswith(".md")]


def _narrowed(project: Project, chosen: Sequence[str]) -> frozenset[str] | None:
    if not chosen:
        return None
    return frozenset(
        spec.path
        for spec in project.specs
        if any(c in (".", spec.path) or spec.path.startswith(f"{c}/") for c in chosen)
    )
