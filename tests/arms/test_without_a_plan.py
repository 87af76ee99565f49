"""Without a plan: mock-only branches of the whole session."""

import json
import sys
from typing import Any

import pytest

from epm_testing import Project

BOTH = """
def real(x): return x + 1
def fake(x): return 0
def ask(x, mock=False):
    return fake(x) if mock else real(x)
def block(x, dry_run=False):
    if dry_run:
        return fake(x)
    y = real(x)
    return y
"""


def report(project: Project, *arguments: str) -> dict[str, Any]:
    project.git("init", "-q")
    done = project.pytest("--real-arms", "--epm-report", "out.json", *arguments)
    found: dict[str, Any] = json.loads((project.root / "out.json").read_text(encoding="utf-8"))
    assert done.code == found["exit_code"], done.said
    return found


def mock_only(found: dict[str, Any]) -> list[tuple[str, int]]:
    return [(item["file"], item["line"]) for item in found["mock_only"]]


def test_both_sides_of_one_line_the_mock_first(project: Project) -> None:
    project.put("mod.py", BOTH)
    project.put(
        "test_mod.py",
        "import mod\n"
        "def test_mock(): assert mod.ask(1, mock=True) == mod.block(1, dry_run=True) == 0\n"
        "def test_real(): assert mod.ask(1) == mod.block(1) == 2\n",
    )
    found = report(project)
    assert (found["verdict"], mock_only(found)) == ("PASS_UNIFIED", [])


def test_only_the_mock_side(project: Project) -> None:
    project.put("mod.py", BOTH)
    project.put(
        "test_mod.py",
        "import mod\n"
        "def test_mock(): assert mod.ask(1, mock=True) == mod.block(1, dry_run=True) == 0\n",
    )
    found = report(project)
    assert (found["verdict"], found["detail"]) == ("FAIL", "mock_only=2")
    assert mock_only(found) == [("mod.py", 5), ("mod.py", 7)]


ONE_LINE = """
class Torn:
    def __bool__(self): raise ValueError
def real(x): return x + 1
def ask(x, mock=False):
    y = real(x) if not mock else 0
    return y
def other(x, mock=False):
    y = 0 if mock else real(x)
    return y
def each(xs, mock=False):
    return [real(x) if not mock else 0 for x in xs]
def short(x, mock=False):
    if not mock: return real(x)
    return 0
def torn(x, mock=Torn()):
    try: y = 0 if mock else real(x)
    except ValueError: y = 0
    return y
"""


@pytest.mark.parametrize(
    ("test", "lines"),
    [
        ("mod.ask(1), mod.other(1), mod.each([1]), mod.short(1), mod.torn(1)", []),
        (
            "mod.ask(1, True), mod.other(1, True), mod.each([1], True), mod.short(1, True)",
            [6, 9, 12, 14],
        ),
    ],
    ids=["real", "mock"],
)
def test_sides_on_one_line(project: Project, test: str, lines: list[int]) -> None:
    project.put("mod.py", ONE_LINE)
    project.put("test_mod.py", f"import mod\ndef test(): assert ({test},)\n")
    assert mock_only(report(project)) == [("mod.py", line) for line in lines]


def test_only_the_real_side(project: Project) -> None:
    project.put("mod.py", BOTH)
    project.put("test_mod.py", "import mod\ndef test(): assert mod.ask(1) == mod.block(1) == 2\n")
    assert report(project)["verdict"] == "PASS_UNIFIED"


def test_a_mock_side_of_a_test_that_does_not_count(project: Project) -> None:
    project.put("mod.py", BOTH)
    project.put(
        "test_mod.py",
        "import mod, pytest\n"
        "@pytest.mark.xfail\n"
        "def test_mock(): assert mod.block(1, dry_run=True) == 1\n"
        "def test_none(): pass\n",
    )
    assert report(project)["verdict"] == "PASS_UNIFIED"


def test_a_mock_side_seen_again_after_a_test_that_does_not_count(project: Project) -> None:
    project.put("mod.py", BOTH)
    project.put(
        "test_mod.py",
        "import mod, pytest\n"
        "@pytest.mark.xfail\n"
        "def test_mock(): assert mod.block(1, dry_run=True) == 1\n"
        "def test_again(): assert mod.block(1, dry_run=True) == 0\n",
    )
    assert report(project)["detail"] == "mock_only=1"


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["plain", "xdist"])
def test_sides_that_different_workers_took(project: Project, workers: tuple[str, ...]) -> None:
    project.put("mod.py", BOTH)
    one = "import mod\ndef test(): assert mod.block(1, dry_run={}) == {}\n"
    project.put("test_one.py", one.format("True", 0))
    project.put("test_two.py", one.format("False", 2))
    assert report(project, *workers)["verdict"] == "PASS_UNIFIED"


