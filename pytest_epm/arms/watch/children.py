"""Child processes: they are told by the environment to watch themselves, and write facts."""

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from pytest_epm.arms.watch.notes import Fact, Notes

VARIABLE = "EPM_ARMS"
WITHIN = "EPM_ARMS_WITHIN"
SITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")
_SUFFIX = ".jsonl"


class Noting(Protocol):
    """What writes notes of what this process does."""

    notes: Notes


_following: list[tuple[Noting, str]] = []
_registered: list[bool] = []


def follow_forks(recorder: Noting | None, folder: str = "") -> None:
    """Have forks of this process tell what they see; None: no longer."""
    if recorder is not None and not _registered:
        os.register_at_fork(after_in_child=_forked)
        _registered.append(True)
    _following[:] = [(recorder, folder)] if recorder is not None else []


def _forked() -> None:
    for recorder, folder in _following:
        recorder.notes = Notes(Teller(folder))


class Children:
    """Where the children of one test write, and what of the environment tells them."""

    def __init__(self, request: dict[str, Any]) -> None:
        """Make a folder. request: what a child needs to know, as plain JSON."""
        self.folder = tempfile.mkdtemp(prefix="epm-arms-")
        self._before = {name: os.environ.get(name) for name in (VARIABLE, WITHIN, "PYTHONPATH")}
        told = os.path.join(self.folder, "request.json")
        with open(told, "w", encoding="utf-8") as file:
            json.dump(request, file)
        os.environ[VARIABLE] = told
        path = self._before["PYTHONPATH"]
        os.environ["PYTHONPATH"] = SITE + (os.pathsep + path if path else "")

    def within(self, names: Sequence[str]) -> None:
        """Tell children to come which computations are on the stack."""
        if names:
            os.environ[WITHIN] = json.dumps(names)
        else:
            os.environ.pop(WITHIN, None)

    def close(self) -> list[Fact]:
        """Put the environment back, and return what the children wrote."""
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        facts = list(self._facts())
        shutil.rmtree(self.folder, ignore_errors=True)
        return facts

    def _facts(self) -> Iterator[Fact]:
        for entry in sorted(os.listdir(self.folder)):
            if not entry.endswith(_SUFFIX):
                continue
            with open(os.path.join(self.folder, entry), encoding="utf-8") as file:
                for line in file:
                    # The last one may be torn, as of a child that was killed.
                    with contextlib.suppress(ValueError):
                        yield frozen(json.loads(line))


class Teller:
    """Appends facts to the file of this process."""

    def __init__(self, folder: str) -> None:
        """Take the folder of the test."""
        self.folder = folder

    def __call__(self, fact: Fact) -> None:
        """Write one line at once."""
        path = os.path.join(self.folder, f"{os.getpid()}{_SUFFIX}")
        # The test may be over, and its folder gone.
        with contextlib.suppress(OSError), open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(fact) + "\n")


def frozen(value: Any) -> Any:  # noqa: ANN401 - plain values
    """Return lists as tuples, all the way down."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value
