"""Argument patterns against the arguments of a call."""

from types import SimpleNamespace
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_epm.arms.cells import computes, fits, patterns


class Hostile:
    def __eq__(self, other: object) -> NoReturn:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]


CFG = SimpleNamespace(penalty="l2", inner=SimpleNamespace(n=3))


@pytest.mark.parametrize(
    ("wanted", "arguments"),
    [
        pytest.param("penalty='l2'", {"penalty": "l1"}, id="another value"),
        pytest.param("penalty='l2'", {"other": "l2"}, id="another argument"),
        pytest.param("cfg.penalty='l2'", {"cfg": None}, id="no such attribute"),
        pytest.param("n=1", {"n": True}, id="True is not 1"),
        pytest.param("n=True", {"n": 1}, id="1 is not True"),
        pytest.param("x=1", {"x": Hostile()}, id="a comparison that raises"),
        pytest.param("a=1, b=2", {"a": 1, "b": 3}, id="one of two"),
    ],
)
def test_does_not_fit(wanted: str, arguments: dict[str, object]) -> None:
    assert not fits(patterns(wanted), arguments)


@pytest.mark.parametrize(
    ("wanted", "arguments"),
    [
        pytest.param("penalty='l2'", {"penalty": "l2", "more": 1}, id="a value"),
        pytest.param("cfg.penalty='l2'", {"cfg": CFG}, id="an attribute"),
        pytest.param("cfg.inner.n=3", {"cfg": CFG}, id="an attribute of one"),
        pytest.param("n=1", {"n": 1.0}, id="equal numbers"),
        pytest.param("x=None", {"x": None}, id="None"),
        pytest.param("x=[1, {'a': (2,)}]", {"x": [1, {"a": (2,)}]}, id="nested"),
    ],
)
def test_fits(wanted: str, arguments: dict[str, object]) -> None:
    assert fits(patterns(wanted), arguments)


def test_no_pattern_fits_every_call() -> None:
    assert fits((), {})


LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["a", "b_c", "d"]), LITERALS, min_size=1))
def test_a_cell_fits_the_call_it_was_written_from(arguments: dict[str, object]) -> None:
    text = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    (compute,) = computes(f"m:f({text})")
    assert fits(compute.patterns, arguments)
    assert computes(str(compute)) == (compute,)
