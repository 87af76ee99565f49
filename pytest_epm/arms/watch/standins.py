"""Finds out, when a test's function or a mock is called, in whose place it stands.

Calls by name are held against what was there (`places`). This is for all other ways to a
callable: through `map`, a registry, a chain of calls, a deferred import, an operator.
"""

import builtins
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from pytest_epm.arms.watch.places import (
    ABSENT,
    Places,
    Stand,
    code_below,
    is_mock,
    is_same,
    words,
)
from pytest_epm.arms.watch.still import held_by, is_a, named, own

# Nobody puts a double in the place of data.
_DATA = (str, int, float, complex, bytes, list, tuple, set, frozenset, dict, type(None))
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class _Held:
    """A double, and where it is held: `there` gives what is held there now."""

    stand: Stand
    now: object
    there: Callable[[], object]


class StandIns:
    """The doubles that are in place now, by the code or the mock that they lead to."""

    def __init__(self, places: Places) -> None:
        """Know of none yet."""
        self._places = places
        self._by_code: dict[int, tuple[CodeType, _Held | None]] = {}
        self._by_mock: dict[int, tuple[object, _Held | None]] = {}

    def forget(self) -> None:
        """Begin with a new test."""
        self._by_code.clear()
        self._by_mock.clear()

    def of_function(self, frame: FrameType) -> Stand | None:
        """Return in whose place a function of a test stands that begins to run."""
        code = frame.f_code
        known = self._by_code.get(id(code))
        if known is None or (known[1] and known[1].there() is not known[1].now):
            self._sweep()
            known = self._by_code.setdefault(id(code), (code, None))
        return known[1].stand if known[1] else self._overrides(frame)

    def of_mock(self, mock: object) -> Stand | None:
        """Return in whose place a mock stands that is called, or one that it belongs to."""
        known = self._by_mock.get(id(mock))
        if known is None or (known[1] and known[1].there() is not known[1].now):
            self._sweep()
            self._by_mock[id(mock)] = known = (mock, self._root(mock))
        if known[1] is None:
            return None
        stand, inner = known[1].stand, ".".join(_path(mock))
        below = (f"{name}.{inner}" for name in stand.names if inner)
        return replace(stand, names=(*stand.names, *below))

    def _root(self, mock: object) -> _Held | None:
        for _ in range(_DEEPEST):
            found = self._by_mock.get(id(mock), (None, None))[1]
            if found:
                return found
            mock = own(mock, "_mock_new_parent")
            if mock is None:
                return None
        return None

    def _sweep(self) -> None:
        for held in self._every():
            if is_mock(held.now):
                self._by_mock[id(held.now)] = (held.now, held)
            for code in _leads_to(held.now):
                self._by_code[id(code)] = (code, held)
            for mock in _mocks_in(held.now):
                self._by_mock[id(mock)] = (mock, held)

    def _every(self) -> Iterator[_Held]:
        for owner, were in self._places.remembered():
            yield from _changed(owner, were, self._places.is_ours(owner))
        for name, dictionary, were in self._places.dictionaries():
            yield from _changed_items(name, dictionary, were)
        for name, module in list(sys.modules.items()):
            if not is_a(module, ModuleType) or _is_made_up(module):
                yield _Held(Stand((name,), words(module)), module, partial(sys.modules.get, name))

    def _overrides(self, frame: FrameType) -> Stand | None:
        """Return the method of the project that a method of a test's subclass comes before."""
        code = frame.f_code
        first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        kind = first if is_a(first, type) else type(first)
        for cls in kind.__mro__:
            if code_below(vars(cls).get(code.co_name)) is code:
                return self._places.overridden(kind, cls, code.co_name)
        return None


def _changed(owner: Any, were: Mapping[str, Any], ours: bool) -> Iterator[_Held]:  # noqa: ANN401, FBT001 - a module or class
    here = named(owner, "__name__")
    if is_a(owner, type):
        here = f"{named(owner, '__module__')}.{named(owner, '__qualname__')}"
    for name, now in list(vars(owner).items()):
        was = were.get(name, ABSENT)
        if was is now:
            continue
        if was is ABSENT and ours:  # a global of a module comes before the builtin of that name
            was = vars(builtins).get(name, ABSENT)
        if was is ABSENT or is_a(was, *_DATA) or is_same(was, now):
            continue
        place = f"{here}.{name}"
        names = tuple(dict.fromkeys((_defined(was) or place, place)))
        there = partial(_there, owner, name)
        yield _Held(Stand(names, words(now), code_below(was), code_below(now)), now, there)


def _changed_items(name: str, dictionary: Any, were: Mapping[Any, Any]) -> Iterator[_Held]:  # noqa: ANN401 - any
    for key, was in were.items():
        now = dictionary.get(key, ABSENT)
        if now is not was and now is not ABSENT:
            names = tuple(dict.fromkeys((_defined(was) or name, name)))
            there = partial(dictionary.get, key)
            yield _Held(Stand(names, words(now), code_below(was), code_below(now)), now, there)


def _there(owner: Any, name: str) -> object:  # noqa: ANN401 - a module or class
    return vars(owner).get(name)


def _defined(value: object) -> str:
    if is_a(value, ModuleType):
        return value.__name__
    module, name = named(value, "__module__"), named(value, "__qualname__")
    return f"{module}.{name}" if module and name else ""


def _path(mock: object) -> list[str]:
    """Return the attributes from the mock that was put in place to this one."""
    found: list[str] = []
    for _ in range(_DEEPEST):
        above = own(mock, "_mock_new_parent")
        if above is None:
            break
        name = own(mock, "_mock_new_name")
        found += [name] if isinstance(name, str) and name.isidentifier() else []
        mock = above
    return found[::-1]


def _is_made_up(module: ModuleType) -> bool:
    held = vars(module)
    return (
        held.get("__spec__") is None
        and "__file__" not in held
        and held.get("__name__") != "__main__"
    )


def _leads_to(value: object) -> Iterator[CodeType]:
    """Yield the code that is reached through a double: its own, or that of its methods."""
    code = code_below(value)
    if code:
        yield code
        return
    if is_a(value, property):
        yield from (found for part in (value.fget, value.fset) if (found := code_below(part)))
    elif is_a(value, type):
        yield from _methods(value)
    elif not is_a(value, *_DATA) and not is_mock(value):
        yield from _methods(type(value))
        for inner in list((held_by(value) or {}).values()):
            if is_a(inner, FunctionType, partial):
                yield from _leads_to(inner)
            elif is_a(value, ModuleType) and is_a(inner, type):
                yield from _methods(inner)


def _methods(cls: type) -> Iterator[CodeType]:
    for base in cls.__mro__[:-1]:
        for value in list(vars(base).values()):
            if is_a(value, property):
                yield from _leads_to(value)
            else:
                code = code_below(value)
                if code:
                    yield code


def _mocks_in(value: object) -> Iterator[object]:
    """Yield mocks that a made-up module or object holds."""
    if is_a(value, *_DATA) or is_a(value, FunctionType, type) or is_mock(value):
        return
    yield from (inner for inner in list((held_by(value) or {}).values()) if is_mock(inner))
