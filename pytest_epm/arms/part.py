"""The pytest side of `--real-arms`: which tests are watched, what they came to, the verdict."""

import json
import os
import time
from collections.abc import Callable, Generator, Mapping
from typing import Any

import pytest

from pytest_epm.arms import again, junit, leg, setting
from pytest_epm.arms import session as sessions
from pytest_epm.arms.evidence import Item, pack, unpack
from pytest_epm.arms.outcome import Came
from pytest_epm.arms.setting import Given, Setting
from pytest_epm.arms.watch.watcher import Watcher
from pytest_epm.errors import EpmError
from pytest_epm.report import Report

_SHIPPED = "epm_arms"
_NO_XDIST = "no"
# Options of pytest and its plugins that name a file which the run writes.
_WRITERS = ("xmlpath", "htmlpath", "report_log", "json_report_file", "allure_report_dir", "usepdb")


class Watching:
    """The process that runs tests: follows each one, and keeps what was seen of it."""

    def __init__(self, config: pytest.Config, made: Setting) -> None:
        """Take what is planned."""
        self.made = made
        self.watcher = Watcher(made)
        self.items: list[Item] = []
        self.came: dict[str, Came] = {}
        self._arms: dict[str, tuple[str, ...]] = {}
        config.add_cleanup(self.watcher.close)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Find out which tests are bound, and which wide fixtures they use."""
        wide: set[str] = set()
        for item in session.items:
            if self._bound(item) or (self.made.plan and self.made.plan.phases):
                wide |= set(getattr(item, "fixturenames", ()))
        self.watcher.collected(frozenset(wide))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        """Begin to watch; a rerun begins anew."""
        self.came[item.nodeid] = Came()
        self.watcher.begin(item.nodeid, self._bound(item))
        yield

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, object, object]:
        """Keep the evidence of a fixture that several tests share."""
        if fixturedef.scope == "function":
            return (yield)
        with self.watcher.fixture(fixturedef.argname, fixturedef):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, None, None]:
        """End with the test's own fixtures; what it shares with others stays."""
        try:
            yield
        finally:
            self.watcher.end(_definitions(item))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Learn what the test came to."""
        report = yield
        came = self.came.get(item.nodeid)
        if came is not None:
            came.report(report.when, report.outcome, expected=hasattr(report, "wasxfail"))
            if call.when == "teardown":
                self.items.append(self.watcher.item(item.nodeid, self._bound(item), came.word))
                del self.came[item.nodeid]
        return report

    def _bound(self, item: pytest.Item) -> tuple[str, ...]:
        if item.nodeid not in self._arms:
            self._arms[item.nodeid] = self._asked(item)
        return self._arms[item.nodeid]

    def _asked(self, item: pytest.Item) -> tuple[str, ...]:
        names = {arm.name for arm in self.made.plan.arms if not arm.na} if self.made.plan else set()
        marked = [name for mark in item.iter_markers("arm") for name in mark.args]
        callspec = getattr(item, "callspec", None)
        given = callspec.params.get("arm") if callspec else None
        told = item.ihook.pytest_epm_arms(item=item)
        hooked = [name for one in told for name in ([one] if isinstance(one, str) else one)]
        every = {name for name in (*marked, given, *hooked) if isinstance(name, str)}
        return tuple(sorted(every & names))


class Worker(Watching):
    """An xdist worker: ships what it saw."""

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand it over as one text, which is what a channel surely carries."""
        output: dict[str, object] = session.config.workeroutput  # type: ignore[attr-defined]  # set by xdist
        seen = [pack(item) for item in (*self.items, self.watcher.session())]
        output[_SHIPPED] = json.dumps(seen)


