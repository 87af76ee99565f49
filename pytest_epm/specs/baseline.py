"""Accepted findings: a file of entries with a reason and an expiry."""

import datetime as dt
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pytest_epm import config
from pytest_epm.errors import ConfigError
from pytest_epm.report import Finding
from pytest_epm.specs import schema
from pytest_epm.specs.judge import Found
from pytest_epm.specs.model import Rule
from pytest_epm.specs.schema import At
from pytest_epm.specs.select import means
from pytest_epm.specs.where import Lines

_KEYS: dict[str, schema.Check] = {
    "rule": schema.string,
    "path": schema.string,
    "message": schema.string,
    "reason": schema.string,
    "expires": schema.anything,
}
_NEEDS = ("rule", "path", "message", "reason", "expires")


class Accepted(NamedTuple):
    """A finding that is accepted for a while. line: of the entry."""

    rule: str
    path: str
    message: str
    reason: str
    expires: dt.date
    line: int


def read(top: str, name: str) -> tuple[Accepted, ...]:
    """Return the entries of a baseline file. Raises ConfigError with file and line."""
    whole = os.path.realpath(os.path.join(top, name))
    if not whole.startswith(os.path.realpath(top) + os.sep):
        raise ConfigError(f"baseline {name!r} points out of the repository")
    found = config.read_table(Path(whole))
    at = At(name, Lines(found.text))
    table = schema.table(at, found.table, {"accept": schema.anything})
    made = schema.tables(at.under("accept"), table.get("accept", []), _KEYS, _NEEDS)
    return tuple(_accepted(place, entry) for place, entry in made)


def _accepted(at: At, entry: dict[str, object]) -> Accepted:
    expires = entry.pop("expires")
    if isinstance(expires, dt.datetime) or not isinstance(expires, dt.date):
        at.under("expires").refuse("expires takes a date", "write it as 2027-01-31, without quotes")
    if str(entry["reason"]).startswith("TODO"):
        at.under("reason").refuse("the reason is not filled in", "say why the finding is accepted")
    return Accepted(**entry, expires=expires, line=at.line)  # type: ignore[arg-type] # as checked


def without(
    found: Sequence[Found],
    accepted: Sequence[Accepted],
    name: str,
    rule: Rule,
    today: dt.date,
) -> list[Found]:
    """Return findings less those that are accepted today, with what is wrong with the entries.

    An entry stands for one finding of its message. rule: of the findings about entries.
    """
    left = list(found)
    wrong: list[Found] = []
    for entry in accepted:
        match = next((f for f in left if _is(entry, f)), None)
        if match is None:
            what = f"the accepted {entry.rule} of {entry.path} is not found any more"
            wrong.append(_about(entry, name, rule, what, "take the entry out"))
        elif entry.expires < today:
            what = f"the acceptance of {entry.rule} in {entry.path} ended on {entry.expires}"
            wrong.append(_about(entry, name, rule, what, "mend the finding, or give a new reason"))
        else:
            left.remove(match)
    return sorted([*left, *wrong], key=lambda f: (f.finding.path, f.finding.line, f.finding.column))


def as_text(found: Sequence[Found], expires: dt.date) -> str:
    """Return a baseline of all findings, for people to fill in the reasons."""
    return "\n".join(_lines(found, expires))


def _lines(found: Sequence[Found], expires: dt.date) -> Iterator[str]:
    from pytest_epm.specs.show import toml

    for item in found:
        yield "[[accept]]"
        yield f"rule = {toml(item.rule.name)}"
        yield f"path = {toml(item.finding.path)}"
        yield f"message = {toml(_message(item))}"
        yield 'reason = "TODO: say why"'
        yield f"expires = {expires.isoformat()}"
        yield ""


def _is(entry: Accepted, found: Found) -> bool:
    same_place = entry.path == found.finding.path and entry.message == _message(found)
    return same_place and means(entry.rule, found.rule)


def _message(found: Found) -> str:
    return found.finding.message.removeprefix(f"{found.rule.name}: ")


def _about(entry: Accepted, name: str, rule: Rule, what: str, step: str) -> Found:
    message = f"{rule.name}: {what}"
    return Found(Finding(rule.code, message, name, entry.line, 1, rule.severity, step), rule)
