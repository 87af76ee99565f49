"""Which calls are looked at, and in what shape."""

import ast

import pytest

from pytest_epm.imports.calls import calls
from pytest_epm.imports.collect import Source
from pytest_epm.imports.places import placed
from pytest_epm.imports.results import Call


def found(text: str) -> list[Call]:
    tree = ast.parse(text)
    source = Source("pkg/mod.py", "pkg", "pkg.mod")
    return list(calls(tree, list(placed(tree)), source, steady={"json"}))


def inside(body: str) -> str:
    return "def f(p):\n" + "\n".join(f"    {line}" for line in body.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("from a import b\nb()", id="runs with the file"),
        pytest.param(inside("p()\nlen(p)"), id="no import"),
        pytest.param("import json\n" + inside("json.loads(p)"), id="steady, at the top"),
        pytest.param(inside("from a import b\nb = wrap(b)\nb()"), id="bound anew"),
        pytest.param(inside("from a import b\nfor b in p:\n    b()"), id="bound by a loop"),
        pytest.param("from a import b\ndef f(b):\n    b()", id="a parameter hides it"),
        pytest.param(
            "try:\n    from a import b\nexcept ImportError:\n    b = None\n" + inside("b()"),
            id="one of two meanings",
        ),
        pytest.param(inside("from a import b\nb().c()[0].d()").replace("b()", "p()"), id="no name"),
        pytest.param(
            "class C:\n    from a import b\n    def f(self):\n        b()", id="of a class"
        ),
        pytest.param(inside("from a import b\nif os.name == 'nt':\n    b()"), id="for a platform"),
        pytest.param(
            inside("from a import b\nif Version(version_of('a')) < Version('8.2'):\n    b(x=1)"),
            id="for another version",
        ),
        pytest.param(
            inside("from a import b\nreturn p if get_version('a') >= (8, 2) else b(x=1)"),
            id="for another version, in a ternary",
        ),
        pytest.param(inside("from a import b\nwith raises(X):\n    b()"), id="there to fail"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "callee", "module", "path"),
    [
        (inside("from a import b\nb()"), "a.b", "a", ("b",)),
        (inside("from a import b as c\nc()"), "a.b", "a", ("b",)),
        (inside("import a\na.b()"), "a.b", "a", ("b",)),
        (inside("import a.b\na.b.c()"), "a.b.c", "a", ("b", "c")),
        (inside("import a.b as c\nc.d()"), "c.d", "a.b", ("d",)),
        (inside("from . import a\na.b()"), "pkg.a.b", "pkg", ("a", "b")),
        (inside("m = import_module('a')\nm.b()"), "m.b", "a", ("b",)),
        ("from a import b\n" + inside("b()"), "a.b", "a", ("b",)),
        (inside("import json\njson.loads(p)"), "json.loads", "json", ("loads",)),
        (inside("from a import b\ndef g():\n    return lambda: b()"), "a.b", "a", ("b",)),
    ],
)
def test_finds(text: str, callee: str, module: str, path: tuple[str, ...]) -> None:
    (call,) = [c for c in found(text) if not c.callee.startswith("importlib")]
    assert (call.callee, call.module, call.path) == (callee, module, path)


@pytest.mark.parametrize(
    ("arguments", "positional", "keywords"),
    [
        ("", 0, ()),
        ("1, 2, k=3", 2, ("k",)),
        ("*p", -1, ()),
        ("1, **p", -1, ()),
    ],
)
def test_shape(arguments: str, positional: int, keywords: tuple[str, ...]) -> None:
    (call,) = found(inside(f"from a import b\nb({arguments})"))
    assert (call.positional, call.keywords) == (positional, keywords)


def test_a_call_that_may_not_fit_is_not_judged() -> None:
    text = inside("from a import b\ntry:\n    b(1)\nexcept TypeError:\n    b()")
    assert [(call.line, call.positional) for call in found(text)] == [(4, -1), (6, 0)]
