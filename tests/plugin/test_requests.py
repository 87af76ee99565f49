"""Purging is asked for, in one of these ways; a plugin that is merely installed deletes nothing."""

import pytest

from epm_testing import Done, Project

FRESH, STALE = 1, 0
FINDS_ENTRY_POINTS = pytest.mark.skipif(
    pytest.version_tuple < (9, 2), reason="without autoload this pytest looks for a module"
)


def assert_fresh(done: Done) -> None:
    assert "assert 'new' == 'old'" in done.out, done.said
    assert done.code == FRESH


def assert_untouched(done: Done, project: Project, before: list[str]) -> None:
    assert done.code == STALE, done.said
    assert set(before) <= set(project.bytecode())
    assert "fresh bytecode" not in done.out


@pytest.mark.parametrize(
    ("arguments", "env", "ini"),
    [
        pytest.param((), {}, "", id="merely installed"),
        pytest.param(("-p", "no:epm"), {}, "", id="switched off"),
        pytest.param(("-p", "epm", "-p", "no:epm"), {}, "", id="switched off last"),
        pytest.param(("-p", "no:epm"), {}, "addopts = -p epm", id="switched off over addopts"),
        pytest.param(("-p", "epm", "--epm-bytecode", "off"), {}, "", id="off by flag"),
        pytest.param(("-p", "epm"), {"EPM_BYTECODE": "off"}, "", id="off by environment"),
        pytest.param(("-p", "epm"), {}, "epm_bytecode = off", id="off by ini"),
        pytest.param(
            ("--epm-bytecode=off",), {"EPM_BYTECODE": "purge"}, "", id="flag over environment"
        ),
        pytest.param(
            (), {"EPM_BYTECODE": "off"}, "epm_bytecode = purge", id="environment over ini"
        ),
    ],
)
def test_leaves_alone(
    stale: Project, arguments: tuple[str, ...], env: dict[str, str], ini: str
) -> None:
    stale.put("pytest.ini", f"[pytest]\n{ini}\n")
    before = stale.bytecode()
    assert_untouched(stale.pytest(*arguments, env=env), stale, before)


@pytest.mark.parametrize(
    ("arguments", "env", "ini"),
    [
        pytest.param(("-p", "epm"), {}, "", id="-p epm"),
        pytest.param(("-pepm",), {}, "", id="-pepm"),
        pytest.param(("-p", "no:epm", "-p", "epm"), {}, "", id="switched on last"),
        pytest.param((), {}, "addopts = -p epm", id="addopts"),
        pytest.param(("-p", "epm"), {}, "addopts = -p epm", id="twice"),
        pytest.param((), {"PYTEST_ADDOPTS": "-p epm"}, "", id="PYTEST_ADDOPTS"),
        pytest.param((), {"PYTEST_PLUGINS": "epm"}, "", id="PYTEST_PLUGINS"),
        pytest.param(
            (),
            {"PYTEST_PLUGINS": "epm", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            "",
            id="PYTEST_PLUGINS, no autoload",
            marks=FINDS_ENTRY_POINTS,
        ),
        pytest.param(
            ("-p", "epm"), {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, "", id="-p, no autoload"
        ),
        pytest.param(
            ("-p", "pytest_epm.plugin"), {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, "", id="by module"
        ),
        pytest.param(("--epm-bytecode", "purge"), {}, "", id="flag"),
        pytest.param((), {"PYTEST_ADDOPTS": "--epm-bytecode=purge"}, "", id="flag in environment"),
        pytest.param((), {}, "addopts = --epm-bytecode=purge", id="flag in addopts"),
        pytest.param((), {"EPM_BYTECODE": "purge"}, "", id="environment"),
        pytest.param((), {}, "epm_bytecode = purge", id="ini"),
        pytest.param(("-o", "epm_bytecode=purge"), {}, "", id="ini on the command line"),
        pytest.param(
            ("--epm-bytecode=purge",), {"EPM_BYTECODE": "off"}, "epm_bytecode = off", id="flag wins"
        ),
    ],
)
def test_purges(stale: Project, arguments: tuple[str, ...], env: dict[str, str], ini: str) -> None:
    stale.put("pytest.ini", f"[pytest]\n{ini}\n")
    assert_fresh(stale.pytest(*arguments, env=env))
    assert stale.bytecode() == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[tool.epm]\nbytecode = "purge"\n'),
        ("epm.toml", 'bytecode = "purge"\n'),
    ],
)
def test_purges_by_settings_file(stale: Project, name: str, text: str) -> None:
    stale.put(name, text)
    stale.put("pytest.ini", "[pytest]\n")
    assert_fresh(stale.pytest())


def test_a_settings_file_that_is_wrong_is_a_usage_error(stale: Project) -> None:
    stale.put("pyproject.toml", '[tool.epm]\nbytecode = "purge"\nbytcode = 1\n')
    done = stale.pytest()
    assert done.code == pytest.ExitCode.USAGE_ERROR
    assert f"{stale.root / 'pyproject.toml'}:3: unknown key 'bytcode'" in done.err


@pytest.mark.parametrize(
    ("arguments", "env", "said"),
    [
        (("--epm-bytecode=all",), {}, "invalid choice: 'all'"),
        ((), {"EPM_BYTECODE": "all"}, "environment variable EPM_BYTECODE is 'all'"),
        (("-o", "epm_bytecode=all"), {}, "ini epm_bytecode is 'all'"),
    ],
)
def test_a_word_that_is_none_of_the_choices_is_a_usage_error(
    stale: Project, arguments: tuple[str, ...], env: dict[str, str], said: str
) -> None:
    done = stale.pytest(*arguments, env=env)
    assert done.code == pytest.ExitCode.USAGE_ERROR
    assert said in done.err
    assert stale.bytecode() != []
