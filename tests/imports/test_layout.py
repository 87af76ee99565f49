"""As which module a file is imported, and with what on the path."""

import pytest

from pytest_epm.imports.collect import Source
from pytest_epm.imports.layout import Ground, Placement, is_script, place, tops

GROUND = Ground(
    "/p",
    packages={"/p/src/pkg", "/p/src/pkg/sub", "/p/tests", "/p/not-a-name"},
    given=("/p/given",),
    shared=("/p/given", "/p", "/p/src"),
)
MAIN = "if __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize(
    ("file", "text", "source", "path"),
    [
        pytest.param(
            "/p/src/pkg/sub/m.py",
            MAIN,
            Source("src/pkg/sub/m.py", "pkg.sub", "pkg.sub.m"),
            ("/p/src", "/p/given", "/p"),
            id="of a package, also with a main block",
        ),
        pytest.param(
            "/p/src/pkg/__init__.py",
            "",
            Source("src/pkg/__init__.py", "pkg", "pkg"),
            ("/p/src", "/p/given", "/p"),
            id="a package itself",
        ),
        pytest.param(
            "/p/src/pkg/__main__.py",
            "",
            Source("src/pkg/__main__.py", "pkg", ""),
            ("/p/src", "/p/given", "/p"),
            id="its main is not imported to mend a circle",
        ),
        pytest.param(
            "/p/tools/run.py",
            MAIN,
            Source("tools/run.py"),
            ("/p/tools", "/p/given"),
            id="a script finds what lies beside it",
        ),
        pytest.param(
            "/p/tools/lib.py",
            "",
            Source("tools/lib.py", "tools", "lib"),
            ("/p/tools", "/p/given", "/p", "/p/src"),
            id="a lone module may be imported from above",
        ),
        pytest.param(
            "/p/src/ns/m.py",
            "",
            Source("src/ns/m.py", "ns", "m"),
            ("/p/src/ns", "/p/given", "/p", "/p/src"),
            id="a namespace package, from the nearest base",
        ),
        pytest.param(
            "/p/not-a-name/m.py",
            "",
            Source("not-a-name/m.py", "", "m"),
            ("/p/not-a-name", "/p/given", "/p", "/p/src"),
            id="a folder that cannot be imported",
        ),
    ],
)
def test_place(file: str, text: str, source: Source, path: tuple[str, ...]) -> None:
    assert place(file, text, GROUND) == Placement(source, path)


@pytest.mark.parametrize(
    ("name", "text", "script"),
    [
        ("m.py", "", False),
        ("m.py", "def f():\n    if __name__ == '__main__':\n        pass\n", False),
        ("test_m.py", MAIN, False),
        ("m_test.py", "#!/usr/bin/python\n", False),
        ("conftest.py", MAIN, False),
        ("m.py", "sys.path.insert(0, '..')\n" + MAIN, False),
        ("m.py", MAIN, True),
        ("m.py", 'if __name__=="__main__": main()', True),
        ("m.py", "#!/usr/bin/env python\n", True),
    ],
)
def test_is_script(name: str, text: str, script: bool) -> None:  # noqa: FBT001 - a column of a table
    assert is_script(name, text) is script


def test_tops() -> None:
    files = ["/p/src/pkg/sub/m.py", "/p/tools/lib.py", "/p/a.py", "/p/tests/test_a.py"]
    assert tops([place(file, "", GROUND) for file in files]) == {
        *("pkg", "tools", "lib", "a", "tests")
    }
