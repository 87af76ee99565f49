"""What a walk sees."""

import os
from pathlib import Path

import pytest

from epm_testing import Project
from epm_testing.users import as_nobody, open_folder
from pytest_epm.bytecode.tree import Folder, Tree
from pytest_epm.bytecode.walk import walk, walk_mirror


def seen(tree: Tree) -> dict[str, Folder]:
    return {os.path.relpath(folder.path, tree.root): folder for folder in tree.folders}


@pytest.mark.parametrize("name", ["build", "dist", "env", "venv", ".claude", ".tox", "x.pyc"])
def test_enters_folders_whatever_they_are_called(project: Project, name: str) -> None:
    project.put(f"{name}/__pycache__/mod.cpython-312.pyc", "")
    assert f"{name}/__pycache__" in seen(walk(str(project.root)))


def test_enters_a_submodule(project: Project) -> None:
    project.put("sub/.git", "gitdir: ../.git/modules/sub\n")
    project.put("sub/__pycache__/mod.cpython-312.pyc", "")
    assert "sub/__pycache__" in seen(walk(str(project.root)))


@pytest.mark.parametrize("name", [".git", ".hg", ".svn", "node_modules", "site-packages"])
def test_stops_at_names(project: Project, name: str) -> None:
    project.put(f"{name}/__pycache__/mod.cpython-312.pyc", "")
    assert list(seen(walk(str(project.root)))) == ["."]


@pytest.mark.parametrize("sign", ["pyvenv.cfg", "conda-meta/history"])
def test_stops_at_an_environment(project: Project, sign: str) -> None:
    project.put(f"env/{sign}", "")
    project.put("env/lib/__pycache__/mod.cpython-312.pyc", "")
    folders = seen(walk(str(project.root)))
    assert sorted(folders) == [".", "env"]
    assert folders["env"].other


def test_a_project_that_is_itself_an_environment_is_entered(project: Project) -> None:
    project.put("pyvenv.cfg", "")
    project.put("src/mod.py", "")
    project.put("lib/python3.12/site-packages/six.py", "")
    folders = seen(walk(str(project.root)))
    assert sorted(folders) == [".", "lib", "lib/python3.12", "src"]


def test_an_interpreters_library_is_not_entered_even_as_root(project: Project) -> None:
    project.put("os.py", "")
    project.put("encodings/__init__.py", "")
    assert list(seen(walk(str(project.root)))) == ["."]


def test_links_are_not_followed(project: Project, tmp_path: Path) -> None:
    Project(tmp_path / "other").put("__pycache__/mod.cpython-312.pyc", "")
    (project.root / "link").symlink_to(tmp_path / "other")
    (project.root / "loop").symlink_to(project.root)
    folders = seen(walk(str(project.root)))
    assert list(folders) == ["."]
    assert folders["."].other


def test_a_linked_cache_folder_is_told_apart_from_other_links(project: Project) -> None:
    (project.root / "__pycache__").symlink_to(project.root.parent)
    assert seen(walk(str(project.root)))["."] == Folder(
        str(project.root), -1, links=("__pycache__",)
    )


def test_folders_to_keep_out_of_count_as_content(project: Project) -> None:
    project.put("cache/mod.cpython-312.pyc", "")
    tree = walk(str(project.root), {str(project.root / "cache")})
    assert seen(tree)["."].other


def test_names_may_hold_any_byte(project: Project) -> None:
    for name in (b"new\nline", b"not\xffutf8", "ümlaut".encode()):
        folder = os.fsencode(project.root) + b"/" + name + b"/__pycache__"
        os.makedirs(folder)
        Path(os.fsdecode(folder), "mod.cpython-312.pyc").touch()
    caches = [folder for folder in walk(str(project.root)).folders if folder.cache]
    assert len(caches) == 3


def test_a_root_that_vanished_is_an_empty_tree(project: Project) -> None:
    assert walk(str(project.root / "gone")).folders == ()


def test_a_folder_that_vanishes_while_walking(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.put("a/b/mod.py", "")
    scandir = os.scandir

    def vanishing(path: str) -> object:
        if path.endswith("/a"):
            (project.root / "a/b/mod.py").unlink()
            (project.root / "a/b").rmdir()
            (project.root / "a").rmdir()
        return scandir(path)

    monkeypatch.setattr(os, "scandir", vanishing)
    assert list(seen(walk(str(project.root)))) == ["."]


def test_closed_folders_and_unread_caches_are_told_apart() -> None:
    with open_folder() as folder:
        project = Project(folder / "proj")
        project.put("data/x", "")
        project.put("pkg/__pycache__/mod.cpython-312.pyc", "")
        (project.root / "data").chmod(0)
        (project.root / "pkg/__pycache__").chmod(0o311)
        with as_nobody():
            tree = walk(str(project.root))
    assert tree.closed == (str(project.root / "data"),)
    assert tree.unread == ((str(project.root / "pkg/__pycache__"), "Permission denied"),)


def test_a_folder_that_can_be_searched_and_not_listed_is_unread() -> None:
    with open_folder() as folder:
        project = Project(folder / "proj")
        project.put("pkg/__init__.py", "")
        (project.root / "pkg").chmod(0o311)
        with as_nobody():
            tree = walk(str(project.root))
    assert tree.unread == ((str(project.root / "pkg"), "Permission denied"),)
    assert tree.closed == ()


def test_mirror_is_all_caches_and_stops_where_the_source_is_not_the_projects(
    project: Project, tmp_path: Path
) -> None:
    project.put("pkg/mod.py", "")
    project.put(".venv/pyvenv.cfg", "")
    mirror = Project(tmp_path / "cache")
    mirror.put("pkg/mod.cpython-312.pyc", "")
    mirror.put(".venv/lib/six.cpython-312.pyc", "")
    folders = seen(walk_mirror(str(mirror.root), str(project.root)))
    assert sorted(folders) == [".", ".venv", "pkg"]
    assert folders["pkg"].cache
    assert folders["pkg"].bytecode == ("mod.cpython-312.pyc",)
    assert folders[".venv"].bytecode == ()
