"""Ask the import system which modules are loaded, and from where."""

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.machinery import BYTECODE_SUFFIXES, SOURCE_SUFFIXES, ModuleSpec
from types import ModuleType

from pytest_epm.bytecode.proof import Loaded

_SUFFIXES = (*SOURCE_SUFFIXES, *BYTECODE_SUFFIXES)


@cache
def _real_folder(folder: str) -> str:
    return os.path.realpath(folder)


def _real(file: str) -> str:
    """Return where a file stands; what it links to does not matter, its cache stands beside it."""
    return os.path.join(_real_folder(os.path.dirname(file)), os.path.basename(file))


def loaded_modules() -> Iterator[Loaded]:
    """Yield modules of this process that have a source file or bytecode."""
    for name, module in list(sys.modules.items()):
        spec = _attribute(module, "__spec__")
        if isinstance(spec, ModuleSpec):
            origin = spec.origin
            if origin and spec.has_location and origin.endswith(_SUFFIXES):
                yield Loaded(name, _real(origin), spec.cached or "")
        elif name != "__main__":  # a script is compiled anew each time
            file = _attribute(module, "__file__")
            if isinstance(file, str) and file.endswith(_SUFFIXES):
                yield Loaded(name, _real(file), "")


def _attribute(module: ModuleType | None, name: str) -> object:
    # Lazy modules import on attribute access, so look at what is there already.
    return getattr(module, "__dict__", {}).get(name)
