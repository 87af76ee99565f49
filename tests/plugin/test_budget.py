"""A plain run with the plugin merely installed loads next to nothing for it."""

import json

from epm_testing import Project

MOST_MODULES = 12
BANNED = (
    "asyncio", "coverage", "git", "http.server", "huggingface_hub", "jinja2", "markdown_it",
    "rich", "subprocess", "tomllib", "yaml", "pytest_epm.bytecode", "pytest_epm.git",
)  # fmt: skip

LOADED = """
import json, sys
def pytest_unconfigure():
    print("LOADED", json.dumps(sorted(sys.modules)))
"""


def loaded(project: Project, *arguments: str) -> set[str]:
    project.put("test_ok.py", "def test(): pass\n")
    project.put("conftest.py", LOADED)
    project.put("pyproject.toml", "[tool.pytest.ini_options]\n")
    out = project.pytest("-q", *arguments).out
    line = next(line for line in out.splitlines() if line.startswith("LOADED "))
    return set(json.loads(line.removeprefix("LOADED ")))


def test_a_plain_run_loads_a_few_modules_of_ours_and_none_of_anyone_else(project: Project) -> None:
    plain, installed = loaded(project, "-p", "no:epm"), loaded(project)
    more = installed - plain
    assert "pytest_epm.plugin" in more
    assert len(more) <= MOST_MODULES
    assert {name.partition(".")[0] for name in more} == {"pytest_epm"}
    assert not [name for name in BANNED if name in installed - plain]


def test_what_is_banned_is_loaded_on_request(project: Project) -> None:
    assert "pytest_epm.bytecode" in loaded(project, "-p", "epm")
