"""Have children compare cached code with its source; a new one only after a crash or hang."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pytest_epm import child
from pytest_epm.errors import EpmError

_SECONDS = 60.0  # for one file
_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_BEGIN = (
    "import sys; sys.path.insert(0, sys.argv[1]); import pytest_epm.bytecode.differ as d; d.main()"
)


class Pair(NamedTuple):
    """A cached file that would be imported, the check it passes, its source and level."""

    cached: str
    source: str
    why: str
    optimize: int


def differences(
    pairs: Sequence[Pair],
    progress: Callable[[int], None] | None = None,
    seconds: float = _SECONDS,
) -> Iterator[str]:
    """Yield for each pair in what its code differs, or an empty string.

    progress: called with the number of pairs compared so far. seconds: for one file.
    Raises EpmError if no child can be started.
    """
    done = 0
    while done < len(pairs):
        answers = _child(pairs[done:], seconds)
        for answer in answers:
            done += 1
            yield answer
            if progress:
                progress(done)


def _child(pairs: Sequence[Pair], seconds: float) -> Iterator[str]:
    """Yield answers, and for the pair under which the child ended, how it did."""
    tasks = json.dumps([(pair.cached, pair.source, pair.optimize) for pair in pairs])
    # Neither the environment nor the user's site has a say, and the cached code is ours to load.
    command = [sys.executable, "-I", "-S", "-B", "-c", _BEGIN, _HOME]
    said = child.answers(command, os.environ, _HOME, tasks.encode(), seconds)
    try:
        next(said)
    except StopIteration as stop:
        raise EpmError(
            f"no child that compares: it {_loss(stop.value, seconds)}", sys.executable
        ) from None
    for _ in pairs:
        try:
            line = next(said)
        except StopIteration as stop:
            yield f"the interpreter that loads it {_loss(stop.value, seconds)}"
            return
        yield json.loads(line)


def _loss(ended: child.Ended, seconds: float) -> str:
    if ended.silent:
        return f"is not done in {seconds:g} s"
    how = f"signal {-ended.code}" if ended.code < 0 else f"exit {ended.code}"
    words = ended.words.strip().rpartition("\n")[2]
    return f"ends with {how}{': ' if words else ''}{words}"
