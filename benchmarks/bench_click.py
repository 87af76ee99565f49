"""The suite of click: a run with fresh bytecode against a plain one that finds its own."""

import os
from importlib.metadata import version

from measure import Cost, FaultError, progress, run, take_turns
from place import Place, install
from show import Block, Target, costs, ratios

CLICK = "8.5.1"
_TARGET = Target(1.25)


def click(place: Place) -> Block:
    """Run the suite in turns; what epm adds is mostly what any fresh run compiles anew."""
    suite = Suite(place)
    contenders = {"epm": suite.fresh, "plain": suite.plain, "by hand": suite.by_hand}
    taken = take_turns(place.rounds(5, 1), contenders)
    return Block(
        f"click: its own suite, {len(suite.cached)} cached files",
        [f"click {CLICK}", f"epm {version('pytest-epm')}", f"pytest {version('pytest')}"],
        [
            *costs("-p epm", taken["epm"]),
            *costs("plain, warm", taken["plain"]),
            *costs("purged by hand, -B", taken["by hand"]),
            *ratios("epm / plain", taken["epm"], taken["plain"], _TARGET, _TARGET),
            *ratios("epm / by hand", taken["epm"], taken["by hand"]),
        ],
    )


class Suite:
    """click as its own sdist has it, installed in editable mode."""

    def __init__(self, place: Place) -> None:
        """Unpack and install click, and run its suite once to have its bytecode."""
        self.project = place.sdist("click", CLICK)
        install(place.scripts, "--editable", self.project)
        self.python = os.path.join(place.scripts, "python")
        self._pytest = ["-m", "pytest", "-q", "-p"]
        progress("click: first run")
        run([self.python, *self._pytest, "no:epm"], self.project)
        self.cached = {path: _read(path) for path in _bytecode(self.project)}
        if not self.cached:
            raise FaultError("a plain run left no bytecode, so the next would not be warm")

    def fresh(self) -> Cost:
        """Run with epm, which has bytecode to remove and leaves none."""
        self._warm()
        cost = run([self.python, *self._pytest, "epm"], self.project)
        if _bytecode(self.project):
            raise FaultError("a run with -p epm left bytecode")
        return cost

    def plain(self) -> Cost:
        """Run without epm, and see that the bytecode was good: none was written anew."""
        self._warm()
        before = _bytecode(self.project)
        cost = run([self.python, *self._pytest, "no:epm"], self.project)
        if _bytecode(self.project) != before:
            raise FaultError("a plain run wrote bytecode, so it was not warm")
        return cost

    def by_hand(self) -> Cost:
        """Run without epm where all bytecode was removed before the clock runs."""
        for path in _bytecode(self.project):
            os.unlink(path)
        return run([self.python, "-B", *self._pytest, "no:epm"], self.project)

    def _warm(self) -> None:
        for path, content in self.cached.items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)


def _bytecode(folder: str) -> dict[str, int]:
    """Return every cached file and when it was written."""
    paths = (
        os.path.join(above, name)
        for above, _, names in os.walk(folder)
        for name in names
        if name.endswith(".pyc")
    )
    return {path: os.stat(path).st_mtime_ns for path in paths}


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
