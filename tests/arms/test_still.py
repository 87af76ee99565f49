"""Objects are looked at without running any code of theirs."""

import functools
from typing import Any, NoReturn
from unittest.mock import MagicMock

import pytest

from pytest_epm.arms.watch import still


def function() -> None: ...


class Plain:
    """Has attributes of its own."""

    def method(self) -> None: ...


class Proxy:
    """Answers to nothing but in its context, as proxies of web frameworks do."""

    @property  # type: ignore[misc]  # what proxies do
    def __class__(self) -> NoReturn:  # type: ignore[override]  # the same
        raise RuntimeError

    @property
    def __dict__(self) -> NoReturn:  # type: ignore[override]  # the same
        raise RuntimeError

    def __getattr__(self, name: str) -> NoReturn:
        raise RuntimeError

    def __call__(self) -> None: ...


class Slots:
    __slots__ = ("x",)


def test_proxies_are_left_alone() -> None:
    proxy = Proxy()
    assert still.code_of(proxy) is None
    assert still.own(proxy, "__wrapped__") is None
    assert still.named(proxy, "__qualname__") == ""
    assert not still.is_a(proxy, type)


@pytest.mark.parametrize("value", [len, "".join, Slots(), Slots, None, 1])
def test_what_holds_nothing(value: object) -> None:
    assert still.own(value, "x") is None


def test_what_is_held() -> None:
    plain = Plain()
    plain.x = 1  # type: ignore[attr-defined]  # what a test may do
    assert still.own(plain, "x") == 1
    assert still.own(plain, "method") is None
    assert still.own(functools.lru_cache(function), "__wrapped__") is function
    mock = MagicMock()
    still.own(mock, "child")
    assert "child" not in mock._mock_children  # noqa: SLF001 - looking makes no child


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (function, "function"),
        (Plain().method, "Plain.method"),
        (Plain, "Plain"),
        (len, "len"),
        (Plain(), ""),
        (functools.lru_cache(function), "function"),
    ],
)
def test_names(value: Any, expected: str) -> None:  # noqa: ANN401 - anything
    assert still.named(value, "__qualname__") == expected


def test_code_of_functions_and_methods() -> None:
    assert still.code_of(function) is function.__code__
    assert still.code_of(Plain().method) is Plain.method.__code__
    assert still.code_of(Plain) is None
