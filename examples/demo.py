"""Build the incidents for real and show what a plain gate sees, and what ours sees.

Needs nothing but an interpreter with pytest-epm installed: `python examples/demo.py`.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).parent
# Settings of the machine around us that would hide the incident.
HIDE = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTEST_ADDOPTS", "PYTEST_PLUGINS")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in HIDE}
TERMINAL = sys.stdout.isatty() and "NO_COLOR" not in os.environ
# The last line, what an assertion found, a row of an arm, a fault at its place, the verdict.
TELLING = re.compile(
    r"E  |\d+ (passed|failed)|  \w+ +(REAL|FALLBACK)|  \w+\.py:\d+: |PASS_|FAIL\b"
    r"|\S+\.md:\d|\d+ file"  # a finding of lint, and its last line
)
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
    return run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)


def run(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """Run the interpreter; return its exit code, and the lines of its output worth reading."""
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    telling = [line for line in done.stdout.splitlines() if TELLING.match(line)]
    return done.returncode, telling


def show(title: str, words: str, code: int, lines: list[str]) -> None:
    """Print one run: what was called, what it said, what a gate makes of it."""
    verdict = paint("gate GREEN", GREEN) if code == 0 else paint("gate RED", RED)
    print(f"\n{paint(title, BOLD)}\n   $ {words}")
    for line in lines:
        print(f"   {line}")
    print(f"   {verdict} (exit {code})")


def stale_bytecode(folder: Path) -> bool:
    """Tell the first story; return whether it went as told."""
    shutil.copytree(EXAMPLES / "stale_bytecode", folder, dirs_exist_ok=True)
    print(paint("Stale bytecode: a test that passes on code that is gone", BOLD))
    print("   pricing.py says DISCOUNT = 10, and a test relies on it. Someone runs it, and")
    print("   within the same second an edit makes it DISCOUNT = 90: same time, same size.")
    edit_within_a_second(folder / "pricing.py", "= 10", "= 90")
    plain = gate(folder)
    show("Plain pytest runs the old bytecode", "pytest", *plain)
    ours = gate(folder, "-p", "epm")
    show("pytest -p epm removes it first and runs the file as it is", "pytest -p epm", *ours)
    return (plain[0], ours[0]) == (0, 1)


def mock_only_smoke(folder: Path) -> bool:
    """Tell the second story; return whether it went as told."""
    shutil.copytree(EXAMPLES / "mock_only_smoke", folder, dirs_exist_ok=True)
    words = ("--real-arms", "--epm-plan", "plan.md")
    spoken = f"pytest {' '.join(words)}"
    print(f"\n\n{paint('Real arms: a smoke run that ran mocks and stubs', BOLD)}")
    print("   The plan names three arms. The test of one takes its mock branch, behind which an")
    print("   import names a class that does not exist; another arm is a stub.")
    plain = gate(folder / "red")
    show("Plain pytest is content", "pytest", *plain)
    ours = gate(folder / "red", *words)
    show("With --real-arms each arm gets a row by what really ran", spoken, *ours)
    mended = gate(folder / "green", *words)
    show("The same, mended", spoken, *mended)
    return (plain[0], ours[0], mended[0]) == (0, 1, 0)


def trimmed_spec(folder: Path) -> bool:
    """Tell the third story; return whether it went as told."""
    shutil.copytree(EXAMPLES / "trimmed_spec", folder, dirs_exist_ok=True)
    print(f"\n\n{paint('Lint of agent specs: a spec that was trimmed', BOLD)}")
    print("   An agent must enumerate every prefix and report one of three verdicts. A trim made")
    print("   its spec shorter; no test runs on such a file.")
    red = run(folder / "red", "-m", "pytest_epm.cli", "lint")
    show("epm lint names what was lost, and where", "epm lint", *red)
    green = run(folder / "green", "-m", "pytest_epm.cli", "lint")
    show("The same, mended", "epm lint", *green)
    return (red[0], green[0]) == (1, 0)


def main() -> int:
    """Tell the stories; return 0 if they went as told."""
    folder = Path(tempfile.mkdtemp(prefix="epm-demo-"))
    try:
        told = [story(folder / story.__name__) for story in STORIES]
    finally:
        shutil.rmtree(folder)
    return 0 if all(told) else 1


STORIES = (stale_bytecode, mock_only_smoke, trimmed_spec)

if __name__ == "__main__":
    raise SystemExit(main())
