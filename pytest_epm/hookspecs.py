"""Extension points for other packages, by pluggy: rule packs of `epm lint`.

A package offers a pack with an entry point in the group `epm` that names a module or object with
this hook, and a user switches it on with `packs = ["NAME"]`.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import pluggy

GROUP = "epm"
hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


class Prose(NamedTuple):
    """A paragraph, item, heading, table row (`kind` text, heading, row) or code block (code).

    text: without marks. line: where it begins. headings: those it stands under, nearest first.
    """

    kind: str
    text: str
    line: int
    headings: tuple[str, ...]


class SpecFile(NamedTuple):
    """A file under lint. kind: agent, skill, memory or other. keys: of its front matter."""

    path: str
    kind: str
    text: str
    prose: tuple[Prose, ...]
    keys: Mapping[str, object]


class Remark(NamedTuple):
    """What a rule of a pack has to say. line, column: 1-based."""

    line: int
    message: str
    column: int = 1
    next_step: str = ""


class PackRule(NamedTuple):
    """A rule of a pack. code: letters of the pack's own and digits, such as `ACME101`."""

    code: str
    name: str
    summary: str
    check: Callable[[SpecFile], Iterable[Remark]]
    severity: str = "error"


class Pack(NamedTuple):
    """Rules and settings under a name.

    settings: a table like `[tool.epm.lint]`; of it, vocabularies, duties, markers and asked
    phrases are added to the user's. extend_select: rules that are off by default and now on.
    """

    name: str
    settings: Mapping[str, object] = MappingProxyType({})
    rules: tuple[PackRule, ...] = ()
    extend_select: tuple[str, ...] = ()


class Specs:
    """The hooks."""

    @hookspec
    def epm_lint_packs(self) -> Iterable[Pack]:  # type: ignore[empty-body] # a specification
        """Return the packs that this package offers. New in 0.1."""
