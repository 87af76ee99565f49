"""What the cells of a plan say: computations, argument patterns, edges. Pure."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_NAME = r"[^\W\d]\w*"
_DOTTED = rf"{_NAME}(?:\.{_NAME})*"
_COMPUTE = re.compile(
    rf"(?P<module>{_DOTTED}):(?P<qualname>{_NAME}(?:\.(?:{_NAME}|<locals>))*)"
    r"\s*(?:\((?P<patterns>.*)\))?",
    re.DOTALL,
)
_PATTERN = re.compile(rf"(?P<path>{_DOTTED})\s*=(?!=)\s*(?P<value>.+)", re.DOTALL)
_EDGE = re.compile(rf"{_NAME}(?:\.{_NAME})+")
_OPEN, _CLOSE = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a call must carry: an argument, or an attribute of one, and its value.

    path: the argument's name, then attributes. literal: the value as Python writes it.
    """

    path: tuple[str, ...]
    literal: str
    value: object = field(compare=False, hash=False, repr=False, default=None)

    def __str__(self) -> str:
        """Return it as it stands in a plan: `cfg.penalty='l2'`."""
        return f"{'.'.join(self.path)}={self.literal}"


@dataclass(frozen=True, slots=True)
class Compute:
    """A planned computation: `module:qualname`, and what its calls must carry."""

    module: str
    qualname: str
    patterns: tuple[Pattern, ...] = ()

    @property
    def name(self) -> str:
        """`module:qualname`, without patterns."""
        return f"{self.module}:{self.qualname}"

    def __str__(self) -> str:
        """Return the one spelling of this computation; evidence is kept under it."""
        listed = ", ".join(map(str, self.patterns))
        return f"{self.name}({listed})" if listed else self.name


def computes(text: str) -> tuple[Compute, ...]:
    """Read a `computes` cell. Raises ValueError that says what is wrong with which part."""
    found = tuple(_compute(part) for part in split(text))
    if len(set(found)) < len(found):
        raise ValueError(f"{text!r} names a computation twice")
    return found


def patterns(text: str) -> tuple[Pattern, ...]:
    """Read argument patterns such as `cells=1, cfg.penalty='l2'`. Raises ValueError."""
    found = tuple(_pattern(part) for part in split(text))
    if len({pattern.path for pattern in found}) < len(found):
        raise ValueError(f"{text!r} gives an argument twice")
    return tuple(sorted(found, key=str))


def edges(text: str) -> tuple[str, ...]:
    """Read an `edges` cell: dotted names between commas or white space. Raises ValueError."""
    found = text.replace(",", " ").split()
    for name in found:
        if not _EDGE.fullmatch(name):
            raise ValueError(f"{name!r} is no `module.name`")
    return tuple(found)


def fits(wanted: tuple[Pattern, ...], arguments: Mapping[str, object]) -> bool:
    """Whether a call with these arguments carries every pattern.

    arguments: the frame's locals at entry, with those of its `**` parameter beside them.
    An attribute that cannot be read or compared does not fit.
    """
    return all(_fits(pattern, arguments) for pattern in wanted)


def split(text: str) -> Iterator[str]:
    """Yield what stands between commas outside brackets and quotes. Raises ValueError."""
    depth, quote, start = 0, "", 0
    escaped = False
    for position, char in enumerate(text):
        if quote:
            quote = "" if char == quote and not escaped else quote
            escaped = char == "\\" and not escaped
        elif char in "'\"":
            quote = char
        elif char in _OPEN + _CLOSE:
            depth += 1 if char in _OPEN else -1
        elif char == "," and not depth:
            yield text[start:position].strip()
            start = position + 1
        if depth < 0:
            break
    if depth or quote:
        raise ValueError(f"{text!r} has a bracket or a quote without its partner")
    yield text[start:].strip()


def _compute(text: str) -> Compute:
    match = _COMPUTE.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no `module:qualname`")
    given = match["patterns"]
    if given is not None and not given.strip():
        given = None
    return Compute(match["module"], match["qualname"], patterns(given) if given else ())


def _pattern(text: str) -> Pattern:
    match = _PATTERN.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no `argument=value`")
    try:
        value = ast.literal_eval(match["value"])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError(f"{match['value']!r} is no literal of Python") from None
    return Pattern(tuple(match["path"].split(".")), repr(value), value)


def _fits(pattern: Pattern, arguments: Mapping[str, object]) -> bool:
    name, *attributes = pattern.path
    if name not in arguments:
        return False
    value = arguments[name]
    try:
        for attribute in attributes:
            value = getattr(value, attribute)
        # 1 == True, and a plan that says one does not mean the other.
        if isinstance(value, bool) != isinstance(pattern.value, bool):
            return False
        return bool(value == pattern.value)
    except Exception:  # noqa: BLE001 - whatever a project's attribute or comparison raises
        return False
