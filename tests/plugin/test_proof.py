"""At the end: a loaded module of the project whose cached file exists may be stale."""

import sys
from pathlib import Path

import pytest

from epm_testing import Done, Project

WRITES = """
import py_compile, mod
def test_value():
    py_compile.compile(mod.__file__)
"""


def assert_doubted(done: Done, *said: str) -> None:
    assert done.code == pytest.ExitCode.TESTS_FAILED, done.said
    assert "1 passed" in done.out
    assert "this run does not count" in done.out
    for words in said:
        assert words in done.out


@pytest.fixture(params=[(), ("-n0",), ("-n2",)], ids=["plain", "-n0", "-n2"])
def workers(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Run the test in one process, and with workers that ship what they found."""
    found: tuple[str, ...] = request.param
    return found


def test_a_cached_file_written_beside_the_run(project: Project, workers: tuple[str, ...]) -> None:
    project.put("mod.py", "")
    project.put("test_mod.py", WRITES)
    done = project.pytest("-p", "epm", *workers)
    assert_doubted(done, "stale-possible mod was read from it, or raced by it", "with -B")


def test_pytests_rewritten_cache(project: Project, workers: tuple[str, ...]) -> None:
    tag = f"{sys.implementation.cache_tag}-pytest-{pytest.__version__}"
    project.put(
        "test_mod.py",
        "import pathlib\n"
        "def test():\n"
        "    cache = pathlib.Path(__file__).parent / '__pycache__'\n"
        "    cache.mkdir(exist_ok=True)\n"
        f"    (cache / 'test_mod.{tag}.pyc').touch()\n",
    )
    assert_doubted(project.pytest("-p", "epm", *workers), f"test_mod.{tag}.pyc: stale-possible")


def test_a_module_from_outside_the_roots(project: Project, tmp_path: Path) -> None:
    outside = Project(tmp_path / "outside")
    outside.stale("mod.py")
    project.put(
        "test_mod.py",
        f"import sys\nsys.path.insert(0, {str(outside.root)!r})\n"
        "import mod\ndef test(): assert mod.VALUE == 'old'\n",
    )
    done = project.pytest("-p", "epm")
    assert_doubted(done, f"epm bytecode purge {outside.root}")


def test_a_module_from_a_folder_that_is_not_entered(project: Project) -> None:
    project.put("svc/pyvenv.cfg", "")
    project.stale("svc/src/mod.py")
    project.put(
        "test_mod.py",
        "import os, sys\nsys.path.insert(0, os.path.abspath('svc/src'))\n"
        "import mod\ndef test(): assert mod.VALUE == 'old'\n",
    )
    assert_doubted(project.pytest("-p", "epm"), "mod was read from it")


ODD = """
import importlib.util, sys, types
from importlib.machinery import ModuleSpec
from pathlib import Path
from unittest import mock

def put(name, spec):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__spec__ = spec

class Angry:
    @property
    def __dict__(self):
        raise RuntimeError

def test_odd():
    open("lazy.py", "w").write("import nothing_of_this_name")
    sys.path.insert(0, "")
    spec = importlib.util.find_spec("lazy")
    spec.loader = importlib.util.LazyLoader(spec.loader)
    sys.modules["lazy"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["lazy"])
    put("mocked", mock.Mock(spec=ModuleSpec))
    put("pathy", ModuleSpec("pathy", None, origin=Path("x.py")))
    sys.modules["angry"] = Angry()
    sys.modules[5] = None
"""


def test_odd_modules_are_looked_at_without_being_touched(project: Project) -> None:
    project.put("test_odd.py", ODD)
    done = project.pytest("-p", "epm")
    assert done.code == pytest.ExitCode.OK, done.said
    assert "INTERNALERROR" not in done.said


def test_a_package_behind_a_link_out_of_the_root(project: Project, tmp_path: Path) -> None:
    outside = Project(tmp_path / "outside")
    outside.stale("mod.py")
    (project.root / "pkg").symlink_to(outside.root)
    project.put("test_mod.py", "from pkg import mod\ndef test(): assert mod.VALUE == 'old'\n")
    assert_doubted(project.pytest("-p", "epm"), f"epm bytecode purge {outside.root}")
    assert len(outside.bytecode()) == 1


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("import mod", id="an import"),
        pytest.param("import json.tool, email.mime.text", id="the standard library"),
        pytest.param("import _pytest.pytester, xdist, hypothesis", id="installed packages"),
        pytest.param(
            "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import mod'])",
            id="a child",
        ),
        pytest.param(
            "import subprocess, sys; subprocess.run([sys.executable, '-B', '-I', '-c', "
            "'import sys; sys.path.insert(0, \".\"); import mod'])",
            id="an isolated child with -B",
        ),
        pytest.param(
            "import py_compile; py_compile.compile('unloaded.py')", id="compiled and not loaded"
        ),
        pytest.param(
            "import multiprocessing as m, mod\n"
            "    p = m.get_context('spawn').Process(target=len, args=((),))\n"
            "    p.start(); p.join(); assert p.exitcode == 0",
            id="a spawned process",
        ),
        pytest.param("import ns.mod", id="a namespace package"),
        pytest.param(
            "import py_compile; tmp_path = r.getfixturevalue('tmp_path')\n"
            "    (tmp_path / 'own.py').touch(); py_compile.compile(str(tmp_path / 'own.py'))\n"
            "    r.getfixturevalue('monkeypatch').syspath_prepend(tmp_path); import own",
            id="a module that the test made",
        ),
    ],
)
def test_leaves_alone(project: Project, body: str, workers: tuple[str, ...]) -> None:
    for name in ("mod.py", "unloaded.py", "ns/mod.py"):
        project.put(name, "")
    project.put("test_mod.py", f"def test(request):\n    r = request\n    {body}\n")
    done = project.pytest("-p", "epm", *workers)
    assert done.code == pytest.ExitCode.OK, done.said
    assert "= epm: bytecode =" not in done.out


def test_a_red_run_keeps_its_own_code(project: Project) -> None:
    project.put("mod.py", "")
    project.put("test_mod.py", "import py_compile, mod\npy_compile.compile(mod.__file__)\n1 / 0\n")
    assert project.pytest("-p", "epm").code == pytest.ExitCode.INTERRUPTED
