"""Where a run cannot be made fresh it is refused, with the module or folder and the cure."""

import os
import sys
from pathlib import Path

import pytest

from epm_testing import Done, Project
from epm_testing.users import as_nobody, open_folder
from pytest_epm.bytecode.purge import purge_roots
from pytest_epm.bytecode.roots import Chosen, Origin, Root

FINDS_ENTRY_POINTS = pytest.mark.skipif(
    pytest.version_tuple < (9, 2), reason="without autoload this pytest looks for a module"
)


def assert_refused(done: Done, *said: str) -> None:
    assert done.code == pytest.ExitCode.USAGE_ERROR, done.said
    for words in said:
        assert words in done.err
    assert "Traceback" not in done.said
    assert "passed" not in done.out


PLUGIN = "import mod\n"
CURE = "put `-p epm` before any other -p, first in addopts"


class TestTooLate:
    @pytest.fixture(autouse=True)
    def _local_plugin(self, stale: Project) -> None:
        stale.put("projplug.py", PLUGIN)

    def test_a_local_plugin_ahead_of_ours(self, stale: Project) -> None:
        done = stale.pytest("-p", "projplug", "-p", "epm")
        assert_refused(done, "mod from mod.py", "projplug from projplug.py", CURE)
        assert stale.bytecode() != []

    def test_a_local_plugin_in_addopts(self, stale: Project) -> None:
        stale.put("pytest.ini", "[pytest]\naddopts = -p projplug\n")
        assert_refused(stale.pytest("-p", "epm"), "mod from mod.py", CURE)

    def test_the_cure(self, stale: Project) -> None:
        stale.put("pytest.ini", "[pytest]\naddopts = -p epm -p projplug\n")
        assert "assert 'new' == 'old'" in stale.pytest("-p", "epm").out

    def test_plugins_of_the_environment_come_after_autoload(self, stale: Project) -> None:
        env = {"PYTEST_PLUGINS": "projplug,epm", "PYTHONPATH": str(stale.root)}
        assert "assert 'new' == 'old'" in stale.pytest(env=env).out

    @FINDS_ENTRY_POINTS
    def test_plugins_of_the_environment_without_autoload(self, stale: Project) -> None:
        done = stale.pytest(
            env={
                "PYTEST_PLUGINS": "projplug,epm",
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                "PYTHONPATH": str(stale.root),
            },
        )
        assert_refused(done, "mod from mod.py", CURE)

    def test_a_script_that_imports_first(self, stale: Project) -> None:
        code = "import mod, pytest, sys; sys.exit(pytest.main(['-p', 'epm']))"
        stale.put("start.py", code)
        done = stale.python("start.py")
        assert_refused(done, "mod from mod.py")
        assert "__main__" not in done.err

    def test_start_up_code_that_imports_the_project(self, stale: Project) -> None:
        stale.put("boot/sitecustomize.py", "import mod\n")
        path = os.pathsep.join([str(stale.root / "boot"), str(stale.root)])
        assert_refused(stale.pytest("-p", "epm", env={"PYTHONPATH": path}), "mod from mod.py")

    def test_start_up_code_that_is_stale(self, stale: Project) -> None:
        stale.stale("boot/sitecustomize.py")
        done = stale.pytest("-p", "epm", env={"PYTHONPATH": str(stale.root / "boot")})
        assert_refused(done, "sitecustomize from boot/sitecustomize.py")

    def test_start_up_code_without_a_source(self, stale: Project) -> None:
        stale.legacy("boot/sitecustomize")
        done = stale.pytest("-p", "epm", env={"PYTHONPATH": str(stale.root / "boot")})
        assert_refused(done, "sitecustomize from boot/sitecustomize.pyc")

    def test_helpers_of_an_editor_that_starts_the_run(self, stale: Project) -> None:
        helpers = Project(stale.root.parent / "helpers")
        kept = helpers.compiled("tools.py")
        code = "import tools, pytest, sys; sys.exit(pytest.main(['-p', 'epm']))"
        done = stale.python(str(helpers.put("run.py", code)))
        assert "assert 'new' == 'old'" in done.out
        assert "stale-possible" not in done.out
        assert kept.exists()

    def test_start_up_code_that_is_fresh(self, stale: Project) -> None:
        stale.compiled("boot/sitecustomize.py")
        done = stale.pytest("-p", "epm", env={"PYTHONPATH": str(stale.root / "boot")})
        assert "assert 'new' == 'old'" in done.out

    @pytest.mark.parametrize(
        "autoload",
        [
            pytest.param({}, id="autoload"),
            pytest.param(
                {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, id="no autoload", marks=FINDS_ENTRY_POINTS
            ),
        ],
    )
    def test_a_conftest_that_asks(self, stale: Project, autoload: dict[str, str]) -> None:
        stale.put("conftest.py", "import mod\npytest_plugins = ['epm']\n")
        assert_refused(stale.pytest(env=autoload), "pytest_plugins in a conftest is too late")

    def test_a_conftest_that_asks_once_more(self, stale: Project) -> None:
        stale.put("conftest.py", "pytest_plugins = 'epm'\n")
        assert "assert 'new' == 'old'" in stale.pytest("-p", "epm").out


class TestRoots:
    @pytest.fixture
    def home(self, tmp_path: Path) -> Project:
        home = Project(tmp_path / "home")
        home.compiled("notes/mod.py")
        home.put("proj/pytest.ini", "[pytest]\n")
        home.put("proj/test_ok.py", "def test(): pass\n")
        return home

    def test_a_home_folder(self, home: Project) -> None:
        home.put("test_ok.py", "def test(): pass\n")
        done = home.pytest("-p", "epm", "test_ok.py", env={"HOME": str(home.root)})
        assert_refused(done, f"{home.root}: bytecode is not purged here", "--rootdir=FOLDER")
        assert len(home.bytecode()) == 1

    def test_the_cure(self, home: Project) -> None:
        done = home.pytest("-p", "epm", "--rootdir=proj", "proj", env={"HOME": str(home.root)})
        assert done.code == pytest.ExitCode.OK, done.said
        assert "left out: . (a home folder)" in done.out
        assert len(home.bytecode()) == 1

    def test_the_top_of_the_file_system(self, stale: Project) -> None:
        done = stale.pytest("-p", "epm", "--rootdir=/")
        assert_refused(done, "/: bytecode is not purged here", "--rootdir=FOLDER")

    def test_the_running_interpreter(self, stale: Project) -> None:
        done = stale.pytest("-p", "epm", f"--rootdir={sys.base_prefix}")
        assert_refused(done, "bytecode is not purged here", "--rootdir=FOLDER")


def test_what_cannot_be_removed() -> None:
    # A run as another user cannot start this interpreter everywhere, so the part is asked here.
    from pytest_epm.bytecode import say

    with open_folder() as folder:
        project = Project(folder / "proj")
        cached = project.stale("mod.py")
        cached.parent.chmod(0o555)
        path = str(project.root)
        with as_nobody():
            purged = purge_roots(Chosen((Root(path, Origin.ROOTDIR, (path,)),)), [])
        refusal = str(say.refuse_failed(purged.failed, path))
    assert "__pycache__/mod." in refusal
    assert "Permission denied" in refusal
    assert "next: mend the rights" in refusal


def test_what_is_a_folder_where_a_cache_should_be_is_left(stale: Project) -> None:
    (stale.root / "pkg/__pycache__/x.cpython-312.pyc").mkdir(parents=True)
    assert "assert 'new' == 'old'" in stale.pytest("-p", "epm").out
