"""What this process does with bytecode: whether it writes any, and where it would look."""

import os
import sys
import traceback
from collections.abc import Callable

from pytest_epm.bytecode.names import parse

NO_WRITE = "PYTHONDONTWRITEBYTECODE"


def is_worker() -> bool:
    """Whether this code runs in an xdist worker, also before its config is complete.

    An environment variable would not do: a child of a worker inherits it. Source:
    execnet runs what it is sent under the module name `__channelexec__`.
    """
    stack = traceback.walk_stack(None)
    return any(frame.f_globals.get("__name__") == "__channelexec__" for frame, _ in stack)


def write_nothing() -> None:
    """Keep this process and children that it starts from writing bytecode."""
    sys.dont_write_bytecode = True
    os.environ[NO_WRITE] = "1"


def write_nothing_for_now() -> Callable[[], None]:
    """Do the same; return a function that puts back what was set before."""
    flag, variable = sys.dont_write_bytecode, os.environ.get(NO_WRITE)

    def restore() -> None:
        sys.dont_write_bytecode = flag
        if variable is None:
            os.environ.pop(NO_WRITE, None)
        else:
            os.environ[NO_WRITE] = variable

    write_nothing()
    return restore


def caches(cached: str, pytest_version: str) -> list[str]:
    """Return where this process may keep the bytecode of a module: its own and pytest's."""
    tag = sys.implementation.cache_tag or ""
    folder, file = os.path.split(cached)
    name = parse(file, tag)
    if name is None:
        return [cached]
    rewritten = f"{name.stem}.{tag}-pytest-{pytest_version}.py"
    return [cached, *(os.path.join(folder, rewritten + end) for end in "co")]
