"""What the import check takes and finds. All frozen, all plain data."""

from dataclasses import dataclass

# Problems of an import; docs/imports.md has one entry for each.
MISSING_NAME = "missing-name"
MISSING_MODULE = "missing-module"
FAILS_INSIDE = "fails-inside"
NO_PACKAGE = "no-package"
TIMED_OUT = "timed-out"
CRASHED = "crashed"
NOT_PARSED = "not-parsed"
# Problems of a call.
NOT_AWAITED = "not-awaited"
MISSING_ATTRIBUTE = "missing-attribute"
UNEXPECTED_KEYWORD = "unexpected-keyword"
WRONG_ARGUMENTS = "wrong-arguments"


@dataclass(frozen=True, slots=True)
class Import:
    """One thing that a deferred statement imports.

    file: relative to the project. function: qualified name of the function it stands in, or
    an empty string. module: absolute; it begins with a dot where the file has no package.
    name: what is taken from the module, `*`, or an empty string for the module itself.
    guard: which errors are caught around it: `import`, `broad`, or an empty string.
    attempts: lines of the `try` bodies it stands in. instead_of: of those in whose handlers.
    """

    file: str
    line: int
    function: str
    module: str
    name: str = ""
    guard: str = ""
    attempts: tuple[int, ...] = ()
    instead_of: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A call by a name that a deferred import bound.

    callee: as written, with its module when the name was imported. path: attributes from the
    module to what is called; named: its first one was imported by name. positional: how many;
    -1 where the shape is not to be judged. dropped: neither awaited nor handed on.
    """

    file: str
    line: int
    function: str
    callee: str
    module: str
    path: tuple[str, ...]
    named: bool = False
    positional: int = -1
    keywords: tuple[str, ...] = ()
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """An import that did not resolve.

    detail: in words. did_you_mean: nearest names, best first. needs: top-level name of what
    was not there, where that is another than `module`. judged: whether it counts against.
    """

    file: str
    line: int
    function: str
    module: str
    name: str
    problem: str
    detail: str
    did_you_mean: tuple[str, ...] = ()
    needs: str = ""
    judged: bool = True


@dataclass(frozen=True, slots=True)
class BadCall:
    """A call that its callee would refuse, or whose coroutine never starts."""

    file: str
    line: int
    function: str
    callee: str
    problem: str
    detail: str
    judged: bool = True


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of the deferred imports of a project.

    broken: they fail whenever they run. unavailable: optional, and not installed here.
    notes: names that this interpreter's standard library lacks. alternatives: handler imports
    that were not needed, as the `try` side worked.
    """

    files: int
    imports: int
    calls: int
    broken: tuple[Problem, ...] = ()
    unavailable: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()
    call_shapes: tuple[BadCall, ...] = ()
    alternatives: int = 0

    @property
    def holds(self) -> bool:
        """Whether nothing judged is broken."""
        broken = any(item.judged for item in self.broken)
        return not (broken or any(item.judged for item in self.call_shapes))
