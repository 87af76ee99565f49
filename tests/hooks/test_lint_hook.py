"""Hook `epm-lint`, run by the real pre-commit over real commits."""

import shutil
import sys
from pathlib import Path

import pytest
import yaml

from epm_hooks import lint
from epm_testing import Project

HERE = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

AGENT = ".claude/agents/smoke.md"
OTHER = ".claude/agents/other.md"
BODY = """---
name: {}
description: A.
---
# A

Run `scripts/gate.py`, then say PASS_FULL or FAIL.
"""
CONFIG = """
[lint.vocabulary.smoke]
tokens = [{}]
prefixes = ["PASS_"]
contract = [".claude/agents/*.md"]
"""


@pytest.fixture
def repository(project: Project) -> Project:
    """Return a repository that uses the hook as a consumer's `repo: local` would."""
    pytest.importorskip("pre_commit")
    hooks = yaml.safe_load((HERE / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    manifest = next(hook for hook in hooks if hook["id"] == "epm-lint")
    entry = f"{sys.executable} -m epm_hooks.lint"
    hook = {**manifest, "language": "system", "entry": entry}
    project.git("init", "-q")
    project.put(
        ".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]})
    )
    project.put("epm.toml", CONFIG.format('"PASS_FULL", "FAIL"'))
    project.put("scripts/gate.py", "print(1)\n")
    project.put("notes.txt", "x\n")
    project.put(AGENT, BODY.format("smoke"))
    project.put(OTHER, BODY.format("other"))
    project.git("add", ".")
    assert project.git("commit", "-qm", "first").code == 0
    project.python("-m", "pre_commit", "install")
    return project


def commit(project: Project, *arguments: str) -> tuple[int, str]:
    done = project.git("commit", "-m", "second", *arguments)
    return done.code, done.said


def all_files(project: Project) -> tuple[int, str]:
    done = project.python("-m", "pre_commit", "run", "--all-files")
    return done.code, done.said


def test_lets_a_commit_pass_that_harms_nothing(repository: Project) -> None:
    repository.put("notes.txt", "y\n")
    repository.git("add", ".")
    code, said = commit(repository)
    assert code == 0, said
    assert "Passed" in said
    assert all_files(repository)[0] == 0


@pytest.mark.parametrize("how", ["staged", "with -a"])
def test_a_commit_that_only_deletes_a_referenced_script_fails(
    repository: Project, how: str
) -> None:
    if how == "staged":
        repository.git("rm", "-q", "scripts/gate.py")
        code, said = commit(repository)
    else:
        (repository.root / "scripts/gate.py").unlink()
        code, said = commit(repository, "-a")
    assert code == 1, said
    assert f"{AGENT}:7:6: EPM301 ref-path: scripts/gate.py does not exist" in said


def test_a_reference_to_an_untracked_file_fails(repository: Project) -> None:
    repository.put("scripts/new.py", "")
    repository.put(AGENT, BODY.format("smoke") + "\nThen run `scripts/new.py`.\n")
    repository.git("add", AGENT)
    code, said = commit(repository)
    assert code == 1, said
    assert "scripts/new.py is here, but git does not track it" in said
    repository.git("add", "scripts/new.py")
    code, said = commit(repository)
    assert code == 0, said


def test_a_changed_vocabulary_breaks_files_that_are_not_staged(repository: Project) -> None:
    repository.put("epm.toml", CONFIG.format('"PASS_FULL", "PASS_PARTIAL", "FAIL"'))
    repository.put(AGENT, BODY.format("smoke") + "\nOr PASS_PARTIAL.\n")
    repository.git("add", "epm.toml", AGENT)
    code, said = commit(repository)
    assert code == 1, said
    assert f"{OTHER}:7:33: EPM102 token-missing: PASS_PARTIAL" in said
    assert f"{AGENT}:7" not in said
    assert all_files(repository) == (1, said.partition("\n[")[0]) or all_files(repository)[0] == 1


def test_all_files_and_changed_files_agree(repository: Project) -> None:
    repository.put(OTHER, BODY.format("smoke"))
    repository.git("add", ".")
    done = repository.python("-m", "pre_commit", "run")
    every = all_files(repository)
    assert (done.code, done.said) == every
    assert f"{AGENT}:2:1: EPM701 name-duplicate" in done.said


def test_a_commit_of_one_of_two_staged_files(repository: Project) -> None:
    """Git makes an index of its own for such a commit, and what it holds counts."""
    repository.git("rm", "-q", "scripts/gate.py")
    repository.put("notes.txt", "z\n")
    code, said = commit(repository, "notes.txt")
    assert code == 0, said


def test_called_as_a_console_script_is(
    repository: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository.root)
    assert lint.main([]) == 0
    repository.git("rm", "-q", "scripts/gate.py")
    assert lint.main([]) == 1
    assert "EPM301" in capsys.readouterr().out


def test_installed_from_a_git_path(project: Project, tmp_path: Path) -> None:
    """As consumers have it: pre-commit clones the repository and installs the hook."""
    pytest.importorskip("pre_commit")
    project.git("init", "-q")
    project.put(AGENT, "# no front matter\n")
    project.git("add", ".")
    clone = Project(tmp_path / "source")
    clone.git("clone", "-q", str(HERE), ".")
    env = {"PRE_COMMIT_HOME": str(tmp_path / "home")}
    done = project.python(
        "-m", "pre_commit", "try-repo", str(clone.root), "epm-lint", "--all-files", **env
    )
    assert done.code == 1, done.said
    assert f"{AGENT}:1:1: EPM601 frontmatter-missing" in done.said
