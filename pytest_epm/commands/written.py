"""Writes what a command has to say: the report as text or JSON, progress on a terminal."""

import argparse
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from pytest_epm.errors import Exit
from pytest_epm.report import Report

if TYPE_CHECKING:
    Nouns = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - has no public name


def write(report: Report, *, as_json: bool, stream: TextIO | None = None) -> int:
    """Write a report; return its exit code, or usage where it cannot be written."""
    return say(_text(report, as_json=as_json), report.exit_code, stream)


def say(text: str, exit_code: int, stream: TextIO | None = None) -> int:
    """Write a text; return the exit code, or usage where it cannot be written."""
    stream = stream or sys.stdout
    try:
        print(text, file=stream, flush=True)
    except OSError as error:
        # The interpreter would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):  # else the reader has gone, and knows it
            print(f"epm: the report cannot be written: {error.strerror}", file=sys.stderr)
            return exit_code or Exit.USAGE
    return exit_code


def progress(what: str) -> Callable[[int], None] | None:
    """Return a counter that rewrites one line of a terminal, or None where there is none."""
    if not sys.stderr.isatty():
        return None

    def show(number: int) -> None:
        if number % 50 == 0:
            print(f"\r{number} {what}\r", end="", file=sys.stderr, flush=True)

    return show


def _text(report: Report, *, as_json: bool) -> str:
    if as_json:
        from pytest_epm.reports.json import to_json

        return to_json(report)
    from pytest_epm.reports.text import to_lines

    return "\n".join(to_lines(report))
