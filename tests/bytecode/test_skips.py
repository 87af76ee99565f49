"""Folders that are not the project's."""

from pathlib import Path

import pytest

from pytest_epm.bytecode.skips import between, foreign_on_disk, holds_interpreter


def made(root: Path, *names: str) -> str:
    for name in names:
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    root.mkdir(exist_ok=True)
    return str(root)


@pytest.mark.parametrize("name", ["build", "dist", "env", "venv", ".claude", ".tox", "lib", "git"])
def test_a_name_alone_is_no_evidence(tmp_path: Path, name: str) -> None:
    assert foreign_on_disk(made(tmp_path / name, "mod.py")) == ""


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("os.py",), id="os.py without encodings"),
        pytest.param(("encodings/",), id="encodings without os.py"),
        pytest.param(("bin/", "lib/"), id="bin and lib"),
        pytest.param(("bin/tool", "lib/python3.12/mod.py"), id="a folder called like a library"),
        pytest.param(("lib/python3.12/site-packages/",), id="site-packages without a python"),
        pytest.param((".git",), id="a submodule's file"),
    ],
)
def test_half_the_evidence_is_none(tmp_path: Path, names: tuple[str, ...]) -> None:
    assert foreign_on_disk(made(tmp_path / "x", *names)) == ""


@pytest.mark.parametrize(
    ("names", "why"),
    [
        pytest.param(("pyvenv.cfg",), "a virtual environment", id="venv"),
        pytest.param(("conda-meta/",), "a conda environment", id="conda"),
        pytest.param(("os.py", "encodings/"), "an interpreter's library", id="library"),
        pytest.param(("os.pyc", "encodings/"), "an interpreter's library", id="without sources"),
        pytest.param(
            ("bin/", "lib/python3.9/os.py", "lib/python3.9/encodings/"),
            "an interpreter's home",
            id="home",
        ),
        pytest.param(
            ("bin/python", "lib/python3.9/site-packages/"),
            "a virtual environment",
            id="venv that lost its pyvenv.cfg",
        ),
    ],
)
def test_evidence(tmp_path: Path, names: tuple[str, ...], why: str) -> None:
    assert foreign_on_disk(made(tmp_path / "x", *names)) == why


@pytest.mark.parametrize("name", [".git", ".hg", ".svn", "node_modules", "site-packages"])
def test_by_name(tmp_path: Path, name: str) -> None:
    assert foreign_on_disk(made(tmp_path / name)) == f"a folder called {name}"


def test_the_running_interpreter_is_found() -> None:
    import sys

    assert holds_interpreter(sys.base_prefix)


def test_between_looks_at_neither_end(tmp_path: Path) -> None:
    root = made(tmp_path / "p", "pyvenv.cfg", "pkg/mod.py")
    assert between(f"{root}/pkg/mod.py", root) == ""
    assert between(f"{root}/mod.py", root) == ""


def test_between_names_the_folder(tmp_path: Path) -> None:
    root = made(tmp_path / "p", ".venv/pyvenv.cfg", ".venv/lib/mod.py")
    assert between(f"{root}/.venv/lib/mod.py", root) == f"{root}/.venv is a virtual environment"
