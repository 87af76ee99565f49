"""The dated file of keys that the formats know, read from beside this module."""

import os
import tomllib
from functools import cache

from pytest_epm.specs.formats import Format, KeyForm


@cache
def formats() -> dict[str, Format]:
    """Return the formats by the kind of file, `agent` and `skill`."""
    path = os.path.join(os.path.dirname(__file__), "formats.toml")
    with open(path, "rb") as file:
        table = tomllib.load(file)
    return {
        kind: Format(
            tuple(held["needs"]),
            {k: KeyForm(v["type"], tuple(v.get("choices", ()))) for k, v in held["keys"].items()},
            held["meant"],
        )
        for kind, held in table.items()
        if isinstance(held, dict)
    }
