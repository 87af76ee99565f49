"""Run pytest many times in forks of one process that has imported it, and print what each took.

Started by `load` with the interpreter of an environment that has pytest and epm. What all
runs share, the start of Python and the import of pytest, is not in the figures: next to
it, and to how it differs from run to run, what a plugin adds could not be seen.
"""

import json
import os
import sys
import time
from collections.abc import Sequence

import pytest

_PLAIN = ("-q", "-p", "no:cacheprovider")
_ARGUMENTS = {"with": _PLAIN, "without": (*_PLAIN, "-p", "no:epm")}


def main() -> None:
    """Print one JSON object for each run, the two kinds in turns."""
    for number in range(int(sys.argv[1])):
        for name in list(_ARGUMENTS)[:: -1 if number % 2 else 1]:
            print(json.dumps({"name": name, **_forked(_ARGUMENTS[name])}), flush=True)


def _forked(arguments: Sequence[str]) -> dict[str, object]:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        with os.fdopen(writing, "w") as pipe:
            json.dump(_timed(arguments), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        took: dict[str, object] = json.load(pipe)
    os.waitpid(child, 0)
    return took


def _timed(arguments: Sequence[str]) -> dict[str, object]:
    wall, cpu = time.perf_counter(), time.process_time()
    code = int(pytest.main(list(arguments)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {"wall": wall, "cpu": cpu, "code": code, "modules": list(sys.modules)}


if __name__ == "__main__":
    main()
