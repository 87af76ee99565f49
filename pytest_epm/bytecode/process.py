"""What this process does with bytecode: whether it writes any, and where it would look."""

import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence

from pytest_epm.bytecode.names import parse

NO_WRITE = "PYTHONDONTWRITEBYTECODE"
# Which process was started over which purged roots: `epm run` becomes its command.
_FRESH = "EPM_FRESH"


def is_worker() -> bool:
    """Whether this is the start of an xdist worker, before its config is complete.

    An environment variable would not do: a child of a worker inherits it. Source:
    execnet runs what it is sent under the module name `__channelexec__`. A run inside a
    test of a worker has the worker's own `pytest_cmdline_main` around it.
    """
    frames = [frame for frame, _ in traceback.walk_stack(None)]
    inside = any(frame.f_code.co_name == "pytest_cmdline_main" for frame in frames)
    sent = any(frame.f_globals.get("__name__") == "__channelexec__" for frame in frames)
    return sent and not inside


def program_folder() -> str:
    """Return the folder of the script that this process runs; empty for a module or `-c`."""
    main = sys.modules.get("__main__")
    file = getattr(main, "__file__", None)
    if getattr(main, "__spec__", None) is not None or not isinstance(file, str):
        return ""
    return os.path.realpath(os.path.dirname(os.path.abspath(file)))


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


def fresh_environment(environ: Mapping[str, str], roots: Sequence[str]) -> dict[str, str]:
    """Return the environment of a command that this process is about to become.

    roots: what was purged for it. The command alone may rely on it, not its children:
    they start later, so the process is named.
    """
    return {**environ, NO_WRITE: "1", _FRESH: json.dumps([os.getpid(), list(roots)])}


def fresh_roots(environ: Mapping[str, str]) -> list[str]:
    """Return the roots that were purged before this very process started."""
    try:
        started, roots = json.loads(environ.get(_FRESH, "[0, []]"))
    except (ValueError, TypeError, RecursionError):
        return []  # not what we wrote: nothing is known
    mine = started == os.getpid() and isinstance(roots, list)
    return [root for root in roots if isinstance(root, str)] if mine else []


def caches(cached: str, pytest_version: str) -> list[str]:
    """Return where this process may keep the bytecode of a module: its own and pytest's."""
    tag = sys.implementation.cache_tag or ""
    folder, file = os.path.split(cached)
    name = parse(file, tag)
    if name is None:
        return [cached]
    rewritten = f"{name.stem}.{tag}-pytest-{pytest_version}.py"
    return [cached, *(os.path.join(folder, rewritten + end) for end in "co")]
