"""Settings: precedence, where the file is looked for, and what is refused."""

import os

import pytest

from epm_testing import Project
from pytest_epm.config import BYTECODE, Settings, load
from pytest_epm.errors import ConfigError


@pytest.mark.parametrize(
    ("flag", "environ", "ini", "file", "expected"),
    [
        (None, {}, "", "", ""),
        (None, {}, "", "off", "off"),
        (None, {}, "audit", "off", "audit"),
        (None, {"EPM_BYTECODE": "purge"}, "audit", "off", "purge"),
        ("off", {"EPM_BYTECODE": "purge"}, "audit", "purge", "off"),
        (None, {"EPM_BYTECODE": ""}, "audit", "", "audit"),
    ],
)
def test_the_first_value_given_counts(
    flag: str | None, environ: dict[str, str], ini: str, file: str, expected: str
) -> None:
    assert BYTECODE.pick(flag, environ, ini, file) == expected


class TestLoad:
    def test_nothing_there(self, project: Project) -> None:
        project.git("init", "-q")
        assert load(project.root) == Settings()

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("epm.toml", 'bytecode = "audit"'),
            ("pyproject.toml", '[tool.epm]\nbytecode = "audit"'),
            ("pyproject.toml", 'tool.epm.bytecode = "audit"'),
            ("pyproject.toml", '[tool."epm"]\nbytecode = "audit"'),
        ],
    )
    def test_read(self, project: Project, name: str, text: str) -> None:
        project.put(name, text)
        assert load(project.root) == Settings("audit")

    def test_looked_for_upward(self, project: Project) -> None:
        project.git("init", "-q")
        project.put("epm.toml", 'bytecode = "audit"')
        project.put("sub/deep/x", "")
        assert load(project.root / "sub/deep") == Settings("audit")

    def test_no_higher_than_the_git_top(self, project: Project) -> None:
        project.put("epm.toml", 'bytecode = "audit"')
        inner = Project(project.root / "inner")
        inner.git("init", "-q")
        assert load(inner.root) == Settings()

    def test_without_a_git_top_nothing_above_counts(self, project: Project) -> None:
        project.put("epm.toml", 'bytecode = "audit"')
        project.put("sub/x", "")
        assert load(project.root / "sub") == Settings()

    def test_the_nearest_counts(self, project: Project) -> None:
        project.git("init", "-q")
        project.put("epm.toml", 'bytecode = "audit"')
        project.put("sub/pyproject.toml", '[tool.epm]\nbytecode = "off"')
        assert load(project.root / "sub") == Settings("off")

    @pytest.mark.parametrize(
        "text", ["", "[project]\nname = 'x'", "[tool.other]\nepm = 1", "# tool.epm\n"]
    )
    def test_a_pyproject_without_our_table_is_passed_by(self, project: Project, text: str) -> None:
        project.put("pyproject.toml", text)
        project.put("epm.toml", 'bytecode = "audit"')
        assert load(project.root) == Settings("audit")

    def test_a_folder_of_that_name_is_passed_by(self, project: Project) -> None:
        (project.root / "epm.toml").mkdir()
        assert load(project.root) == Settings()

    @pytest.mark.parametrize(
        ("name", "text", "said"),
        [
            ("epm.toml", "bytecode = 1", "epm.toml:1: bytecode takes a string, not 1"),
            ("epm.toml", "\nbytcode = 1", "epm.toml:2: unknown key 'bytcode'; known: bytecode"),
            ("epm.toml", "\nx = ?", "epm.toml:2: not valid TOML"),
            (
                "epm.toml",
                'bytecode = "al"',
                "epm.toml:1: [tool.epm] bytecode is 'al'",
            ),
            ("pyproject.toml", "[tool]\nepm = 3", "pyproject.toml:2: [tool.epm] is no table"),
            (
                "pyproject.toml",
                '[tool.epm]\n"bytcode" = "off"',
                "pyproject.toml:2: unknown key 'bytcode'",
            ),
        ],
    )
    def test_refused_with_path_and_line(
        self, project: Project, name: str, text: str, said: str
    ) -> None:
        project.put(name, text)
        with pytest.raises(ConfigError) as caught:
            load(project.root)
        assert str(caught.value).startswith(f"{project.root}/{said}")

    def test_two_files_are_one_too_many(self, project: Project) -> None:
        project.put("epm.toml", 'bytecode = "audit"')
        project.put("pyproject.toml", '[tool.epm]\nbytecode = "audit"')
        with pytest.raises(ConfigError, match=r"both epm\.toml and"):
            load(project.root)

    @pytest.mark.parametrize("text", ["bytecode = " + "[" * 5000, "bytecode = " + "9" * 5000])
    def test_values_that_no_reader_takes(self, project: Project, text: str) -> None:
        project.put("epm.toml", text)
        with pytest.raises(ConfigError, match=r"epm\.toml"):
            load(project.root)

    def test_a_pipe_is_not_waited_for(self, project: Project) -> None:
        os.mkfifo(project.root / "epm.toml")
        with pytest.raises(ConfigError, match="is no regular file"):
            load(project.root)

    def test_bytes_that_are_no_utf8(self, project: Project) -> None:
        project.put("epm.toml", "").write_bytes(b'bytecode = "\xff"')
        with pytest.raises(ConfigError, match="not UTF-8 at byte 12"):
            load(project.root)
