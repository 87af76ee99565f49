"""Keys of front matter: which a format knows, what one was meant for, what each takes. Pure."""

import re
from typing import NamedTuple

from pytest_epm.specs.nearest import one_edit

_SHORTEST = 5  # of keys that one edit may be told of
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 64


class KeyForm(NamedTuple):
    """What a key takes."""

    type: str
    choices: tuple[str, ...] = ()


class Format(NamedTuple):
    """The keys of a kind of file. meant: keys that are taken for others, with the right name."""

    needs: tuple[str, ...]
    keys: dict[str, KeyForm]
    meant: dict[str, str]


def near_key(name: str, form: Format, more: tuple[str, ...]) -> str:
    """Return the known key that a key was meant for, or nothing."""
    if name in form.meant:
        return form.meant[name]
    known = (*form.keys, *more)
    flat = _flat(name)
    for key in known:
        if _flat(key) == flat:
            return key
    near = (key for key in known if len(key) >= _SHORTEST and one_edit(name, key))
    return next(near, "")


def _flat(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def fault_of(value: object, form: KeyForm) -> str:
    """Return what is wrong with a value's type, or nothing. A key without a value is left alone."""
    if value is None:
        return ""
    wanted = _TYPES[form.type]
    if not _is(value, form.type):
        return f"takes {wanted}, not {_said(value)}"
    if form.type in ("table", "hooks") and not value:
        return f"is empty; it takes {wanted}"
    return ""


_TYPES = {
    "text": "a text",
    "words": "a text or a list of texts",
    "flag": "true or false",
    "number": "a whole number",
    "table": "a mapping",
    "hooks": "a mapping of events to lists",
    "list": "a list",
    "any": "anything",
}


def _is(value: object, kind: str) -> bool:
    if kind == "words":
        is_list = isinstance(value, list) and all(isinstance(word, str) for word in value)
        return isinstance(value, str) or is_list
    types: dict[str, type | tuple[type, ...]] = {
        "text": str,
        "flag": bool,
        "table": dict,
        "hooks": dict,
        "list": list,
        "any": object,
        "number": int,
    }
    return isinstance(value, types[kind]) and not (kind == "number" and isinstance(value, bool))


def _said(value: object) -> str:
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value}"
    return f"{type(value).__name__} {value}"


def fault_of_name(name: str) -> str:
    """Return what is wrong with the name of a skill, or nothing."""
    if len(name) > _LONGEST_NAME:
        return f"has {len(name)} characters; {_LONGEST_NAME} are the most"
    if not _NAME.fullmatch(name):
        return "takes lower-case letters, digits and single hyphens between them"
    return ""


def names_in(value: object) -> list[str]:
    """Return the names that a value lists, as a list or with commas."""
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, list):
        return []
    return [word.strip() for word in words if isinstance(word, str) and word.strip()]
