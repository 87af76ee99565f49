"""`epm bytecode purge` against `find … -exec rm` and pyclean, on the same tree in turns."""

import os
from collections.abc import Callable, Sequence
from importlib.metadata import version

from measure import Cost, FaultError, NotRunError, run, take_turns, text_of
from place import Place, find
from show import Block, Target, costs, ratios

_PRUNED = r"( -name .git -o -name node_modules -o -name .venv ) -prune"
_CACHES = "-type d -name __pycache__ -prune -exec rm -r {} +"


def purge(place: Place) -> Block:
    """Take turns with each peer that is there."""
    epm = [os.path.join(place.scripts, "epm"), "bytecode", "purge", place.tree.top]
    block = Block(
        f"purge: {place.tree.count_project()} cached files of {place.tree.count().folders} folders",
        [f"epm {version('pytest-epm')}"],
    )
    purger(place, epm)()  # what is read for the first time comes from the disk
    _against_find(place, epm, block)
    _against_pyclean(place, epm, block)
    return block


def purger(place: Place, command: Sequence[str]) -> Callable[[], Cost]:
    """Return what purges a tree once that is full again, and looks whether it did."""

    def purge_once() -> Cost:
        place.tree.restore()
        cost = run(command, place.folder)
        if not place.tree.is_purged():
            raise FaultError(f"{command[0]} left bytecode, or took some that is not the project's")
        return cost

    return purge_once


def _against_find(place: Place, epm: Sequence[str], block: Block) -> None:
    try:
        path = find("find")
        name = text_of([path, "--version"], place.folder).splitlines()[0]
    except NotRunError as absent:
        block.notes.append(str(absent))
        return
    command = [path, place.tree.top, *_PRUNED.split(), "-o", *_CACHES.split()]
    taken = take_turns(
        place.rounds(7, 3), {"epm": purger(place, epm), "find": purger(place, command)}
    )
    block.versions = [*block.versions, name]
    block.rows += costs("epm", taken["epm"]) + costs("find, rm", taken["find"])
    block.rows += ratios("epm / find", taken["epm"], taken["find"], Target(1.5), Target(1.75))


def _against_pyclean(place: Place, epm: Sequence[str], block: Block) -> None:
    try:
        command = [find("pyclean"), place.tree.top]
    except NotRunError as absent:
        block.notes.append(str(absent))
        return
    taken = take_turns(
        place.rounds(3, 1), {"epm": purger(place, epm), "pyclean": purger(place, command)}
    )
    block.versions = [*block.versions, f"pyclean {version('pyclean')}"]
    block.rows += costs("pyclean", taken["pyclean"])
    faster = Target(10, at_least=True)
    block.rows += ratios("pyclean / epm", taken["pyclean"], taken["epm"], faster, faster)
