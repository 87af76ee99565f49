"""Deferred imports of one file. Pure: it takes a syntax tree and returns frozen values."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_epm.imports.guards import dotted
from pytest_epm.imports.places import Part, Place
from pytest_epm.imports.results import Import

_IMPORTERS = frozenset({"importlib.import_module", "import_module", "__import__"})


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it is imported.

    file: relative to the project. package: what relative imports start from; empty for a lone
    file. module: its own name, or an empty string for a script.
    """

    file: str
    package: str = ""
    module: str = ""


def deferred(parts: Iterable[Part], source: Source, *, literals: bool = True) -> Iterator[Import]:
    """Yield what the file imports in functions, conditions, handlers or by a literal.

    literals: whether to look for the last, which takes a look at every expression.
    """
    for node, place in parts:
        if isinstance(node, ast.Import):
            if place.deferred or place.guard:
                for alias in node.names:
                    yield _made(node.lineno, place, source, alias.name)
        elif isinstance(node, ast.ImportFrom):
            if place.deferred or place.guard:
                module = absolute(node.module or "", node.level, source.package)
                for alias in node.names:
                    yield _made(node.lineno, place, source, module, alias.name)
        elif literals:
            yield from _by_literal(node, place, source)


def _made(line: int, place: Place, source: Source, module: str, name: str = "") -> Import:
    return Import(
        source.file,
        line,
        place.function,
        module,
        name,
        place.guard,
        place.attempts,
        place.instead_of,
    )


def absolute(module: str, level: int, package: str) -> str:
    """Return the full name; it keeps its dots where the package does not reach that far up."""
    if not level:
        return module
    above = package.split(".") if package else []
    if level > len(above):
        return "." * level + module
    return ".".join([*above[: len(above) - level + 1], *([module] if module else [])])


def _by_literal(node: ast.AST, place: Place, source: Source) -> Iterator[Import]:
    taken = dict(_taken_from_calls(node))
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            module = literal_module(call, source)
            if module:
                yield _made(call.lineno, place, source, module, taken.get(call, ""))


def _taken_from_calls(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield calls with the attribute that is taken from their value at once."""
    for outer in ast.walk(node):
        if isinstance(outer, ast.Attribute) and not outer.attr.startswith("__"):
            yield outer.value, outer.attr
        elif isinstance(outer, ast.Call) and dotted(outer.func) == "getattr":
            match outer.args:
                case [value, ast.Constant(value=str(name))]:
                    yield value, name


def literal_module(call: ast.Call, source: Source) -> str:
    """Return the module that `import_module` is called with, or an empty string."""
    function = dotted(call.func)
    if function not in _IMPORTERS or not call.args:
        return ""
    match call.args[0]:
        case ast.Constant(value=str(name)) if name.strip("."):
            bare = name.lstrip(".")
            if function == "__import__":
                # Without `fromlist` its value is the top package, not what is named.
                return "" if len(call.args) + len(call.keywords) > 1 else bare.partition(".")[0]
            level = len(name) - len(bare)
            package = _package_argument(call, source) if level else ""
            return absolute(bare, level, package) if package or not level else ""
    return ""


def _package_argument(call: ast.Call, source: Source) -> str:
    given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "package")]
    match given:
        case [ast.Constant(value=str(package))]:
            return package
        case [ast.Name(id="__package__")]:
            return source.package
        case [ast.Name(id="__name__")]:
            return source.module
    return ""
