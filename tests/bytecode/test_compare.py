"""Whether two code objects do the same."""

import pytest

from pytest_epm.bytecode.compare import same_code


def same(one: str, other: str) -> bool:
    return same_code(compile(one, "one.py", "exec"), compile(other, "other.py", "exec"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("x = 1\n", "x = 1\n", id="the same text, another file name"),
        pytest.param("x = 1  # a\n", "x = 1  # b\n", id="a comment"),
        pytest.param("x = (1)\n", "x = 1\n", id="columns only"),
        pytest.param("def f():\n  return 1\n", "def f():\n    return 1\n", id="indentation"),
        pytest.param(f"x = 0x{'f' * 9000}\n", f"x = (0x{'f' * 9000})\n", id="a huge number"),
        pytest.param("x in {1, 'a'}\n", "x in {1, 'a'}\n", id="a frozen set"),
    ],
)
def test_same(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("x = 1\n", "x = 2\n", id="a constant"),
        pytest.param("x = 1\n", "x = True\n", id="a constant that is equal, of another type"),
        pytest.param("x = 0.0\n", "x = -0.0\n", id="a constant that is equal, of another sign"),
        pytest.param("x = (1, 2)\n", "x = (1, 2.0)\n", id="inside a tuple"),
        pytest.param("x in {1, 2}\n", "x in {1, 2.0}\n", id="inside a frozen set"),
        pytest.param("x = 1\n", "y = 1\n", id="a name"),
        pytest.param("x = 1\n", "\nx = 1\n", id="a line"),
        pytest.param("def f(): return 1\n", "def f(): return 2\n", id="inside a function"),
        pytest.param("def f(a): pass\n", "def f(b): pass\n", id="a parameter"),
        pytest.param("def f(a): pass\n", "def f(*, a): pass\n", id="a kind of parameter"),
        pytest.param("def f(): 1\n", "async def f(): 1\n", id="a kind of function"),
        pytest.param("'doc'\n", "'cod'\n", id="a docstring"),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert not same(one, other)
