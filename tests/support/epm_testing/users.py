"""Act as a user whom permissions bind, also where the tests run as root."""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

_NOBODY = 65534


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Drop root's rights for a while; no change for anyone else."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(_NOBODY)
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """Make a folder that every user may enter, and remove it whatever was done to it."""
    folder = Path(tempfile.mkdtemp(prefix="epm-test-")).resolve()
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        # shutil would give up on rights and on depth.
        subprocess.run(["chmod", "-R", "u+rwx", str(folder)], check=True)
        subprocess.run(["rm", "-rf", str(folder)], check=True)
