"""In the child: what is installed there, and which import names are whose."""

import sys
from importlib import metadata

from pytest_epm.imports.loading import Answer


def answer(task: Answer) -> Answer:
    """Return distributions by name, the owners of the `tops` asked for, and standard modules."""
    owners = metadata.packages_distributions()
    return {
        "ok": True,
        "installed": sorted({name for names in owners.values() for name in names}),
        "owners": {top: sorted(set(owners[top])) for top in task["tops"] if top in owners},
        "standard": sorted(sys.stdlib_module_names),
    }
