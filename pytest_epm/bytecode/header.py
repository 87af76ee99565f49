"""The 16 bytes before a code object, and whether the importer would take what follows.

Source: PEP 552 and `importlib._bootstrap_external`.
"""

from typing import NamedTuple

SIZE = 16
_WRAP = 0xFFFFFFFF  # the importer compares 32 bits of time and size


class Importer(NamedTuple):
    """What of this interpreter decides.

    magic: its four magic bytes. check_hashes: `default`, `always` or `never`,
    as `--check-hash-based-pycs` takes it.
    """

    magic: bytes
    check_hashes: str = "default"


class Source(NamedTuple):
    """What the importer compares with; mtime in whole seconds, size in bytes."""

    mtime: int
    size: int
    hash: bytes


def would_import(header: bytes, source: Source, importer: Importer) -> str:
    """Return by which check the cached file passes, or an empty string if it is not taken.

    `same-mtime`: time and size agree. `unchecked-hash`: nothing is compared.
    `same-hash`: the source's hash agrees.
    """
    if len(header) < SIZE or header[:4] != importer.magic:
        return ""
    flags = int.from_bytes(header[4:8], "little")
    if flags == 0:
        mtime = int.from_bytes(header[8:12], "little")
        size = int.from_bytes(header[12:16], "little")
        agrees = mtime == source.mtime & _WRAP and size == source.size & _WRAP
        return "same-mtime" if agrees else ""
    if flags & ~0b11 or not flags & 0b1:
        return ""
    checked = importer.check_hashes == "always" or (
        flags & 0b10 and importer.check_hashes != "never"
    )
    if not checked:
        return "unchecked-hash"
    return "same-hash" if header[8:16] == source.hash else ""
