"""In the child: import a module, take a name from it, and tell what went wrong."""

import importlib
import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

Answer = dict[str, Any]

_KINDS: tuple[tuple[str, Callable[[object], bool]], ...] = (
    ("class", inspect.isclass),
    ("module", inspect.ismodule),
    ("function", callable),
)
_MOST_NAMES = 5000
_MOST_WORDS = 500


class Loader:
    """Imports modules; one that failed is not tried again."""

    def __init__(self) -> None:
        """Begin with nothing known to fail."""
        self.failed: dict[str, BaseException] = {}

    def load(self, module: str) -> ModuleType:
        """Return the module. Raises whatever it raises."""
        if module in self.failed:
            raise self.failed[module]
        try:
            return importlib.import_module(module)
        except BaseException as error:
            self.failed[module] = error
            raise


def answer(task: Answer, loader: Loader) -> Answer:
    """Import what `module` and `name` say.

    Returns `ok`; else `kind` `name` with the names that the module has, or `kind` `error` with
    the error's class, words and place. own: the module that the statement stands in.
    """
    try:
        return _imported(task, loader) or {"ok": True}
    except BaseException as error:  # noqa: BLE001 - whatever a module raises, SystemExit too
        first = _told(error)
    if not task["own"] or "partially initialized module" not in first["message"]:
        return first
    # A circle that is entered from the file's own end is none.
    loader.failed.clear()
    try:
        loader.load(task["own"])
        return _imported(task, loader) or {"ok": True}
    except BaseException:  # noqa: BLE001 - as above
        return first


def _imported(task: Answer, loader: Loader) -> Answer | None:
    module = loader.load(task["module"])
    name = task["name"]
    if name == "*":
        taken = (_taken(module, n, loader) for n in _listed(module))
        return next(filter(None, taken), None)
    return _taken(module, name, loader) if name else None


def _listed(module: ModuleType) -> list[str]:
    return [str(name) for name in getattr(module, "__all__", ())]


def _taken(module: ModuleType, name: str, loader: Loader) -> Answer | None:
    try:
        getattr(module, name)
    except AttributeError:
        is_package = hasattr(module, "__path__")
    else:
        return None
    below = f"{module.__name__}.{name}"
    if is_package:
        try:
            loader.load(below)
        except ModuleNotFoundError as error:
            if error.name != below:
                raise
        else:
            return None
    origin = getattr(module, "__file__", None) or ""
    facts = {"name": name, "is_package": is_package, "origin": origin}
    return {"ok": False, "kind": "name", **facts, "names": names_of(module)}


def names_of(module: ModuleType) -> list[tuple[str, str]]:
    """Return what a module offers, each name with its kind."""
    names = sorted({*map(str, vars(module)), *_listed(module)})[:_MOST_NAMES]
    return [(name, _kind(vars(module).get(name))) for name in names]


def _kind(value: object) -> str:
    return next((kind for kind, test in _KINDS if test(value)), "value")


def _told(error: BaseException) -> Answer:
    places = list(_places(error))
    return {
        "ok": False,
        "kind": "error",
        "error": type(error).__name__,
        "bases": [base.__name__ for base in type(error).__mro__],
        "message": str(error)[:_MOST_WORDS],
        "missing": str(getattr(error, "name", None) or ""),
        "place": places[-1] if places else "",
    }


def _places(error: BaseException) -> Iterator[str]:
    stack = error.__traceback__
    while stack:
        file = stack.tb_frame.f_code.co_filename
        if file != __file__ and not file.startswith("<frozen") and file != importlib.__file__:
            yield f"{file}:{stack.tb_lineno}"
        stack = stack.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        yield f"{error.filename}:{error.lineno}"
