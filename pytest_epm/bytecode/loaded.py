"""Ask the import system which modules are loaded, and from where."""

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.machinery import BYTECODE_SUFFIXES, SOURCE_SUFFIXES, ModuleSpec

from pytest_epm.bytecode.proof import Loaded

_SUFFIXES = (*SOURCE_SUFFIXES, *BYTECODE_SUFFIXES)


@cache
def _real_folder(folder: str) -> str:
    return os.path.realpath(folder)


def _real(file: str) -> str:
    """Return where a file stands; what it links to does not matter, its cache stands beside it."""
    try:
        return os.path.join(_real_folder(os.path.dirname(file)), os.path.basename(file))
    except ValueError:  # a null byte: no such file can be
        return file


def loaded_modules() -> Iterator[Loaded]:
    """Yield modules of this process that have a source file or bytecode."""
    loaded: list[tuple[object, object]] = [*sys.modules.items()]
    for name, module in loaded:
        if not isinstance(name, str):
            continue
        spec = _held(module).get("__spec__")
        if isinstance(spec, ModuleSpec) and type(spec) is ModuleSpec:
            origin = spec.origin
            if isinstance(origin, str) and spec.has_location and origin.endswith(_SUFFIXES):
                yield Loaded(name, _real(origin), spec.cached or "")
        elif name != "__main__":  # a script is compiled anew each time
            file = _held(module).get("__file__")
            if isinstance(file, str) and file.endswith(_SUFFIXES):
                yield Loaded(name, _real(file), "")


def _held(module: object) -> dict[str, object]:
    """Return what a module holds already: a lazy one would import on any other access."""
    try:
        held = object.__getattribute__(module, "__dict__")
    except Exception:  # noqa: BLE001 - anything may stand in sys.modules, and do anything
        return {}
    return held if isinstance(held, dict) else {}
