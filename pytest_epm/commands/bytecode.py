"""`epm bytecode`: find or remove cached bytecode."""

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_epm.commands.written import progress, write

if TYPE_CHECKING:
    from pytest_epm.commands.written import Nouns

Command = Callable[[argparse.Namespace], int]


def add(nouns: "Nouns") -> None:
    """Add the noun and its verbs."""
    text = "find or remove cached bytecode that may not be its source's"
    verbs = nouns.add_parser("bytecode", help=text, description=text).add_subparsers(
        metavar="ACTION", required=True
    )
    folders = (
        "folder to look below (default: the project around the current folder, its import "
        "path and its editable installs)"
    )
    text = "remove cached bytecode, and folders that hold nothing else"
    _add_verb(verbs, "purge", _purge, text, folders)
    text = (
        "name cached files that would be imported though they differ from their source; "
        "removes nothing; exit 1 if there are any"
    )
    _add_verb(verbs, "audit", _audit, text, folders)
    text = "name bytecode that git tracks; exit 1 if there is any"
    _add_verb(verbs, "tracked", _tracked, text, "file to judge (default: all that git tracks)")


def _add_verb(verbs: "Nouns", name: str, command: Command, text: str, paths: str) -> None:
    verb = verbs.add_parser(name, help=text, description=text)
    verb.add_argument("paths", nargs="*", metavar="PATH", help=paths)
    verb.add_argument("--json", action="store_true", help="print one JSON object")
    verb.set_defaults(command=command)


def _purge(arguments: argparse.Namespace) -> int:
    from pytest_epm import bytecode

    return write(bytecode.purge(arguments.paths), as_json=arguments.json)


def _audit(arguments: argparse.Namespace) -> int:
    from pytest_epm import bytecode

    report = bytecode.audit(arguments.paths, progress("cached files compared"))
    return write(report, as_json=arguments.json)


def _tracked(arguments: argparse.Namespace) -> int:
    from pytest_epm.bytecode.tracked import tracked_report

    return write(tracked_report(os.getcwd(), arguments.paths), as_json=arguments.json)
