"""Which name was meant."""

import pytest

from pytest_epm.imports.suggest import nearest

OFFERED = [
    ("DispatchItem", "class"),
    ("dispatch_calls", "function"),
    ("MAX_CALLS", "value"),
    ("_private_call", "function"),
    ("helpers", "module"),
]


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        pytest.param("frobnicate", (), id="nothing is near"),
        pytest.param("private_call", ("dispatch_calls",), id="a private name is not offered"),
        pytest.param("DispatchCall", ("DispatchItem", "dispatch_calls"), id="a class first"),
        pytest.param("dispatch_item", ("dispatch_calls", "DispatchItem"), id="a function first"),
        pytest.param("MAX_CALL", ("MAX_CALLS",), id="a constant"),
        pytest.param("helper", ("helpers",), id="a module"),
        pytest.param(
            "_private_calls", ("_private_call", "dispatch_calls"), id="if one is asked for"
        ),
    ],
)
def test_nearest(wanted: str, meant: tuple[str, ...]) -> None:
    assert nearest(wanted, OFFERED) == meant


def test_three_at_most() -> None:
    assert len(nearest("name", ((f"name{n}", "value") for n in range(9)))) == 3
