"""`--update-ratchet`: write the sizes that files are held at. An entry only ever comes down."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pytest_epm.errors import ConfigError
from pytest_epm.specs.model import Project
from pytest_epm.specs.show import toml
from pytest_epm.specs.where import Lines, Path


class Change(NamedTuple):
    """A line of the settings file. held: bytes before, or 0; now: bytes after, or 0 for none."""

    path: str
    held: int
    now: int


def changes(project: Project) -> list[Change]:
    """Return what the ratchet comes to: entries that come down or go, files above `fail` held.

    A file that grew keeps its entry, and its finding. A file without an entry gets one only
    where the settings have none at all, so that nothing is let in later.
    """
    size = project.settings.size
    sizes = {spec.path: spec.source.size for spec in project.specs}
    made = []
    for entry, held in size.ratchet:
        now = sizes.get(entry.glob, 0)
        if now < held:
            made.append(Change(entry.glob, held, 0 if now <= size.warn else now))
    if not size.ratchet:
        listed = (spec for spec in project.specs if spec.listed)
        made += [Change(s.path, 0, s.source.size) for s in listed if s.source.size > size.fail]
    return made


def rewritten(text: str, prefix: tuple[str, ...], made: list[Change]) -> str:
    """Return the settings file's text with the changes made, all else left as it is."""
    lines = text.split("\n")
    at = Lines(text, prefix)
    new: list[Change] = []
    gone: set[int] = set()
    for change in made:
        path: Path = ("size", "ratchet", change.path)
        number = at.line(path)
        if not change.held:
            new.append(change)
            continue
        replaced = re.sub(rf"=\s*{_spelled(change.held)}\b", f"= {change.now}", lines[number - 1])
        if replaced == lines[number - 1]:
            what = f"the entry of {change.path} is spelled in a way that cannot be changed here"
            raise ConfigError(what, f"line {number}", f"write {toml(change.path)} = {change.now}")
        if change.now:
            lines[number - 1] = replaced
        else:
            gone.add(number)
    entries = [f"{toml(change.path)} = {change.now}" for change in new]
    if new and at.has(("size", "ratchet")):
        lines[at.line(("size", "ratchet")) - 1] += "\n" + "\n".join(entries)
        new = []
    kept = [line for number, line in enumerate(lines, 1) if number not in gone]
    added = ["", f"[{'.'.join((*prefix, 'size', 'ratchet'))}]", *entries, ""] if new else []
    return "\n".join(kept).rstrip("\n") + "\n" + "\n".join(added)


def _spelled(number: int) -> str:
    """Return a pattern for a number with or without underscores between its digits."""
    return "_?".join(str(number))


def told(made: list[Change]) -> Iterator[str]:
    """Yield a line for each change."""
    for change in made:
        if not change.held:
            yield f"{change.path}: held at {change.now} bytes"
        elif change.now:
            yield f"{change.path}: from {change.held} down to {change.now} bytes"
        else:
            yield f"{change.path}: no longer held, it is small enough"
