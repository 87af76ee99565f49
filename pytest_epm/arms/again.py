"""Has tests watched once more in a child pytest, where this process could not watch them."""

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_epm import child
from pytest_epm.arms.evidence import OVERLAP, Item, unpack
from pytest_epm.errors import EpmError

VARIABLE = "EPM_ARMS_AGAIN"
_ANSWER = "seen.jsonl"
# What measures or debugs this process would do the same to the child.
_NOT_FOR_THE_CHILD = ("COV_CORE_", "COVERAGE_PROCESS_", "PYTEST_XDIST_", "PYTEST_CURRENT_TEST")
_AT_LEAST = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Invocation:
    """How this pytest was started. words: its arguments. seconds: how long it has taken."""

    words: Sequence[str]
    folder: str
    seconds: float


def unwatched(items: Iterable[Item], *, every: bool) -> list[Item]:
    """Return passing tests whose evidence another tool took. every: bound ones or not."""
    return [
        item
        for item in items
        if item.id
        and item.outcome == "passed"
        and item.unknown not in ("", OVERLAP)
        and (item.arms or every)
    ]


def watched_again(items: list[Item], chosen: list[Item], how: Invocation) -> list[Item]:
    """Run the chosen ones in a child pytest; return all items, with the evidence it gave.

    What a test came to stays as it was here. Where the child has nothing to tell of a test it
    stays unknown, and says why.
    """
    if not chosen:
        return items
    with tempfile.TemporaryDirectory(prefix="epm-arms-") as folder:
        request = os.path.join(folder, "request.json")
        answer = os.path.join(folder, _ANSWER)
        with open(request, "w", encoding="utf-8") as file:
            json.dump({"ids": [item.id for item in chosen], "answer": answer}, file)
        problem = _run(how, {**_environment(os.environ), VARIABLE: request})
        seen = {item.id: item for item in _answered(answer)}
    wanted = {id(item) for item in chosen}
    return [_merged(item, seen, problem) if id(item) in wanted else item for item in items]


def asked(environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what this process is asked to watch, if it is such a child."""
    path = environ.get(VARIABLE, "")
    if not path:
        return None
    with open(path, encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


def _merged(item: Item, seen: Mapping[str, Item], problem: str) -> Item:
    found = seen.get(item.id)
    if found is None:
        why = problem or "it did not run in a child pytest either"
        return replace(item, unknown=f"{item.unknown}; {why}")
    return replace(found, arms=item.arms, outcome=item.outcome)


def _run(how: Invocation, environ: Mapping[str, str]) -> str:
    """Run pytest; return why it told nothing, or an empty string."""
    # `python -m` puts the current folder on the path; a bare `pytest` does not.
    path = [] if os.path.basename(sys.argv[0]) == "__main__.py" else ["-P"]
    command = [sys.executable, *path, "-m", "pytest", *how.words]
    answers = child.answers(command, environ, how.folder, b"", _AT_LEAST + 10 * how.seconds)
    last = b""
    while True:
        try:
            last = next(answers).strip() or last
        except StopIteration as stop:
            ended: child.Ended = stop.value
            if ended.code in (0, 1):
                return ""
            words = (ended.words.strip() or last.decode("utf-8", "replace")).splitlines()
            return f"a child pytest ended with {ended.code}: {words[-1] if words else 'silent'}"
        except EpmError as error:
            return f"a child pytest {error}"


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in environ.items() if not k.startswith(_NOT_FOR_THE_CHILD)}


def _answered(path: str) -> Iterator[Item]:
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield unpack(json.loads(line))