def test_a_red_suite_keeps_its_own_code(project: Project) -> None:
    project.put("test_mod.py", "def test(): assert False\n")
    found = report(project)
    assert (found["verdict"], found["detail"]) == ("FAIL", "suite-red")


def test_nothing_collected(project: Project) -> None:
    project.put("test_mod.py", "")
    assert report(project)["exit_code"] == pytest.ExitCode.NO_TESTS_COLLECTED


def test_bytecode_that_was_not_purged(project: Project) -> None:
    project.put("test_mod.py", "def test(): pass\n")
    assert report(project, "--epm-bytecode=off")["detail"] == "stale-possible"


def test_narrowed_to_what_changed(project: Project) -> None:
    project.git("init", "-q")
    project.put("mod.py", BOTH)
    project.put("test_mod.py", "import mod\ndef test(): assert mod.block(1, dry_run=True) == 0\n")
    project.git("add", "-A")
    project.git("commit", "-qm", "first")
    assert report(project, "--epm-base=HEAD")["verdict"] == "PASS_UNIFIED"
    project.put("mod.py", BOTH + "\n# changed\n")
    assert report(project, "--epm-base=HEAD")["detail"] == "mock_only=1"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--epm-plan=none.md",), "none.md: the plan cannot be read"),
        (("--epm-base=none",), "none"),
        (("--epm-report=out.txt",), "out.txt: a report ends in .json or .md"),
    ],
)
def test_an_option_that_cannot_be_used(
    project: Project, options: tuple[str, ...], words: str
) -> None:
    project.git("init", "-q")
    project.put("test_mod.py", "def test(): pass\n")
    done = project.pytest("--real-arms", *options)
    assert done.code == pytest.ExitCode.USAGE_ERROR
    assert words in done.err


def test_a_report_that_cannot_be_written(project: Project) -> None:
    project.put("test_mod.py", "def test(): pass\n")
    done = project.pytest("--real-arms", "--epm-report=none/out.json")
    assert done.code == pytest.ExitCode.USAGE_ERROR
    assert "the report cannot be written: No such file or directory" in done.out


def test_a_report_as_markdown(project: Project) -> None:
    project.put("mod|.py", BOTH)
    project.put("test_mod.py", "def test(): pass\n")
    project.pytest("--real-arms", "--epm-report=out.md")
    text = (project.root / "out.md").read_text(encoding="utf-8")
    assert text.startswith("## PASS_UNIFIED: no branch ran as a mock only\n")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a tool id is what may be taken")
def test_a_session_that_cannot_be_watched(project: Project) -> None:
    project.put("taken.py", "import sys\nfor n in (3, 4): sys.monitoring.use_tool_id(n, 'other')\n")
    project.put("test_mod.py", "def test(): pass\n")
    found = report(project, "-p", "epm", "-p", "taken")
    assert (found["verdict"], found["detail"]) == ("FAIL", "no-evidence")


def test_a_suite_that_takes_modules_away(project: Project) -> None:
    project.put("mod.py", BOTH)
    project.put(
        "test_mod.py",
        "import mod, sys\n"
        "def test(monkeypatch):\n"
        "    monkeypatch.delitem(sys.modules, 'warnings')\n"
        "    import late\n"
        "    assert late.f(1) == 2\n",
    )
    project.put("late.py", "def f(x): return x + 1\n")
    assert report(project)["verdict"] == "PASS_UNIFIED"


def test_a_broken_import_elsewhere_is_not_held_against_a_plan(project: Project) -> None:
    project.put("mod.py", "def f(x):\n    y = x + 1\n    return y\n")
    project.put("other.py", "def g():\n    from mod import nothing\n")
    project.put("plan.md", "## Arms\n\n| arm | computes |\n|---|---|\n| a | mod:f |\n")
    project.put(
        "test_mod.py",
        "import mod, pytest\n@pytest.mark.arm('a')\ndef test(): assert mod.f(1) == 2\n",
    )
    assert report(project, "--epm-plan=plan.md")["verdict"] == "PASS_UNIFIED"
