"""A table of the settings, held against what it may say; refused with file and line. Pure."""

import difflib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

from pytest_epm.errors import ConfigError
from pytest_epm.specs.where import Lines, Path

Check = Callable[["At", Any], Any]


class At(NamedTuple):
    """A place in the settings: its path of keys, and how to name it."""

    file: str
    lines: Lines
    path: Path = ()

    def under(self, key: str | int) -> "At":
        """Return the place of a key below this one."""
        return At(self.file, self.lines, (*self.path, key))

    @property
    def line(self) -> int:
        """The line it stands on."""
        return self.lines.line(self.path)

    @property
    def name(self) -> str:
        """Keys as a user writes them."""
        return ".".join(str(part) for part in self.path if isinstance(part, str))

    def refuse(self, what: str, step: str = "") -> NoReturn:
        """Raise the error for this place."""
        raise ConfigError(what, f"{self.file}:{self.line}", step)


def string(at: At, value: Any) -> str:  # noqa: ANN401 - whatever a TOML file holds
    """Return a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        at.refuse(f"{at.name} takes a text, not {value!r}")
    return value


def strings(at: At, value: Any) -> tuple[str, ...]:  # noqa: ANN401 - as above
    """Return a list of texts."""
    if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
        at.refuse(f"{at.name} takes a list of texts, not {value!r}")
    return tuple(value)


def number(at: At, value: Any) -> int:  # noqa: ANN401 - as above
    """Return a whole number above 0."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        at.refuse(f"{at.name} takes a whole number above 0, not {value!r}")
    return value


def anything(_at: At, value: Any) -> Any:  # noqa: ANN401 - as above
    """Return it: another part of the product judges it."""
    return value


def table(
    at: At,
    value: Any,  # noqa: ANN401 - as above
    checks: Mapping[str, Check],
    needs: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Return a table's values by their keys; a hyphen in a key is as good as an underscore."""
    if not isinstance(value, dict):
        at.refuse(f"{at.name or 'lint'} is a table, not {value!r}")
    found: dict[str, Any] = {}
    for key, held in value.items():
        name = key.replace("-", "_")
        place = at.under(key)
        if name not in checks:
            near = difflib.get_close_matches(name, checks, 1)
            step = f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(checks))}"
            place.refuse(f"unknown key {place.name!r}", step)
        found[name] = checks[name](place, held)
    for key in needs:
        if key not in found:
            at.refuse(f"{at.name} needs the key {key}")
    return found


def mapping(at: At, value: Any, check: Check) -> dict[str, Any]:  # noqa: ANN401 - as above
    """Return a table whose keys are names of the user's own."""
    if not isinstance(value, dict):
        at.refuse(f"{at.name} is a table, not {value!r}")
    return {key: check(at.under(key), held) for key, held in value.items()}


def tables(
    at: At,
    value: Any,  # noqa: ANN401 - as above
    checks: Mapping[str, Check],
    needs: tuple[str, ...],
) -> list[tuple[At, dict[str, Any]]]:
    """Return a list of tables with their places."""
    if not isinstance(value, list):
        at.refuse(f"{at.name} is a list of tables, not {value!r}")
    places = [at.under(index) for index in range(len(value))]
    return [(p, table(p, v, checks, needs)) for p, v in zip(places, value, strict=True)]
