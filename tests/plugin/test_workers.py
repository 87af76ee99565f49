"""xdist: the controller purges, workers write nothing, their children purge for themselves."""

import pytest

from epm_testing import Project

REPORTS = """
import os, sys
def test_{0}():
    import mod
    assert mod.VALUE == "new"
    assert sys.dont_write_bytecode
    assert os.environ["PYTHONDONTWRITEBYTECODE"] == "1"
"""


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
@pytest.mark.parametrize("asked", [("-p", "epm"), ("--epm-bytecode=purge",)], ids=["-p", "flag"])
def test_workers_import_fresh_code(stale: Project, workers: str, asked: tuple[str, ...]) -> None:
    stale.put("test_mod.py", "")
    for number in range(4):
        stale.put(f"test_{number}.py", REPORTS.format(number))
    done = stale.pytest(*asked, workers)
    assert done.code == pytest.ExitCode.OK, done.said
    assert "4 passed" in done.out
    assert stale.bytecode() == []
    assert done.out.count("fresh bytecode") == 1


def test_asked_in_addopts_only_the_controller_purges(stale: Project) -> None:
    stale.put("pytest.ini", "[pytest]\naddopts = -p epm -n2\n")
    stale.put("test_mod.py", REPORTS.format("a"))
    # What appears after the purge stays where it is: no worker purges a second time.
    stale.put("conftest.py", "open('left.pyc', 'a').close()\n")
    done = stale.pytest()
    assert done.code == pytest.ExitCode.OK, done.said
    assert (stale.root / "left.pyc").exists()


def test_a_run_inside_a_worker_is_no_worker(stale: Project, project: Project) -> None:
    inner = Project(project.root / "inner")
    inner.stale("mod.py")
    inner.put("test_mod.py", "def test():\n    import mod\n    assert mod.VALUE == 'new'\n")
    stale.put(
        "test_mod.py",
        "import subprocess, sys\n"
        "def test_inner():\n"
        "    command = [sys.executable, '-m', 'pytest', '-p', 'epm', '--rootdir', '.', '.']\n"
        "    subprocess.run(command, cwd='inner', check=True)\n",
    )
    # The run around it must not have cleaned up for it.
    stale.put(
        "conftest.py",
        "import py_compile, pathlib, os\n"
        "if 'PYTEST_XDIST_WORKER' in os.environ:\n"
        "    old = pathlib.Path('inner/mod.py'); new = old.read_text(); s = old.stat()\n"
        "    old.write_text(new.replace('new', 'old')); os.utime(old, (1, 1))\n"
        "    py_compile.compile('inner/mod.py'); old.write_text(new); os.utime(old, (1, 1))\n",
    )
    done = stale.pytest("-p", "epm", "-n1", "--ignore=inner")
    assert done.code == pytest.ExitCode.OK, done.said


def test_a_run_inside_a_test_of_a_worker_is_no_worker(project: Project) -> None:
    inner = Project(project.root / "inner")
    inner.stale("mod.py")
    inner.put("test_mod.py", "def test():\n    import mod\n    assert mod.VALUE == 'new'\n")
    project.put(
        "test_outer.py",
        "import os, pytest\n"
        "def test_outer():\n"
        "    os.chdir('inner')\n"
        "    code = pytest.main(['-p', 'epm', '-p', 'no:cacheprovider', '--rootdir', '.', '.'])\n"
        "    assert code == 4, 'the test around it is loaded already: refused, not passed by'\n",
    )
    done = project.pytest("-n1", "--ignore=inner")
    assert done.code == pytest.ExitCode.OK, done.said


def test_a_crashed_worker_breaks_nothing(stale: Project) -> None:
    stale.put("test_mod.py", "import os\ndef test(): os._exit(3)\n")
    done = stale.pytest("-p", "epm", "-n1", "--max-worker-restart=0")
    assert done.code == pytest.ExitCode.TESTS_FAILED
    assert "INTERNALERROR" not in done.said
