"""The `epm` command: parses, calls the command of a noun, and turns what went wrong into a code."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from pytest_epm.commands import bytecode, imports, init, lint, rule, run
from pytest_epm.errors import EpmError, Exit

_Command = Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; an unexpected error is 70 and leaves a log."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - till the end
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):  # a name may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    arguments = _parser().parse_args(argv)
    command: _Command = arguments.command
    try:
        return command(arguments)
    except EpmError as error:
        print(f"epm: {error}", file=sys.stderr)
        return arguments.refused or error.exit_code
    except FileNotFoundError:
        if _is_here():
            return _bug()
        print("epm: the current folder is gone\n  next: cd to one that exists", file=sys.stderr)
        return arguments.refused or Exit.USAGE
    except KeyboardInterrupt:
        print("epm: interrupted", file=sys.stderr)
        return Exit.INTERRUPTED
    except Exception:  # noqa: BLE001 - the last resort: a log and a code instead of a traceback
        return _bug()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="epm", description="A green gate that means what it says."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    parser.set_defaults(refused=0)
    nouns = parser.add_subparsers(metavar="COMMAND", required=True)
    for noun in (bytecode, imports, init, lint, rule, run):
        noun.add(nouns)
    return parser


def _is_here() -> bool:
    try:
        return os.path.isdir(os.getcwd())
    except FileNotFoundError:
        return False


class _Version(argparse.Action):
    """Look the version up when it is asked for: that costs more than a whole purge."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,  # noqa: ARG002 - the signature is argparse's
        values: object,  # noqa: ARG002 - the same
        option_string: str | None = None,  # noqa: ARG002 - the same
    ) -> None:
        print(f"epm {_version()}")
        parser.exit()


def _version() -> str:
    from importlib.metadata import version

    return version("pytest-epm")


def _bug() -> int:
    """Keep the traceback in a file of its own and say where it is."""
    import platform
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="epm-", suffix=".log", delete=False, encoding="utf-8", errors="backslashreplace"
    ) as log:
        print(f"epm {_version()}, Python {sys.version}, {platform.platform()}", file=log)
        print(f"command: {sys.argv!r}", file=log)
        traceback.print_exc(file=log)
    print(
        f"epm: this is a bug of ours, nothing is known about your project\n"
        f"  next: report it with the log {log.name}",
        file=sys.stderr,
    )
    return Exit.BUG


if __name__ == "__main__":
    raise SystemExit(main())
