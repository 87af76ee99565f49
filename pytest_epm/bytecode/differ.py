"""The child that loads cached code to compare it: bytes damaged on purpose crash it alone.

Reads one JSON list of tasks from stdin, each `[cached, source, optimize]`, and answers each
with one JSON line: in what the cached code differs from its source, or an empty string.
It needs nothing but the standard library and its own files.
"""

import contextlib
import json
import marshal
import os
import sys
import warnings
from types import CodeType

from pytest_epm.bytecode.compare import same_code
from pytest_epm.bytecode.header import SIZE
from pytest_epm.files import MOST, read_regular

_MEMORY = 1 << 32  # bytes of address space; a few bytes of marshal data can ask for more


def main() -> None:
    """Say that it has begun, and answer all tasks."""
    _contain()
    warnings.simplefilter("ignore")
    _say("")
    for cached, source, optimize in json.load(sys.stdin.buffer):
        _say(difference(cached, source, optimize))


def difference(cached: str, source: str, optimize: int) -> str:
    """Return in what a cached code object differs from its source, or an empty string."""
    try:
        code, _ = read_regular(cached, MOST)
        text, _ = read_regular(source, MOST)
    except FileNotFoundError:
        return ""  # it went meanwhile: nothing is imported from here
    except OSError as error:
        return error.strerror or str(error)
    return _difference(code[SIZE:], text, source, optimize)


def _say(words: str) -> None:
    # At once, so that the task under which this process ends is known.
    os.write(1, json.dumps(words).encode() + b"\n")


def _difference(marshalled: bytes, text: bytes, source: str, optimize: int) -> str:
    try:
        cached = marshal.loads(marshalled)  # noqa: S302 - the next import would run it, we only look
    except Exception:  # noqa: BLE001 - whatever broken bytes make of it, it is no code
        return "cannot be loaded"
    if not isinstance(cached, CodeType):
        return "holds no code object"
    try:
        fresh = compile(text, source, "exec", dont_inherit=True, optimize=optimize)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "its source does not compile"
    try:
        same = same_code(cached, fresh)
    except RecursionError:
        same = False
    return "" if same else "holds other code than its source"


def _contain() -> None:
    try:
        import resource
    except ImportError:
        return  # no POSIX system
    for limit, most in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(OSError, ValueError):
            hard = resource.getrlimit(limit)[1]
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(limit, (bound, hard))
