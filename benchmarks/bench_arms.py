"""Real arms on the suite of click: what watching costs, with a plan and without."""

import os
from importlib.metadata import version

from bench_click import CLICK, Suite
from measure import Cost, run, take_turns
from place import Place
from show import Block, Target, costs, ratios

# Watching alone: the import leg has a benchmark of its own.
_NO_LEG = """
from pytest_epm.arms import leg
from pytest_epm.imports.results import Checked

leg.check = lambda asked: Checked(0, 0, 0)
"""
_PLAN = """
## Arms

| arm | computes |
|---|---|
| help | click.utils:_make_default_short_help |
"""
_BINDS = """
def pytest_epm_arms(item):
    return "help" if item.name == "test_auto_shorthelp" else None
"""
_NEW = Target(1.10)
_OLD = Target(2.5)
_UNBOUND = Target(1.03)


def arms(place: Place) -> Block:
    """Run the suite in turns: with fresh bytecode only, watched without a plan, and with one."""
    here = _Watched(place)
    contenders = {
        "epm": here.plain,
        "no plan": here.without_plan,
        "unbound": here.unbound,
        "plan": here.with_plan,
        "whole": here.whole,
    }
    taken = take_turns(place.rounds(9, 1), contenders)
    # Without sys.monitoring a function is traced by a call of ours for each line.
    target = _NEW if place.monitors else _OLD
    return Block(
        "arms: click's own suite",
        [f"click {CLICK}", f"epm {version('pytest-epm')}", f"pytest {version('pytest')}"],
        [
            *costs("-p epm", taken["epm"]),
            *costs("--real-arms without the import leg", taken["no plan"]),
            *costs("--real-arms, whole", taken["whole"]),
            *ratios("watched without a plan / -p epm", taken["no plan"], taken["epm"], cpu=target),
            *ratios("a plan, no test bound / -p epm", taken["unbound"], taken["epm"], cpu=_UNBOUND),
            *ratios("a plan, one test bound / -p epm", taken["plan"], taken["epm"]),
            *ratios("whole / -p epm", taken["whole"], taken["epm"]),
        ],
    )


class _Watched:
    def __init__(self, place: Place) -> None:
        """Take click's suite; write a plan and what binds one test to it."""
        self._suite = Suite(place)
        folder = os.path.join(place.folder, "arms")
        os.makedirs(folder, exist_ok=True)
        self._plan = os.path.join(folder, "plan.md")
        for name, text in (("plan.md", _PLAN), ("epm_bench.py", _NO_LEG), ("binds.py", _BINDS)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        self._folder = folder

    def plain(self) -> Cost:
        """Run with fresh bytecode only."""
        return self._run()

    def without_plan(self) -> Cost:
        """Watch every guard of the project."""
        return self._run("--real-arms", "-p", "epm_bench")

    def with_plan(self) -> Cost:
        """Watch the one test that is bound."""
        words = ("--real-arms", f"--epm-plan={self._plan}", "-p", "epm_bench", "-p", "binds")
        return self._run(*words)

    def unbound(self) -> Cost:
        """Have a plan whose arm no test is bound to: the run is red, and nothing is watched."""
        return self._run("--real-arms", f"--epm-plan={self._plan}", "-p", "epm_bench", good=(1,))

    def whole(self) -> Cost:
        """Watch, and try the deferred imports."""
        return self._run("--real-arms")

    def _run(self, *words: str, good: tuple[int, ...] = (0,)) -> Cost:
        command = [self._suite.python, "-m", "pytest", "-q", "-p", "epm", *words]
        return run(command, self._suite.project, good, path=self._folder)
