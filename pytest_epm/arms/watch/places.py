"""What stood where before the tests ran, and whether something else stands there now.

The globals of modules and the attributes of classes are remembered once, after collection.
A call that project code makes by name is then held against what was there.
"""

import importlib.machinery
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import CodeType, FunctionType, ModuleType
from typing import Any

from pytest_epm.arms.texts import Text
from pytest_epm.arms.watch.still import held_by, is_a, named, own

ABSENT = object()
_MOST_ITEMS = 10_000


@dataclass(frozen=True, slots=True)
class Stand:
    """Something that stands in for a callable.

    original, double: the code of both, to tell a spy, under which the original runs.
    """

    names: tuple[str, ...]
    by: str
    original: CodeType | None = None
    double: CodeType | None = None


class Places:
    """Namespaces as they were."""

    def __init__(self, is_project: Callable[[str], bool], is_test: Callable[[str], bool]) -> None:
        """Take what tells the project's files, and tests among them."""
        self.is_project = is_project
        self.is_test = is_test
        self._were: dict[int, tuple[object, dict[str, Any]]] = {}
        self._dictionaries: dict[int, tuple[str, dict[Any, Any], dict[Any, Any]]] = {}

    def remember(self) -> None:
        """Keep what modules and classes hold that are new since the last time."""
        found: list[object] = list(sys.modules.values())  # a test may put anything there
        for module in found:
            if is_a(module, ModuleType) and id(module) not in self._were:
                held = dict(vars(module))
                self._were[id(module)] = (module, held)
                self._remember_classes(held)
                if self.is_ours(module):
                    self._remember_dictionaries(module, held)

    def remembered(self) -> Iterator[tuple[object, Mapping[str, Any]]]:
        """Yield modules and classes with what they held."""
        yield from list(self._were.values())

    def dictionaries(self) -> Iterator[tuple[str, dict[Any, Any], Mapping[Any, Any]]]:
        """Yield the registries of project modules: name, what they are and were."""
        yield from self._dictionaries.values()

    def is_ours(self, owner: object) -> bool:
        """Whether it is a module of the project and no test."""
        path = vars(owner).get("__file__") if is_a(owner, ModuleType) else None
        return isinstance(path, str) and self.is_project(path) and not self.is_test(path)

    def _remember_classes(self, held: Mapping[str, Any]) -> None:
        for value in held.values():
            if is_a(value, type) and id(value) not in self._were:
                inner = dict(vars(value))
                self._were[id(value)] = (value, inner)
                self._remember_classes(inner)

    def _remember_dictionaries(self, module: ModuleType, held: Mapping[str, Any]) -> None:
        for name, value in held.items():
            if type(value) is dict and name != "__builtins__" and len(value) <= _MOST_ITEMS:
                callables = {k: v for k, v in value.items() if code_below(v) or is_a(v, type)}
                if callables:
                    self._dictionaries[id(value)] = (f"{module.__name__}.{name}", value, callables)

    def stands_in(
        self,
        dotted: tuple[str, ...],
        namespace: Mapping[str, Any],
        local: Mapping[str, Any],
        text: Text,
    ) -> Stand | None:
        """Return what stands in on the way to a callable, or for it.

        dotted: as called. namespace, local: of the frame that calls; local is empty where
        the first name is no local one. text: of the calling file.
        """
        if dotted[0] in local:
            owner = local[dotted[0]]
            return self._method(owner, dotted[1:]) if len(dotted) > 1 else None
        module = sys.modules.get(str(namespace.get("__name__")))
        if module is None or vars(module) is not namespace:
            return None
        return self._global(module, dotted, text)

    def _global(self, module: ModuleType, dotted: tuple[str, ...], text: Text) -> Stand | None:
        owner: Any = module
        for index, name in enumerate(dotted):
            if is_a(owner, ModuleType):
                found = self._in_module(owner, name)
            elif is_a(owner, type):
                found = self._in_class(owner, name)
            else:
                return self._method(owner, dotted[index:])
            if found:
                used = ".".join((module.__name__, *dotted[: index + 1]))
                names = (*found.names, used, *_below(found.names[0], dotted[index + 1 :]))
                return replace(found, names=tuple(dict.fromkeys(names)))
            owner = vars(owner).get(name, ABSENT)
            if owner is ABSENT:
                return None
        return self._lost(module, dotted, text)

    def _in_module(self, module: ModuleType, name: str) -> Stand | None:
        now = vars(module).get(name, ABSENT)
        if now is ABSENT:
            return None
        here = f"{module.__name__}.{name}"
        _, were = self._were.get(id(module), (None, {}))
        changed = _changed(here, were.get(name, now), now)
        if changed is None and (_is_fake(module) or is_mock(now)):
            was = were.get(name)
            defined = (was.__name__,) if is_a(was, ModuleType) else ()
            return Stand((*defined, here), words(now))
        return changed

    def _in_class(self, owner: type, name: str) -> Stand | None:
        for cls in owner.__mro__:
            if name in vars(cls):
                now = vars(cls)[name]
                here = f"{cls.__module__}.{cls.__qualname__}.{name}"
                _, were = self._were.get(id(cls), (None, {}))
                changed = _changed(here, were.get(name, now), now)
                if changed is None and is_mock(now):
                    return Stand((here,), words(now))
                return changed or self.overridden(owner, cls, name)
        return None

    def overridden(self, owner: type, cls: type, name: str) -> Stand | None:
        """Return a method that a test's subclass puts before the project's."""
        if not self._of_a_test(vars(cls)[name]):
            return None
        for base in owner.__mro__[owner.__mro__.index(cls) + 1 :]:
            value = vars(base).get(name)
            code = code_below(value)
            if code and _is_abstract(value, code):
                return None
            if code and self.is_project(code.co_filename) and not self.is_test(code.co_filename):
                here = f"{cls.__module__}.{cls.__qualname__}.{name}"
                names = (f"{base.__module__}.{base.__qualname__}.{name}", here)
                return Stand(names, f"a method of {cls.__qualname__}", code)
        return None

    def _method(self, owner: object, rest: tuple[str, ...]) -> Stand | None:
        """Look at what an object that is no module hands out."""
        if is_a(owner, ModuleType):
            return self._in_module(owner, rest[0]) if rest else None
        if is_a(owner, type):
            return self._in_class(owner, rest[0])
        held = held_by(owner)
        kind = type(owner)
        if len(rest) == 1 and held is not None and rest[0] in held:
            now = held[rest[0]]
            original = next((vars(c)[rest[0]] for c in kind.__mro__ if rest[0] in vars(c)), None)
            if code_below(original) and (is_mock(now) or self._of_a_test(now)):
                here = f"{kind.__module__}.{kind.__qualname__}.{rest[0]}"
                return Stand((here,), words(now), code_below(original), code_below(now))
            return None
        if len(rest) > 1:
            inner = held.get(rest[0]) if held is not None else None
            return self._method(inner, rest[1:]) if inner is not None else None
        return self._in_class(kind, rest[0]) if not is_mock(owner) else None

    def _lost(self, module: ModuleType, dotted: tuple[str, ...], text: Text) -> Stand | None:
        """Return what took the place of a plain `def` before anything was remembered."""
        if len(dotted) > 1 or dotted[0] not in text.plain:
            return None
        now = vars(module).get(dotted[0])
        code = code_below(now)
        if code is not None and code.co_filename == module.__dict__.get("__file__"):
            return None
        if code is not None and not (self._of_a_test(now) or not self.is_project(code.co_filename)):
            return None
        return Stand((f"{module.__name__}.{dotted[0]}",), words(now))

    def _of_a_test(self, value: object) -> bool:
        code = code_below(value)
        return bool(code and self.is_project(code.co_filename) and self.is_test(code.co_filename))


