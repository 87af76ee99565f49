"""Start a command: in place of this process, or beside it and answering line by line."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from pytest_epm.errors import EpmError, Exit

_LAST_WORDS = 2000
_LOOK = 0.2  # seconds between looks at whether a child is still there


def replace_process(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Become `command`; return only where that failed, or on a system that cannot do it.

    Returns 127 if the command is not found and 126 if it cannot be run, as shells do.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        if os.name == "posix":
            os.execvpe(command[0], list(command), dict(environ))  # noqa: S606 - a list, no shell
        # Elsewhere exec returns to the shell before the command is done.
        return subprocess.run(list(command), env=dict(environ), check=False).returncode
    except (FileNotFoundError, NotADirectoryError):
        problem, code = "command not found", Exit.NOT_FOUND
    except (OSError, ValueError) as error:
        problem, code = f"cannot be run: {error}", Exit.CANNOT_RUN
    print(f"epm: {command[0]}: {problem}", file=sys.stderr)
    return code


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child came to its end.

    code: its exit code, negative for a signal. silent: it was killed, as it had said nothing
    for the time it was given. words: the last of what it wrote to stderr.
    """

    code: int
    silent: bool
    words: str


def answers(
    command: Sequence[str], environ: Mapping[str, str], cwd: str, request: bytes, silence: float
) -> Generator[bytes, None, Ended]:
    """Give a child `request` on stdin and yield the lines it writes to stdout.

    Whatever it has started by then is killed with it, also when the caller stops early.
    silence: seconds it may take for one line. Raises EpmError if it cannot be started.
    """
    import tempfile  # `epm run` has no use for it

    with tempfile.TemporaryFile() as words:
        try:
            child = subprocess.Popen(
                list(command),
                env=dict(environ),
                cwd=cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=words,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise EpmError(f"cannot be started: {error}", command[0]) from error
        try:
            silent = yield from _lines(child, request, silence)
        finally:
            _end(child)
        words.seek(max(0, words.seek(0, os.SEEK_END) - _LAST_WORDS))
        return Ended(child.returncode, silent, words.read().decode("utf-8", "replace"))


def _lines(
    child: subprocess.Popen[bytes], request: bytes, silence: float
) -> Generator[bytes, None, bool]:
    """Yield lines until the child ends; return whether it fell silent before."""
    heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    _aside(_tell, child.stdin, request)
    _aside(_listen, child.stdout, heard)
    waited = 0.0
    while waited < silence:
        # What a child has started may hold its side open after its end: so look at both.
        ended = child.poll() is not None
        try:
            line = heard.get(timeout=_LOOK)
        except queue.Empty:
            if ended:
                return False
            waited += _LOOK
            continue
        if not line:
            return False
        waited = 0.0
        yield line
    return True


def _aside(function: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=function, args=arguments, daemon=True).start()


def _tell(stream: IO[bytes], request: bytes) -> None:
    with contextlib.suppress(OSError), stream:  # it may end before it has read all
        stream.write(request)


def _listen(stream: IO[bytes], heard: "queue.SimpleQueue[bytes]") -> None:
    with stream:
        for line in stream:
            heard.put(line)
    heard.put(b"")


def _end(child: subprocess.Popen[bytes]) -> None:
    """Wait for a child that has closed its side, and kill what is left of its group."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(timeout=0.5)
    with contextlib.suppress(OSError):
        if os.name == "posix":
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    child.wait()
