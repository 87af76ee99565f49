"""Calls that computed, and calls that were left before they did."""

import ast
from textwrap import dedent

import pytest

from epm_testing.frames import frames
from pytest_epm.arms.exits import Body, Left, body_of, constants_of, early_exit, ran


def why(source: str, *argument_lists: tuple[object, ...]) -> str:
    return early_exit(body(source), calls(source, *argument_lists))


def body(source: str) -> Body:
    tree = ast.parse(dedent(source))
    node = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
    return body_of(node, constants_of(tree))


def calls(source: str, *argument_lists: tuple[object, ...]) -> list[Left]:
    return [Left(seen.lines, (seen.last, -1)) for seen in frames(source, *argument_lists)]


TRAIN = """
    def f(rows, fast=False):
        if not rows:
            return None
        w = 0.0
        for x in rows:
            w += x
        w /= len(rows)
        if fast:
            return 0
        w *= 2
        return w
"""


@pytest.mark.parametrize(
    ("source", "given"),
    [
        pytest.param(TRAIN, [([1, 2],)], id="all of it"),
        pytest.param(TRAIN, [([],), ([1],)], id="early in one call of two"),
        pytest.param(TRAIN, [([1], True)], id="a literal after most of it"),
        pytest.param("def f(x): return x", [(1,)], id="nothing to leave out"),
        pytest.param("def f(x):\n    if x:\n        return 1\n    print(x)", [(1,)], id="no work"),
        pytest.param(
            "def f(x):\n    if x in CACHE:\n        return CACHE[x]\n    CACHE[x] = x * 2\n"
            "    return CACHE[x]\nCACHE = {1: 2}",
            [(1,)],
            id="a cache is no literal",
        ),
        pytest.param(
            "def f(x):\n    x = x * 2\n    if x:\n        return x\n    return 0",
            [(1,)],
            id="changed",
        ),
        pytest.param(
            "def f(x):\n    out = []\n    for i in x:\n        out.append(i)\n",
            [([1],)],
            id="to the end",
        ),
        pytest.param(
            "def f(x):\n    out = []\n    for i in x:\n        out.append(i)\n    if x:\n"
            "        return out\n    return sorted(x)",
            [([1],)],
            id="a container that was filled",
        ),
        pytest.param(
            "def f(x):\n    out = {}\n    fill(out)\n    if x:\n        return out\n"
            "    return x[0]\ndef fill(out): out[1] = 2",
            [([1],)],
            id="a container that another filled",
        ),
        pytest.param(
            "BEST = 0\nBEST = BEST + 1\ndef f(x):\n    if x:\n        return BEST\n"
            "    return x * 2",
            [(1,)],
            id="a name bound twice",
        ),
        pytest.param(
            "K = 3\ndef f(x):\n    K = x * 2\n    if x:\n        return K\n    return x",
            [(1,)],
            id="a local of that name",
        ),
        pytest.param(
            "def f(x):\n    if x:\n        return float(x) + 1\n    return int(x) * 2",
            [(1,)],
            id="a number of an argument",
        ),
        pytest.param(
            "def f(x):\n    if x:\n        return f'{x * 2}'\n    return int(x) * 2",
            [(1,)],
            id="a text of a result",
        ),
        pytest.param(
            "def f(x):\n    try:\n        y = int(x)\n    except ValueError:\n        return None\n"
            "    return y",
            [("3",)],
            id="a handler that did not run",
        ),
    ],
)
def test_computed(source: str, given: list[tuple[object, ...]]) -> None:
    assert why(source, *given) == ""


@pytest.mark.parametrize(
    ("source", "given", "words"),
    [
        pytest.param(TRAIN, [([],)], "ran 2 of 10", id="nothing"),
        pytest.param(TRAIN, [([],), ((),)], "ran 2 of 10", id="in every call"),
        pytest.param(
            "def f(x):\n    if x:\n        return x\n    return x * 2",
            [(1,)],
            "ran 2 of 3",
            id="its own argument",
        ),
        pytest.param(
            "DEFAULT = 0.5\ndef f(x):\n    if x:\n        return DEFAULT\n    return x * 2",
            [(1,)],
            "ran 2 of 3",
            id="a constant of the module",
        ),
        pytest.param(
            "NONE: dict = {'a': 0}\ndef f(x):\n    if x: return NONE\n    return x * 2",
            [(1,)],
            "ran 2 of 3",
            id="a container of the module",
        ),
        pytest.param(
            "def f(x):\n    if x:\n        return dict(score=0.0)\n    return x * 2",
            [(1,)],
            "ran 2 of 3",
            id="a dict called",
        ),
        pytest.param(
            "def f(x):\n    if x:\n        return float('nan')\n    return x * 2",
            [(1,)],
            "ran 2 of 3",
            id="not a number",
        ),
        pytest.param(
            "def f(x):\n    if x:\n        return f'n{1}'\n    return x * 2",
            [(1,)],
            "ran 2 of 3",
            id="a text of constants",
        ),
        pytest.param(
            "def f(x):\n    out = []\n    if x:\n        return out\n    for i in x:\n"
            "        out.append(i)\n    return out",
            [([1],)],
            "ran 3 of 6",
            id="an empty container",
        ),
        pytest.param(
            "def f(x):\n    if x: return []\n    y = x * 2\n    return y",
            [(1,)],
            "ran 2 of 4",
            id="on the line of its condition",
        ),
        pytest.param(
            "def f(x):\n    import json\n    print(x)\n    if x:\n        return {'a': 1}\n"
            "    return json.loads(x)",
            [(1,)],
            "ran 4 of 5",
            id="after imports and messages",
        ),
        pytest.param(
            "def f(x):\n    if x:\n        y = 1\n        y += x\n        return y",
            [(0,)],
            "ran 1 of 4",
            id="off the end",
        ),
        pytest.param(
            "def f(x):\n    n = len(x)\n    if n:\n        return 0\n    a = 1\n    b = 2\n"
            "    c = 3\n    d = a + b + c\n    return d",
            [([1],)],
            "ran 3 of 8",
            id="less than half",
        ),
    ],
)
def test_left_early(source: str, given: list[tuple[object, ...]], words: str) -> None:
    assert why(source, *given) == words


def test_a_return_under_a_guard_is_judged_there() -> None:
    source = "def f(x, mock):\n    if mock:\n        return 0\n    y = x * 2\n    return y"
    left = calls(source, (1, True))
    assert early_exit(body(source), left)
    assert early_exit(body(source), left, {(3, 8)}) == ""


def test_what_counts_as_a_statement() -> None:
    source = """
        def f(x):
            \"\"\"Doc.\"\"\"
            global y
            z: int
            pass
            @decorator
            def g():
                return 1
            return (
                x,
                1,
            )
    """
    assert ran(body(source), {7, 11}) == (2, 2)
