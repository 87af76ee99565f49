"""A fault of ours never reaches the code that is watched: the evidence has a gap instead."""

import importlib.util
from pathlib import Path
from typing import NoReturn

from pytest_epm.arms.project import Project
from pytest_epm.arms.sources import Reader
from pytest_epm.arms.watch.events import source_of_events
from pytest_epm.arms.watch.interest import Interests
from pytest_epm.arms.watch.notes import Notes
from pytest_epm.arms.watch.recorder import Recorder
from pytest_epm.arms.watch.sides import sides

CODE = """
def work(mock=False):
    if mock:
        return fake()
    return real()
def fake(): return 1
def real(): return 2
"""


class Broken(Recorder):
    """Has a fault in everything that it takes."""

    def line(self, *_: object) -> NoReturn:
        raise ZeroDivisionError

    def called(self, *_: object) -> NoReturn:
        raise ZeroDivisionError


class BrokenTaker:
    """The same, without a plan."""

    def line(self, *_: object) -> NoReturn:
        raise ZeroDivisionError

    landed = line


def made(tmp_path: Path) -> tuple[Interests, Path]:
    path = tmp_path / "mod.py"
    path.write_text(CODE, encoding="utf-8")
    project = Project([str(tmp_path)], ("test_*.py",))
    return Interests(project.has, Reader(project).read, ()), path


def work(path: Path) -> int:
    spec = importlib.util.spec_from_file_location("epm_faults_mod", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    value: int = module.work()
    return value


def test_watching_a_test(tmp_path: Path) -> None:
    interests, path = made(tmp_path)
    notes = Notes()
    events = source_of_events(interests)
    events.start(Broken(interests, notes, None))
    try:
        value = work(path)
    finally:
        events.close()
    assert value == 2
    assert "ZeroDivisionError" in notes.problem


def test_watching_a_session(tmp_path: Path) -> None:
    interests, path = made(tmp_path)
    source = sides(interests, BrokenTaker())
    try:
        value = work(path)
    finally:
        source.close()
    assert value == 2
    assert "ZeroDivisionError" in interests.problem
