"""Sessions and children that end before their work is done are no evidence."""

import ast
import os
import sys
from pathlib import Path

import pytest

from epm_testing import Project
from epm_testing.scenarios import Scenario, run

PLAN = "## Arms\n\n| arm | computes |\n|---|---|\n| a | {} |\n"
MOD = "def f(x):\n    y = x + 1\n    return y\n"
BOUND = "import mod, pytest\n@pytest.mark.arm('a', 'b')\ndef test_f(): assert mod.f(1) == 2\n"


@pytest.fixture
def planned(project: Project) -> Project:
    project.git("init", "-q")
    project.put("mod.py", MOD)
    project.put("test_mod.py", BOUND)
    project.put("plan.md", PLAN.format("mod:f"))
    return project


RUN = ("-q", "--real-arms", "--epm-plan", "plan.md")


@pytest.mark.parametrize("plan", [RUN[2:], ()], ids=["a plan", "no plan"])
def test_pytest_exit_is_no_end(planned: Project, plan: tuple[str, ...]) -> None:
    planned.put("test_stop.py", "import pytest\ndef test(): pytest.exit('enough', returncode=0)\n")
    planned.put("test_zero.py", "def test(): assert 0\n")
    done = planned.pytest("-q", "--real-arms", *plan)
    assert "FAIL no-evidence" in done.out, done.said
    assert done.code == 1


def test_a_mark_names_several_arms(planned: Project) -> None:
    planned.put("plan.md", PLAN.format("mod:f") + "| b | mod:f(x=1) |\n")
    done = planned.pytest(*RUN)
    assert done.code == 0, done.said


def test_a_namespace_package_inside_another(project: Project) -> None:
    project.git("init", "-q")
    project.put("a/b/c.py", MOD)
    project.put(
        "test_c.py",
        "import a.b.c, pytest\n@pytest.mark.arm('a')\ndef test(): assert a.b.c.f(1) == 2\n",
    )
    project.put("plan.md", PLAN.format("a.b.c:f"))
    done = project.pytest(*RUN)
    assert done.code == 0, done.said


def test_an_import_by_way_of_the_conftests_path(planned: Project) -> None:
    planned.put("lib2/thing.py", "def t(): pass\n")
    planned.put("conftest.py", "import sys, os\nsys.path.insert(0, os.path.abspath('lib2'))\n")
    planned.put("mod.py", "def f(x):\n    from thing import t\n    y = x + 1\n    return y\n")
    done = planned.pytest(*RUN)
    assert done.code == 0, done.said


def test_a_pipe_is_no_place_for_a_report(planned: Project) -> None:
    os.mkfifo(planned.root / "out.json")
    done = planned.pytest(*RUN, "--epm-report", "out.json")
    assert done.code == 4
    assert "no regular file" in done.err


def test_fixtures_are_listed_without_a_verdict(planned: Project) -> None:
    done = planned.pytest(*RUN, "--fixtures")
    assert done.code == 0
    assert "FAIL" not in done.out


DIES = """
    import os
    def compute(n):
        y = n + 1
        if y > 1:
            os._exit(3)
        z = y * 2
        return z
"""
CHILDREN = [
    Scenario(
        "dies_inside",
        DIES,
        """
        import subprocess, sys
        @ARM
        def test(): subprocess.run([sys.executable, "-c", "import dies_inside as m; m.compute(1)"])
        """,
        "FALLBACK",
        ("not-executed",),
    ),
    Scenario(
        "ends_hard_after_it",
        """
        def compute(n):
            y = n + 1
            z = y * 2
            return z
        """,
        """
        import subprocess, sys
        @ARM
        def test():
            code = "import os, ends_hard_after_it as m; m.compute(1); os._exit(0)"
            subprocess.run([sys.executable, "-c", code], check=True)
        """,
    ),
    Scenario(
        "wrong_fill",
        """
        import functools
        def score(n):
            y = n * 2
            return y
        @functools.lru_cache(None)
        def compute(n):
            y = score(n) + 1
            return y
        """,
        """
        @pytest.mark.arm("ends_hard_after_it")
        def test_clean(): assert wrong_fill.compute(1) == 3
        @pytest.mark.arm("ends_hard_after_it")
        def test_fake(monkeypatch):
            monkeypatch.setattr(wrong_fill, "score", lambda n: 0)
            assert wrong_fill.compute(3) == 1
        @ARM
        def test_hit(): assert wrong_fill.compute(3) == 1
        """,
        "FALLBACK",
        ("substituted",),
    ),
]


IN_C = """
import zlib
from zlib import crc32 as run
def compute(xs):
    n = len(xs)
    return n, run(xs)
"""


@pytest.mark.parametrize("name", ["zlib:crc32", "mod:run"])
def test_a_function_in_c(project: Project, name: str) -> None:
    project.git("init", "-q")
    project.put("mod.py", IN_C)
    project.put(
        "test_mod.py", "import mod, pytest\n@pytest.mark.arm('a')\ndef test(): mod.compute(b'x')\n"
    )
    project.put("plan.md", PLAN.format(name))
    done = project.pytest(*RUN)
    if sys.version_info < (3, 12):
        assert "UNKNOWN" in done.out, done.said
        assert done.code == 1
    else:
        assert "REAL" in done.out, done.said
        assert "called" in done.out
        assert done.code == 0


def test_children_and_caches(tmp_path: Path) -> None:
    found, done = run(CHILDREN, tmp_path, "-p", "no:cacheprovider")
    rows = found["arms"]
    for one in CHILDREN:
        row = rows[one.name]
        assert (row["status"], tuple(row["reasons"])) == (one.status, one.reasons), done.said


def test_a_child_of_an_old_python_says_nothing() -> None:
    """What stands first on the path of any Python that a test starts has to be harmless."""
    site = Path(__file__).parents[2] / "pytest_epm/arms/watch/site/sitecustomize.py"
    tree = ast.parse(site.read_text(encoding="utf-8"), feature_version=(3, 4))
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.AnnAssign | ast.JoinedStr)]
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.returns]
