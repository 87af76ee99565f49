"""`epm lint`: agent specs and skill docs, held against their vocabulary, duties and forms."""

import argparse
import json
import os
from typing import TYPE_CHECKING

from pytest_epm.commands.written import say

if TYPE_CHECKING:
    from pytest_epm.commands.written import Nouns
    from pytest_epm.report import Report
    from pytest_epm.specs.lint import Outcome

FORMATS = ("text", "json", "sarif", "github")


def add(nouns: "Nouns") -> None:
    """Add the command."""
    text = "lint agent specs and skill docs; exit 1 if anything is found"
    noun = nouns.add_parser("lint", help=text, description=text)
    noun.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="file or folder to which rules that look at one file are narrowed "
        "(default: all specs of the repository)",
    )
    noun.add_argument(
        "--config",
        default="",
        metavar="FILE",
        help="read the settings from this file, whose top level is the table [tool.epm.lint]",
    )
    noun.add_argument(
        "--output-format", choices=FORMATS, default="text", help="how to write (default: text)"
    )
    noun.add_argument("--exit-zero", action="store_true", help="exit 0 whatever is found")
    noun.add_argument(
        "--fail-on",
        choices=("warning", "error"),
        default="warning",
        help="exit 1 on errors alone, or on warnings too (default: warning)",
    )
    noun.add_argument("--statistics", action="store_true", help="count findings by their rules")
    _add_writing(noun)
    noun.set_defaults(command=_lint)


def _add_writing(noun: argparse.ArgumentParser) -> None:
    noun.add_argument(
        "--update-ratchet",
        action="store_true",
        help="write the sizes that files are held at to the settings file; they only come down",
    )
    noun.add_argument(
        "--write-baseline",
        default="",
        metavar="FILE",
        help="write all findings into a new file of accepted ones, for the reasons to be filled in",
    )
    noun.add_argument("--show-config", action="store_true", help="print the settings and exit")


def _lint(arguments: argparse.Namespace) -> int:
    import gc

    # Documents are trees without cycles: looking for some would take a third of the time.
    gc.disable()
    try:
        return _done(arguments)
    finally:
        gc.enable()


def _done(arguments: argparse.Namespace) -> int:
    from pytest_epm.specs import lint

    if arguments.show_config:
        return say(_settings(arguments.config), 0)
    if arguments.update_ratchet:
        return say(_ratchet(arguments.config), 0)
    outcome = lint.lint(os.getcwd(), arguments.paths, arguments.config)
    if arguments.write_baseline:
        return say(_baseline(arguments.write_baseline, outcome), 0)
    report = lint.report(outcome, statistics=arguments.statistics, fail_on=arguments.fail_on)
    code = 0 if arguments.exit_zero else report.exit_code
    return say(_text(arguments, outcome, report), code)


def _settings(config: str) -> str:
    from pytest_epm.specs.lint import settings_at
    from pytest_epm.specs.show import as_text

    return as_text(settings_at(os.getcwd(), config))


def _ratchet(config: str) -> str:
    from pytest_epm.specs import keep

    return "\n".join(keep.update_ratchet(os.getcwd(), config))


def _baseline(name: str, outcome: "Outcome") -> str:
    from pytest_epm.specs import keep

    return keep.write_baseline(name, outcome)


def _text(arguments: argparse.Namespace, outcome: "Outcome", report: "Report") -> str:
    from pytest_epm.specs import lint

    chosen = arguments.output_format
    if chosen == "json":
        return json.dumps(lint.as_data(outcome), indent=2)
    if chosen == "text":
        from pytest_epm.reports.text import to_lines

        return "\n".join(to_lines(report))
    if chosen == "github":
        from pytest_epm.reports.github import to_github

        return to_github(report)
    from importlib.metadata import version

    from pytest_epm.reports.sarif import to_sarif

    rules = [rule.described for rule in outcome.rules]
    return to_sarif(report, rules, version("pytest-epm"))
