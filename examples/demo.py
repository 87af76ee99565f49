"""Build the incident for real and show what a plain gate sees, and what ours sees.

Needs nothing but an interpreter with pytest-epm installed: `python examples/demo.py`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).parent / "stale_bytecode"
# Settings of the machine around us that would hide the incident.
HIDE = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTEST_ADDOPTS", "PYTEST_PLUGINS")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in HIDE}
TERMINAL = sys.stdout.isatty() and "NO_COLOR" not in os.environ
GREEN, RED, BOLD = "32", "31", "1"


def paint(text: str, colour: str) -> str:
    """Colour a text where there is a terminal."""
    return f"\033[{colour}m{text}\033[0m" if TERMINAL else text


def edit_within_a_second(source: Path, old: str, new: str) -> None:
    """Import `source`, then change it so fast that its cached bytecode still validates."""
    text = source.read_text(encoding="utf-8")
    for _ in range(20):
        time.sleep(1.02 - time.time() % 1)  # a fresh second
        source.write_text(text, encoding="utf-8")
        second = int(source.stat().st_mtime)
        command = [sys.executable, "-c", f"import {source.stem}"]
        subprocess.run(command, cwd=source.parent, env=ENVIRONMENT, check=True)
        source.write_text(text.replace(old, new), encoding="utf-8")
        if int(source.stat().st_mtime) == second:
            return
    raise SystemExit("this machine is too slow to import a module within one second; try again")


def gate(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """Run pytest as a gate would; return its exit code and the lines worth reading."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    telling = [line for line in done.stdout.splitlines() if line.startswith(("E  ", "1 "))]
    return done.returncode, telling


def show(title: str, words: str, code: int, lines: list[str]) -> None:
    """Print one run: what was called, what it said, what a gate makes of it."""
    verdict = paint("gate GREEN", GREEN) if code == 0 else paint("gate RED", RED)
    print(f"\n{paint(title, BOLD)}\n   $ {words}")
    for line in lines:
        print(f"   {line}")
    print(f"   {verdict} (exit {code})")


def main() -> int:
    """Tell the story; return 0 if it went as told."""
    folder = Path(tempfile.mkdtemp(prefix="epm-demo-"))
    try:
        for name in ("pricing.py", "test_pricing.py"):
            shutil.copy(EXAMPLE / name, folder / name)
        print(paint("Stale bytecode: a test that passes on code that is gone", BOLD))
        print("   pricing.py says DISCOUNT = 10, and a test relies on it. Someone runs it, and")
        print("   within the same second an edit makes it DISCOUNT = 90: same time, same size.")
        edit_within_a_second(folder / "pricing.py", "= 10", "= 90")
        plain = gate(folder)
        show("Plain pytest runs the old bytecode", "pytest", *plain)
        ours = gate(folder, "-p", "epm")
        show("pytest -p epm removes it first and runs the file as it is", "pytest -p epm", *ours)
    finally:
        shutil.rmtree(folder)
    return 0 if (plain[0], ours[0]) == (0, 1) else 1


if __name__ == "__main__":
    raise SystemExit(main())
