"""`epm bytecode`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from epm_testing import Project, clean_environment, run
from pytest_epm import cli


class TestPurge:
    def test_below_named_folders_only(self, project: Project) -> None:
        project.compiled("a/mod.py")
        kept = project.compiled("b/mod.py")
        done = project.epm("bytecode", "purge", "a")
        assert done.code == 0, done.said
        assert "a (argument)" in done.out
        assert "removed 1 file and 1 folder in" in done.out
        assert kept.exists()

    def test_without_a_folder_the_project_around_us(self, project: Project) -> None:
        project.git("init", "-q")
        project.compiled("a/mod.py")
        project.put("b/x.py", "")
        done = project.epm("bytecode", "purge", cwd=project.root / "b")
        assert f"{project.root} (project around the current folder)" in done.out
        assert project.bytecode() == []

    def test_the_import_path_too(self, project: Project, tmp_path: Path) -> None:
        outside = Project(tmp_path / "outside")
        outside.compiled("mod.py")
        project.epm("bytecode", "purge", env={"PYTHONPATH": str(outside.root)})
        assert outside.bytecode() == []

    def test_the_mirror_below_a_prefix(self, project: Project, tmp_path: Path) -> None:
        mirrored = Project(tmp_path / "cache").put(f"{str(project.root)[1:]}/mod.cpython-3.pyc", "")
        env = {"PYTHONPYCACHEPREFIX": str(tmp_path / "cache")}
        assert project.epm("bytecode", "purge", ".", env=env).code == 0
        assert not mirrored.exists()

    def test_json(self, project: Project) -> None:
        project.compiled("mod.py")
        found = json.loads(project.epm("bytecode", "purge", "--json", ".").out)
        assert found["schema"] == "epm.bytecode/1"
        assert (found["action"], found["exit_code"]) == ("purge", 0)
        assert found["removed"] == {"files": 1, "folders": 1}
        assert found["roots"] == [{"path": str(project.root), "origin": "argument"}]

    @pytest.mark.parametrize(
        ("path", "said"),
        [
            ("none", "none: no such folder"),
            ("file.py", "file.py: no folder"),
            ("/", "/: bytecode is not purged here: this argument is the top of the file system"),
            (sys.base_prefix, "bytecode is not purged here: this argument is"),
        ],
    )
    @pytest.mark.parametrize("action", ["purge", "audit"])
    def test_refused_with_exit_2(self, project: Project, action: str, path: str, said: str) -> None:
        project.put("file.py", "")
        done = project.epm("bytecode", action, path)
        assert done.code == 2
        assert said in done.err
        assert "next: name the project's" in done.err

    def test_a_home_folder(self, project: Project) -> None:
        kept = project.compiled("mod.py")
        done = project.epm("bytecode", "purge", env={"HOME": str(project.root)})
        assert done.code == 2
        assert "is a home folder" in done.err
        assert kept.exists()


class TestAudit:
    def test_stale_is_exit_1(self, project: Project) -> None:
        cached = project.stale("pkg/mod.py")
        done = project.epm("bytecode", "audit", ".")
        name = cached.relative_to(project.root)
        assert done.code == 1
        assert f"{name}: same-mtime holds other code than its source: pkg/mod.py" in done.out
        assert done.out.endswith(
            "1 stale path; 1 cached file compared; next: epm bytecode purge .\n"
        )
        assert cached.exists()

    def test_the_next_command_cures(self, project: Project) -> None:
        project.stale("pkg/mod.py")
        project.legacy("old")
        project.ghost("gone")
        assert project.epm("bytecode", "audit", ".").code == 1
        assert project.epm("bytecode", "purge", ".").code == 0
        assert project.epm("bytecode", "audit", ".").code == 0

    def test_json(self, project: Project) -> None:
        cached = project.stale("mod.py")
        found = json.loads(project.epm("bytecode", "audit", "--json", ".").out)
        assert found["exit_code"] == 1
        assert found["stale"] == [
            {
                "path": str(cached),
                "why": "same-mtime",
                "source": str(project.root / "mod.py"),
                "detail": "holds other code than its source",
            }
        ]

    def test_a_name_that_is_no_utf8(self, project: Project) -> None:
        folder = Path(os.fsdecode(os.fsencode(project.root) + b"/not\xffutf8"))
        folder.mkdir()
        Project(folder).stale("mod.py")
        done = project.epm("bytecode", "audit", ".")
        assert done.code == 1
        assert "not\\xffutf8/__pycache__/mod." in done.out

    def test_is_silent_in_a_pipe(self, project: Project) -> None:
        project.compiled("mod.py")
        assert project.epm("bytecode", "audit", ".").err == ""


class TestTracked:
    @pytest.fixture(autouse=True)
    def _repository(self, project: Project) -> None:
        project.git("init", "-q")
        project.put("a.pyc", "")
        project.put("sub/__pycache__/b.cpython-312.pyc", "")
        project.put("untracked.pyc", "")
        project.git("add", "-f", "a.pyc", "sub")

    def test_all_of_the_repository(self, project: Project) -> None:
        done = project.epm("bytecode", "tracked")
        assert done.code == 1
        assert done.out.splitlines() == [
            "a.pyc: tracked-bytecode is compiled, and git tracks it",
            "sub/__pycache__/b.cpython-312.pyc: tracked-bytecode is compiled, and git tracks it",
            "2 tracked bytecode files; next: git rm --cached FILE, and *.py[co] in .gitignore",
        ]

    def test_files_named(self, project: Project) -> None:
        assert project.epm("bytecode", "tracked", "untracked.pyc").code == 0
        assert project.epm("bytecode", "tracked", "a.pyc").code == 1

    def test_the_next_command_cures(self, project: Project) -> None:
        project.git("rm", "-q", "--cached", "-r", "a.pyc", "sub")
        done = project.epm("bytecode", "tracked")
        assert (done.code, done.out) == (0, "0 tracked bytecode files\n")

    def test_outside_a_repository(self, tmp_path: Path) -> None:
        done = Project(tmp_path / "bare").epm("bytecode", "tracked")
        assert done.code == 2
        assert "no git repository at or above this folder" in done.err


class TestFace:
    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as caught:
            cli.main(["--version"])
        assert caught.value.code == 0
        assert capsys.readouterr().out.startswith("epm ")

    @pytest.mark.parametrize("argv", [[], ["bytecode"], ["none"], ["bytecode", "none"]])
    def test_usage_is_exit_2(self, argv: list[str]) -> None:
        with pytest.raises(SystemExit) as caught:
            cli.main(argv)
        assert caught.value.code == 2

    def test_a_bug_of_ours_is_exit_70_with_a_log(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from pytest_epm import bytecode

        monkeypatch.setenv("TMPDIR", str(project.root))
        monkeypatch.setattr("tempfile.tempdir", str(project.root))
        monkeypatch.setattr(bytecode, "purge", lambda _: 1 / 0)
        assert cli.main(["bytecode", "purge"]) == 70
        (log,) = project.root.glob("epm-*.log")
        assert str(log) in capsys.readouterr().err
        assert "ZeroDivisionError" in log.read_text(encoding="utf-8")
        assert "Python 3." in log.read_text(encoding="utf-8")

    def test_an_interrupt_is_exit_130(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from pytest_epm import bytecode

        def interrupted(_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(bytecode, "purge", interrupted)
        assert cli.main(["bytecode", "purge"]) == 130
        assert capsys.readouterr().err == "epm: interrupted\n"

    def test_a_reader_that_has_gone_changes_no_verdict(self, project: Project) -> None:
        project.stale("mod.py")
        reader, writer = os.pipe()
        os.close(reader)
        command = [sys.executable, "-m", "pytest_epm.cli", "bytecode", "audit", "."]
        done = subprocess.run(
            command, cwd=project.root, env=clean_environment(), stdout=writer,
            stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
        os.close(writer)
        assert (done.returncode, done.stderr) == (1, b"")

    @pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
    def test_streams_that_are_closed(self, project: Project, closed: str) -> None:
        project.stale("mod.py")
        line = f"{sys.executable} -m pytest_epm.cli bytecode audit . {closed}"
        assert run(["sh", "-c", line], project.root).code == 1

    def test_a_report_that_cannot_be_written(self, project: Project) -> None:
        line = f"{sys.executable} -m pytest_epm.cli bytecode purge . > /dev/full"
        done = run(["sh", "-c", line], project.root)
        assert done.code == 2
        assert "the report cannot be written: No space left on device" in done.err

    def test_a_current_folder_that_is_gone(self, project: Project) -> None:
        line = f"cd gone && rmdir ../gone && {sys.executable} -m pytest_epm.cli bytecode purge"
        (project.root / "gone").mkdir()
        done = run(["sh", "-c", line], project.root)
        assert done.code == 2
        assert "the current folder is gone" in done.err

    def test_a_terminal_that_cannot_show_a_name(self, project: Project) -> None:
        Project(project.root / "名前").stale("mod.py")
        done = project.epm("bytecode", "audit", ".", env={"PYTHONIOENCODING": "ascii"})
        assert done.code == 1
        assert "\\u540d\\u524d/__pycache__" in done.out
