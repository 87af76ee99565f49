"""Purging real trees: roots, mirrors, what git tracks, two at once."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from epm_testing import Project, clean_environment
from epm_testing.users import as_nobody, open_folder
from pytest_epm.bytecode.purge import purge_roots
from pytest_epm.bytecode.results import Purged
from pytest_epm.bytecode.roots import Chosen, Origin, Root
from pytest_epm.bytecode.survey import cache_prefixes


def root(path: Path | str, *spellings: Path | str) -> Root:
    return Root(str(path), Origin.ARGUMENT, (str(path), *map(str, spellings)))


def purge(*paths: Path, prefix: str = "") -> Purged:
    return purge_roots(Chosen(tuple(root(path) for path in paths)), [prefix] if prefix else [])


def test_counts_what_went(project: Project) -> None:
    project.compiled("pkg/a.py")
    project.compiled("pkg/b.py", optimize=2)
    project.legacy("old")
    project.ghost("gone")
    purged = purge(project.root)
    assert (purged.files, purged.folders, purged.failed) == (4, 3, ())
    assert project.bytecode() == []
    assert not (project.root / "gone").exists()


def test_twice_is_once(project: Project) -> None:
    project.compiled("mod.py")
    purge(project.root)
    assert purge(project.root).files == 0


def test_a_root_inside_a_root_is_walked_once(project: Project) -> None:
    project.compiled("src/mod.py")
    assert purge(project.root, project.root / "src").files == 1


def test_a_root_inside_a_skipped_folder_of_another_root_is_walked(project: Project) -> None:
    project.put(".venv/pyvenv.cfg", "")
    project.compiled(".venv/src/lib/mod.py")
    other = project.compiled(".venv/lib/six.py")
    assert purge(project.root, project.root / ".venv/src/lib").files == 1
    assert other.exists()


def test_a_root_that_is_an_environment_inside_another_root_is_walked(project: Project) -> None:
    project.put("sub/pyvenv.cfg", "")
    project.compiled("sub/mod.py")
    assert purge(project.root, project.root / "sub").files == 1


class TestTracked:
    @pytest.fixture(autouse=True)
    def _repository(self, project: Project) -> None:
        project.git("init", "-q")

    def test_legacy_that_git_tracks_stays(self, project: Project) -> None:
        kept, gone = project.legacy("lib/fast"), project.legacy("lib/old")
        project.git("add", "-f", "lib/fast.pyc")
        purged = purge(project.root)
        assert purged.kept == (str(kept),)
        assert kept.exists()
        assert not gone.exists()

    def test_the_nearest_repository_is_asked(self, project: Project) -> None:
        inner = Project(project.root / "inner")
        inner.git("init", "-q")
        kept = inner.legacy("fast")
        inner.git("add", "-f", "fast.pyc")
        assert purge(project.root).kept == (str(kept),)

    def test_a_name_that_git_would_quote(self, project: Project) -> None:
        kept = project.legacy("wei rd\nü")
        project.git("add", "-f", kept.name)
        assert purge(project.root).kept == (str(kept),)

    def test_a_hooks_variables_do_not_mislead(
        self, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Project(tmp_path / "other").git("init", "-q")
        kept = project.legacy("fast")
        project.git("add", "-f", kept.name)
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
        assert purge(project.root).kept == (str(kept),)

    @pytest.mark.parametrize(
        "variable", ["GIT_LITERAL_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_GLOB_PATHSPECS"]
    )
    def test_a_callers_way_of_matching_names_does_not_mislead(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, variable: str
    ) -> None:
        kept = project.legacy("d/fast")
        project.git("add", "-f", "d/fast.pyc")
        monkeypatch.setenv(variable, "1")
        assert purge(project.root).kept == (str(kept),)

    def test_a_number_behind_the_ending_is_no_bytecode_here(self, project: Project) -> None:
        notes = project.put("notes.pyc.20240101", "")
        assert purge(project.root).files == 0
        assert notes.exists()

    def test_what_git_cannot_be_asked_about_stays_and_fails(self, project: Project) -> None:
        unasked = project.legacy("fast")
        (project.root / ".git/config").write_text("[broken\n")
        purged = purge(project.root)
        assert unasked.exists()
        assert purged.kept == ()
        assert [path for path, _ in purged.failed] == [str(unasked)]
        assert "git ls-files failed" in purged.failed[0][1]

    def test_git_that_is_not_there_is_said(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        unasked = project.legacy("fast")
        monkeypatch.setenv("PATH", str(project.root))
        ((path, words),) = purge(project.root).failed
        assert path == str(unasked)
        assert "git cannot be started" in words


class TestPrefix:
    """Bytecode kept in a folder of its own, as with PYTHONPYCACHEPREFIX."""

    @pytest.fixture
    def prefix(self, tmp_path: Path) -> Project:
        return Project(tmp_path / "cache")

    def mirrored(self, prefix: Project, source: Path) -> Path:
        return prefix.put(f"{str(source)[1:]}.cpython-312.pyc", "")

    def test_only_the_mirror_of_a_root_goes(self, project: Project, prefix: Project) -> None:
        mine = self.mirrored(prefix, project.root / "pkg/mod")
        other = self.mirrored(prefix, project.root.parent / "other/mod")
        assert purge(project.root, prefix=str(prefix.root)).files == 1
        assert not mine.exists()
        assert other.exists()

    def test_every_spelling_is_mirrored(
        self, project: Project, prefix: Project, tmp_path: Path
    ) -> None:
        (tmp_path / "link").symlink_to(project.root)
        mine = self.mirrored(prefix, tmp_path / "link/mod")
        purge_roots(Chosen((root(project.root, tmp_path / "link"),)), [str(prefix.root)])
        assert not mine.exists()

    def test_a_prefix_that_does_not_exist(self, project: Project, tmp_path: Path) -> None:
        assert purge(project.root, prefix=str(tmp_path / "none")).failed == ()

    def test_a_prefix_inside_the_root_keeps_what_is_not_the_projects(
        self, project: Project
    ) -> None:
        prefix = Project(project.root / ".cache")
        mine = self.mirrored(prefix, project.root / "mod")
        other = self.mirrored(prefix, Path("/usr/lib/python3.12/json/decoder"))
        purge(project.root, prefix=str(prefix.root))
        assert not mine.exists()
        assert other.exists()

    def test_a_prefix_that_mirrors_the_root_onto_itself(self, project: Project) -> None:
        project.git("init", "-q")
        kept = project.legacy("fast")
        project.git("add", "-f", "fast.pyc")
        purge(project.root, prefix="/")
        assert kept.exists()

    def test_a_mirror_inside_a_mirror_counts_once(self, project: Project, prefix: Project) -> None:
        project.put("src/mod.py", "")
        self.mirrored(prefix, project.root / "src/mod")
        roots = Chosen((root(project.root / "src"), root(project.root)))
        assert purge_roots(roots, [str(prefix.root)]).files == 1

    def test_every_prefix_in_force_counts(
        self, prefix: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "pycache_prefix", str(prefix.root))
        monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path / "child"))
        assert cache_prefixes() == (str(prefix.root), str(tmp_path / "child"))

    def test_a_link_in_the_prefix_leads_nowhere(
        self, project: Project, prefix: Project, tmp_path: Path
    ) -> None:
        outside = Project(tmp_path / "outside").put("mod.cpython-312.pyc", "")
        link = prefix.root / str(project.root)[1:]
        link.parent.mkdir(parents=True)
        link.symlink_to(outside.parent)
        purge(project.root, prefix=str(prefix.root))
        assert outside.exists()


def test_unread_caches_fail_and_closed_folders_are_noted() -> None:
    with open_folder() as folder:
        project = Project(folder / "proj")
        project.put("data/x", "")
        project.put("pkg/__pycache__/mod.cpython-312.pyc", "")
        (project.root / "data").chmod(0)
        (project.root / "pkg/__pycache__").chmod(0o311)
        with as_nobody():
            purged = purge(project.root)
    assert purged.closed == (str(project.root / "data"),)
    assert purged.failed == ((str(project.root / "pkg/__pycache__"), "Permission denied"),)


def test_several_processes_purge_the_same_tree(project: Project) -> None:
    for number in range(300):
        project.put(f"pkg{number}/mod.py", "")
        project.put(f"pkg{number}/__pycache__/mod.cpython-312.pyc", "")
    command = [sys.executable, "-m", "pytest_epm.cli", "bytecode", "purge", str(project.root)]
    racers = [subprocess.Popen(command, env=clean_environment()) for _ in range(4)]
    assert [racer.wait(60) for racer in racers] == [0, 0, 0, 0]
    assert project.bytecode() == []


@contextmanager
def deep_project(name: str, depth: int) -> Iterator[tuple[Project, int]]:
    """Make a chain of folders; give the project and the innermost folder, held open."""
    with open_folder() as folder:
        project = Project(folder / "proj")
        handle = os.open(project.root, os.O_RDONLY)
        for _ in range(depth):
            os.mkdir(name, dir_fd=handle)
            inner = os.open(name, os.O_RDONLY, dir_fd=handle)
            os.close(handle)
            handle = inner
        yield project, handle
        os.close(handle)


def test_a_path_longer_than_the_system_allows() -> None:
    with deep_project("d" * 200, 30) as (project, _):
        project.compiled("mod.py")
        purged = purge(project.root)
    assert (purged.files, purged.failed) == (1, ())
    assert len(purged.closed) == 1


def test_a_deep_tree() -> None:
    with deep_project("d", 900) as (project, innermost):
        for name in ("mod.py", "old.pyc"):
            os.close(os.open(name, os.O_CREAT, dir_fd=innermost))
        assert purge(project.root).files == 1
        assert os.listdir(innermost) == ["mod.py"]
