"""What lint writes: sizes that are held, findings that are accepted, a first configuration."""

import datetime as dt
import os
from pathlib import Path

from pytest_epm import config
from pytest_epm.errors import ConfigError, EpmError
from pytest_epm.files import write_whole
from pytest_epm.specs import baseline, gather, ratchet, start
from pytest_epm.specs.lint import Outcome, project_of, settings_at
from pytest_epm.specs.model import Project
from pytest_epm.specs.registry import RULES
from pytest_epm.specs.select import selected
from pytest_epm.specs.settings import Settings

_DAYS = 90  # that an accepted finding is accepted for, at first


def update_ratchet(folder: str, config_file: str) -> list[str]:
    """Tighten the ratchet in the settings file; return what was done, a line each."""
    found = _settings_file(folder, config_file)
    project = _project(folder, settings_at(folder, config_file))
    made = ratchet.changes(project)
    if not made:
        return ["nothing to tighten"]
    if found is None:
        raise ConfigError("there is no settings file to write to", folder, "epm init")
    try:
        text = ratchet.rewritten(found.text, found.prefix, made)
    except ConfigError as error:
        where = f"{found.path}:{error.where.removeprefix('line ')}"
        raise ConfigError(error.what, where, error.next_step) from None
    write_whole(os.path.realpath(found.path), text.encode())
    return list(ratchet.told(made))


def write_baseline(name: str, outcome: Outcome) -> str:
    """Write findings as accepted ones into a new file; return what was done."""
    if os.path.lexists(name):
        raise EpmError("this file is there already", name, "name a new one, or take it away")
    today = dt.datetime.now(tz=dt.UTC).date()
    text = baseline.as_text(outcome.found, today + dt.timedelta(days=_DAYS))
    write_whole(os.path.abspath(name), text.encode())
    number = len(outcome.found)
    return f"{number} findings written to {name}: fill in the reasons, then set baseline to it"


def begin(folder: str, *, only_print: bool) -> str:
    """Write a first configuration of lint; return what was done, or the text itself."""
    top = gather.top_of(folder)
    found = config.table(Path(top), "lint")
    if found is not None and not only_print:
        raise ConfigError("lint is configured already", found.path, "epm lint --show-config")
    pyproject = config.holds_settings(Path(top) / "pyproject.toml")
    prefix = ("tool", "epm", "lint") if pyproject else ("lint",)
    project = _project(top, Settings())
    proposal = start.propose(project.specs, prefix)
    if only_print:
        return proposal.text.rstrip("\n")
    path = os.path.join(top, "pyproject.toml" if pyproject else "epm.toml")
    before = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            before = file.read().rstrip("\n") + "\n\n"
    write_whole(path, (before + proposal.text).encode())
    counts = (
        (proposal.specs, "spec", "found"),
        (proposal.vocabularies, "vocabular", "proposed"),
        (
            proposal.held,
            "file",
            "held at its size" if proposal.held == 1 else "held at their sizes",
        ),
    )
    said = ", ".join(_count(number, word, done) for number, word, done in counts)
    return f"{os.path.basename(path)}: {said}\n  next: epm lint"


def _count(number: int, word: str, done: str) -> str:
    endings = ("y", "ies") if word.endswith("ar") else ("", "s")
    return f"{number} {word}{endings[number != 1]} {done}"


def _project(folder: str, settings: Settings) -> Project:
    files = gather.files_below(gather.top_of(folder))
    return project_of(files, settings, selected(RULES, settings))


def _settings_file(folder: str, config_file: str) -> config.Found | None:
    if config_file:
        return config.read_table(Path(config_file))
    return config.table(Path(folder), "lint")
