"""Have a fresh child import for real: one for each path, a new one only after a crash or hang."""

import json
import os
import sys
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_epm import child
from pytest_epm.errors import EpmError
from pytest_epm.imports.gather import child_environment
from pytest_epm.imports.results import CRASHED, TIMED_OUT

Task = dict[str, Any]

_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_BEGIN = (
    "import sys; before = set(sys.modules); ours = sys.argv[1]; sys.path.insert(0, ours); "
    "from pytest_epm.imports.worker import main; main(before, ours)"
)
_HELLO: Task = {"do": "hello"}


@dataclass(frozen=True, slots=True)
class Resolver:
    """What all children share.

    fresh: folders whose cached bytecode is not to be trusted. seconds: for one import.
    """

    fresh: tuple[str, ...]
    seconds: float = 60.0
    python: str = sys.executable

    def answers(self, path: Sequence[str], tasks: Sequence[Task]) -> list[Task]:
        """Return one answer for each task, in their order.

        The task under which a child crashed or hung has `kind` TIMED_OUT or CRASHED; other
        tasks on the same module are then not tried. Raises EpmError if no child starts.
        """
        found: list[Task] = []
        lost: dict[str, Task] = {}
        while len(found) < len(tasks):
            rest = tasks[len(found) :]
            trying = [task for task in rest if _module(task) not in lost]
            answered, ended = self._child(path, trying) if trying else ([], None)
            found += _spread(rest, answered, lost)
            if ended and len(answered) < len(trying):
                lost[_module(trying[len(answered)])] = self._loss(ended)
        return found

    def _child(self, path: Sequence[str], tasks: Sequence[Task]) -> tuple[list[Task], child.Ended]:
        request = {"path": list(path), "fresh": list(self.fresh), "tasks": [_HELLO, *tasks]}
        command = [self.python, "-B", "-c", _BEGIN, _HOME]
        with tempfile.TemporaryDirectory(prefix="epm-", ignore_cleanup_errors=True) as folder:
            said = child.answers(
                command,
                child_environment(os.environ, folder),
                folder,
                json.dumps(request).encode(),
                self.seconds,
            )
            lines, ended = _all(said)
        if not lines:
            words = ended.words.strip().rpartition("\n")[2]
            raise EpmError(
                f"no child could be started to import in: exit {ended.code}, {words}", self.python
            )
        return lines[1:], ended

    def _loss(self, ended: child.Ended) -> Task:
        if ended.silent:
            return {"ok": False, "kind": TIMED_OUT, "message": f"not done in {self.seconds:g} s"}
        how = f"signal {-ended.code}" if ended.code < 0 else f"exit {ended.code}"
        words = ended.words.strip().rpartition("\n")[2]
        message = f"ended the interpreter with {how}{': ' if words else ''}{words}"
        return {"ok": False, "kind": CRASHED, "message": message}


def _spread(
    rest: Iterable[Task], answered: Sequence[Task], lost: dict[str, Task]
) -> Iterator[Task]:
    """Yield the answers in the order of the tasks, as far as they go."""
    left = iter(answered)
    for task in rest:
        answer = lost.get(_module(task)) or next(left, None)
        if answer is None:
            return
        yield answer


def _module(task: Task) -> str:
    return str(task.get("module", ""))


def _all(said: Generator[bytes, None, child.Ended]) -> tuple[list[Task], child.Ended]:
    lines: list[Task] = []
    while True:
        try:
            lines.append(json.loads(next(said)))
        except StopIteration as stop:
            return lines, stop.value
