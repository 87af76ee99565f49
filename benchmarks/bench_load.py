"""What a plugin that is merely installed adds to a plain run of one test."""

import json
import os
import sys
from importlib.metadata import version
from typing import Any

from measure import FaultError, progress, text_of
from place import Place
from show import Block, Row, Target

_CLOCKS = (("wall", "wall"), ("CPU", "cpu"))
_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "forked_runs.py")


def load(place: Place) -> Block:
    """Run one trivial test with the plugin and without it, in turns."""
    with_epm, without = _runs(place, place.rounds(200, 20))
    pairs = list(zip(with_epm, without, strict=True))
    added = set(with_epm[0]["modules"]) - set(without[0]["modules"])
    foreign = [name for name in added if _is_foreign(name)]
    rows = [
        Row(f"without epm, {clock} ms", [1000 * run[key] for run in without], digits=1)
        for clock, key in _CLOCKS
    ]
    rows += [
        Row(f"added, {clock} ms", [1000 * (a[key] - b[key]) for a, b in pairs], Target(10), 1)
        for clock, key in _CLOCKS
    ]
    rows.append(Row("modules added", [len(added)], Target(12), 0))
    rows.append(Row("of a third party", [len(foreign)], Target(0), 0))
    return Block(
        "load: epm installed and not asked for, one trivial test, pytest imported before",
        [f"epm {version('pytest-epm')}", f"pytest {version('pytest')}"],
        rows,
        [f"modules: {', '.join(sorted(added))}"],
    )


def _runs(place: Place, rounds: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the runs with epm and those without; the first of each only fills the caches."""
    progress("load")
    python = os.path.join(place.scripts, "python")
    printed = text_of([python, _SCRIPT, str(rounds + 1)], _project(place.folder))
    runs = [json.loads(line) for line in printed.splitlines()]
    if any(run["code"] for run in runs):
        raise FaultError("pytest did not pass one trivial test")
    with_epm, without = ([r for r in runs if r["name"] == name] for name in ("with", "without"))
    return with_epm[1:], without[1:]


def _project(folder: str) -> str:
    project = os.path.join(folder, "one-test")
    os.makedirs(os.path.join(project, ".git"))
    for name, text in (
        ("pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = ["."]\n'),
        ("test_one.py", "def test_one():\n    pass\n"),
    ):
        with open(os.path.join(project, name), "w", encoding="utf-8") as file:
            file.write(text)
    return project


def _is_foreign(module: str) -> bool:
    top = module.partition(".")[0]
    return top not in sys.stdlib_module_names and top != "pytest_epm"
