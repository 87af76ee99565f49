"""`epm rule`: the page of a rule of `epm lint`."""

import argparse
from typing import TYPE_CHECKING

from pytest_epm.commands.written import say

if TYPE_CHECKING:
    from pytest_epm.commands.written import Nouns


def add(nouns: "Nouns") -> None:
    """Add the command."""
    text = "explain a rule of epm lint, or list all of them"
    noun = nouns.add_parser("rule", help=text, description=text)
    one = noun.add_mutually_exclusive_group(required=True)
    one.add_argument("rule", nargs="?", metavar="RULE", help="code or name, such as EPM301")
    one.add_argument("--all", action="store_true", help="list every rule")
    noun.set_defaults(command=_rule)


def _rule(arguments: argparse.Namespace) -> int:
    from pytest_epm.specs import pages

    return say("\n".join(pages.listing()) if arguments.all else pages.page(arguments.rule), 0)
