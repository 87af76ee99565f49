"""The bytecode part of a pytest run: purge before the project is imported, prove it at the end."""

import os
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pytest_epm.bytecode import gather, process, say, skips
from pytest_epm.bytecode.loaded import loaded_modules
from pytest_epm.bytecode.proof import Doubt, Loaded, doubtful, too_early
from pytest_epm.bytecode.purge import purge_roots
from pytest_epm.bytecode.results import Examined, Purged
from pytest_epm.bytecode.roots import (
    NAMED,
    Candidate,
    Chosen,
    Origin,
    Root,
    below,
    choose,
    covering,
)
from pytest_epm.bytecode.survey import cache_prefixes
from pytest_epm.errors import EpmError
from pytest_epm.report import Report

_Result = TypeVar("_Result")
_SHIPPED = "epm_bytecode"
# Roots of the runs of this process that are under way: one may start inside another.
_under_way: list[Root] = []


class Temporary:
    """Learn where this run's tests put their files: what they make there is not the project's."""

    folder = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self) -> Generator[None, object, object]:
        """Ask the factory once, when some test asks for it."""
        value = yield
        if isinstance(value, pytest.TempPathFactory):
            self.folder = os.path.realpath(value.getbasetemp())
        return value


class Audit:
    """`--epm-bytecode audit`: look, delete nothing, fail on what is stale."""

    def __init__(self, config: pytest.Config) -> None:
        """Examine at once, before anything of the project is imported."""
        self.here = str(config.invocation_params.dir)
        self.chosen = _choose(_candidates(config))
        from pytest_epm.bytecode.examine import examine_roots

        self.examined: Examined = examine_roots(self.chosen, cache_prefixes())

    def header(self) -> str:
        """Return the line at the top of the run."""
        return f"epm: {self.report().headline}"

    def report(self) -> Report:
        """Return what is stale, for the end of the run."""
        return say.audit_report(self.examined, self.chosen, self.here)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Turn a green run red if it would have run old code."""
        if self.examined.stale:
            _fail(session)


class Fresh(Temporary):
    """`--epm-bytecode purge`: the controller's side, or that of a run without workers."""

    def __init__(self, config: pytest.Config) -> None:
        """Purge at once, before anything of the project is imported."""
        self.here = str(config.invocation_params.dir)
        self.kept: frozenset[str] = frozenset()
        self.doubts: list[Doubt] = []
        self.chosen = Chosen(())
        self.purged = Purged(())
        _write_nothing_until_the_end(config)
        self._purge(_candidates(config))

    def _purge(self, candidates: Iterable[Candidate]) -> None:
        chosen = _choose(candidates)
        early = too_early(_not_under_way(), chosen.roots, skips.between, _start_up_stale)
        if early:
            raise say.refuse_early(early, self.here)
        purged = purge_roots(chosen, cache_prefixes())
        if purged.failed:
            raise say.refuse_failed(purged.failed, self.here)
        _under_way.extend(chosen.roots)
        self.chosen = self.chosen.plus(chosen)
        self.purged = self.purged.plus(purged)
        self.kept |= set(purged.kept)

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: pytest.Config) -> None:
        """Purge where the test arguments lie outside the roots; only now are they known."""
        arguments = early_config.known_args_namespace.file_or_dir or [
            os.path.join(early_config.rootpath, path) for path in early_config.getini("testpaths")
        ]
        candidates = gather.for_arguments(arguments, early_config.invocation_params.dir)
        outside = [candidate for candidate in candidates if not self._reaches(candidate.path)]
        if outside:
            _as_usage_error(lambda: self._purge(outside))

    def _reaches(self, folder: str) -> bool:
        inside = os.path.join(folder, "x")
        root = covering(inside, self.chosen.roots)
        return root is not None and not skips.between(inside, root.path)

    def pytest_sessionstart(self) -> None:
        """Set the flags again: a conftest may have undone them."""
        process.write_nothing()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:  # noqa: ANN401 - xdist has no public type
        """Tell a worker what it needs for its own proof."""
        node.workerinput[_SHIPPED] = {"kept": sorted(self.kept)}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:  # noqa: ANN401 - xdist has no public type
        """Take what a worker found; one that crashed found nothing."""
        shipped = getattr(node, "workeroutput", {}).get(_SHIPPED, [])
        known = set(self.doubts)
        self.doubts += [doubt for doubt in (Doubt(*item) for item in shipped) if doubt not in known]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Turn a green run red if it may have run old code."""
        self.doubts += _doubts(session.config, self.kept, self.folder)
        if self.doubts:
            _fail(session)

    def header(self) -> str:
        """Return the line at the top of the run."""
        return say.header(self.purged, self.chosen, self.here)

    def report(self) -> Report:
        """Return what a reader should know at the end of the run."""
        return say.proof_report(self.doubts, self.purged, self.chosen, self.here)


class Worker(Temporary):
    """The side of an xdist worker: it writes nothing, and ships what its modules prove."""

    def __init__(self, config: pytest.Config, shipped: dict[str, list[str]]) -> None:
        """Take what the controller told."""
        _write_nothing_until_the_end(config)
        self.shipped = shipped

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand the doubts over as plain lists, which is what a channel carries."""
        doubts = _doubts(session.config, self.shipped["kept"], self.folder)
        output: dict[str, object] = session.config.workeroutput  # type: ignore[attr-defined]  # set by xdist
        output[_SHIPPED] = [list(doubt) for doubt in doubts]


