"""Whether the importer would take a cached file, by its first sixteen bytes."""

import pytest

from pytest_epm.bytecode.header import Importer, Source, would_import

MAGIC = b"\xcb\x0d\x0d\x0a"
HASH = b"12345678"
SOURCE = Source(mtime=1_700_000_000, size=14, hash=HASH)


def timed(mtime: int = 1_700_000_000, size: int = 14, magic: bytes = MAGIC) -> bytes:
    return magic + bytes(4) + mtime.to_bytes(4, "little") + size.to_bytes(4, "little")


def hashed(flags: int, digest: bytes = HASH) -> bytes:
    return MAGIC + flags.to_bytes(4, "little") + digest


@pytest.mark.parametrize(
    ("header", "check_hashes"),
    [
        pytest.param(b"", "default", id="empty file"),
        pytest.param(timed()[:15], "default", id="cut short"),
        pytest.param(timed(magic=b"\xa7\x0d\x0d\x0a"), "default", id="another interpreter"),
        pytest.param(timed(mtime=1_700_000_001), "default", id="another second"),
        pytest.param(timed(size=15), "default", id="another size"),
        pytest.param(hashed(0b11, b"87654321"), "default", id="checked, another hash"),
        pytest.param(hashed(0b01, b"87654321"), "always", id="unchecked, but told to check"),
        pytest.param(hashed(0b10), "default", id="flag without its partner"),
        pytest.param(hashed(0b100), "default", id="flag of a later format"),
    ],
)
def test_not_taken(header: bytes, check_hashes: str) -> None:
    assert would_import(header, SOURCE, Importer(MAGIC, check_hashes)) == ""


@pytest.mark.parametrize(
    ("header", "check_hashes", "why"),
    [
        pytest.param(timed(), "default", "same-mtime", id="time and size agree"),
        pytest.param(timed(), "always", "same-mtime", id="time is no hash to check"),
        pytest.param(hashed(0b11), "default", "same-hash", id="checked and equal"),
        pytest.param(hashed(0b01), "always", "same-hash", id="checked because told to"),
        pytest.param(hashed(0b01, b"87654321"), "default", "unchecked-hash", id="never compared"),
        pytest.param(hashed(0b11, b"87654321"), "never", "unchecked-hash", id="told not to check"),
    ],
)
def test_taken(header: bytes, check_hashes: str, why: str) -> None:
    assert would_import(header, SOURCE, Importer(MAGIC, check_hashes)) == why


def test_time_and_size_wrap_at_32_bits() -> None:
    later = Source(mtime=1_700_000_000 + 2**32, size=14 + 2**32, hash=HASH)
    assert would_import(timed(), later, Importer(MAGIC)) == "same-mtime"
