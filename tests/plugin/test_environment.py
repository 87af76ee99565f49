"""What a run sets is set for children, and put back when it ends."""

import pytest

from epm_testing import Project

INNER = """
import os, sys, pytest
seen = []
class Look:
    def pytest_runtest_call(self):
        seen.append((sys.dont_write_bytecode, os.environ.get("PYTHONDONTWRITEBYTECODE")))
{before}
code = pytest.main(["-q", "-p", "no:cacheprovider", *{arguments!r}], plugins=[Look()])
print("inside:", seen, "code:", int(code))
print("after:", (sys.dont_write_bytecode, os.environ.get("PYTHONDONTWRITEBYTECODE")))
"""


def ran(project: Project, *arguments: str, before: str = "") -> str:
    project.put("tests/test_ok.py", "def test(): pass\n")
    project.put("start.py", INNER.format(arguments=list(arguments), before=before))
    return project.python("start.py").said


def test_set_inside_and_restored_after(project: Project) -> None:
    said = ran(project, "-p", "epm", "tests")
    assert "inside: [(True, '1')] code: 0" in said
    assert "after: (False, None)" in said


def test_what_was_there_before_comes_back(project: Project) -> None:
    before = "os.environ['PYTHONDONTWRITEBYTECODE'] = 'x'; sys.dont_write_bytecode = True"
    assert "after: (True, 'x')" in ran(project, "-p", "epm", "tests", before=before)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(("-p", "epm", "--no-such-flag"), 4, id="an unknown flag"),
        pytest.param(("-p", "epm", "none"), 4, id="a missing folder"),
        pytest.param(("-p", "epm", "--rootdir=/"), 4, id="a refusal"),
    ],
)
def test_restored_after_a_run_that_never_began(
    project: Project, arguments: tuple[str, ...], code: int
) -> None:
    said = ran(project, *arguments)
    assert f"inside: [] code: {code}" in said
    assert "after: (False, None)" in said


def test_nothing_is_set_without_a_request(project: Project) -> None:
    assert "inside: [(False, None)] code: 0" in ran(project, "tests")


def test_a_conftest_that_undoes_the_flags_is_overruled(project: Project) -> None:
    project.put(
        "tests/conftest.py",
        "import os, sys\n"
        "sys.dont_write_bytecode = False\n"
        "os.environ.pop('PYTHONDONTWRITEBYTECODE')\n",
    )
    assert "inside: [(True, '1')]" in ran(project, "-p", "epm", "tests")


class TestARunInsideARun:
    NESTED = """
pytest_plugins = ["pytester"]
import os, sys, mod
def test_nested(pytester):
    pytester.makepyfile("import mod\\ndef test(): assert mod.VALUE == 'new'")
    pytester.syspathinsert({root!r})
    result = pytester.runpytest_inprocess("-p", "epm")
    result.assert_outcomes(passed=1)
    assert sys.dont_write_bytecode
    assert os.environ["PYTHONDONTWRITEBYTECODE"] == "1"
"""

    def test_leaks_nothing_and_does_not_doubt_what_the_outer_run_made_fresh(
        self, project: Project
    ) -> None:
        project.stale("mod.py")
        project.put("test_outer.py", self.NESTED.format(root=str(project.root)))
        done = project.pytest("-p", "epm")
        assert done.code == pytest.ExitCode.OK, done.said

    def test_is_refused_where_the_outer_run_made_nothing_fresh(self, project: Project) -> None:
        project.stale("mod.py")
        project.put("test_outer.py", self.NESTED.format(root=str(project.root)))
        done = project.pytest("-p", "no:epm")
        assert done.code == pytest.ExitCode.TESTS_FAILED
        assert "the project was imported before its bytecode was purged" in done.said
