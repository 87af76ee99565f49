"""The pytest plugin: hooks only. It declares options and registers the parts that are on."""

import os
import shlex
from typing import TYPE_CHECKING, Protocol

import pytest

from pytest_epm import config as settings
from pytest_epm.errors import EpmError

if TYPE_CHECKING:  # a plain run has no use for it
    from pytest_epm.report import Report


class Part(Protocol):
    """What the plugin asks of a capability's part once it has started."""

    def header(self) -> str:
        """Return the line at the top of the run."""

    def report(self) -> "Report":
        """Return what was found, for the end of the run."""


# `epm` is the documented one; the other is what pytest takes where entry points are off.
_NAMES = ("epm", "pytest_epm.plugin")
_BYTECODE = pytest.StashKey[Part]()
_OFF = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the options and, if it was asked for, purge: nothing of the project is loaded yet."""
    group = parser.getgroup("epm", "a green gate that means what it says (pytest-epm)")
    for option in settings.OPTIONS:
        group.addoption(option.flag, choices=option.choices, default=None, help=option.help)
        parser.addini(option.ini, option.help, default="")
    config: pytest.Config | None = pluginmanager.get_plugin("pytestconfig")
    if config is None:
        return
    mode, asked = _bytecode_mode(parser, config)
    if asked and mode == "off":
        config.stash[_OFF] = True
    if mode != "off":
        from pytest_epm.bytecode import part

        started = part.start(config, mode)
        if started:
            config.stash[_BYTECODE] = started
            pluginmanager.register(started, "epm-bytecode")


def pytest_configure(config: pytest.Config) -> None:
    """Take part in an xdist worker; refuse a request that can only come too late."""
    if hasattr(config, "workerinput"):
        from pytest_epm.bytecode import part

        worker = part.start_worker(config)
        if worker:
            config.pluginmanager.register(worker, "epm-bytecode")
    elif _BYTECODE not in config.stash and _asked_by_conftest(config):
        raise pytest.UsageError(
            "epm: pytest_plugins in a conftest is too late to purge bytecode, the conftest is "
            "imported\n  next: ask with `-p epm`, first in addopts, or with PYTEST_PLUGINS=epm"
        )


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what was done before the first import."""
    if _OFF in config.stash:
        return ["epm: bytecode is left as it is: a flag, EPM_BYTECODE, ini or [tool.epm] says off"]
    part = config.stash.get(_BYTECODE, None)
    return [part.header()] if part else []


def pytest_terminal_summary(
    terminalreporter: "pytest.TerminalReporter", config: pytest.Config
) -> None:
    """Write a section where a part has something to say."""
    part = config.stash.get(_BYTECODE, None)
    report = part.report() if part else None
    if report and any(report.sections):
        from pytest_epm.reports.text import to_lines

        terminalreporter.section("epm: bytecode", red=bool(report.exit_code))
        for line in to_lines(report):
            terminalreporter.write_line(line)


def _bytecode_mode(parser: pytest.Parser, config: pytest.Config) -> tuple[str, bool]:
    """Return `purge`, `audit` or `off`, and whether `-p epm` asked, which alone means `purge`."""
    words = [
        *config.getini("addopts"),
        *shlex.split(os.environ.get("PYTEST_ADDOPTS", "")),
        *map(os.fspath, config.invocation_params.args),
    ]
    flag, plugins = _spoken(parser, words)
    option = settings.BYTECODE
    try:
        file = settings.load(config.rootpath)
        given = option.pick(flag, os.environ, config.getini(option.ini), file.bytecode)
    except EpmError as error:
        raise pytest.UsageError(f"epm: {error}") from error
    # The last word counts, as it does for pytest.
    named = [name for name in plugins if name in (*_NAMES, "no:epm")]
    if named[-1:] == ["no:epm"]:
        return "off", False
    named += [name for name in os.environ.get("PYTEST_PLUGINS", "").split(",") if name in _NAMES]
    return given or ("purge" if named else "off"), bool(named)


def _spoken(parser: pytest.Parser, words: list[str]) -> tuple[str | None, list[str]]:
    """Return our flag's value and the plugins named by `-p`, where the words speak of us."""
    # Parsing costs more than all else that a plain run does here; `@` names a file of words.
    if not any("epm" in word or word.startswith("@") for word in words):
        return None, []
    # Our flag is in no namespace yet: we are still declaring it.
    known = parser.parse_known_args(words)
    return getattr(known, "epm_bytecode", None), [name.strip() for name in known.plugins]


def _asked_by_conftest(config: pytest.Config) -> bool:
    if config.getoption("epm_bytecode") == "off":
        return False
    for plugin in config.pluginmanager.get_plugins():
        names = getattr(plugin, "pytest_plugins", None) or ()
        if any(name in _NAMES for name in ([names] if isinstance(names, str) else names)):
            return True
    return False
