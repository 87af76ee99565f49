"""Deleting, with the hazards: rights, races, links that appear, fillers."""

import os
from pathlib import Path

import pytest

from epm_testing import Project
from epm_testing.users import as_nobody, open_folder
from pytest_epm.bytecode import remove as module
from pytest_epm.bytecode.remove import Outcome, remove
from pytest_epm.bytecode.tree import Tree, removal
from pytest_epm.bytecode.walk import walk


def purged(root: Path) -> Outcome:
    tree = walk(str(root))
    return remove(tree, removal(tree))


def counts(outcome: Outcome) -> tuple[int, int, list[tuple[str, str]]]:
    return outcome.files, outcome.folders, outcome.failed


@pytest.fixture(params=["by descriptor", "by path"], autouse=True)
def _both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every test also as on a system that cannot delete relative to an open folder."""
    monkeypatch.setattr(module, "_BY_DESCRIPTOR", request.param == "by descriptor")


def test_nothing_to_do(project: Project) -> None:
    project.put("mod.py", "")
    assert counts(purged(project.root)) == (0, 0, [])


def test_bytecode_goes_and_all_else_stays(project: Project) -> None:
    project.put("pkg/mod.py", "")
    project.put("pkg/__pycache__/mod.cpython-312.pyc", "")
    project.put("pkg/__pycache__/mod.cpython-312.pyc.123", "")
    project.put("data/__pycache__/notes.txt", "")
    project.put("data/__pycache__/mod.cpython-39.pyo", "")
    outcome = purged(project.root)
    assert counts(outcome) == (3, 1, [])
    left = sorted(str(p.relative_to(project.root)) for p in project.root.rglob("*"))
    assert left == ["data", "data/__pycache__", "data/__pycache__/notes.txt", "pkg", "pkg/mod.py"]


def test_ghosts_go_from_the_inside(project: Project) -> None:
    project.put("keep.py", "")
    project.put("gone/deep/__pycache__/__init__.cpython-312.pyc", "")
    assert purged(project.root).folders == 3
    assert not (project.root / "gone").exists()


def test_a_linked_cache_folder_goes_and_its_target_stays(project: Project, tmp_path: Path) -> None:
    target = Project(tmp_path / "other").put("mod.cpython-312.pyc", "")
    project.put("mod.py", "")
    (project.root / "__pycache__").symlink_to(target.parent)
    assert purged(project.root).files == 1
    assert not (project.root / "__pycache__").is_symlink()
    assert target.exists()


def test_a_linked_file_goes_and_its_target_stays(project: Project, tmp_path: Path) -> None:
    target = Project(tmp_path / "other").put("mod.cpython-312.pyc", "")
    project.put("__pycache__/x", "")
    (project.root / "__pycache__/mod.cpython-312.pyc").symlink_to(target)
    assert purged(project.root).files == 1
    assert target.exists()


def test_a_bytecode_name_that_is_a_folder_stays(project: Project) -> None:
    kept = project.put("__pycache__/mod.cpython-312.pyc/notes.txt", "")
    assert purged(project.root).failed == []
    assert kept.exists()


def test_what_vanished_is_no_fault(project: Project) -> None:
    project.put("mod.py", "")
    project.put("a/__pycache__/mod.cpython-312.pyc", "")
    project.put("a/x.pyc", "")
    tree = walk(str(project.root))
    for name in ("a/__pycache__/mod.cpython-312.pyc", "a/x.pyc"):
        (project.root / name).unlink()
    (project.root / "a/__pycache__").rmdir()
    (project.root / "a").rmdir()
    assert remove(tree, removal(tree)).failed == []


def test_a_root_that_vanished_is_no_fault(project: Project) -> None:
    project.put("__pycache__/mod.cpython-312.pyc", "")
    tree = walk(str(project.root))
    (project.root / "__pycache__/mod.cpython-312.pyc").unlink()
    (project.root / "__pycache__").rmdir()
    project.root.rmdir()
    assert counts(remove(tree, removal(tree))) == (0, 0, [])


def test_a_cache_folder_refilled_meanwhile_is_emptied_again(project: Project) -> None:
    cached = project.put("__pycache__/mod.cpython-312.pyc", "")
    tree = walk(str(project.root))
    project.put("__pycache__/late.cpython-312.pyc", "")
    outcome = remove(tree, removal(tree))
    assert counts(outcome) == (2, 1, [])
    assert not cached.parent.exists()


def test_a_cache_folder_that_keeps_being_refilled_is_a_failure(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.put("__pycache__/mod.cpython-312.pyc", "")
    tree = walk(str(project.root))
    rmdir = os.rmdir

    def refilled(path: str, *, dir_fd: int | None = None) -> None:
        project.put("__pycache__/late.cpython-312.pyc", "")
        rmdir(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "rmdir", refilled)
    assert remove(tree, removal(tree)).failed == [
        (str(project.root / "__pycache__"), "another process keeps writing bytecode here")
    ]


def test_a_real_file_that_came_meanwhile_stays(project: Project) -> None:
    project.put("keep.py", "")
    project.put("gone/__pycache__/mod.cpython-312.pyc", "")
    tree = walk(str(project.root))
    came = project.put("gone/back.py", "")
    assert remove(tree, removal(tree)).failed == []
    assert came.exists()


def test_an_empty_cache_folder_that_cannot_go_harms_nobody() -> None:
    with open_folder() as folder:
        project = Project(folder / "proj")
        project.put("pkg/mod.py", "")
        project.put("pkg/__pycache__/mod.cpython-312.pyc", "")
        (project.root / "pkg/__pycache__").chmod(0o777)
        (project.root / "pkg").chmod(0o555)
        tree = walk(str(project.root))
        with as_nobody():
            outcome = remove(tree, removal(tree))
        assert counts(outcome) == (1, 0, [])


def test_failed_deletions_name_the_files() -> None:
    with open_folder() as folder:
        project = Project(folder / "proj")
        path = project.put("__pycache__/mod.cpython-312.pyc", "")
        path.parent.chmod(0o555)
        tree = walk(str(project.root))
        with as_nobody():
            outcome = remove(tree, removal(tree))
        assert (str(path), "Permission denied") in outcome.failed
        assert path.exists()


class TestALinkThatAppears:
    """Between the walk and the deletion a folder is swapped for a link to somewhere else."""

    @staticmethod
    def swapped(project: Project, tmp_path: Path) -> tuple[Tree, Path]:
        project.put("pkg/__pycache__/mod.cpython-312.pyc", "")
        outside = Project(tmp_path / "other").put("__pycache__/mod.cpython-312.pyc", "")
        tree = walk(str(project.root))
        (project.root / "pkg").rename(project.root / "moved")
        (project.root / "pkg").symlink_to(tmp_path / "other")
        return tree, outside

    def test_cannot_lead_a_deletion_outside(
        self, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "_BY_DESCRIPTOR", os.open in os.supports_dir_fd)
        tree, outside = self.swapped(project, tmp_path)
        remove(tree, removal(tree))
        assert outside.exists()
