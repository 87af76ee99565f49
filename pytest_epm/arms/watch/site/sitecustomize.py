"""Found first by a child of a watched test: begins to watch, then gives way to the real one.

Any Python may start with this on its path, also one that knows no annotations.
"""

import os
import sys

_OLDEST = (3, 11)


def _begin():  # noqa: ANN202 - see above
    # type: () -> None
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    if sys.version_info[:2] < _OLDEST:
        return
    package = here
    for _ in "four":
        package = os.path.dirname(package)
    sys.path.append(package)
    try:
        from pytest_epm.arms.watch import child

        child.begin_or_tell()
    except Exception:  # noqa: BLE001, S110 - the child's own work goes on, its evidence is lost
        pass
    finally:
        sys.path.remove(package)


def _give_way():  # noqa: ANN202 - as above
    # type: () -> None
    ours = sys.modules.pop(__name__, None)
    try:
        __import__("sitecustomize")
    except ImportError:  # there is no other
        if ours is not None:
            sys.modules[__name__] = ours


_begin()
_give_way()
