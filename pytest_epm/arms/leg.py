"""The import leg of a run: what is checked, and what of it counts."""

import os
import sys
from functools import cache

from pytest_epm.arms.judge import Target
from pytest_epm.arms.say import Leg
from pytest_epm.arms.setting import Setting
from pytest_epm.imports import gather, say
from pytest_epm.imports.check import Asked, check
from pytest_epm.imports.results import Checked


def run(made: Setting) -> Checked:
    """Check the project's deferred imports; of others than the judged ones it only tells."""
    base = changed(made)
    judged = None
    if made.targets or base is not None:
        judged = {*(base or ()), *(target.path for target in made.targets if target.path)}
    given = made.given
    # What a conftest has put on the path counts as well.
    inside = [entry for entry in sys.path if entry.startswith(given.root + os.sep)]
    path = tuple(dict.fromkeys((*given.pythonpath, *inside)))
    return check(Asked(given.root, None, judged, path))


def changed(made: Setting) -> frozenset[str] | None:
    """Return what changed since the base; None without one. Raises EpmError."""
    return _changed(made.given.root, made.given.base) if made.given.base else None


_changed = cache(gather.changed)


def bad_calls(made: Setting, checked: Checked) -> int:
    """Return how many calls that cannot work stand in planned computations."""
    planned = {(_below(t.path, made.given.root), _function(t)) for t in made.targets}
    return sum((call.file, call.function) in planned for call in checked.call_shapes)


def told(checked: Checked) -> Leg:
    """Return what the report lists."""
    data = say.data(checked)
    return Leg(
        tuple(item for item in data["imports"] if item["judged"]),
        tuple(data["unavailable"]),
        tuple(item for item in data["call_shapes"] if item["judged"]),
        say.headline(checked),
    )


def _function(target: Target) -> str:
    return target.compute.qualname


def _below(path: str, root: str) -> str:
    return path.removeprefix(root.rstrip("/") + "/")
