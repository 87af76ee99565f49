"""Looks at objects of a project without running any code of theirs: proxies answer to anything."""

from types import BuiltinFunctionType, CodeType, FunctionType, MemberDescriptorType, MethodType
from typing import Any, TypeGuard, TypeVar

T = TypeVar("T")

# Common callables that have no body of Python, and hold none.
_WITHOUT_A_BODY = (type(len), type(str.join), type("".join), type)


def code_of(value: object) -> CodeType | None:
    """Return the code of a function or a bound method."""
    if type(value) is MethodType:
        value = value.__func__
    return value.__code__ if type(value) is FunctionType else None


def is_a(value: object, *kinds: type[T]) -> TypeGuard[T]:
    """Return what `isinstance` does, without asking the object for its class."""
    return issubclass(type(value), kinds)


def has_body(value: object) -> bool:
    """Whether a call of it runs code of Python: of a function, or of its class."""
    if code_of(value) is not None:
        return True
    return any(type(vars(cls).get("__call__")) is FunctionType for cls in type(value).__mro__)


def own(value: object, name: str) -> Any:  # noqa: ANN401 - whatever the project put there
    """Return what an object holds under a name, None if it has no such attribute of its own."""
    held = held_by(value)
    return held.get(name) if held is not None else None


def held_by(value: object) -> dict[str, Any] | None:
    """Return the attributes that an object has of its own; None if it keeps them elsewhere."""
    kind = type(value)
    if kind in _WITHOUT_A_BODY:
        return None
    for cls in kind.__mro__:
        descriptor = vars(cls).get("__dict__")
        if descriptor is not None:
            # One of the interpreter, and none that the class has put in its place.
            held = descriptor.__get__(value) if type(descriptor) in _PLAIN else None
            return held if isinstance(held, dict) else None
    return None


def named(value: object, name: str) -> str:
    """Return a text that a function, a class or an object carries, such as `__qualname__`."""
    if type(value) is MethodType:
        value = value.__func__
    if is_a(value, FunctionType, BuiltinFunctionType, type):
        found = getattr(value, name, None)
    else:
        found = own(value, name)
    return found if isinstance(found, str) else ""


class _Example:
    pass


# Of classes in Python, and of modules and others in C.
_PLAIN = (type(vars(_Example)["__dict__"]), MemberDescriptorType)
