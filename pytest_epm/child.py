"""Start a command in place of this process: signals and exit code are then its own."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from pytest_epm.errors import Exit


def replace_process(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Become `command`; return only where that failed, or on a system that cannot do it.

    Returns 127 if the command is not found and 126 if it cannot be run, as shells do.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        if os.name == "posix":
            os.execvpe(command[0], list(command), dict(environ))  # noqa: S606 - a list, no shell
        # Elsewhere exec returns to the shell before the command is done.
        return subprocess.run(list(command), env=dict(environ), check=False).returncode
    except (FileNotFoundError, NotADirectoryError):
        problem, code = "command not found", Exit.NOT_FOUND
    except (OSError, ValueError) as error:
        problem, code = f"cannot be run: {error}", Exit.CANNOT_RUN
    print(f"epm: {command[0]}: {problem}", file=sys.stderr)
    return code
