"""`epm init`: a first configuration for the repository at hand."""

import argparse
import os
from typing import TYPE_CHECKING

from pytest_epm.commands.written import say

if TYPE_CHECKING:
    from pytest_epm.commands.written import Nouns


def add(nouns: "Nouns") -> None:
    """Add the command."""
    text = "write a commented starting configuration of epm lint for this repository"
    noun = nouns.add_parser("init", help=text, description=text)
    noun.add_argument("--print", action="store_true", help="print it, and write nothing")
    noun.set_defaults(command=_init)


def _init(arguments: argparse.Namespace) -> int:
    from pytest_epm.specs import keep

    return say(keep.begin(os.getcwd(), only_print=arguments.print), 0)
