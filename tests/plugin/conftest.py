"""A project in which the incident has just happened."""

import pytest

from epm_testing import Project
from epm_testing.projects import incident


@pytest.fixture
def stale(project: Project) -> Project:
    """Return a project whose test is green only on its stale bytecode."""
    return incident(project)
