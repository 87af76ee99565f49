"""The import leg on dvc: what it costs, what it calls broken, and how many renames it finds."""

import ast
import json
import os
import random
import subprocess
from collections.abc import Iterator
from importlib.metadata import version

from measure import Cost, FaultError, environment, progress, run
from place import Place, install
from show import Block, Row, Target, costs

_DVC = "3.67.1"
_RENAMES = 60
_SEED = 7
_SECONDS = Target(6.0)


def imports(place: Place) -> Block:
    """Check dvc as it is, then with names that do not exist."""
    project = place.sdist("dvc", _DVC)
    progress("dvc: installing")
    install(place.scripts, project, "--no-warn-conflicts")
    epm = os.path.join(place.scripts, "epm")
    command = [epm, "imports", "check", "--json", "dvc"]
    _answer(command, project)  # the first run writes the bytecode of what dvc needs
    taken = [_check(command, project) for _ in range(place.rounds(5, 1))]
    before = _answer(command, project)
    renamed = list(_rename(project))
    found = {(item["file"], item["line"]) for item in _answer(command, project)["imports"]}
    missed = [f"{file}:{line}" for file, line in renamed if (file, line) not in found]
    return Block(
        "imports: deferred imports of dvc",
        [f"dvc {_DVC}", f"epm {version('pytest-epm')}"],
        [
            *costs("epm imports check dvc", taken)[:1],
            Row("epm imports check dvc, CPU s", [cost.cpu for cost in taken], _SECONDS),
            Row("called broken in dvc as it is", [len(before["imports"])], Target(0), 0),
            Row("renames found", [len(renamed) - len(missed)], Target(_RENAMES, at_least=True), 0),
        ],
        [f"called broken: {_told(item)}" for item in before["imports"]]
        + [f"missed: {place}" for place in missed],
    )


def _check(command: list[str], project: str) -> Cost:
    return run(command, project, good=(0, 1))


def _answer(command: list[str], project: str) -> dict[str, list[dict[str, object]]]:
    done = subprocess.run(
        command, cwd=project, env=environment(), capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        raise FaultError(done.stderr)
    answer: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
    return answer


def _told(item: dict[str, object]) -> str:
    return f"{item['file']}:{item['line']} {item['module']} {item['name']}: {item['problem']}"


def _rename(project: str) -> Iterator[tuple[str, int]]:
    """Give names that do not exist to some deferred imports; yield where they stand."""
    places = sorted(
        {
            (path, alias.lineno, alias.col_offset, alias.name, statement)
            for path in _sources(os.path.join(project, "dvc"))
            for statement, alias in _late(ast.parse(_read(path)))
        }
    )
    chosen = random.Random(_SEED).sample(places, min(_RENAMES, len(places)))  # noqa: S311 - a sample
    for path, number, column, name, statement in sorted(
        chosen, reverse=True
    ):  # columns before stay true
        lines = _read(path).splitlines(keepends=True)
        line = lines[number - 1]
        lines[number - 1] = f"{line[:column]}{name}Renamed{line[column + len(name) :]}"
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
        yield os.path.relpath(path, project), statement


def _late(tree: ast.AST) -> Iterator[tuple[int, ast.alias]]:
    """Yield what functions import of dvc's own, by name, with the line of the statement."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dvc."):
                yield from ((node.lineno, alias) for alias in node.names if alias.name != "*")


def _sources(folder: str) -> Iterator[str]:
    for above, _, names in os.walk(folder):
        yield from (os.path.join(above, name) for name in names if name.endswith(".py"))


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
