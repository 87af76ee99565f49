"""`[tool.epm.lint]` into settings: every key known, every value of its type. Pure."""

import re
from collections.abc import Mapping
from typing import Any

from pytest_epm.specs import globs, schema
from pytest_epm.specs.schema import At, number, string, strings
from pytest_epm.specs.settings import (
    Allow,
    Duty,
    Entry,
    Formats,
    References,
    Settings,
    Size,
    Vocabulary,
)

SEVERITIES = ("error", "warning")
_LONGEST_PATTERN = 300


def read(at: At, value: Mapping[str, Any]) -> Settings:
    """Return what the table says. Raises ConfigError with file and line."""
    found = schema.table(at, value, _TOP)
    found["path"] = at.file
    for old, new in (
        ("vocabulary", "vocabularies"),
        ("duty", "duties"),
        ("frontmatter", "formats"),
    ):
        if old in found:
            found[new] = found.pop(old)
    asks = found.pop("asks", {})
    found.pop("uploads", None)
    return Settings(**found, **asks)


def _entry(at: At, glob: str) -> Entry:
    line = at.lines.value(at.path, glob)
    if globs.leaves(glob):
        at.refuse(f"{glob!r} points out of the repository", "name it from the repository's top")
    return Entry(glob.removeprefix("./"), line)


def _entries(at: At, value: Any) -> tuple[Entry, ...]:  # noqa: ANN401 - whatever a TOML file holds
    return tuple(_entry(at, glob) for glob in strings(at, value))


def _tokens(at: At, value: Any) -> tuple[str, ...]:  # noqa: ANN401 - as above
    found = strings(at, value)
    for token in found:
        if token.split() != [token]:
            at.refuse(f"{token!r} is no token: it holds white space")
    return found


def _vocabularies(at: At, value: Any) -> tuple[Vocabulary, ...]:  # noqa: ANN401 - as above
    made = schema.mapping(at, value, lambda a, v: (a, schema.table(a, v, _VOCABULARY, ("tokens",))))
    return tuple(_vocabulary(a, name, found) for name, (a, found) in made.items())


def _vocabulary(at: At, name: str, found: dict[str, Any]) -> Vocabulary:
    both = set(found["tokens"]) & set(found.get("retired", ()))
    if both:
        at.refuse(f"{', '.join(sorted(both))} is both a token of {name} and retired")
    if not found["tokens"]:
        at.refuse(f"{name} has no token")
    return Vocabulary(name, **found)


def _duties(at: At, value: Any) -> tuple[Duty, ...]:  # noqa: ANN401 - as above
    needs = ("id", "files", "sentence")
    made = schema.tables(at, value, _DUTY, needs)
    seen: set[str] = set()
    for place, found in made:
        if found["id"] in seen:
            place.refuse(f"a second duty is called {found['id']!r}")
        seen.add(found["id"])
    return tuple(Duty(**found) for _, found in made)


def _severity(at: At, value: Any) -> tuple[tuple[str, str], ...]:  # noqa: ANN401 - as above
    return tuple(schema.mapping(at, value, _level).items())


def _level(at: At, value: Any) -> str:  # noqa: ANN401 - as above
    if value not in SEVERITIES:
        at.refuse(f"{at.name} is one of {', '.join(SEVERITIES)}, not {value!r}")
    return str(value)


def _ignores(at: At, value: Any) -> tuple[tuple[Entry, tuple[str, ...]], ...]:  # noqa: ANN401
    found = schema.mapping(at, value, strings)
    return tuple((_entry(at.under(glob), glob), rules) for glob, rules in found.items())


def _references(at: At, value: Any) -> References:  # noqa: ANN401 - as above
    found = schema.table(at, value, _REFERENCES)
    if "heading_steps" in found:
        found["steps_line"] = at.under("heading_steps").line
    found["roots"] = tuple(root.strip("/") for root in found.get("roots", ()))
    return References(**found)


def _pattern(at: At, value: Any) -> re.Pattern[str]:  # noqa: ANN401 - as above
    text = string(at, value)
    if len(text) > _LONGEST_PATTERN:
        at.refuse(f"{at.name} is longer than {_LONGEST_PATTERN} characters")
    try:
        found = re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        at.refuse(f"{at.name} is no regular expression: {error}")
    if "n" not in found.groupindex:
        at.refuse(f"{at.name} has no group n", "name the step's number: `(?P<n>[0-9]+)`")
    return found


def _size(at: At, value: Any) -> Size:  # noqa: ANN401 - as above
    found = schema.table(at, value, _SIZE)
    for name in ("warn", "fail"):
        if f"{name}_bytes" in found:
            found[name] = found.pop(f"{name}_bytes")
    made = Size(**found)
    if made.warn > made.fail:
        at.refuse(f"warn ({made.warn}) is above fail ({made.fail})")
    return made


def _ratchet(at: At, value: Any) -> tuple[tuple[Entry, int], ...]:  # noqa: ANN401 - as above
    found = schema.mapping(at, value, number)
    return tuple((_entry(at.under(path), path), held) for path, held in found.items())


def _asks(at: At, value: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    found = schema.table(at, value, {"phrases": strings, "allow": _allow})
    return {f"ask_{key}": held for key, held in found.items()}


def _allow(at: At, value: Any) -> tuple[Allow, ...]:  # noqa: ANN401 - as above
    checks = {"file": string, "section": string, "reason": string}
    made = schema.tables(at, value, checks, ("file",))
    return tuple(
        Allow(_entry(At(at.file, at.lines, at.path), found.pop("file")), **found)
        for _, found in made
    )


def _markers(at: At, value: Any) -> tuple[str, ...]:  # noqa: ANN401 - as above
    found: tuple[str, ...] = schema.table(at, value, {"known": strings}).get("known", ())
    for marker in found:
        if ":" not in marker.strip(":"):
            at.under("known").refuse(f"{marker!r} is no marker: it has the form namespace:name")
    return found


def _formats(at: At, value: Any) -> Formats:  # noqa: ANN401 - as above
    checks = {"agent_keys": strings, "skill_keys": strings, "description_most": number}
    return Formats(**schema.table(at, value, checks))


_VOCABULARY: dict[str, schema.Check] = {
    "tokens": _tokens,
    "retired": _tokens,
    "prefixes": _tokens,
    "contract": _entries,
    "restated_in": _entries,
    "retired_allowed_under": strings,
}
_DUTY: dict[str, schema.Check] = {"id": string, "files": _entries, "sentence": string}
_REFERENCES: dict[str, schema.Check] = {
    "roots": strings,
    "ignore": strings,
    "skills": strings,
    "agents": strings,
    "heading_steps": _pattern,
}
_SIZE: dict[str, schema.Check] = {
    "warn": number,
    "fail": number,
    "warn_bytes": number,
    "fail_bytes": number,
    "ratchet": _ratchet,
}
_TOP: dict[str, schema.Check] = {
    "select": strings,
    "extend_select": strings,
    "ignore": strings,
    "per_file_ignores": _ignores,
    "severity": _severity,
    "files": _entries,
    "exclude": strings,
    "packs": strings,
    "vocabulary": _vocabularies,
    "duty": _duties,
    "markers": _markers,
    "references": _references,
    "size": _size,
    "asks": _asks,
    "frontmatter": _formats,
    "gates": _entries,
    "baseline": string,
    "uploads": schema.anything,
}
KEYS = tuple(sorted(_TOP))
