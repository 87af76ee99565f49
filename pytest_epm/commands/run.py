"""`epm run`: any command, with fresh bytecode."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from pytest_epm.commands.written import write
from pytest_epm.errors import EpmError, Exit

if TYPE_CHECKING:
    from pytest_epm.commands.written import Nouns


def add(nouns: "Nouns") -> None:
    """Add the command."""
    text = "purge, then start a command that writes no bytecode"
    noun = nouns.add_parser(
        "run",
        help=text,
        description=text + "; its exit code is passed on, 125 means not started",
        usage="epm run [-h] -- CMD [ARG ...]",
    )
    noun.add_argument("cmd", nargs=argparse.REMAINDER, metavar="-- CMD", help="the command")
    noun.set_defaults(command=_run, refused=Exit.REFUSED)


def _run(arguments: argparse.Namespace) -> int:
    from pytest_epm import bytecode, child

    words = arguments.cmd[1:] if arguments.cmd[:1] == ["--"] else arguments.cmd
    if not words:
        raise EpmError("no command was given", next_step="epm run -- CMD [ARG ...]")
    report, environment = bytecode.prepared(os.environ)
    if report.exit_code:
        write(report, as_json=False, stream=sys.stderr)
        return Exit.REFUSED
    if sys.stderr.isatty():
        print(f"epm: fresh bytecode: {report.headline}", file=sys.stderr)
    return child.replace_process(words, environment)
