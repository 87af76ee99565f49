"""Children that answer line by line."""

import os
import sys
import time
from pathlib import Path

import pytest

from pytest_epm.child import Ended, answers
from pytest_epm.errors import EpmError


def asked(
    code: str, tmp_path: Path, request: bytes = b"", silence: float = 20
) -> tuple[list[bytes], Ended]:
    said = answers([sys.executable, "-c", code], os.environ, str(tmp_path), request, silence)
    lines = []
    while True:
        try:
            lines.append(next(said))
        except StopIteration as stop:
            ended: Ended = stop.value
            return lines, ended


def test_lines_and_the_end(tmp_path: Path) -> None:
    code = "import sys; print(sys.stdin.read()); print(2); print('oh', file=sys.stderr); exit(3)"
    lines, ended = asked(code, tmp_path, b"1")
    assert lines == [b"1\n", b"2\n"]
    assert ended == Ended(3, silent=False, words="oh\n")


def test_a_request_larger_than_a_pipe_holds(tmp_path: Path) -> None:
    code = "print('x' * 200000, flush=True); import sys; print(len(sys.stdin.read()))"
    lines, ended = asked(code, tmp_path, b"y" * 300_000)
    assert lines[1] == b"300000\n"
    assert ended.code == 0


def test_one_that_does_not_read_its_request(tmp_path: Path) -> None:
    lines, ended = asked("print(1)", tmp_path, b"y" * 300_000)
    assert (lines, ended.code) == ([b"1\n"], 0)


def test_a_signal_is_a_negative_code(tmp_path: Path) -> None:
    _, ended = asked("import os; os.kill(os.getpid(), 9)", tmp_path)
    assert ended.code == -9


def test_silence_is_an_end(tmp_path: Path) -> None:
    lines, ended = asked("import time; print(1, flush=True); time.sleep(60)", tmp_path, silence=1.5)
    assert (lines, ended.silent) == ([b"1\n"], True)


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', "
        "'import time; time.sleep(60)']); print(child.pid)"
    )
    begun = time.monotonic()
    lines, _ = asked(code, tmp_path)
    assert time.monotonic() - begun < 15, "the grandchild holds the pipe open and is not waited for"
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        stat = Path(f"/proc/{int(lines[0])}/stat")
        if not stat.exists() or stat.read_text().split()[2] == "Z":
            return
        time.sleep(0.1)
    pytest.fail("it is still there")


def test_one_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(EpmError, match="cannot be started"):
        next(answers([str(tmp_path / "none")], {}, str(tmp_path), b"", 1))
