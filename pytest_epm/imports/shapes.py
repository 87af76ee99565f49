"""In the child: hold a call against the signature of the object that it reaches."""

import importlib.util
import inspect
from typing import Any

from pytest_epm.imports.loading import Answer, Loader, names_of

_MOST_LAYERS = 20
_MOST_WORDS = 300
# The makers of these take whatever the subclass takes.
_EASY = (object, BaseException)


def answer(task: Answer, loader: Loader) -> Answer:
    """Find what `module` and `path` lead to, and bind `positional` and `keywords` to it.

    Returns `ok` and `async`, and `words` and `signature` if they do not fit; `lacks` if a module
    on the way has no such attribute. What cannot be found out is fine.
    """
    fine: Answer = {"ok": True}
    try:
        target: Any = loader.load(task["module"])
        for number, name in enumerate(task["path"]):
            # The import of a name is judged by itself.
            if not hasattr(target, name) and (number or not task["named"]):
                return _lacks(target, name) or fine
            target = getattr(target, name)
        waits = inspect.iscoroutinefunction(target)
        return {**fine, "async": waits, **_misfit(target, task)}
    except BaseException:  # noqa: BLE001 - an object may not like to be looked at
        return fine


def _lacks(target: object, name: str) -> Answer | None:
    if not inspect.ismodule(target) or _fills_itself(target):
        return None
    if hasattr(target, "__path__") and importlib.util.find_spec(f"{target.__name__}.{name}"):
        return None
    return {"ok": False, "lacks": name, "of": target.__name__, "names": names_of(target)}


def _fills_itself(module: Any) -> bool:  # noqa: ANN401 - a module
    """Whether its source hands its own namespace out, so that it may get any name later."""
    with open(inspect.getsourcefile(module) or "", "rb") as file:
        text = file.read()
    return any(word in text for word in (b"globals()", b"sys.modules[__name__]"))


def _misfit(target: Any, task: Answer) -> Answer:  # noqa: ANN401 - any object can be called
    if task["positional"] < 0 or not _is_plain(target):
        return {}
    signature = inspect.signature(target)
    words = _refusal(signature, task)
    unexpected = "unexpected keyword argument" in words
    layers = _layers(target)
    if words and len(layers) > 1:
        unknown = [word for word in task["keywords"] if word not in signature.parameters]
        if not unexpected or any(_knows(layer, w) for w in unknown for layer in layers):
            words = ""
    if not words:
        return {}
    return {"words": words, "unexpected": unexpected, "signature": str(signature)[:_MOST_WORDS]}


def _refusal(signature: inspect.Signature, task: Answer) -> str:
    try:
        signature.bind(*[None] * task["positional"], **dict.fromkeys(task["keywords"]))
    except TypeError as error:
        return str(error)
    return ""


def _layers(target: object) -> list[object]:
    found = [target]
    while hasattr(found[-1], "__wrapped__") and len(found) < _MOST_LAYERS:
        found.append(found[-1].__wrapped__)
    return found


def _knows(layer: object, word: str) -> bool:
    """Whether a wrapper names a keyword in its own code, and may take it off."""
    code = getattr(layer, "__code__", None)
    return code is not None and word in (*code.co_consts, *code.co_varnames)


def _is_plain(target: object) -> bool:
    """Whether the signature that the object shows is the one it is called by."""
    if not isinstance(target, type):
        said = "__signature__" in getattr(target, "__dict__", {})
        return inspect.isroutine(target) and not said and _has_real_defaults(target)
    if type(target).__call__ is not type.__call__ or hasattr(target, "__signature__"):
        return False
    makers = [maker for maker in (_maker(target, "__new__"), _maker(target, "__init__")) if maker]
    return len(makers) <= 1 and all(map(_has_real_defaults, makers))


def _maker(target: type, name: str) -> object | None:
    owner = next(base for base in target.__mro__ if name in vars(base))
    builtin_error = issubclass(owner, BaseException) and owner.__module__ == "builtins"
    return None if owner in _EASY or builtin_error else vars(owner)[name]


def _has_real_defaults(function: object) -> bool:
    """Whether no default is the sentinel of `inspect`, which looks like no default at all."""
    function = getattr(function, "__func__", function)
    by_name = getattr(function, "__kwdefaults__", None) or {}
    defaults = (*(getattr(function, "__defaults__", None) or ()), *by_name.values())
    return not any(default is inspect.Parameter.empty for default in defaults)