def _below(defined: str, rest: tuple[str, ...]) -> Iterator[str]:
    if rest:
        yield ".".join((defined, *rest))


def _is_abstract(value: object, code: CodeType) -> bool:
    """Whether a method asks for an override: it is abstract, or only raises."""
    return bool(own(_inner(value), "__isabstractmethod__")) or code.co_names == (
        "NotImplementedError",
    )


def _changed(here: str, was: object, now: object) -> Stand | None:
    if was is now or not callable(_inner(was)) or is_same(was, now):
        return None
    module, name = named(was, "__module__"), named(_inner(was), "__qualname__")
    defined = f"{module}.{name}" if module and name else here
    return Stand(
        tuple(dict.fromkeys((defined, here))), words(now), code_below(was), code_below(now)
    )


def is_same(was: object, now: object) -> bool:
    """Whether it was only loaded anew: the same definition of the same file."""
    old, new = code_below(was), code_below(now)
    if old and new:
        return (old.co_filename, old.co_qualname) == (new.co_filename, new.co_qualname)
    if not (is_a(was, type) and is_a(now, type)):
        return False
    return _definition(was) == _definition(now)


def _definition(cls: type) -> tuple[str, str]:
    return named(cls, "__module__"), named(cls, "__qualname__")


def _inner(value: object) -> object:
    if is_a(value, property):
        return value.fget
    if is_a(value, classmethod):
        return value.__func__
    return value.__func__ if is_a(value, staticmethod) else value


def code_below(value: object) -> CodeType | None:
    """Return the code of a function, through what wraps it."""
    for _ in range(20):
        value = value.func if is_a(value, partial) else _inner(value)
        inner = own(value, "__wrapped__")
        if inner is None:
            return value.__code__ if is_a(value, FunctionType) else None
        value = inner
    return None


def is_mock(value: object) -> bool:
    """Whether something is a mock of the standard library, or of its backport."""
    return any(
        cls.__name__ == "NonCallableMock" and cls.__module__ in ("unittest.mock", "mock.mock")
        for cls in type(value).__mro__
    )


def _is_fake(module: ModuleType) -> bool:
    """Whether a module was made up and stands where a real one could be imported."""
    if vars(module).get("__spec__") is not None or module.__name__ == "__main__":
        return False
    try:
        return importlib.machinery.PathFinder.find_spec(module.__name__) is not None
    except (ImportError, AttributeError, ValueError):
        return False


def words(value: object) -> str:
    """Return what stands in, in words."""
    if is_mock(value):
        return f"a {type(value).__name__}"
    return named(_inner(value), "__qualname__") or f"a {type(value).__name__}"
