"""Asking git."""

from pathlib import Path

import pytest

from epm_testing import Project
from pytest_epm import git
from pytest_epm.errors import GitError


def test_top_is_the_nearest(project: Project) -> None:
    project.git("init", "-q")
    project.put("a/b/.git", "gitdir: elsewhere\n")
    project.put("a/b/c/x", "")
    assert git.top(project.root / "a") == str(project.root)
    assert git.top(project.root / "a/b/c") == str(project.root / "a/b")


def test_top_of_no_repository(tmp_path: Path) -> None:
    assert git.top(tmp_path) == ""


def test_tracked_are_absolute_and_match(project: Project) -> None:
    project.git("init", "-q")
    for name in ("a.pyc", "sub/b.pyo", "c.py", "untracked.pyc"):
        project.put(name, "")
    project.git("add", "-f", "a.pyc", "sub/b.pyo", "c.py")
    found = git.tracked(str(project.root), (".pyc", ".pyo"))
    assert found == {str(project.root / "a.pyc"), str(project.root / "sub/b.pyo")}


def test_a_repositorys_configuration_starts_no_program(project: Project) -> None:
    project.git("init", "-q")
    watcher = project.put("watcher", "#!/bin/sh\ntouch started\n")
    watcher.chmod(0o755)
    project.git("config", "core.fsmonitor", str(watcher))
    project.git("config", "core.hooksPath", str(project.root))
    git.tracked(str(project.root), (".pyc",))
    assert not (project.root / "started").exists()


def test_failure_in_gits_own_words(project: Project) -> None:
    with pytest.raises(GitError, match="not a git repository"):
        git.tracked(str(project.root), (".pyc",))


def names(found: frozenset[str], project: Project) -> list[str]:
    return sorted(str(Path(path).relative_to(project.root)) for path in found)


@pytest.fixture
def branch(project: Project) -> Project:
    """Return a repository with a branch `main` and a branch `topic` that is ahead of it."""
    project.git("init", "-q", "-b", "main")
    for name in ("kept.py", "gone.py", "edited.py", "sub/ä b.py"):
        project.put(name, "1\n")
    project.git("add", ".")
    project.git("commit", "-qm", "first")
    project.git("checkout", "-qb", "topic")
    return project


def test_files_are_what_git_tracks_or_would_take(branch: Project) -> None:
    branch.put(".gitignore", "ignored.py\n")
    for name in ("new.py", "ignored.py", "new.txt"):
        branch.put(name, "")
    found = names(git.files(str(branch.root), (".py",)), branch)
    assert found == ["edited.py", "gone.py", "kept.py", "new.py", "sub/ä b.py"]


def test_changed_since_the_merge_base(branch: Project) -> None:
    branch.put("edited.py", "2\n")
    branch.git("commit", "-qam", "second")
    branch.put("new.py", "")
    branch.put("sub/ä b.py", "2\n")
    (branch.root / "gone.py").unlink()
    assert names(git.changed(str(branch.root), "main"), branch) == [
        "edited.py",
        "new.py",
        "sub/ä b.py",
    ]


def test_changed_on_the_base_alone_does_not_count(branch: Project) -> None:
    branch.git("checkout", "-q", "main")
    branch.put("kept.py", "2\n")
    branch.git("commit", "-qam", "on the base")
    branch.git("checkout", "-q", "topic")
    assert git.changed(str(branch.root), "main") == frozenset()


@pytest.mark.parametrize("base", ["nowhere", "--output=x", "-h"])
def test_a_base_that_is_no_revision(branch: Project, base: str) -> None:
    with pytest.raises(GitError):
        git.changed(str(branch.root), base)
    assert not (branch.root / "x").exists()
