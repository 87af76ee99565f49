"""Sides of guards by a trace function, as on Python 3.11; where each instruction is an event."""

import importlib.util
import sys
from pathlib import Path

import pytest

from pytest_epm.arms.project import Project
from pytest_epm.arms.sources import Reader
from pytest_epm.arms.watch.interest import Interests
from pytest_epm.arms.watch.sides import _Traced

BODY = """
def a(x): return x
def b(): return 0
class Torn:
    def __bool__(self): raise ValueError
def f(mock, other=False, n=1):
    {}
    return y
"""


class Taker:
    def __init__(self) -> None:
        self.lines: set[int] = set()
        self.landings: set[tuple[int, int]] = set()

    def line(self, _path: str, number: int) -> None:
        self.lines.add(number)

    def landed(self, _path: str, line: int, column: int) -> None:
        self.landings.add((line, column))


def ran(code: str, call: str, tmp_path: Path) -> tuple[bool, bool]:
    """Return whether the mock and the real side ran."""
    source = tmp_path / "traced_module.py"
    source.write_text(BODY.format(code), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("traced_module", source)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    project = Project([str(tmp_path)])
    reader, taker = Reader(project), Taker()
    before = sys.gettrace()
    sys.settrace(None)
    source_of_sides = _Traced(Interests(project.has, reader.read, ()), taker)
    try:
        eval(call, vars(module))  # noqa: S307 - the text of a test
    finally:
        source_of_sides.close()
        sys.settrace(before)
    (guard,) = reader.guards(str(source.resolve()))
    return guard.ran(taker.lines, taker.landings)


OLD = sys.version_info < (3, 12)
REAL_FIRST = "y = a(1) if not mock else 0"
LONG = "y = [" + "a(0), " * 60 + "a(n) if not mock else 0]"


@pytest.mark.skipif(not OLD, reason="newer ones have sys.monitoring")
@pytest.mark.parametrize(
    ("code", "call", "expected"),
    [
        pytest.param(REAL_FIRST, "f(False)", (False, True), id="real"),
        pytest.param("y = 0 if mock else a(1)", "f(False)", (False, True), id="real, last"),
        pytest.param("if not mock: return a(1)\n    y = 0", "f(0)", (False, True), id="returned"),
        pytest.param(
            "try: y = 0 if mock else a(1)\n    except ValueError: y = 3",
            "f(Torn())",
            (False, False),
            id="a condition that raises",
        ),
        pytest.param(REAL_FIRST, "(f(True), f(False))", (True, True), id="both"),
        pytest.param(REAL_FIRST, "f(True)", (True, False), id="mock, last"),
        pytest.param("y = 0 if mock else a(1)", "f(True)", (True, False), id="mock, first"),
        pytest.param("y = n if not mock else b()", "f(True)", (True, False), id="a name"),
        pytest.param("y = [a(i) if not mock else 0 for i in 'ab']", "f(1)", (True, False), id="in"),
        pytest.param("y = a(1) if not (mock and n) else 0", "f(1)", (True, False), id="and"),
        pytest.param("y = a(1) if not mock and n else 0", "f(1)", (True, False), id="and not"),
        pytest.param(LONG, "f(True)", (True, False), id="far into a line"),
        pytest.param(f"y = a(1) if not mock else [{'n, ' * 300}]", "f(1)", (True, False), id="far"),
        pytest.param("if not mock: return a(1)\n    y = 0", "f(1)", (True, False), id="the rest"),
    ],
)
def test_which_side_ran(code: str, call: str, expected: tuple[bool, bool], tmp_path: Path) -> None:
    assert ran(code, call, tmp_path) == expected