class Witness(Watching):
    """The child of a run that could not watch: runs only what it was asked for, and tells."""

    def __init__(self, config: pytest.Config, made: Setting, asked: Mapping[str, Any]) -> None:
        """Take the request; leave files that the run itself writes alone."""
        super().__init__(config, made)
        self.ids = frozenset(asked["ids"])
        self.answer = str(asked["answer"])
        for name in _WRITERS:
            if getattr(config.option, name, None):
                setattr(config.option, name, None)
        config.option.no_cov_should_warn = False  # it is we who switched it off

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what was not asked for."""
        items[:] = [item for item in items if item.nodeid in self.ids]

    def pytest_sessionfinish(self) -> None:
        """Write a line for each test."""
        with open(self.answer, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(pack(item)) + "\n" for item in self.items)


class Controller:
    """Decides: alone, or from what workers ship."""

    def __init__(
        self,
        config: pytest.Config,
        made: Setting,
        bytecode: Callable[[], Mapping[str, object]],
        write: Callable[[Report], bool],
    ) -> None:
        """Take what is planned; the rest as `start` takes it."""
        self.made = made
        self.bytecode = bytecode
        self.write = write
        self.items: list[Item] = []
        self.lost = 0
        self.told: Report | None = None
        self.selection: dict[str, object] = {"arguments": list(map(str, config.args))}
        self.watching: Watching | None = None
        self.began = time.monotonic()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:  # noqa: ANN401 - xdist has no public type
        """Take what a worker saw; of one that crashed nothing is known."""
        shipped = getattr(node, "workeroutput", {}).get(_SHIPPED)
        if shipped is None or error:
            self.lost += 1
            return
        self.items += [unpack(item) for item in json.loads(shipped)]

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Count what is left out."""
        self.selection["deselected"] = len(items) + int(str(self.selection.get("deselected", 0)))

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, None, None]:
        """Decide once everything else is over."""
        yield
        if self.watching is not None:
            self.items += [*self.watching.items, self.watching.watcher.session()]
        self._watch_again(session.config)
        ended = sessions.Ended(
            exit_code=int(session.exitstatus),
            red=session.testsfailed,
            collected=max(session.testscollected, len(self.items) - 1),
            early=bool(
                session.shouldstop or session.shouldfail or self.lost or self._unfinished(session)
            ),
            purged=self.bytecode(),
            selection=self.selection,
        )
        self.told = sessions.decided(self.made, self.items, ended)
        if session.exitstatus == pytest.ExitCode.OK and self.told.exit_code:
            session.exitstatus = self.told.exit_code
        junit.tell(session.config.pluginmanager.get_plugins(), self.told)
        if not self.write(self.told):
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _unfinished(self, session: pytest.Session) -> bool:
        """Whether fewer tests ended than were collected, as after `pytest.exit`."""
        return len({item.id for item in self.items if item.id}) < session.testscollected

    def _watch_again(self, config: pytest.Config) -> None:
        plan = self.made.plan
        chosen = again.unwatched(self.items, every=bool(plan and plan.phases))
        if not chosen:
            return
        words = list(map(str, config.invocation_params.args))
        words += ["--no-cov"] if hasattr(config.option, "no_cov") else []
        words += ["-n", "0"] if hasattr(config.option, "numprocesses") else []
        seconds = time.monotonic() - self.began
        how = again.Invocation(words, str(config.invocation_params.dir), seconds)
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter and reporter.isatty:
            reporter.ensure_newline()
            reporter.write_line(f"epm: {len(chosen)} tests once more, to watch them in a child")
        self.items = again.watched_again(self.items, chosen, how)

    def header(self) -> str:
        """Return the line at the top of the run."""
        return setting.header(self.made)

    def report(self) -> Report | None:
        """Return the report, once there is one."""
        return self.told


def start(
    config: pytest.Config,
    given: Given,
    bytecode: Callable[[], Mapping[str, object]],
    write: Callable[[Report], bool],
) -> Controller | None:
    """Register what this process has to do; return the part that decides, if it is here.

    bytecode: tells what was done about it, empty if nothing was purged. write: writes the
    report to the files asked for, and says whether that went well.
    Raises UsageError for a plan or an option that cannot be used.
    """
    try:
        made = setting.make(given)
        leg.changed(made)  # a base that git does not know is said before any test runs
    except EpmError as error:
        raise pytest.UsageError(f"epm: {error}") from error
    asked = again.asked(os.environ)
    if asked is not None:
        del os.environ[again.VARIABLE]  # tests that start a pytest of their own are no such child
        config.pluginmanager.register(Witness(config, made, asked), "epm-arms-watching")
        return None
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Worker(config, made), "epm-arms-watching")
        return None
    controller = Controller(config, made, bytecode, write)
    if not _has_workers(config):
        controller.watching = Watching(config, made)
        config.pluginmanager.register(controller.watching, "epm-arms-watching")
    config.pluginmanager.register(controller, "epm-arms")
    return controller


def given(config: pytest.Config, plan: str, edges: list[str], words: list[str]) -> Given:
    """Return what the options say."""
    option = config.getoption
    return Given(
        root=os.path.realpath(config.rootpath),
        invocation=str(config.invocation_params.dir),
        plan=plan,
        base=option("epm_base") or "",
        reports=tuple(option("epm_report") or ()),
        edges=tuple(edges),
        flag_words=tuple(words),
        pythonpath=tuple(map(str, config.getini("pythonpath"))),
        patterns=tuple(config.getini("python_files")),
    )


def _has_workers(config: pytest.Config) -> bool:
    return getattr(config.option, "dist", _NO_XDIST) != _NO_XDIST and bool(
        getattr(config.option, "tx", None)
    )


def _definitions(item: pytest.Item) -> list[object]:
    info = getattr(item, "_fixtureinfo", None)
    found: Mapping[str, Any] = getattr(info, "name2fixturedefs", {})
    return [definition for definitions in found.values() for definition in definitions]
