"""`epm imports check`: real projects, real children."""

import json
from typing import Any

import pytest

from epm_testing import Project

LIB = "class DispatchItem:\n    pass\n\nasync def dispatch_calls(items):\n    return items\n"
STALE = "def f():\n    from lib import DispatchCall\n    return DispatchCall()\n"
GOOD = "def f():\n    from lib import DispatchItem\n    return DispatchItem()\n"


@pytest.fixture
def stale(project: Project) -> Project:
    """Return a project with one broken import."""
    project.put("pytest.ini", "[pytest]\n")
    project.put("lib.py", LIB)
    project.put("gen.py", STALE)
    return project


def found(project: Project, *arguments: str) -> dict[str, Any]:
    done = project.epm("imports", "check", "--json", *arguments)
    assert done.out, done.said
    answer: dict[str, Any] = json.loads(done.out)
    assert answer["exit_code"] == done.code
    return answer


def test_nothing_to_check_holds(project: Project) -> None:
    done = project.epm("imports", "check")
    assert (done.code, done.out) == (0, "0 deferred imports in 0 files, 0 resolved\n")


def test_what_resolves_holds(project: Project) -> None:
    project.put("lib.py", LIB)
    project.put("gen.py", GOOD)
    done = project.epm("imports", "check")
    assert (done.code, done.out) == (0, "1 deferred import in 1 file, 1 resolved\n")


def test_a_missing_name_is_told_with_what_was_meant(stale: Project) -> None:
    done = stale.epm("imports", "check")
    assert done.code == 1
    assert (
        "gen.py:2: missing-name cannot import name 'DispatchCall' from 'lib' "
        "(did you mean 'DispatchItem', 'dispatch_calls'?)" in done.out
    )
    assert "1 deferred import in 1 file, 0 resolved, 1 broken" in done.out


def test_json(stale: Project) -> None:
    answer = found(stale)
    assert answer["schema"] == "epm.imports/1"
    assert answer["imports"] == [
        {
            "file": "gen.py",
            "line": 2,
            "function": "f",
            "module": "lib",
            "name": "DispatchCall",
            "problem": "missing-name",
            "detail": "cannot import name 'DispatchCall' from 'lib'",
            "did_you_mean": "DispatchItem",
            "needs": None,
            "judged": True,
        }
    ]
    assert (answer["unavailable"], answer["call_shapes"], answer["notes"]) == ([], [], [])
    assert answer["counts"]["imports"] == 1


def test_a_coroutine_that_nothing_awaits(project: Project) -> None:
    project.put("lib.py", LIB)
    project.put("gen.py", "def f(x):\n    from lib import dispatch_calls\n    dispatch_calls(x)\n")
    answer = found(project)
    (bad,) = answer["call_shapes"]
    assert (bad["callee"], bad["line"], bad["problem"]) == ("lib.dispatch_calls", 3, "not-awaited")
    assert answer["exit_code"] == 1


class TestWhatIsLookedAt:
    def test_only_the_files_named(self, stale: Project) -> None:
        stale.put("good.py", GOOD)
        assert found(stale, "good.py")["exit_code"] == 0
        assert found(stale, "good.py", "gen.py")["exit_code"] == 1

    def test_a_folder_means_what_lies_in_it(self, stale: Project) -> None:
        stale.put("sub/also.py", GOOD)
        answer = found(stale, "sub")
        assert (answer["exit_code"], answer["counts"]["files"]) == (0, 1)

    def test_from_a_folder_below_the_project_is_the_same(self, stale: Project) -> None:
        stale.put("sub/x.py", "")
        done = stale.epm("imports", "check", cwd=stale.root / "sub")
        assert "gen.py:2: missing-name" in done.out

    def test_not_what_git_ignores_nor_an_environment(self, stale: Project) -> None:
        stale.git("init", "-q")
        stale.put(".gitignore", "gen.py\n")
        assert found(stale)["counts"]["files"] == 0

    def test_no_environment_outside_of_git(self, stale: Project) -> None:
        stale.put("env/pyvenv.cfg", "")
        stale.put("env/lib/x.py", STALE)
        assert found(stale)["counts"]["files"] == 1

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("none.py",), "none.py: no such file"),
            (("--base", "main"), "no git repository, so there is no base"),
            (("--timeout", "0"), "'0' is no number of seconds above 0"),
        ],
    )
    def test_refused_with_exit_2(
        self, stale: Project, arguments: tuple[str, ...], said: str
    ) -> None:
        done = stale.epm("imports", "check", *arguments)
        assert done.code == 2
        assert said in done.err


class TestBase:
    @pytest.fixture
    def branch(self, stale: Project) -> Project:
        """Return a repository whose first commit holds a broken import, on a branch of its own."""
        stale.git("init", "-q", "-b", "main")
        stale.git("add", ".")
        stale.git("commit", "-qm", "first")
        stale.git("checkout", "-qb", "topic")
        return stale

    def test_what_did_not_change_is_listed_only(self, branch: Project) -> None:
        branch.put("new.py", GOOD)
        answer = found(branch, "--base", "main")
        assert answer["exit_code"] == 0
        assert [(i["file"], i["judged"]) for i in answer["imports"]] == [("gen.py", False)]
        assert "elsewhere, not judged:" in branch.epm("imports", "check", "--base", "main").out

    @pytest.mark.parametrize("how", ["untracked", "staged", "committed"])
    def test_what_changed_is_judged(self, branch: Project, how: str) -> None:
        branch.put("new.py", STALE)
        if how != "untracked":
            branch.git("add", "new.py")
        if how == "committed":
            branch.git("commit", "-qm", "second")
        answer = found(branch, "--base", "main")
        assert answer["exit_code"] == 1
        assert [i["file"] for i in answer["imports"] if i["judged"]] == ["new.py"]

    def test_a_change_on_the_base_alone_is_none_of_ours(self, branch: Project) -> None:
        branch.git("checkout", "-q", "main")
        branch.put("gen.py", STALE + "\n")
        branch.git("commit", "-qam", "on the base")
        branch.git("checkout", "-q", "topic")
        assert found(branch, "--base", "main")["exit_code"] == 0

    @pytest.mark.parametrize("base", ["nowhere", "--output=x"])
    def test_a_base_that_git_does_not_know(self, branch: Project, base: str) -> None:
        done = branch.epm("imports", "check", f"--base={base}")
        assert done.code == 2
        assert not (branch.root / "x").exists()


def test_a_home_folder_is_no_project(project: Project) -> None:
    project.git("init", "-q")
    project.put("downloads/evil.py", "open('ran', 'w')\n")
    project.put("downloads/x.py", "def f():\n    import downloads.evil\n")
    done = project.epm("imports", "check", env={"HOME": str(project.root)})
    assert (done.code, "a home folder is no project" in done.err) == (2, True)
    inner = project.put("code/pyproject.toml", "").parent
    done = project.epm("imports", "check", cwd=inner, env={"HOME": str(project.root)})
    assert done.code == 0, done.said
