"""The pytest plugin: hooks only. It declares options and registers the parts that are on."""

import os
import shlex
from typing import TYPE_CHECKING, Protocol

import pytest

from pytest_epm import config as settings
from pytest_epm.errors import EpmError
from pytest_epm.pytest_hooks import RealArms

if TYPE_CHECKING:  # a plain run has no use for it
    from pytest_epm.report import Report


class Part(Protocol):
    """What the plugin asks of a capability's part once it has started."""

    def header(self) -> str:
        """Return the line at the top of the run."""

    def report(self) -> "Report | None":
        """Return what was found, for the end of the run."""


# `epm` is the documented one; the other is what pytest takes where entry points are off.
_NAMES = ("epm", "pytest_epm.plugin")
_BYTECODE = pytest.StashKey[Part]()
_ARMS = pytest.StashKey[Part]()
_TITLES = ((_BYTECODE, "epm: bytecode"), (_ARMS, "epm: real arms"))
_OFF = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the options and, if it was asked for, purge: nothing of the project is loaded yet."""
    group = parser.getgroup("epm", "a green gate that means what it says (pytest-epm)")
    for option in settings.OPTIONS:
        _declare(option, group, parser)
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


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare what a suite may implement; pytest refuses hooks that nobody has declared."""
    pluginmanager.add_hookspecs(RealArms)


def pytest_configure(config: pytest.Config) -> None:
    """Take part in an xdist worker; refuse a request that can only come too late."""
    config.addinivalue_line("markers", "arm(name): the arm of the plan that this test runs")
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
    if not config.getoption("real_arms"):
        _refuse_idle_flags(config)
    elif not (config.option.collectonly or config.option.showfixtures):
        _watch_arms(config)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what was done before the first import."""
    if _OFF in config.stash:
        return ["epm: bytecode is left as it is: a flag, EPM_BYTECODE, ini or [tool.epm] says off"]
    parts = [config.stash.get(key, None) for key, _ in _TITLES]
    return [part.header() for part in parts if part]


def pytest_terminal_summary(
    terminalreporter: "pytest.TerminalReporter", config: pytest.Config
) -> None:
    """Write a section where a part has something to say."""
    for key, title in _TITLES:
        part = config.stash.get(key, None)
        report = part.report() if part else None
        if report and (key is _ARMS or any(report.sections)):
            from pytest_epm.reports.text import to_lines

            terminalreporter.section(title, red=bool(report.exit_code))
            for line in to_lines(report):
                terminalreporter.write_line(line)
        if report and report.exit_code:
            # The last line counts tests; one that says no more than `passed` would be misread.
            terminalreporter.stats.setdefault("failed by epm", []).append(report)


def _declare(option: settings.Option, group: pytest.OptionGroup, parser: pytest.Parser) -> None:
    if option.flag and not option.takes:
        group.addoption(option.flag, action="store_true", default=False, help=option.help)
    elif option.flag:
        named = {"choices": option.choices} if option.choices else {"metavar": option.takes}
        action = "append" if option.many else "store"
        group.addoption(option.flag, action=action, default=None, help=option.help, **named)
    if option.ini:
        if option.many:
            parser.addini(option.ini, option.help, type="args", default=[])
        else:
            parser.addini(option.ini, option.help, default="")


def _refuse_idle_flags(config: pytest.Config) -> None:
    """A plan that nobody judges would look like one that holds."""
    for flag in ("--epm-plan", "--epm-base", "--epm-report"):
        if config.getoption(flag.strip("-").replace("-", "_")):
            raise pytest.UsageError(
                f"epm: {flag} does nothing without --real-arms\n  next: add --real-arms"
            )


def _watch_arms(config: pytest.Config) -> None:
    from pytest_epm.arms import files, part

    folder = config.invocation_params.dir
    paths = [os.path.join(folder, name) for name in config.getoption("epm_report") or ()]
    try:
        file = settings.load(config.rootpath)
        option = settings.PLAN
        flag = config.getoption("epm_plan")
        plan = option.pick(flag, os.environ, config.getini(option.ini), file.plan)
        if not hasattr(config, "workerinput"):
            files.forget(paths, os.path.join(config.rootpath, plan) if plan else "")
    except EpmError as error:
        raise pytest.UsageError(f"epm: {error}") from error
    edges = [*file.edges, *config.getini(settings.EDGES.ini)]
    words = [*file.flag_words, *config.getini(settings.FLAG_WORDS.ini)]
    given = part.given(config, plan, edges, words)

    def write(report: "Report") -> bool:
        return _write(report, paths, config)

    started = part.start(config, given, lambda: _bytecode_said(config), write)
    if started:
        config.stash[_ARMS] = started


def _write(report: "Report", paths: list[str], config: pytest.Config) -> bool:
    """Write the report to each file asked for; return whether all could be written."""
    from pytest_epm.arms import files
    from pytest_epm.reports.json import to_json
    from pytest_epm.reports.markdown import to_markdown

    words = files.write(report, paths, lambda p: to_json if p.endswith(".json") else to_markdown)
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if words and reporter:
        reporter.write_line(words, red=True)
    return not words


def _bytecode_said(config: pytest.Config) -> dict[str, object]:
    """Return what the purge reports; empty if there was none."""
    part = config.stash.get(_BYTECODE, None)
    report = part.report() if part else None
    return dict(report.data) if report and report.data.get("action") == "run" else {}


def _bytecode_mode(parser: pytest.Parser, config: pytest.Config) -> tuple[str, bool]:
    """Return `purge`, `audit` or `off`, and whether `-p epm` asked, which alone means `purge`."""
    words = [
        *config.getini("addopts"),
        *shlex.split(os.environ.get("PYTEST_ADDOPTS", "")),
        *map(os.fspath, config.invocation_params.args),
    ]
    flag, real_arms, plugins = _spoken(parser, words)
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
    asked = bool(named) or real_arms
    return given or ("purge" if asked else "off"), asked


def _spoken(parser: pytest.Parser, words: list[str]) -> tuple[str | None, bool, list[str]]:
    """Return our flags' values and the plugins named by `-p`, where the words speak of us."""
    # Parsing costs more than all else that a plain run does here; `@` names a file of words.
    if not any("epm" in word or "--real" in word or word.startswith("@") for word in words):
        return None, False, []
    # Our flags are in no namespace yet: we are still declaring them.
    known = parser.parse_known_args(words)
    plugins = [name.strip() for name in known.plugins]
    return getattr(known, "epm_bytecode", None), bool(getattr(known, "real_arms", False)), plugins


def _asked_by_conftest(config: pytest.Config) -> bool:
    if config.getoption("epm_bytecode") == "off":
        return False
    for plugin in config.pluginmanager.get_plugins():
        names = getattr(plugin, "pytest_plugins", None) or ()
        if any(name in _NAMES for name in ([names] if isinstance(names, str) else names)):
            return True
    return False
