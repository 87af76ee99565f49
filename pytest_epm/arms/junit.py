"""Gives the verdict and the rows to pytest's junit file, as properties of the suite."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pytest_epm.report import Report


def tell(plugins: Iterable[Any], report: Report) -> None:
    """Add the properties to whichever plugin writes junit, and have it write once more.

    It has written its file by now, as the verdict stands only when everything else is over.
    """
    for plugin in plugins:
        if hasattr(plugin, "add_global_property") and hasattr(plugin, "pytest_sessionfinish"):
            for name, value in properties(report):
                plugin.add_global_property(name, value)
            plugin.pytest_sessionfinish()


def properties(report: Report) -> Iterator[tuple[str, str]]:
    """Yield name and value: the verdict, then each arm and each phase."""
    data: Mapping[str, Any] = report.data
    yield "epm.verdict", " ".join(filter(None, (data["verdict"], data["detail"])))
    for name, arm in data["arms"].items():
        yield (
            f"epm.arm.{name}",
            " - ".join(filter(None, (arm["status"], ", ".join(arm["reasons"])))),
        )
    for name, phase in data["phases"].items():
        yield f"epm.phase.{name}", "executed" if phase["executed"] else "not executed"
