"""Real children, on cached files that were damaged on purpose."""

import importlib.util
import marshal
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from epm_testing import Project
from pytest_epm.bytecode.compared import Pair, differences
from pytest_epm.bytecode.header import SIZE


@pytest.fixture
def pair(project: Project) -> Pair:
    cached = project.compiled("mod.py")
    return Pair(str(cached), str(project.root / "mod.py"), "same-mtime", 0)


@pytest.fixture
def bomb(project: Project) -> Pair:
    """Return a pair whose few bytes take forever to load: a hash of two to the sixtieth tuples."""
    cached = project.compiled("bomb.py")
    held: tuple[Any, ...] = ()
    for _ in range(60):
        held = (held, held)
    frozenset_of_one = b">" + (1).to_bytes(4, "little")
    cached.write_bytes(cached.read_bytes()[:SIZE] + frozenset_of_one + marshal.dumps(held))
    return Pair(str(cached), str(project.root / "bomb.py"), "same-mtime", 0)


def _children() -> Iterator[int]:
    for task in Path("/proc/self/task").iterdir():
        yield from map(int, (task / "children").read_text().split())


def test_says_nothing_of_what_agrees(pair: Pair) -> None:
    assert list(differences([pair] * 3)) == ["", "", ""]


def test_no_pair_needs_no_child() -> None:
    assert list(differences([])) == []


def test_counts(pair: Pair) -> None:
    seen: list[int] = []
    assert list(differences([pair] * 3, seen.append)) == ["", "", ""]
    assert seen == [1, 2, 3]


def test_a_file_that_went_meanwhile(pair: Pair) -> None:
    os.unlink(pair.cached)
    assert list(differences([pair])) == [""]


def test_one_that_takes_forever_costs_the_others_nothing(pair: Pair, bomb: Pair) -> None:
    found = list(differences([pair, bomb, pair], seconds=2))
    assert found == ["", "the interpreter that loads it is not done in 2 s", ""]


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="children are found in /proc")
def test_one_that_crashes_the_interpreter_costs_the_others_nothing(pair: Pair, bomb: Pair) -> None:
    def crash() -> None:
        while not (found := list(_children())):
            time.sleep(0.05)
        time.sleep(0.5)
        os.kill(found[0], signal.SIGSEGV)

    threading.Thread(target=crash, daemon=True).start()
    found = list(differences([pair, bomb, pair]))
    assert found == ["", f"the interpreter that loads it ends with signal {signal.SIGSEGV:d}", ""]


def test_bytes_that_ask_for_more_memory_than_there_is(pair: Pair) -> None:
    cached = Path(pair.cached)
    asked = b"[" + (2**31 - 1).to_bytes(4, "little")
    cached.write_bytes(cached.read_bytes()[:SIZE] + asked)
    assert list(differences([pair])) == ["cannot be loaded"]


def test_damage_of_any_kind_is_survived(project: Project) -> None:
    source = project.put("mod.py", "def f(a, *b):\n    return [lambda: (a, i) for i in b]\n")
    cached = Path(importlib.util.cache_from_source(str(source)))
    whole = project.compiled("mod.py", source.read_text()).read_bytes()
    pairs = []
    for seed in range(400):
        damaged, chosen = bytearray(whole), random.Random(seed)  # noqa: S311 - the same damage every time
        damaged[chosen.randrange(SIZE, len(whole))] = chosen.randrange(256)
        path = cached.with_name(f"{seed}.pyc")
        path.write_bytes(damaged)
        pairs.append(Pair(str(path), str(source), "same-mtime", 0))
    found = list(differences(pairs))
    assert len(found) == len(pairs)
    assert sum(1 for words in found if words) > 200  # the rest hit columns and names of files
