"""Fixtures that every test folder shares."""

from pathlib import Path

import pytest

from epm_testing import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return an empty project, with room beside it."""
    return Project(tmp_path / "proj")


pytest_plugins = ["pytester"]
