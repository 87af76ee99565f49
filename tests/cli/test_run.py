"""`epm run`: fresh bytecode, the child's environment, its code and signals passed on."""

import signal
import subprocess
import sys

import pytest

from epm_testing import Project, clean_environment


def test_purges_and_keeps_the_child_from_writing(project: Project) -> None:
    project.stale("mod.py")
    done = project.epm("run", "--", sys.executable, "-c", "import mod; print(mod.VALUE)")
    assert (done.code, done.out, done.err) == (0, "new\n", "")
    assert project.bytecode() == []


def test_cures_a_plugin_that_comes_first(project: Project) -> None:
    project.stale("mod.py")
    project.put("projplug.py", "import mod\n")
    project.put("test_mod.py", "def test():\n    import mod\n    assert mod.VALUE == 'new'\n")
    command = (sys.executable, "-m", "pytest", "-p", "projplug", "-p", "no:cacheprovider")
    assert project.epm("run", "--", *command).code == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(("--", "sh", "-c", "exit 3"), 3, id="its own"),
        pytest.param(("sh", "-c", "exit 3"), 3, id="without the dashes"),
        pytest.param(("--", "sh", "-c", "kill -TERM $$"), -signal.SIGTERM, id="a signal"),
        pytest.param(("--", "no-such-command"), 127, id="not found"),
        pytest.param(("--", "./no/such/file"), 127, id="not found, by path"),
        pytest.param(("--", "."), 126, id="a folder"),
        pytest.param(("--", "./plain.txt"), 126, id="not executable"),
        pytest.param(("--",), 125, id="nothing to start"),
        pytest.param((), 125, id="nothing at all"),
    ],
)
def test_exit_code(project: Project, words: tuple[str, ...], code: int) -> None:
    project.put("plain.txt", "x")
    done = project.epm("run", *words)
    assert done.code == code, done.said
    assert "Traceback" not in done.said


def test_words_after_the_first_dashes_are_the_commands(project: Project) -> None:
    done = project.epm("run", "--", "printf", "%s|", "--", "-h", "--json")
    assert done.out == "--|-h|--json|"


def test_refused_is_125_and_nothing_starts(project: Project) -> None:
    done = project.epm("run", "--", "touch", "started", env={"HOME": str(project.root)})
    assert done.code == 125
    assert "is a home folder" in done.err
    assert not (project.root / "started").exists()


def test_signals_reach_the_command(project: Project) -> None:
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        "print('ready', flush=True)\n"
        "time.sleep(30)\n"
    )
    command = [sys.executable, "-m", "pytest_epm.cli", "run", "--", sys.executable, "-c", code]
    with subprocess.Popen(
        command, cwd=project.root, env=clean_environment(), stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.terminate()
        assert child.wait(20) == 7
