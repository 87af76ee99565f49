"""Hook `epm-bytecode`, run by the real pre-commit over real commits."""

import shutil
import sys
from pathlib import Path

import pytest
import yaml

from epm_hooks import bytecode
from epm_testing import Project

HERE = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


@pytest.fixture
def repository(project: Project) -> Project:
    """Return a repository that uses the hook as a consumer's `repo: local` would."""
    pytest.importorskip("pre_commit")
    hooks = yaml.safe_load((HERE / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    manifest = next(hook for hook in hooks if hook["id"] == "epm-bytecode")
    hook = {**manifest, "language": "system", "entry": f"{sys.executable} -m epm_hooks.bytecode"}
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    project.git("init", "-q")
    project.put(".pre-commit-config.yaml", yaml.safe_dump(config))
    project.put("mod.py", "")
    project.git("add", ".")
    project.git("commit", "-qm", "first")
    project.python("-m", "pre_commit", "install")
    return project


def test_a_commit_of_sources_passes(repository: Project) -> None:
    repository.put("more.py", "")
    repository.git("add", "more.py")
    done = repository.git("commit", "-m", "second")
    assert done.code == 0, done.said
    assert "(no files to check)Skipped" in done.said


@pytest.mark.parametrize("name", ["a.pyc", "__pycache__/b.cpython-312.pyc", "sub/c.pyo"])
def test_a_commit_of_bytecode_fails(repository: Project, name: str) -> None:
    repository.put(name, "")
    repository.git("add", "-f", name)
    done = repository.git("commit", "-m", "second")
    assert done.code == 1
    assert f"{name}: tracked-bytecode is compiled, and git tracks it" in done.said
    assert "next: git rm --cached FILE" in done.said


def test_all_files_finds_what_was_committed_before(repository: Project) -> None:
    repository.put("a.pyc", "")
    repository.git("add", "-f", "a.pyc")
    repository.git("commit", "-nm", "second")
    done = repository.python("-m", "pre_commit", "run", "--all-files")
    assert done.code == 1
    assert "a.pyc: tracked-bytecode" in done.said


def test_called_as_a_console_script_is(
    repository: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.put("a.pyc", "")
    repository.git("add", "-f", "a.pyc")
    monkeypatch.chdir(repository.root)
    assert bytecode.main(["mod.py"]) == 0
    assert bytecode.main(["a.pyc"]) == 1
    assert "a.pyc: tracked-bytecode" in capsys.readouterr().out


def test_installed_from_a_git_path(project: Project, tmp_path: Path) -> None:
    """As consumers have it: pre-commit clones the repository and installs the hook."""
    pytest.importorskip("pre_commit")
    project.git("init", "-q")
    project.put("a.pyc", "")
    project.git("add", "-f", "a.pyc")
    clone = Project(tmp_path / "source")
    clone.git("clone", "-q", str(HERE), ".")
    env = {"PRE_COMMIT_HOME": str(tmp_path / "home")}
    done = project.python(
        "-m", "pre_commit", "try-repo", str(clone.root), "epm-bytecode", "--all-files", **env
    )
    assert done.code == 1, done.said
    assert "a.pyc: tracked-bytecode" in done.said
