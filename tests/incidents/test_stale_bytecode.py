"""The first incident, end to end: a same-second, same-size edit and the gate over it."""

import os
import sys
import time

import pytest

from epm_testing import Project
from epm_testing.projects import GREEN_ON_OLD_CODE, NEW, OLD


def edit_within_one_second(project: Project) -> None:
    """Import the module, then edit it so fast that its bytecode still validates."""
    source = project.put("mod.py", OLD)
    for _ in range(20):
        time.sleep(1.02 - time.time() % 1)
        source.write_text(OLD, encoding="utf-8")
        before = source.stat()
        project.python("-c", "import mod")
        source.write_text(NEW, encoding="utf-8")
        if int(source.stat().st_mtime) == int(before.st_mtime):
            return
    pytest.skip("this machine is too slow to import a module within a second")


def test_the_gate_sees_the_edit(project: Project) -> None:
    project.put("test_mod.py", GREEN_ON_OLD_CODE)
    edit_within_one_second(project)

    plain = project.pytest("-q")
    assert plain.code == pytest.ExitCode.OK, "plain pytest is green on code that is gone"

    audit = project.epm("bytecode", "audit", ".")
    assert (audit.code, "same-mtime" in audit.out) == (1, True)

    gate = project.pytest("-q", "-p", "epm")
    assert gate.code == pytest.ExitCode.TESTS_FAILED
    assert "assert 'new' == 'old'" in gate.out

    fixed = project.put("test_mod.py", GREEN_ON_OLD_CODE.replace("old", "new"))
    assert project.pytest("-q", "-p", "epm", os.fspath(fixed)).code == pytest.ExitCode.OK
    assert project.bytecode() == []


def test_the_same_for_any_command(project: Project) -> None:
    edit_within_one_second(project)
    command = (sys.executable, "-c", "import mod; print(mod.VALUE)")
    assert project.python(*command[1:]).out == "old\n"
    assert project.epm("run", "--", *command).out == "new\n"
