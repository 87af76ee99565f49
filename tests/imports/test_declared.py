"""What a project declares that it needs always."""

import pytest

from pytest_epm.imports.declared import declares, required

PYPROJECT = """
[project]
dependencies = ["PyYAML>=6", "huggingface_hub [cli]", "colorama; sys_platform == 'win32'"]
[project.optional-dependencies]
gpu = ["torch"]
[dependency-groups]
dev = ["pytest"]
[tool.poetry.dependencies]
python = "^3.11"
attrs = "^23"
pandas = {version = "2", optional = true}
"""
SETUP = """
[options]
install_requires =
    ruamel.yaml>0.17
    six
[options.extras_require]
x = torch
"""
REQUIREMENTS = "# a comment\n-r other.txt\n\nNumPy==2 # why\nhttps://example.invalid/x.whl\n"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        pytest.param("pyproject.toml", "", set(), id="empty"),
        pytest.param("pyproject.toml", "[project\n", set(), id="no TOML"),
        pytest.param("pyproject.toml", "project = 1\n", set(), id="no table"),
        pytest.param("pyproject.toml", "[project]\ndependencies = [1]\n", set(), id="no strings"),
        pytest.param("setup.cfg", "what\n", set(), id="no ini"),
        pytest.param(
            "pyproject.toml", PYPROJECT, {"pyyaml", "huggingface-hub", "attrs"}, id="toml"
        ),
        pytest.param("setup.cfg", SETUP, {"ruamel-yaml", "six"}, id="setup.cfg"),
        pytest.param("requirements.txt", REQUIREMENTS, {"numpy"}, id="requirements"),
    ],
)
def test_required(name: str, text: str, found: set[str]) -> None:
    assert required([(name, text)]) == found


@pytest.mark.parametrize(
    ("needed", "top", "owners", "declared"),
    [
        ("torch", "numpy", (), False),
        ("python-dateutil", "util", (), False),
        ("numpy", "numpy", ("not-numpy",), False),
        ("numpy", "numpy", (), True),
        ("huggingface-hub", "huggingface_hub", (), True),
        ("pyyaml", "yaml", (), True),
        ("scikit-learn", "sklearn", (), True),
        ("python-dateutil", "dateutil", (), True),
        ("pillow", "PIL", (), True),
        ("odd-name", "mod", ("Odd_Name",), True),
    ],
)
def test_declares(needed: str, top: str, owners: tuple[str, ...], declared: bool) -> None:  # noqa: FBT001 - a column of a table
    assert declares({needed}, top, owners) is declared
