"""`--epm-bytecode audit`, and what both modes say."""

import re
import sys
from pathlib import Path

import pytest

import pytest_epm
from epm_testing import Project, run
from epm_testing.projects import incident

PYARGS = """
from pk.mod import VALUE
def test_value():
    assert VALUE == "old"
"""


class TestAudit:
    def test_names_what_is_stale_deletes_nothing_and_fails(self, stale: Project) -> None:
        before = stale.bytecode()
        done = stale.pytest("-p", "epm", "--epm-bytecode=audit")
        assert done.code == pytest.ExitCode.TESTS_FAILED
        assert "1 passed" in done.out
        assert "same-mtime holds other code than its source: mod.py" in done.out
        assert "1 stale path" in done.out
        assert "next: epm bytecode purge" in done.out
        assert set(before) <= set(stale.bytecode())

    def test_is_silent_below_the_header_if_nothing_is_stale(self, project: Project) -> None:
        project.compiled("mod.py")
        project.put("test_ok.py", "def test(): import mod\n")
        done = project.pytest("--epm-bytecode=audit")
        assert done.code == pytest.ExitCode.OK
        assert re.search(r"epm: 0 stale paths; [1-9]\d* cached files? compared", done.out)
        assert "= epm: bytecode =" not in done.out

    def test_a_red_run_keeps_its_own_code(self, stale: Project) -> None:
        stale.put("test_mod.py", "import nothing_of_this_name\n")
        done = stale.pytest("--epm-bytecode=audit")
        assert done.code == pytest.ExitCode.INTERRUPTED


class TestHeader:
    def test_says_what_was_done(self, stale: Project) -> None:
        out = stale.pytest("-p", "epm").out
        removed = r"removed [1-9]\d* files? and [1-9]\d* folders? in \d+\.\d\d s"
        assert re.search(rf"epm: fresh bytecode: {removed}; \. \(rootdir\)", out)

    def test_is_not_written_in_a_quiet_run(self, stale: Project) -> None:
        assert "epm:" not in stale.pytest("-p", "epm", "-q").out

    def test_counts_roots_where_there_are_many(self, stale: Project) -> None:
        for number in range(6):
            stale.put(f"lib{number}/x.py", "")
        stale.put("pytest.ini", "[pytest]\npythonpath = lib0 lib1 lib2 lib3 lib4 lib5\n")
        line = next(line for line in stale.pytest("-p", "epm").out.splitlines() if "epm:" in line)
        assert re.search(r"lib1 \(ini pythonpath\), \d+ more", line)

    def test_a_name_with_a_newline_stays_on_its_line(self, project: Project) -> None:
        odd = Project(project.root / "a\nb")
        odd.put("test_ok.py", "def test(): pass\n")
        done = odd.pytest("-p", "epm", "--rootdir", str(odd.root), cwd=project.root)
        assert "a\\nb (rootdir)" in done.out


class TestSection:
    def test_is_left_out_where_there_is_nothing_to_say(self, stale: Project) -> None:
        assert "= epm: bytecode =" not in stale.pytest("-p", "epm").out

    def test_names_legacy_bytecode_that_git_tracks(self, project: Project) -> None:
        project.git("init", "-q")
        project.legacy("fast")
        project.git("add", "-f", "fast.pyc")
        project.put("test_fast.py", "import fast\ndef test(): assert fast.VALUE == 'old'\n")
        done = project.pytest("-p", "epm")
        assert done.code == pytest.ExitCode.OK, done.said
        assert "kept, because git tracks it:\n  fast.pyc" in done.out


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="here"),
        pytest.param(("-O",), id="-O"),
        pytest.param(("-OO",), id="-OO"),
    ],
)
def test_optimised_runs(stale: Project, arguments: tuple[str, ...]) -> None:
    stale.put("test_mod.py", "import mod\ndef test():\n    if mod.VALUE != 'new': raise OSError\n")
    for level in (1, 2):
        stale.stale("mod.py", optimize=level)
    done = stale.python(*arguments, "-m", "pytest", "-p", "epm", "-p", "no:cacheprovider")
    assert done.code == pytest.ExitCode.OK, done.said


def test_an_environment_of_copies_inside_the_project(project: Project) -> None:
    project.python("-m", "venv", "--copies", "--without-pip", "--system-site-packages", ".venv")
    site = next(iter((project.root / ".venv/lib").glob("python*/site-packages")))
    ours = [str(Path(pytest_epm.__file__).parents[1])]
    outer = [path for path in sys.path if "site-packages" in path]
    (site / "outer.pth").write_text("\n".join([*ours, *outer]))
    project.put("test_ok.py", "def test(): pass\n")
    command = [".venv/bin/python", "-m", "pytest", "-p", "epm", "-p", "no:cacheprovider"]
    done = run(command, project.root)
    assert done.code == pytest.ExitCode.OK, done.said


class TestStartedFrom:
    def test_a_subdirectory(self, stale: Project) -> None:
        stale.put("pytest.ini", "[pytest]\npythonpath = .\n")
        stale.put("sub/x.py", "")
        done = stale.pytest("-p", "epm", "..", cwd=stale.root / "sub")
        assert "assert 'new' == 'old'" in done.out

    def test_elsewhere_with_rootdir(self, stale: Project) -> None:
        elsewhere = Project(stale.root.parent / "elsewhere")
        done = elsewhere.pytest("-p", "epm", f"--rootdir={stale.root}", str(stale.root))
        assert "assert 'new' == 'old'" in done.out

    def test_elsewhere_with_a_configuration_file_of_another_project(self, stale: Project) -> None:
        elsewhere = Project(stale.root.parent / "elsewhere")
        elsewhere.put("pytest.ini", "[pytest]\n")
        done = elsewhere.pytest("-p", "epm", "-c", "pytest.ini", str(stale.root / "test_mod.py"))
        assert "assert 'new' == 'old'" in done.out
        assert "../proj" not in done.err

    def test_tests_in_a_folder_that_a_walk_does_not_enter(self, stale: Project) -> None:
        inner = Project(stale.root / ".venv/src/lib")
        stale.put(".venv/pyvenv.cfg", "")
        incident(inner)
        done = stale.pytest("-p", "epm", ".venv/src/lib")
        assert "assert 'new' == 'old'" in done.out
        assert ".venv/src/lib (test arguments)" in done.out

    def test_pyargs(self, project: Project) -> None:
        project.stale("pk/mod.py")
        project.put("pk/__init__.py", "")
        project.put("pk/test_it.py", PYARGS)
        done = project.pytest("-p", "epm", "--pyargs", "pk")
        assert "assert 'new' == 'old'" in done.out
