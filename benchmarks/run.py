"""Time epm side by side with its peers: `python benchmarks/run.py [--quick] [NAME ...]`."""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable

from bench_arms import arms
from bench_click import click
from bench_imports import imports
from bench_lint import lint
from bench_load import load
from bench_purge import purge
from bench_tree import tree
from bench_walk import walk
from measure import FaultError, NotRunError, progress
from place import Place
from show import Block, to_text

_BENCHMARKS: dict[str, Callable[[Place], Block]] = {
    "tree": tree,
    "purge": purge,
    "walk": walk,
    "load": load,
    "click": click,
    "arms": arms,
    "imports": imports,
    "lint": lint,
}


def main() -> int:
    """Run what was named, or all; a target that is missed is no failure."""
    parser = argparse.ArgumentParser(description="Time epm side by side with its peers.")
    parser.add_argument("--quick", action="store_true", help="measure a few times only")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"any of {', '.join(_BENCHMARKS)}; default: all"
    )
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(_BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    print(_machine())
    print("columns: median, min - max, number of values, target", end="")
    print("; quick, so rough" if arguments.quick else "", flush=True)
    faults = 0
    with tempfile.TemporaryDirectory(prefix="epm-bench-") as folder:
        place = Place(os.path.realpath(folder), quick=arguments.quick)
        for name, benchmark in _BENCHMARKS.items():
            if name in arguments.names or not arguments.names:
                faults += _print(name, benchmark, place)
    return min(faults, 1)


def _print(name: str, benchmark: Callable[[Place], Block], place: Place) -> int:
    """Print what a benchmark found; return 1 for a fault of ours."""
    fault = 0
    try:
        text = to_text(benchmark(place))
    except NotRunError as absent:
        text = f"{name}: not run\n  {absent}"
    except FaultError as error:
        text, fault = f"{name}: fault\n  {error}", 1
    progress("")
    print(f"\n{text}", flush=True)
    return fault


def _machine() -> str:
    system = f"{platform.system()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    return f"Python {platform.python_version()}, {system}"


if __name__ == "__main__":
    sys.exit(main())
