"""The walk alone, inside one process."""

import os
import time
from collections.abc import Callable
from functools import partial

from measure import Cost, take_turns
from place import Place
from pytest_epm.bytecode.walk import walk as walk_below
from show import Block, Target, costs, ratios
from tree import Tree

_PRUNED = frozenset({".git", "node_modules", ".venv"})
_TARGET = Target(0.15)


def walk(place: Place) -> Block:
    """Walk the tree, and one of the same shape in which nothing says where to stop."""
    block = Block("walk: inside one process, beside os.walk with the names of `purge` pruned")
    for name, tree in (("usual", place.tree), ("open", place.open_tree)):
        taken = take_turns(
            place.rounds(15, 5),
            {"epm": partial(_time, _ours, tree), "os.walk": partial(_time, _standard, tree)},
        )
        wall, cpu = costs(f"{name} tree, {_ours(tree)} folders entered", taken["epm"])
        block.rows += [wall._replace(target=_TARGET), cpu]
        block.rows += ratios(f"{name} tree, epm / os.walk", taken["epm"], taken["os.walk"])
    return block


def _time(work: Callable[[Tree], int], tree: Tree) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    work(tree)
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


def _ours(tree: Tree) -> int:
    """Return how many folders were looked into."""
    return len(walk_below(tree.top).folders)


def _standard(tree: Tree) -> int:
    entered = 0
    for _, folders, _ in os.walk(tree.top):
        folders[:] = [name for name in folders if name not in _PRUNED]
        entered += 1
    return entered
