"""`epm imports`: try the imports that the project makes late."""

import argparse
from typing import TYPE_CHECKING

from pytest_epm.commands.written import write

if TYPE_CHECKING:
    from pytest_epm.commands.written import Nouns


def add(nouns: "Nouns") -> None:
    """Add the noun and its verb."""
    text = "import for real what the project imports late, and check the calls by it"
    verbs = nouns.add_parser("imports", help=text, description=text).add_subparsers(
        metavar="ACTION", required=True
    )
    text = "execute every deferred import in a fresh child; exit 1 if one is broken"
    files = "file or folder to check (default: all Python files of the project)"
    verb = verbs.add_parser("check", help=text, description=text)
    verb.add_argument("files", nargs="*", metavar="FILE", help=files)
    verb.add_argument(
        "--base",
        default="",
        metavar="REF",
        help="judge only files that changed since the merge base with REF, list the rest",
    )
    verb.add_argument(
        "--timeout",
        type=_seconds,
        default=60.0,
        metavar="SECONDS",
        help="how long one import may take (default: 60)",
    )
    verb.add_argument("--json", action="store_true", help="print one JSON object")
    verb.set_defaults(command=_imports_check)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value


def _imports_check(arguments: argparse.Namespace) -> int:
    from pytest_epm import imports

    report = imports.check_report(arguments.files, base=arguments.base, seconds=arguments.timeout)
    return write(report, as_json=arguments.json)
