"""What a benchmark found, and how it is printed."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from measure import Cost


class Target(NamedTuple):
    """What the median is held against."""

    bound: float
    at_least: bool = False

    def __str__(self) -> str:
        """Return it as `<= 1.5` or `>= 10`."""
        return f"{'>=' if self.at_least else '<='} {self.bound:g}"

    def reached(self, value: float) -> bool:
        """Whether a value is good enough."""
        return value >= self.bound if self.at_least else value <= self.bound


class Row(NamedTuple):
    """One figure, measured several times."""

    label: str
    values: Sequence[float]
    target: Target | None = None
    digits: int = 3


@dataclass(slots=True)
class Block:
    """What one benchmark found."""

    title: str
    versions: Sequence[str] = ()
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def costs(name: str, taken: Sequence[Cost]) -> list[Row]:
    """Return the seconds of one contender."""
    return [
        Row(f"{name}, wall s", [cost.wall for cost in taken]),
        Row(f"{name}, CPU s", [cost.cpu for cost in taken]),
    ]


def ratios(
    label: str,
    over: Sequence[Cost],
    under: Sequence[Cost],
    wall: Target | None = None,
    cpu: Target | None = None,
) -> list[Row]:
    """Return the ratios of two contenders, pair by pair."""
    pairs = list(zip(over, under, strict=True))
    return [
        Row(f"{label}, wall", [a.wall / b.wall for a, b in pairs], wall, 2),
        Row(f"{label}, CPU", [a.cpu / b.cpu for a, b in pairs], cpu, 2),
    ]


def to_text(block: Block) -> str:
    """Return the block with its columns aligned."""
    lines = [block.title]
    if block.versions:
        lines.append("  " + ", ".join(block.versions))
    width = max((len(row.label) for row in block.rows), default=0)
    lines += [f"  {row.label:<{width}}  {_figures(row)}".rstrip() for row in block.rows]
    lines += [f"  {note}" for note in block.notes]
    return "\n".join(lines)


def _figures(row: Row) -> str:
    median = statistics.median(row.values)
    number, spread = len(row.values), ""
    if number > 1:
        low, high = (f"{value:.{row.digits}f}" for value in (min(row.values), max(row.values)))
        spread = f"{low} - {high}"
    text = f"{median:9.{row.digits}f}  {spread:<17} n={number:<3}"
    if row.target is None:
        return text
    return f"{text} {row.target!s:<8} {'reached' if row.target.reached(median) else 'MISSED'}"
