"""Settings as TOML, for `--show-config`. Pure."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_epm.specs.settings import DEFAULT_FILES, Duty, Entry, Settings

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def as_text(settings: Settings) -> str:
    """Return every setting in effect, as a file for `--config` would say it."""
    lines = [f"# from {settings.path}" if settings.path else "# no settings file: the defaults"]
    lines += _table("", _top(settings))
    return "\n".join(lines)


def _top(settings: Settings) -> dict[str, Any]:
    return {
        "select": settings.select,
        "extend-select": settings.extend_select,
        "ignore": settings.ignore,
        "files": settings.files or DEFAULT_FILES,
        "exclude": settings.exclude,
        "packs": settings.packs,
        "gates": settings.gates,
        "baseline": settings.baseline,
        "per-file-ignores": {entry.glob: words for entry, words in settings.per_file_ignores},
        "severity": dict(settings.severity),
        "vocabulary": {v.name: _vocabulary(v) for v in settings.vocabularies},
        "duty": list(settings.duties),
        "markers": {"known": settings.markers},
        **_nested(settings),
    }


def _nested(settings: Settings) -> dict[str, Any]:
    size, references, formats = settings.size, settings.references, settings.formats
    return {
        "references": {
            "roots": references.roots,
            "ignore": references.ignore,
            "skills": references.skills,
            "agents": references.agents,
            "heading_steps": references.heading_steps.pattern,
        },
        "size": {
            "warn": size.warn,
            "fail": size.fail,
            "ratchet": {entry.glob: held for entry, held in size.ratchet},
        },
        "asks": {
            "phrases": settings.ask_phrases,
            "allow": [
                {"file": allow.file, "section": allow.section, "reason": allow.reason}
                for allow in settings.ask_allow
            ],
        },
        "frontmatter": {
            "agent-keys": formats.agent_keys,
            "skill-keys": formats.skill_keys,
            "description-most": formats.description_most,
        },
    }


def _vocabulary(vocabulary: Any) -> dict[str, Any]:  # noqa: ANN401 - any of the settings' classes
    names = ("tokens", "retired", "prefixes", "contract", "restated_in", "retired_allowed_under")
    return {name: getattr(vocabulary, name) for name in names}


def _table(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    plain = {k: v for k, v in table.items() if not _is_tables(v)}
    if name and plain:
        yield ""
        yield f"[{name}]"
    for key, value in plain.items():
        if value not in ((), [], "", None):
            yield f"{_key(key)} = {toml(value)}"
    for key, value in table.items():
        inner = f"{name}.{_key(key)}" if name else _key(key)
        if isinstance(value, Mapping) and value:
            yield from _table(inner, value)
        elif isinstance(value, list):
            for duty in value:
                if isinstance(duty, Duty):
                    yield from ("", f"[[{inner}]]", f"id = {toml(duty.id)}")
                    yield f"files = {toml(duty.files)}"
                    yield f"sentence = {toml(duty.sentence)}"


def _is_tables(value: object) -> bool:
    is_duties = isinstance(value, list) and all(isinstance(duty, Duty) for duty in value)
    return isinstance(value, Mapping) or is_duties


def toml(value: object) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, Entry):
        return toml(value.glob)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, Mapping):
        held = ", ".join(f"{_key(k)} = {toml(v)}" for k, v in value.items() if v not in ("", ()))
        return f"{{ {held} }}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(toml, value))}]"
    return str(value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key)
