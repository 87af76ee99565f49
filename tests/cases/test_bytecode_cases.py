"""Every case folder's script, run with `python -m pytest -p epm` as its command.

EPM_CASES=DIR points at another set of the same shape. A script ends with 0 where the run
saw fresh code, 1 where it saw stale code, 2 where it was refused, 77 where it cannot tell.
"""

import ast
import os
import re
import sys
from pathlib import Path

import pytest

from epm_testing import run

CASES = Path(os.environ.get("EPM_CASES", Path(__file__).parent)) / "bytecode"
SCRIPTS = sorted(CASES.glob("*.py"))
FRESH, REFUSED, SKIP = 0, 2, 77


def refusal_is_honest(script: Path, output: str) -> bool:
    """Whether the case says so: in what it prints, or in its docstring less the usage lines."""
    docstring = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    told = docstring.partition("Usage:")[0]
    return bool(
        re.search(r"\brefus|imported before", told, re.IGNORECASE)
        or re.search(r"refusal is the honest answer", output, re.IGNORECASE)
    )


@pytest.mark.skipif(not SCRIPTS, reason=f"no bytecode cases in {CASES}")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_fresh_or_honestly_refused(script: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(script), sys.executable, "-m", "pytest", "-p", "epm"]
    done = run(command, tmp_path)
    if done.code == SKIP:
        pytest.skip(done.out.strip())
    if done.code == REFUSED:
        assert refusal_is_honest(script, done.out), done.said
    else:
        assert done.code == FRESH, done.said


@pytest.mark.parametrize("script", SCRIPTS[:1], ids=lambda script: script.stem)
def test_the_driver_can_fail(script: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(script), sys.executable, "-m", "pytest", "-p", "no:epm"]
    done = run(command, tmp_path)
    assert done.code not in (FRESH, REFUSED)
