"""Start commands, take their wall and CPU seconds, and let contenders take turns."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

# They would decide in our place whether bytecode is kept, or which plugins a run has.
_DECIDE = ("PYTHON", "PYTEST_", "EPM_")


class FaultError(Exception):
    """A benchmark of ours is wrong, or what it measures does not do its work."""


class NotRunError(Exception):
    """A benchmark cannot be run here: something that is not ours is absent."""


class Cost(NamedTuple):
    """Seconds that a command took; `cpu` is of all its processes, system time included."""

    wall: float
    cpu: float


def environment() -> dict[str, str]:
    """Return our environment without what decides over Python, pytest or epm."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_DECIDE)}


def run(command: Sequence[str], folder: str, good: Collection[int] = (0,), path: str = "") -> Cost:
    """Run a command in `folder` to its end. path: put on PYTHONPATH.

    Raises FaultError with the end of its output if it exits with a code that is not good.
    """
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**environment(), **({"PYTHONPATH": path} if path else {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in good:
            output.seek(0)
            end = output.read().decode("utf-8", "replace")[-2000:]
            raise FaultError(f"{' '.join(command)}\nexited with {process.returncode}:\n{end}")
    return Cost(wall, used.ru_utime + used.ru_stime)


def text_of(command: Sequence[str], folder: str) -> str:
    """Return what a command prints; raises NotRunError where it cannot do its work."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment(), capture_output=True, text=True, check=True
        )
    except OSError as error:
        raise NotRunError(f"{command[0]}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        last = str(error.stderr).strip().rpartition("\n")[2]
        raise NotRunError(f"{' '.join(command)} exited with {error.returncode}: {last}") from error
    return done.stdout


def take_turns(
    rounds: int, contenders: Mapping[str, Callable[[], Cost]]
) -> dict[str, tuple[Cost, ...]]:
    """Run every contender once per round, in an order that is turned round each time.

    What changes slowly on a machine then meets all of them alike.
    """
    costs: dict[str, list[Cost]] = {name: [] for name in contenders}
    for number in range(rounds):
        names = list(contenders)[:: -1 if number % 2 else 1]
        for name in names:
            progress(f"{name}: {number + 1} of {rounds}")
            costs[name].append(contenders[name]())
    return {name: tuple(taken) for name, taken in costs.items()}


def progress(what: str) -> None:
    """Rewrite one line of the terminal, if there is one."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what[:78]}", end="", file=sys.stderr, flush=True)
