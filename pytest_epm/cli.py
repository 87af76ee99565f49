"""The `epm` command: one subparser per noun, each calling one function of a capability."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from pytest_epm.errors import EpmError, Exit
from pytest_epm.report import Report

if TYPE_CHECKING:
    _Nouns = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - has no public name

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
    _add_bytecode(nouns)
    _add_imports(nouns)
    _add_run(nouns)
    return parser


def _add_bytecode(nouns: "_Nouns") -> None:
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


def _add_verb(verbs: "_Nouns", name: str, command: _Command, text: str, paths: str) -> None:
    verb = verbs.add_parser(name, help=text, description=text)
    verb.add_argument("paths", nargs="*", metavar="PATH", help=paths)
    verb.add_argument("--json", action="store_true", help="print one JSON object")
    verb.set_defaults(command=command)


def _add_imports(nouns: "_Nouns") -> None:
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


def _add_run(nouns: "_Nouns") -> None:
    text = "purge, then start a command that writes no bytecode"
    noun = nouns.add_parser(
        "run",
        help=text,
        description=text + "; its exit code is passed on, 125 means not started",
        usage="epm run [-h] -- CMD [ARG ...]",
    )
    noun.add_argument("cmd", nargs=argparse.REMAINDER, metavar="-- CMD", help="the command")
    noun.set_defaults(command=_run, refused=Exit.REFUSED)


def _purge(arguments: argparse.Namespace) -> int:
    from pytest_epm import bytecode

    return _write(bytecode.purge(arguments.paths), as_json=arguments.json)


def _audit(arguments: argparse.Namespace) -> int:
    from pytest_epm import bytecode

    report = bytecode.audit(arguments.paths, _progress("cached files compared"))
    return _write(report, as_json=arguments.json)


def _tracked(arguments: argparse.Namespace) -> int:
    from pytest_epm.bytecode.tracked import tracked_report

    return _write(tracked_report(os.getcwd(), arguments.paths), as_json=arguments.json)


def _imports_check(arguments: argparse.Namespace) -> int:
    from pytest_epm import imports

    report = imports.check_report(arguments.files, base=arguments.base, seconds=arguments.timeout)
    return _write(report, as_json=arguments.json)


def _run(arguments: argparse.Namespace) -> int:
    from pytest_epm import bytecode, child

    words = arguments.cmd[1:] if arguments.cmd[:1] == ["--"] else arguments.cmd
    if not words:
        raise EpmError("no command was given", next_step="epm run -- CMD [ARG ...]")
    report, environment = bytecode.prepared(os.environ)
    if report.exit_code:
        _write(report, as_json=False, stream=sys.stderr)
        return Exit.REFUSED
    if sys.stderr.isatty():
        print(f"epm: fresh bytecode: {report.headline}", file=sys.stderr)
    return child.replace_process(words, environment)


def _write(report: Report, *, as_json: bool, stream: TextIO | None = None) -> int:
    stream = stream or sys.stdout
    try:
        print(_text(report, as_json=as_json), file=stream, flush=True)
    except OSError as error:
        # The interpreter would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):  # else the reader has gone, and knows it
            print(f"epm: the report cannot be written: {error.strerror}", file=sys.stderr)
            return report.exit_code or Exit.USAGE
    return report.exit_code


def _is_here() -> bool:
    try:
        return os.path.isdir(os.getcwd())
    except FileNotFoundError:
        return False


def _text(report: Report, *, as_json: bool) -> str:
    if as_json:
        from pytest_epm.reports.json import to_json

        return to_json(report)
    from pytest_epm.reports.text import to_lines

    return "\n".join(to_lines(report))


def _progress(what: str) -> Callable[[int], None] | None:
    """Return a counter that rewrites one line of a terminal, or None where there is none."""
    if not sys.stderr.isatty():
        return None

    def show(number: int) -> None:
        if number % 50 == 0:
            print(f"\r{number} {what}\r", end="", file=sys.stderr, flush=True)

    return show


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
