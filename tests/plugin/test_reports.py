"""`--epm-report`: what is there at the end is this run's, or nothing."""

import json

import pytest

from epm_testing import Project

PLAN = "## Arms\n\n| arm | computes |\n|---|---|\n| a | mod:f |\n"


@pytest.fixture
def green(project: Project) -> Project:
    project.git("init", "-q")
    project.put("mod.py", "def f(x):\n    y = x + 1\n    return y\n")
    project.put(
        "test_it.py",
        "import mod, pytest\n@pytest.mark.arm('a')\ndef test(): assert mod.f(1) == 2\n",
    )
    project.put("plan.md", PLAN)
    return project


RUN = ("-q", "--real-arms", "--epm-plan", "plan.md", "--epm-report", "out.json")


def test_both_formats(green: Project) -> None:
    done = green.pytest(*RUN, "--epm-report", "out.md")
    assert done.code == 0, done.said
    found = json.loads((green.root / "out.json").read_text(encoding="utf-8"))
    assert (found["schema"], found["verdict"]) == ("epm.arms/1", "PASS_UNIFIED")
    assert "## PASS_UNIFIED: 1 arm" in (green.root / "out.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("test_it.py", "import os\ndef test(): os._exit(0)\n"),
        ("plan.md", "## Arms\n"),
    ],
    ids=["the run dies", "the run is refused"],
)
def test_no_report_of_an_earlier_run_stays(green: Project, name: str, text: str) -> None:
    assert green.pytest(*RUN).code == 0
    green.put(name, text)
    green.pytest(*RUN)
    assert not (green.root / "out.json").exists()


def test_plan_is_not_written_over(green: Project) -> None:
    done = green.pytest("--real-arms", "--epm-plan", "plan.md", "--epm-report", "./plan.md")
    assert done.code == 4
    assert "would be written over the plan" in done.err
    assert (green.root / "plan.md").read_text(encoding="utf-8") == PLAN


def test_a_file_that_cannot_be_written(green: Project) -> None:
    done = green.pytest(*RUN, "--epm-report", "no/such/folder.md")
    assert done.code == 4
    assert "folder.md: the report cannot be written" in done.out


@pytest.mark.parametrize("flag", ["--epm-plan=plan.md", "--epm-base=HEAD", "--epm-report=o.md"])
def test_a_flag_without_real_arms(green: Project, flag: str) -> None:
    done = green.pytest("-q", flag)
    assert done.code == 4
    assert "does nothing without --real-arms" in done.err


def test_the_last_line_does_not_only_say_passed(green: Project) -> None:
    assert "1 passed in" in green.pytest(*RUN).out
    green.put("test_it.py", "def test(): pass\n")
    done = green.pytest(*RUN)
    assert done.code == 1
    assert "1 passed, 1 failed by epm" in done.out.splitlines()[-1]
