"""Hook `epm-imports`, run by the real pre-commit over real commits."""

import shutil
import sys
from pathlib import Path

import pytest
import yaml

from epm_hooks import imports
from epm_testing import Project

HERE = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

GOOD = "def f():\n    from lib import Item\n    return Item\n"
STALE = "def f():\n    from lib import Gone\n    return Gone\n"


@pytest.fixture
def repository(project: Project) -> Project:
    """Return a repository that uses the hook as a consumer's `repo: local` would."""
    pytest.importorskip("pre_commit")
    hooks = yaml.safe_load((HERE / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    manifest = next(hook for hook in hooks if hook["id"] == "epm-imports")
    hook = {**manifest, "entry": f"{sys.executable} -m epm_hooks.imports"}
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    project.git("init", "-q")
    project.put(".pre-commit-config.yaml", yaml.safe_dump(config))
    project.put("lib.py", "class Item:\n    pass\n")
    project.put("old.py", STALE)
    project.git("add", ".")
    project.git("commit", "-qm", "first")
    project.python("-m", "pre_commit", "install")
    return project


def committed(project: Project, name: str, text: str) -> tuple[int, str]:
    project.put(name, text)
    project.git("add", name)
    done = project.git("commit", "-m", "second")
    return done.code, done.said


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("notes.txt", "import gone", id="no Python"),
        pytest.param("new.py", GOOD, id="resolves, though an older file does not"),
        pytest.param("top.py", "import nothing_of_ours\n", id="not deferred"),
    ],
)
def test_lets_pass(repository: Project, name: str, text: str) -> None:
    code, said = committed(repository, name, text)
    assert code == 0, said


def test_a_stale_name_fails_the_commit(repository: Project) -> None:
    code, said = committed(repository, "new.py", STALE)
    assert code == 1, said
    assert "new.py:2: missing-name cannot import name 'Gone' from 'lib'" in said
    assert "old.py" not in said


def test_called_as_a_console_script_is(
    repository: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository.root)
    assert imports.main(["lib.py"]) == 0
    assert imports.main(["old.py"]) == 1
    assert "old.py:2: missing-name" in capsys.readouterr().out
