"""The watch inside a child process: it writes what it sees as soon as it sees it."""

import atexit
import json
import os

from pytest_epm.arms import cells, sources
from pytest_epm.arms.judge import Target
from pytest_epm.arms.project import Project
from pytest_epm.arms.watch.children import VARIABLE, WITHIN, Teller, frozen
from pytest_epm.arms.watch.events import Events, source_of_events
from pytest_epm.arms.watch.interest import Interests
from pytest_epm.arms.watch.notes import Notes
from pytest_epm.arms.watch.recorder import Recorder


def begin_or_tell() -> None:
    """Watch this process until it ends, as the environment says, or tell why it is not watched."""
    told = os.environ.get(VARIABLE, "")
    if not told:
        return
    try:
        _begin(told)
    except Exception as error:  # noqa: BLE001 - it is told, and the child's own work goes on
        words = f"a child could not be watched: {error!r}"
        Teller(os.path.dirname(told))(("problem", "", words))


def _begin(told: str) -> None:
    with open(told, encoding="utf-8") as file:
        request = json.load(file)
    project = Project(request["roots"], request["patterns"])
    reader = sources.Reader(project, frozenset(request["flags"]))
    targets = [_target(*item) for item in request["targets"]]
    interests = Interests(project.has, reader.read, targets)
    interests.async_names = lambda: sources.async_names(request["roots"])
    within = frozen(json.loads(os.environ.get(WITHIN, "[]")))
    recorder = Recorder(interests, Notes(Teller(os.path.dirname(told))), None, within)
    interests.tell = lambda words: recorder.notes.add(("problem", "", words))
    events = source_of_events(interests)
    if not events.problem:
        events.start(recorder)
        atexit.register(_end, recorder, events)


def _end(recorder: Recorder, events: Events) -> None:
    events.stop()
    recorder.finish()


def _target(spelled: str, path: str, line: int, sub: str) -> Target:
    (compute,) = cells.computes(spelled)
    return Target(compute, path, line, sub=sub)
