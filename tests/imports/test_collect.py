"""What of a source is a deferred import."""

import ast

import pytest

from pytest_epm.imports.collect import Source, absolute, deferred
from pytest_epm.imports.places import placed
from pytest_epm.imports.results import Import


def collected(text: str, source: Source | None = None) -> list[Import]:
    source = source or Source("pkg/mod.py", "pkg", "pkg.mod")
    return list(deferred(placed(ast.parse(text)), source))


def names(text: str) -> list[str]:
    return [f"{item.module}:{item.name}".rstrip(":") for item in collected(text)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import a\nfrom b import c", id="the top of the file"),
        pytest.param("class C:\n    import a", id="a class body runs with the file"),
        pytest.param("with open('x'):\n    import a", id="with runs with the file"),
        pytest.param(
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a", id="typing"
        ),
        pytest.param("import typing\nif typing.TYPE_CHECKING:\n    import a", id="typing, dotted"),
        pytest.param("if not TYPE_CHECKING:\n    pass\nelse:\n    import a", id="typing, else"),
        pytest.param("if not TYPE_CHECKING:\n    import a", id="runs with the file each time"),
        pytest.param("if sys.platform == 'win32':\n    import a", id="platform"),
        pytest.param("if os.name == 'nt':\n    pass\nelse:\n    import a", id="platform, else"),
        pytest.param("if sys.version_info >= (3, 99):\n    import a", id="version"),
        pytest.param("if platform.system() == 'Linux':\n    import a", id="platform.system"),
        pytest.param("if IS_WINDOWS:\n    import a", id="a flag for the platform"),
        pytest.param("if PIP_VERSION >= (26, 0):\n    import a", id="another version"),
        pytest.param("if x and ON_MAC:\n    import a", id="a flag among other things"),
        pytest.param(
            "def f():\n    if os.name == 'nt':\n        return\n    import a",
            id="behind an early exit for the platform",
        ),
        pytest.param(
            "def f():\n    with pytest.raises(ImportError):\n        import a", id="there to fail"
        ),
        pytest.param("def f(name):\n    import_module(name)", id="a name from elsewhere"),
        pytest.param("def f():\n    import_module('.a')", id="relative to nothing"),
        pytest.param("def f():\n    load('a')", id="another function"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert collected(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("def f():\n    import a.b", ["a.b"], id="in a function"),
        pytest.param("async def f():\n    from a import b, c as d", ["a:b", "a:c"], id="async"),
        pytest.param(
            "class C:\n    def m(self):\n        from . import x", ["pkg:x"], id="relative"
        ),
        pytest.param("def f():\n    from .m import x", ["pkg.m:x"], id="relative module"),
        pytest.param("if x:\n    import a\nelse:\n    import b", ["a", "b"], id="if and else"),
        pytest.param("if windows:\n    import a", ["a"], id="windows to look through"),
        pytest.param("if __name__ == '__main__':\n    import a", ["a"], id="main"),
        pytest.param("if TYPE_CHECKING:\n    import a\nelif x:\n    import b", ["b"], id="elif"),
        pytest.param("for x in y:\n    import a", ["a"], id="a loop"),
        pytest.param("match x:\n    case 1:\n        import a", ["a"], id="a match"),
        pytest.param(
            "try:\n    import a\nexcept ImportError:\n    import b", ["a", "b"], id="guarded"
        ),
        pytest.param("try:\n    f()\nexcept KeyError:\n    import b", ["b"], id="a handler"),
        pytest.param("with suppress(ImportError):\n    import a", ["a"], id="suppress"),
        pytest.param("if x:\n    from a import *", ["a:*"], id="all of it"),
        pytest.param("x = importlib.import_module('a.b')", ["a.b"], id="by a literal"),
        pytest.param("x = import_module('a').B()", ["a:B"], id="and an attribute at once"),
        pytest.param("x = getattr(import_module('a'), 'B')", ["a:B"], id="and getattr at once"),
        pytest.param("x = getattr(import_module('a'), 'B', None)", ["a"], id="or not"),
        pytest.param("x = import_module('.a', __package__)", ["pkg.a"], id="relative literal"),
        pytest.param("x = import_module('.a', package='q')", ["q.a"], id="package by name"),
        pytest.param("x = __import__('a.b')", ["a"], id="dunder import gives the top"),
        pytest.param("f = lambda: import_module('a')", ["a"], id="in a lambda"),
        pytest.param(
            "def f():\n    if os.name == 'nt':\n        x()\n    import a",
            ["a"],
            id="no early exit",
        ),
    ],
)
def test_collects(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        ("try:\n    import a\nexcept ImportError:\n    pass", "import"),
        ("try:\n    import a\nexcept (KeyError, ModuleNotFoundError):\n    pass", "import"),
        ("try:\n    import a\nexcept Exception:\n    pass", "broad"),
        ("try:\n    import a\nexcept:\n    pass", "broad"),
        ("def f():\n    try:\n        import a\n    except KeyError:\n        pass", ""),
        ("with contextlib.suppress(Exception):\n    import a", "broad"),
        ("try:\n    pass\nexcept ImportError:\n    pass\nelse:\n    import a", "import"),
        ("def f():\n    try:\n        pass\n    finally:\n        import a", ""),
    ],
)
def test_guard(text: str, guard: str) -> None:
    assert [item.guard for item in collected(text)] == [guard]


def test_a_function_within_a_try_is_not_guarded_by_it() -> None:
    text = "try:\n    def f():\n        import a\nexcept ImportError:\n    pass"
    (item,) = collected(text)
    assert (item.guard, item.attempts) == ("", ())


def test_the_handler_stands_in_for_the_try() -> None:
    text = "try:\n    import a\nexcept ImportError:\n    import b\nexcept KeyError:\n    import c"
    assert [(i.module, i.attempts, i.instead_of) for i in collected(text)] == [
        ("a", (1,), ()),
        ("b", (), (1,)),
        ("c", (), ()),
    ]


def test_where_it_stands() -> None:
    text = "class C:\n    def m(self):\n        def inner():\n            import a\n"
    (item,) = collected(text)
    assert (item.file, item.line, item.function) == ("pkg/mod.py", 4, "C.m.<locals>.inner")


@pytest.mark.parametrize(
    ("module", "level", "package", "full"),
    [
        ("a.b", 0, "", "a.b"),
        ("a", 1, "p.q", "p.q.a"),
        ("a", 2, "p.q", "p.a"),
        ("", 1, "p", "p"),
        ("a", 3, "p.q", "...a"),
        ("a", 1, "", ".a"),
    ],
)
def test_absolute(module: str, level: int, package: str, full: str) -> None:
    assert absolute(module, level, package) == full
