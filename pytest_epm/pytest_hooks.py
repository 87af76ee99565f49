"""Hooks that a project, or a plugin of its own, may implement."""

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    import pytest

hookspec = pluggy.HookspecMarker("pytest")


class RealArms:
    """Called by pytest's plugin manager under `--real-arms`."""

    @hookspec
    def pytest_epm_arms(self, item: "pytest.Item") -> "str | list[str] | None":
        """Return the arms of the plan that a test is bound to, beside its marks and parameters.

        Called once for each test, at the end of collection. Names that the plan lacks are left out.
        """
