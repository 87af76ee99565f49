"""Which replacements count as standing in for real code. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

# The world around a run: a test may set it as it likes.
WORLD = (
    "os.environ",
    "os.environ.*",
    "os.getenv",
    "os.putenv",
    "os.unsetenv",
    "os.getcwd",
    "os.getcwdb",
    "os.chdir",
    "pathlib.*cwd",
    "pathlib.*home",
    "os.urandom",
    "sys.argv",
    "sys.stdin",
    "sys.stdout",
    "sys.stderr",
    "sys.stdin.*",
    "sys.stdout.*",
    "sys.stderr.*",
    "builtins.input",
    "builtins.print",
    "getpass.getpass",
    "time.*",
    "datetime.*",
    "random.*",
    "secrets.*",
    "uuid.*",
    "numpy.random.*",
    "asyncio.sleep",
    "asyncio.tasks.sleep",
)


@dataclass(frozen=True, slots=True)
class Replaced:
    """A callable that something else stood in for.

    names: `module.name`, the place of definition first, then those where it was replaced.
    by: what stood in, in words. spied: under the replacement the original's own lines ran.
    """

    names: tuple[str, ...]
    by: str = ""
    spied: bool = False


def counts(replaced: Replaced, edges: Iterable[str] = (), globs: Iterable[str] = ()) -> bool:
    """Whether a replacement makes an arm no longer real.

    edges: names that the plan allows, at the place of definition or of use. globs: the same
    for every arm, with wild cards.
    """
    return not (replaced.spied or allowed(replaced.names, edges, (*globs, *WORLD)))


def allowed(names: Iterable[str], edges: Iterable[str], globs: Iterable[str]) -> bool:
    """Whether one of a callable's names is an edge, or lies below one, or fits a glob."""
    edges, globs = tuple(edges), tuple(globs)
    return any(
        name == edge or name.startswith(f"{edge}.") for name in names for edge in edges
    ) or any(fnmatchcase(name, glob) for name in names for glob in globs)
