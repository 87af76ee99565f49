"""The built wheel, installed into a fresh environment, is a working product."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from epm_testing import Project, clean_environment, run
from epm_testing.projects import incident

HERE = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build sdist and wheel with the real back end; return the folder they are in."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(HERE)]
    subprocess.run(command, check=True, capture_output=True, env=clean_environment())
    return folder


@pytest.fixture(scope="module")
def fresh(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment of its own; return its folder of commands."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    (wheel,) = built.glob("*.whl")
    command = [str(folder / "bin/pip"), "install", "-q", str(wheel)]
    subprocess.run(command, check=True, capture_output=True, env=clean_environment())
    return folder / "bin"


def test_wheel_holds_both_packages_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"pytest_epm", "epm_hooks"}
    assert "pytest_epm/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_sdist_holds_what_it_takes_to_test(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {
        "tests/conftest.py",
        "hooks/epm_hooks/bytecode.py",
        ".pre-commit-hooks.yaml",
        "LICENSE",
    }
    assert wanted <= names


def test_plugin_and_commands_work(fresh: Path, project: Project) -> None:
    incident(project)
    plain = run([str(fresh / "pytest"), "-q", "-p", "no:cacheprovider"], project.root)
    assert plain.code == 0, plain.said
    audit = run([str(fresh / "epm"), "bytecode", "audit", "."], project.root)
    assert audit.code == 1, audit.said
    gate = run([str(fresh / "pytest"), "-q", "-p", "epm"], project.root)
    assert "assert 'new' == 'old'" in gate.out
    hook = run([str(fresh / "epm-bytecode"), "test_mod.py"], project.root)
    assert hook.code == 2, "outside a repository there is nothing to judge"
    hook = run([str(fresh / "epm-imports"), "test_mod.py"], project.root)
    assert (hook.code, hook.out) == (0, "1 deferred import in 1 file, 1 resolved\n"), hook.said


def test_it_needs_little(fresh: Path) -> None:
    listed = run([str(fresh / "pip"), "list", "--format=freeze"], HERE).out
    names = {line.partition("==")[0].lower() for line in listed.splitlines()}
    assert names - {"pip", "setuptools", "typing_extensions"} == {
        "iniconfig", "packaging", "pluggy", "pygments", "pyromark", "pytest", "pytest-epm",
        "pyyaml",
    }  # fmt: skip
