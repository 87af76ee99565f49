"""One source, taken apart. Pure: it takes the text."""

import ast
from collections.abc import Collection
from dataclasses import dataclass

from pytest_epm.imports.calls import calls
from pytest_epm.imports.collect import deferred
from pytest_epm.imports.layout import Placement
from pytest_epm.imports.places import placed
from pytest_epm.imports.results import NOT_PARSED, Call, Import, Problem

_BY_LITERAL = ("import_module", "__import__")


@dataclass(frozen=True, slots=True)
class Read:
    """What a file imports late and calls by that; `fault` is why nobody knows."""

    placement: Placement
    imports: tuple[Import, ...] = ()
    calls: tuple[Call, ...] = ()
    fault: Problem | None = None


def read(text: str, placement: Placement, steady: Collection[str] = ()) -> Read:
    """Return what a source holds. steady: as in `calls`."""
    if "import" not in text:
        return Read(placement)
    try:
        tree = ast.parse(text)
        parts = list(placed(tree))
        source = placement.source
        literals = any(word in text for word in _BY_LITERAL)
        found = deferred(parts, source, literals=literals)
        imports = tuple(item for item in found if item.module != "__main__")
        late = tuple(calls(tree, parts, source, steady))
    except SyntaxError as error:
        return unread(placement, error.msg, error.lineno or 1)
    except (ValueError, RecursionError, MemoryError) as error:
        return unread(placement, str(error))
    return Read(placement, imports, late)


def unread(placement: Placement, why: str, line: int = 1) -> Read:
    """Return what is known of a source that cannot be read or parsed."""
    fault = Problem(placement.source.file, line, "", "", "", NOT_PARSED, f"cannot be parsed: {why}")
    return Read(placement, fault=fault)
