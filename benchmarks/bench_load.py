"""What a plugin that is merely installed adds to a plain run of one test."""

import json
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version

from measure import Cost, run, take_turns, text_of
from place import Place
from show import Block, Row, Target

_PLAIN = ("-q", "-p", "no:cacheprovider")
_WITHOUT = (*_PLAIN, "-p", "no:epm")
_LIST_MODULES = """
import json, sys, pytest
pytest.main(sys.argv[1:])
print(json.dumps(list(sys.modules)))
"""


def load(place: Place) -> Block:
    """Run one trivial test with the plugin and without it, in turns."""
    python = os.path.join(place.scripts, "python")
    project = _project(place.folder)
    contenders = {
        name: partial(run, [python, "-m", "pytest", *arguments], project)
        for name, arguments in (("with", _PLAIN), ("without", _WITHOUT))
    }
    take_turns(1, contenders)  # leaves the bytecode that all later runs read
    taken = take_turns(place.rounds(60, 10), contenders)
    pairs = list(zip(taken["with"], taken["without"], strict=True))
    added = _modules(python, project, _PLAIN) - _modules(python, project, _WITHOUT)
    return Block(
        "load: epm installed and not asked for, one trivial test",
        [f"epm {version('pytest-epm')}", f"pytest {version('pytest')}"],
        [
            Row("without epm, wall ms", [1000 * b.wall for _, b in pairs], digits=1),
            Row("without epm, CPU ms", [1000 * b.cpu for _, b in pairs], digits=1),
            Row("added, wall ms", [1000 * (a.wall - b.wall) for a, b in pairs], Target(10), 1),
            Row("added, CPU ms", [1000 * (a.cpu - b.cpu) for a, b in pairs], Target(10), 1),
            Row(
                "added, CPU ms, least of each",
                [_least(taken["with"]) - _least(taken["without"])],
                digits=1,
            ),
            Row("modules added", [len(added)], Target(12), 0),
            Row("of a third party", [sum(map(_is_foreign, added))], Target(0), 0),
        ],
        [f"modules: {', '.join(sorted(added))}"],
    )


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


def _modules(python: str, project: str, arguments: Sequence[str]) -> set[str]:
    printed = text_of([python, "-c", _LIST_MODULES, *arguments], project)
    return set(json.loads(printed.splitlines()[-1]))


def _is_foreign(module: str) -> bool:
    top = module.partition(".")[0]
    return top not in sys.stdlib_module_names and top != "pytest_epm"


def _least(taken: Sequence[Cost]) -> float:
    """Return the CPU milliseconds of the run that others disturbed least."""
    return 1000 * min(cost.cpu for cost in taken)
