"""A suite may bind arms in code, and test that it does."""

import textwrap
from pathlib import Path

from epm_testing import Project

PLAN = "## Arms\n\n| arm | computes |\n|---|---|\n| a | mod:f |\n| b | mod:g |\n"
MOD = """
def f(x):
    y = x + 1
    return y
def g(x):
    y = x + 2
    return y
"""
TESTS = "import mod\ndef test_f(): assert mod.f(1) == 2\ndef test_g(): assert mod.g(1) == 3\n"
HOOK = """
def pytest_epm_arms(item):
    return {"test_f": "a", "test_g": ["b", "unknown", 3]}.get(item.name)
"""
CONSUMER = """
pytest_plugins = ["pytest_epm.testing"]
PLAN = {plan!r}
def test_bound(pytester, real_arms):
    pytester.makepyfile(mod={mod!r}, test_it={tests!r}, conftest={hook!r})
    ran = real_arms("-q", plan=PLAN)
    assert ran.verdict == "PASS_UNIFIED", ran.lines
    assert ran.code == 0
    assert {{name: row["status"] for name, row in ran.arms.items()}} == {{"a": "REAL", "b": "REAL"}}
    pytester.makepyfile(conftest="")
    ran = real_arms("-q", plan=PLAN)
    assert (ran.code, ran.arms["a"]["reasons"]) == (1, ["no-test"])
    refused = real_arms(plan="## Arms")
    assert (refused.code, refused.verdict, refused.arms) == (4, "", {{}})
"""


def test_hook_binds_beside_marks(project: Project) -> None:
    project.git("init", "-q")
    for name, text in {"mod.py": MOD, "test_it.py": TESTS, "conftest.py": HOOK}.items():
        project.put(name, text)
    project.put("plan.md", PLAN)
    done = project.pytest("--real-arms", "--epm-plan", "plan.md")
    assert done.code == 0, done.said
    assert "PASS_UNIFIED" in done.out


def test_hook_is_known_to_a_plain_run(project: Project) -> None:
    project.put("conftest.py", HOOK)
    project.put("test_it.py", "def test(): pass\n")
    assert project.pytest("-q").code == 0


def test_fixture_for_suites_of_others(project: Project) -> None:
    text = CONSUMER.format(plan=PLAN, mod=MOD, tests=TESTS, hook=HOOK)
    project.put("test_consumer.py", textwrap.dedent(text))
    done = project.pytest("-q")
    assert done.code == 0, done.said


def test_the_page_shows_the_real_names() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to.md"
    text = page.read_text(encoding="utf-8")
    assert "pytest_epm_arms(item)" in text
    assert "pytest_epm.testing" in text
