"""Rule gate-unpurged: a pytest command that asks for no fresh bytecode."""

import pytest

from epm_testing.specs import AGENT, HEAD, found
from pytest_epm.specs.model import Ground


def scripts(name: str, text: str, addopts: str = "") -> list[str]:
    ground = Ground(scripts=((name, text),), addopts=addopts)
    return found("gate-unpurged", {AGENT: HEAD}, ground=ground)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("a.sh", "pytest -p epm -q", id="asks"),
        pytest.param("a.sh", "python -m pytest -pepm", id="asks, in one word"),
        pytest.param("a.sh", "pytest --real-arms --epm-plan p.md", id="real arms purge"),
        pytest.param("a.sh", "pytest --epm-bytecode=purge", id="by the mode"),
        pytest.param("a.sh", "pytest -q \\\n  -p epm", id="on the next line"),
        pytest.param("a.sh", "export PYTEST_ADDOPTS='-p epm'\npytest -q", id="by the environment"),
        pytest.param("a.sh", "pip install pytest pytest-cov", id="installs it"),
        pytest.param("a.sh", "# pytest -q", id="comment"),
        pytest.param("a.sh", "echo run pytest now", id="speaks of it"),
        pytest.param("a.sh", "pytest --version", id="version"),
        pytest.param("a.sh", "cp pytest.ini x; rm -rf .pytest_cache", id="files of that name"),
        pytest.param("a.sh", "epm run -- make", id="another command"),
        pytest.param("ci.yml", "      - run: pytest -p epm", id="a step"),
        pytest.param("ci.yml", "name: pytest", id="a name"),
        pytest.param("ci.yml", "  pytest:", id="a job"),
        pytest.param("a.py", "import pytest\npytest.main()", id="imports"),
        pytest.param("a.py", 'run([sys.executable, "-m", "pytest", "-p", "epm"])', id="list"),
    ],
)
def test_leaves_alone(name: str, text: str) -> None:
    assert scripts(name, text) == []


def test_addopts_count_for_all() -> None:
    assert scripts("a.sh", "pytest -q", "-ra -p epm") == []
    assert scripts("a.sh", "pytest -q", "-ra -p epm -p no:epm") == ["a.sh:1:1"]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        pytest.param("a.sh", "x\npytest -q", "2:1", id="plain"),
        pytest.param("a.sh", "cd x && python3 -m pytest -q", "1:9", id="after another"),
        pytest.param("a.sh", "uv run pytest", "1:8", id="through a runner"),
        pytest.param("a.sh", "A=1 timeout 30 .venv/bin/pytest -x | tee log", "1:16", id="wrapped"),
        pytest.param("a.sh", "pytest -p no:epm", "1:1", id="switched off"),
        pytest.param("a.sh", "pytest -p epmx", "1:1", id="another plugin"),
        pytest.param("Makefile", "test:\n\t@$(BIN)/python -m pytest", "2:2", id="recipe"),
        pytest.param("ci.yml", "      - run: pytest -q", "1:14", id="step"),
        pytest.param("ci.yml", "        run: |\n          pytest -q", "2:11", id="block of a step"),
        pytest.param("a.py", 'run(["pytest", "-q"])', "1:6", id="list"),
        pytest.param("a.py", 'run([sys.executable, "-m", "pytest"])', "1:22", id="list with -m"),
    ],
)
def test_finds(name: str, text: str, place: str) -> None:
    assert scripts(name, text) == [f"{name}:{place}"]


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("Run pytest.\n", [], id="prose"),
        pytest.param("Run `pytest`.\n", [], id="the name alone"),
        pytest.param("Run `pytest -p epm -q`.\n", [], id="asks"),
        pytest.param("Run `pytest -q`.\n", ["5:6"], id="code span"),
        pytest.param("```console\n$ pytest -q\n```\n", ["6:3"], id="fence"),
    ],
)
def test_in_specs(body: str, places: list[str]) -> None:
    assert found("gate-unpurged", {AGENT: HEAD + body}) == [f"{AGENT}:{p}" for p in places]
