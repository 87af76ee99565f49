"""What the tree holds that `purge` and `walk` work on."""

import time

from place import Place
from show import Block


def tree(place: Place) -> Block:
    """Make the tree and count it."""
    began = time.perf_counter()
    made = place.tree
    seconds = time.perf_counter() - began
    found = made.count()
    return Block(
        "tree: a project with .git, .venv and node_modules",
        notes=[
            f"{found.folders} folders and {found.files} files, made in {seconds:.0f} s",
            f"{found.cached} of them bytecode, {made.count_project()} of these the project's",
        ],
    )
