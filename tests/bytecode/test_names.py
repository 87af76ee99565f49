"""Names of cached files."""

import pytest

from pytest_epm.bytecode.names import Cached, is_bytecode, mirror, parse


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("mod.py", id="source"),
        pytest.param("mod.pyc.bak", id="a copy by hand"),
        pytest.param("mod.pyd", id="an extension module"),
        pytest.param("mod.pyi", id="a stub"),
        pytest.param("pyc", id="no suffix"),
        pytest.param("mod.pyc\n", id="newline at the end"),
        pytest.param("mod.nbi", id="numba's index"),
        pytest.param("mod.pyc.12x", id="no number"),
    ],
)
def test_leaves_alone(name: str) -> None:
    assert not is_bytecode(name, in_cache=True)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("mod.cpython-312.pyc", id="cached"),
        pytest.param("mod.cpython-312.opt-2.pyc", id="optimised"),
        pytest.param("mod.pyc", id="legacy"),
        pytest.param("mod.pyo", id="legacy, optimised"),
        pytest.param("test_a.cpython-312-pytest-9.2.0.pyc", id="rewritten by pytest"),
        pytest.param("mod.cpython-312.pyc.139645920376752", id="interrupted write"),
        pytest.param("new\nline.pyc", id="newline inside"),
        pytest.param(".pyc", id="nothing before the suffix"),
    ],
)
def test_is_bytecode(name: str) -> None:
    assert is_bytecode(name, in_cache=True)


@pytest.mark.parametrize("name", ["notes.pyc.20240101", "mod.pyo.1"])
def test_a_number_behind_it_counts_in_a_cache_folder_only(name: str) -> None:
    assert is_bytecode(name, in_cache=True)
    assert not is_bytecode(name, in_cache=False)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("mod.pyc", id="no tag"),
        pytest.param("mod.cpython-311.pyc", id="another interpreter"),
        pytest.param("mod.cpython-3120.pyc", id="longer tag"),
        pytest.param(".cpython-312.pyc", id="no stem"),
        pytest.param("mod.cpython-312.opt-3.pyc", id="no such level"),
        pytest.param("mod.cpython-312.pyo", id="suffix of old interpreters"),
        pytest.param("mod.cpython-312.pyc.123", id="interrupted write"),
    ],
)
def test_no_interpreter_of_this_tag_looks_for(name: str) -> None:
    assert parse(name, "cpython-312") is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("mod.cpython-312.pyc", Cached("mod", 0, rewritten=False), id="plain"),
        pytest.param("mod.cpython-312.opt-1.pyc", Cached("mod", 1, rewritten=False), id="-O"),
        pytest.param("mod.cpython-312.opt-2.pyc", Cached("mod", 2, rewritten=False), id="-OO"),
        pytest.param("a.b.cpython-312.pyc", Cached("a.b", 0, rewritten=False), id="dots"),
        pytest.param(
            "x.cpython-312.cpython-312.pyc",
            Cached("x.cpython-312", 0, rewritten=False),
            id="a stem that looks like a tag",
        ),
        pytest.param(
            "test_a.cpython-312-pytest-9.2.0.pyc",
            Cached("test_a", 0, rewritten=True),
            id="rewritten",
        ),
        pytest.param(
            "test_a.cpython-312-pytest-8.0.0.dev1+g12.pyo",
            Cached("test_a", 1, rewritten=True),
            id="rewritten under -O by a development version",
        ),
    ],
)
def test_taken_apart(name: str, expected: Cached) -> None:
    assert parse(name, "cpython-312") == expected


def test_mirror_keeps_the_whole_path_below_the_prefix() -> None:
    assert mirror("/cache", "/work/proj/pkg") == "/cache/work/proj/pkg"
