"""Start a process and keep what it said."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# What the machine around us may have set and a test must not inherit.
_LEAKS = (
    "EPM_BYTECODE",
    "PYTEST_ADDOPTS",
    "PYTEST_CURRENT_TEST",
    "PYTEST_DEBUG_TEMPROOT",
    "PYTEST_PLUGINS",
    "PYTEST_XDIST_TESTRUNUID",
    "PYTEST_XDIST_WORKER",
    "PYTEST_XDIST_WORKER_COUNT",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONOPTIMIZE",
    "PYTHONPATH",
    "PYTHONPYCACHEPREFIX",
    "SOURCE_DATE_EPOCH",
)


@dataclass(frozen=True)
class Done:
    """A finished process."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Both streams, for a look at whatever was said."""
        return self.out + self.err


def clean_environment(**more: str) -> dict[str, str]:
    """Return this process's environment without what would change a test's outcome."""
    kept = {name: value for name, value in os.environ.items() if name not in _LEAKS}
    return {**kept, **more}


def run(
    command: Sequence[str], cwd: Path, env: Mapping[str, str] | None = None, timeout: float = 120
) -> Done:
    """Run a command to its end."""
    done = subprocess.run(
        list(command),
        cwd=cwd,
        env=dict(clean_environment() if env is None else env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=timeout,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def python(*arguments: str, cwd: Path, **env: str) -> Done:
    """Run the interpreter that runs the tests."""
    return run([sys.executable, *arguments], cwd, clean_environment(**env))
