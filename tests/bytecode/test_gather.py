"""What is asked of the machine and the interpreter."""

import json
import os
import sys
from pathlib import Path

import pytest

from epm_testing import Project
from pytest_epm.bytecode import gather
from pytest_epm.bytecode.roots import Candidate, Origin, Within


def paths(candidates: list[Candidate], origin: Origin) -> list[str]:
    return [candidate.path for candidate in candidates if candidate.origin is origin]


def run_from(project: Project, *on_path: str) -> list[Candidate]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", list(on_path))
        return gather.for_run(project.root, project.root, [])


def test_rootdir_invocation_and_pythonpath(project: Project) -> None:
    project.put("src/mod.py", "")
    found = gather.for_run(project.root, project.root / "src", [project.root / "src"])
    assert found[0].origin is Origin.ROOTDIR
    assert found[1] == Candidate(
        str(project.root / "src"), str(project.root / "src"), Origin.INVOCATION
    )
    assert found[2].origin is Origin.PYTHONPATH


def test_what_is_no_folder_is_no_candidate(project: Project) -> None:
    archive = str(project.put("lib.zip", ""))
    assert paths(run_from(project, archive, str(project.root / "none")), Origin.SYS_PATH) == []


def test_links_are_resolved_and_the_spelling_kept(project: Project, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(project.root)
    (found,) = [c for c in run_from(project, str(tmp_path / "link")) if c.origin is Origin.SYS_PATH]
    assert (found.path, found.spelled) == (str(project.root), str(tmp_path / "link"))


def test_the_interpreters_own_folders_are_not_candidates_from_the_path(project: Project) -> None:
    assert all(
        candidate.within is not Within.PROJECT or "site-packages" not in candidate.path
        for candidate in run_from(project, *sys.path)
        if candidate.origin is Origin.SYS_PATH
    )


@pytest.mark.parametrize(
    ("name", "within"),
    [
        ("lib/python3.9", Within.INTERPRETER),
        ("lib/python3.9/json", Within.INTERPRETER),
        ("lib/python3.9/site-packages", Within.INSTALLED),
        ("lib/python3.9/site-packages/six", Within.INSTALLED),
        ("", Within.HOME_OF_INTERPRETER),
        ("src", Within.PROJECT),
    ],
)
def test_where_a_candidate_lies(project: Project, name: str, within: Within) -> None:
    for made in ("os.py", "encodings/__init__.py", "json/x.py", "site-packages/six/__init__.py"):
        project.put(f"lib/python3.9/{made}", "")
    project.put("src/mod.py", "")
    found = gather.for_run(project.root / name, project.root, [])[0]
    assert found.within is within


class TestEditable:
    """Projects installed in editable mode, as PEP 610 records them."""

    def installed(self, project: Project, record: object, raw: str | None = None) -> str:
        text = json.dumps(record) if raw is None else raw
        project.put("site-packages/lib-1.0.dist-info/direct_url.json", text)
        return str(project.root / "site-packages")

    def found(self, project: Project, record: object, raw: str | None = None) -> list[str]:
        own = self.installed(project, record, raw)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("site.getsitepackages", lambda: [own])
            patch.setattr("site.ENABLE_USER_SITE", False)
            return paths(run_from(project, own), Origin.EDITABLE)

    def test_only_where_installers_put_their_records(
        self, project: Project, tmp_path: Path
    ) -> None:
        other = Project(tmp_path / "other")
        record = {"url": other.root.as_uri(), "dir_info": {"editable": True}}
        own = self.installed(project, record)
        assert str(other.root) not in paths(run_from(project, own), Origin.EDITABLE)

    def test_a_pipe_is_not_waited_for(self, project: Project) -> None:
        own = Path(self.installed(project, {}))
        (own / "lib-1.0.dist-info/direct_url.json").unlink()
        os.mkfifo(own / "lib-1.0.dist-info/direct_url.json")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("site.getsitepackages", lambda: [str(own)])
            assert str(own) not in paths(run_from(project), Origin.EDITABLE)

    def test_its_folder_is_a_candidate(self, project: Project, tmp_path: Path) -> None:
        other = Project(tmp_path / "with space ü")
        record = {"url": other.root.as_uri(), "dir_info": {"editable": True}}
        assert self.found(project, record) == [str(other.root)]

    @pytest.mark.parametrize(
        "record",
        [
            pytest.param({"url": "file:///", "dir_info": {}}, id="not editable"),
            pytest.param({"url": "file:///", "dir_info": {"editable": "true"}}, id="a string"),
            pytest.param({"url": "https://x.invalid/y", "dir_info": {"editable": True}}, id="far"),
            pytest.param({"dir_info": {"editable": True}}, id="no address"),
            pytest.param({"url": 5, "dir_info": {"editable": True}}, id="address of another type"),
            pytest.param(
                {"url": "file:///a%00b", "dir_info": {"editable": True}}, id="a path with a null"
            ),
            pytest.param(
                {"url": "file:///\ud800", "dir_info": {"editable": True}}, id="half a character"
            ),
            pytest.param([], id="no object"),
            pytest.param({"url": "file:///", "dir_info": []}, id="list for an object"),
        ],
    )
    def test_other_records_are_passed_by(self, project: Project, record: object) -> None:
        assert self.found(project, record) == []

    @pytest.mark.parametrize("raw", ["", "{", "\0", "[" * 100_000])
    def test_broken_records_are_passed_by(self, project: Project, raw: str) -> None:
        assert self.found(project, None, raw) == []


class TestHomes:
    def test_the_one_in_use(self, tmp_path: Path) -> None:
        assert gather.machine({"HOME": str(tmp_path)}).homes == {str(tmp_path)}

    @pytest.mark.parametrize("home", ["", "relative"])
    def test_none(self, home: str) -> None:
        assert gather.machine({"HOME": home}).homes == frozenset()

    def test_the_folder_that_pytester_calls_home(self, pytester: pytest.Pytester) -> None:
        assert os.environ["HOME"] == str(pytester.path)
        assert gather.machine(os.environ).homes == frozenset()

    def test_a_home_inside_such_a_folder_is_one(self, pytester: pytest.Pytester) -> None:
        home = pytester.mkdir("home")
        assert gather.machine({**os.environ, "HOME": str(home)}).homes == {str(home)}


class TestProjectTop:
    def test_the_git_top_before_a_nearer_project_file(self, project: Project) -> None:
        project.git("init", "-q")
        project.put("sub/pyproject.toml", "")
        assert gather.project_top(str(project.root / "sub")) == str(project.root)

    def test_the_nearest_project_file(self, project: Project) -> None:
        project.put("pyproject.toml", "")
        project.put("sub/x/mod.py", "")
        assert gather.project_top(str(project.root / "sub/x")) == str(project.root)

    def test_the_folder_itself(self, project: Project) -> None:
        assert gather.project_top(str(project.root)) == str(project.root)

    def test_below_a_home_folder_that_git_keeps(self, project: Project) -> None:
        project.git("init", "-q")
        project.put("proj/pyproject.toml", "")
        inside = project.put("proj/pkg/mod.py", "").parent
        top = gather.project_top(str(inside), {str(project.root)})
        assert top == str(project.root / "proj")


@pytest.mark.parametrize(
    ("argument", "folder"),
    [
        ("tests", "tests"),
        ("tests/test_a.py::TestX::test_y[a::b]", "tests"),
        ("pkg/inner/test_b.py", "."),
        ("pkg/inner", "."),
    ],
)
def test_where_test_arguments_are_imported_from(
    project: Project, argument: str, folder: str
) -> None:
    for name in ("tests/test_a.py", "pkg/__init__.py", "pkg/inner/__init__.py"):
        project.put(name, "")
    (found,) = gather.for_arguments([argument], project.root)
    assert found.path == str((project.root / folder).resolve())


def test_arguments_that_are_no_paths_are_no_candidates(project: Project) -> None:
    assert gather.for_arguments(["some/pkg.name"], project.root / "none") == []
