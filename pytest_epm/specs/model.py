"""What rules take and give: a spec, the project around it, a rule, a fault. Pure."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from pytest_epm.report import Described
from pytest_epm.specs import globs, markdown
from pytest_epm.specs.document import Document
from pytest_epm.specs.front import BROKEN, CLOSED
from pytest_epm.specs.settings import Entry, Settings
from pytest_epm.specs.source import Place, Source

T = TypeVar("T")
AGENT, SKILL, MEMORY, OTHER = "agent", "skill", "memory", "other"


class Spec:
    """A file under lint.

    path: from the top, with slashes. kind: one of the words above. listed: a spec by
    itself; else only the settings name it, as the place of a token or a duty.
    """

    def __init__(self, path: str, raw: bytes, kind: str, *, listed: bool = True) -> None:
        """Keep the content; it is taken apart when a rule asks."""
        self.path = path
        self.kind = kind
        self.listed = listed
        self.source = Source(raw)

    @cached_property
    def document(self) -> Document:
        """The content taken apart."""
        is_markdown = self.path.lower().endswith((".md", ".mdx", ".mdc", ".markdown"))
        return markdown.read(self.source) if is_markdown else markdown.plain(self.source)

    @cached_property
    def name(self) -> str:
        """The name that the front matter gives, or nothing."""
        front = self.document.front
        name = front.get("name") if front.state in (CLOSED, BROKEN) else None
        return name if isinstance(name, str) else ""


def _none(_paths: Iterable[str]) -> frozenset[str]:
    return frozenset()


def _nothing(_path: str) -> Spec | None:
    return None


class Ground(NamedTuple):
    """What is there besides the specs.

    present: files that git tracks or that are staged, or outside git all on disk; opaque:
    among them those below which git knows nothing, links and submodules, with where a link
    leads to. folders: of these files; committed: of the last commit, as what is staged may
    take the last file out of a folder. untracked: on disk only. in_git: whether git was asked.
    scripts: path and text of scripts and CI files. addopts: pytest's. ignored: those of some
    paths that git would not take. spec: a file that a spec refers to.
    """

    present: frozenset[str] = frozenset()
    opaque: Mapping[str, str] = MappingProxyType({})
    untracked: frozenset[str] = frozenset()
    in_git: bool = True
    folders: frozenset[str] = frozenset()
    committed: frozenset[str] = frozenset()
    scripts: tuple[tuple[str, str], ...] = ()
    addopts: str = ""
    ignored: Callable[[Iterable[str]], frozenset[str]] = _none
    spec: Callable[[str], Spec | None] = _nothing

    @property
    def files(self) -> frozenset[str]:
        """All files of the project."""
        return self.present | self.untracked


class Project:
    """The specs, all of them, and what is around."""

    def __init__(
        self, specs: tuple[Spec, ...], settings: Settings, ground: Ground | None = None
    ) -> None:
        """Keep them."""
        self.specs = specs
        self.settings = settings
        self.ground = ground or Ground()
        self.memo: dict[str, Any] = {}

    def under(self, settings: Settings) -> "Project":
        """Return the same files under other settings."""
        return Project(self.specs, settings, self.ground)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return what several rules need, made when the first of them asks."""
        if name not in self.memo:
            self.memo[name] = make()
        made: T = self.memo[name]
        return made

    def meant(self, entries: Iterable[Entry]) -> list[Spec]:
        """Return the specs that globs mean."""
        wanted = [entry.glob for entry in entries]
        return [spec for spec in self.specs if globs.any_matches(wanted, spec.path)]

    @cached_property
    def ships_plugins(self) -> bool:
        """Whether the repository holds plugins, which other repositories install."""
        return any(".claude-plugin" in f.split("/")[-1:] for f in self.ground.folders)

    @cached_property
    def elsewhere(self) -> dict[str, str]:
        """Files by names that only one file has."""
        found: dict[str, str] = {}
        for path in self.ground.present:
            name = path.rpartition("/")[2]
            found[name] = "" if name in found else path
        return found

    @cached_property
    def names(self) -> dict[str, frozenset[str]]:
        """Names of agents and of skills, as their front matter and their places give them."""
        found: dict[str, set[str]] = {AGENT: set(), SKILL: set()}
        for spec in self.specs:
            if spec.kind in found:
                parts = spec.path.removesuffix(".md").split("/")
                found[spec.kind] |= {spec.name, parts[-1] if spec.kind == AGENT else parts[-2:][0]}
        return {kind: frozenset(names - {""}) for kind, names in found.items()}

    @cached_property
    def by_path(self) -> dict[str, Spec]:
        """The specs by their paths."""
        return {spec.path: spec for spec in self.specs}


class Fault(NamedTuple):
    """A finding of a rule. more: what a machine wants to know of it, such as `token`."""

    path: str
    place: Place
    message: str
    next_step: str = ""
    severity: str = ""
    more: Mapping[str, object] = MappingProxyType({})


Check = Callable[[Spec, Project], Iterable[Fault]]
CheckAll = Callable[[Project], Iterable[Fault]]


class Rule(NamedTuple):
    """A rule. check: for one spec. check_all: for the project as a whole.

    whole_set: what stands elsewhere can turn its outcome, so that it judges all files also
    when a few are named. unlisted: also judges files that only the settings name.
    """

    code: str
    name: str
    summary: str
    check: Check | None = None
    check_all: CheckAll | None = None
    whole_set: bool = False
    unlisted: bool = False
    default: bool = True
    severity: str = "error"

    @property
    def described(self) -> Described:
        """The rule as writers of reports want it."""
        return Described(self.code, self.name, self.summary, self.severity)


START = Place(1, 1)
