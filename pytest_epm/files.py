"""Read files that someone else wrote: regular ones only, and no more than a bound."""

import contextlib
import os
import stat

MOST = 1 << 28  # bytes of a source or a cached file
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_regular(path: str, most: int) -> tuple[bytes, os.stat_result]:
    """Return a file's content and its state while it was read.

    Raises OSError if it cannot be read, is no regular file, such as a pipe that would
    keep us waiting, or is larger than `most` bytes.
    """
    handle = os.open(path, _FLAGS)
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(0, "is no regular file")
        if state.st_size > most:
            raise OSError(0, f"is larger than {most} bytes")
        return file.read(most), state


def write_whole(path: str, content: bytes) -> None:
    """Put content in the place of a file, whole or not at all; its rights are kept."""
    import tempfile

    folder, name = os.path.split(path)
    handle, new = tempfile.mkstemp(prefix=f".{name}.", dir=folder or ".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        with contextlib.suppress(FileNotFoundError):
            os.chmod(new, stat.S_IMODE(os.stat(path).st_mode))
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise
