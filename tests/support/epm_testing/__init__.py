"""Builders for tests: real projects on disk, real processes, no network."""

from epm_testing.processes import Done, clean_environment, run
from epm_testing.projects import Project

__all__ = ["Done", "Project", "clean_environment", "run"]
