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
