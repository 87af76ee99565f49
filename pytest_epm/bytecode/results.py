"""What purge and audit return. Plain data."""

from typing import NamedTuple

from pytest_epm.bytecode.roots import Root


class Purged(NamedTuple):
    """What a purge did.

    kept: legacy bytecode that git tracks. failed: path and the system's words for what
    stayed and may be stale. closed: folders that this user cannot list. seconds: wall time.
    """

    roots: tuple[Root, ...]
    files: int = 0
    folders: int = 0
    kept: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    closed: tuple[str, ...] = ()
    seconds: float = 0.0

    def plus(self, other: "Purged") -> "Purged":
        """Return both as one."""
        return Purged(
            self.roots + other.roots,
            self.files + other.files,
            self.folders + other.folders,
            self.kept + other.kept,
            self.failed + other.failed,
            self.closed + other.closed,
            self.seconds + other.seconds,
        )


class Stale(NamedTuple):
    """A cached file, or a folder, that would be imported though it is not the source's.

    why: `same-mtime`, `unchecked-hash`, `same-hash`, `orphan`, `namespace-ghost`, `unreadable`.
    """

    path: str
    why: str
    source: str = ""
    detail: str = ""


class Examined(NamedTuple):
    """What an audit found.

    compared: how many cached files were held against their source. uncompared: caches of
    pytest's assertion rewriting that are validated by time alone.
    """

    roots: tuple[Root, ...]
    stale: tuple[Stale, ...]
    compared: int = 0
    uncompared: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