def start(config: pytest.Config, mode: str) -> Audit | Fresh | None:
    """Do what `mode` says before anything of the project is imported.

    Returns the part to register, None where there is nothing to do. Raises UsageError
    with the module, path or folder for a run that cannot be made fresh.
    """
    if mode == "off" or process.is_worker():
        return None
    return _as_usage_error(lambda: Fresh(config) if mode == "purge" else Audit(config))


def start_worker(config: pytest.Config) -> Worker | None:
    """Return the part of an xdist worker whose controller purged, else None."""
    shipped = getattr(config, "workerinput", {}).get(_SHIPPED)
    return Worker(config, shipped) if shipped else None


def _as_usage_error(work: Callable[[], _Result]) -> _Result:
    try:
        return work()
    except EpmError as error:
        raise pytest.UsageError(f"epm: {error}") from error


def _candidates(config: pytest.Config) -> list[Candidate]:
    pythonpath: list[Path] = config.getini("pythonpath")
    found = gather.for_run(config.rootpath, config.invocation_params.dir, pythonpath)
    return [c for c in found if c.origin in NAMED or not _is_runners(config, c.path)]


def _is_runners(config: pytest.Config, folder: str) -> bool:
    """Whether `folder` belongs to what runs the tests: pytest's own, or an editor's helpers."""
    runner = os.path.realpath(os.path.dirname(os.path.dirname(pytest.__file__)))
    if gather.is_beside(runner, folder):
        return True
    program = process.program_folder()
    project = (os.path.realpath(config.rootpath), os.path.realpath(config.invocation_params.dir))
    apart = not any(program == path or below(program, path) for path in project)
    return bool(program) and apart and (folder == program or below(folder, program))


def _choose(candidates: Iterable[Candidate]) -> Chosen:
    chosen = choose(candidates, gather.machine(os.environ))
    refusal = say.refuse_unsafe(chosen)
    if refusal:
        raise refusal
    return chosen


def _not_under_way() -> list[Loaded]:
    """Return what is loaded and was not made fresh by a run around this one or by `epm run`."""
    before = [Root(path, Origin.PROJECT, (path,)) for path in process.fresh_roots(os.environ)]
    fresh = [*_under_way, *before]
    return [module for module in loaded_modules() if not covering(module.file, fresh)]


def _start_up_stale(module: Loaded) -> bool:
    from pytest_epm.bytecode.examine import stale_cache

    if module.file.endswith(".pyc"):
        return True  # it has no source to be held against
    return bool(module.cached and stale_cache(module.cached, module.file))


def _write_nothing_until_the_end(config: pytest.Config) -> None:
    depth = len(_under_way)
    restore = process.write_nothing_for_now()

    def end() -> None:
        del _under_way[depth:]
        restore()

    config.add_cleanup(end)


def _doubts(config: pytest.Config, kept: Iterable[str], temporary: str) -> list[Doubt]:
    project = os.path.realpath(config.rootpath)

    def foreign(file: str) -> bool:
        folder = os.path.dirname(file)
        made_here = below(file, temporary) and not below(project, temporary)
        return made_here or gather.is_installed(folder) or _is_runners(config, folder)

    def caches(cached: str) -> list[str]:
        return process.caches(cached, pytest.__version__)

    return doubtful(loaded_modules(), os.path.lexists, foreign, caches, frozenset(kept))


def _fail(session: pytest.Session) -> None:
    if session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
