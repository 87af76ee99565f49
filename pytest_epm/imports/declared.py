"""Which distributions a project says it needs. Pure: it takes the text of its files."""

import configparser
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from typing import Any

_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)(?![\w.-]*:)")  # and no URL
# Import names that no rule leads to from the name of the distribution.
_CALLED = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "crypto": "pycryptodome",
    "dotenv": "python-dotenv",
    "fitz": "pymupdf",
    "git": "gitpython",
    "jwt": "pyjwt",
    "magic": "python-magic",
    "openssl": "pyopenssl",
    "pil": "pillow",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "usb": "pyusb",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}


def normal(name: str) -> str:
    """Return a distribution's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def required(files: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the normal names of what is needed always: no extras, no dependency groups.

    files: names and texts of `pyproject.toml`, `setup.cfg` and requirements files. A
    requirement with a marker is not needed always. What cannot be read says nothing.
    """
    lines: list[str] = []
    for name, text in files:
        if name.endswith(".toml"):
            lines += _of_pyproject(text)
        elif name.endswith(".cfg"):
            lines += _of_setup(text)
        else:
            lines += text.splitlines()
    return frozenset(
        normal(found[1]) for line in lines if ";" not in line and (found := _NAME.match(line))
    )


def _of_pyproject(text: str) -> Iterator[str]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = _at(table, "project", "dependencies")
    yield from (line for line in found if isinstance(line, str)) if isinstance(found, list) else ()
    poetry = _at(table, "tool", "poetry", "dependencies")
    for name, value in poetry.items() if isinstance(poetry, dict) else ():
        optional = isinstance(value, dict) and (value.get("optional") or value.get("markers"))
        if name != "python" and not optional:
            yield name


def _at(table: Any, *keys: str) -> Any:  # noqa: ANN401 - a file may hold anything
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _of_setup(text: str) -> list[str]:
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error:
        return []
    return parser.get("options", "install_requires", fallback="").splitlines()


def declares(needed: Collection[str], top: str, owners: Iterable[str] = ()) -> bool:
    """Whether `top`, a name to import, comes from a distribution that is needed.

    owners: the distributions installed here that it comes from, if any do.
    """
    name = normal(top)
    known = {normal(owner) for owner in owners}
    if known:
        return bool(known & set(needed))
    called = {name, f"python-{name}", f"{name}-python", f"py{name}", _CALLED.get(name, name)}
    return bool(called & set(needed))
