"""What `[tool.epm.lint]` can say, as frozen values."""

import re
from dataclasses import dataclass, field

WARN, FAIL = 28_672, 40_960
STEPS = r"^(?:\W*)Step\s+(?P<n>\d+[a-z]?(?:\.\d+|-[a-z]+)*)"
DEFAULT_FILES = (
    ".claude/agents/*.md",
    ".claude/skills/*/SKILL.md",
    "**/SKILL.md",
    "CLAUDE.md",
    "AGENTS.md",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A glob or path of the settings file. line: where it stands there."""

    glob: str
    line: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokens that files of a contract hold and no other; all of them, if `is_whole`."""

    name: str
    tokens: tuple[str, ...]
    retired: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    contract: tuple[Entry, ...] = ()
    restated_in: tuple[Entry, ...] = ()
    retired_allowed_under: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All globs."""
        return (*self.contract, *self.restated_in)


@dataclass(frozen=True, slots=True)
class Duty:
    """A sentence that each of the files must hold, or one of them, if `in_any`."""

    id: str
    files: tuple[Entry, ...]
    sentence: str
    in_any: bool = False


@dataclass(frozen=True, slots=True)
class Allow:
    """A place at which asking is sanctioned. section: a heading, or nothing for all of a file."""

    file: Entry
    section: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class References:
    """roots: folders that a path in a code span begins with; empty means the usual ones."""

    roots: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    heading_steps: re.Pattern[str] = field(default_factory=lambda: re.compile(STEPS))
    steps_line: int = 0


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes. ratchet: exact sizes that files are held at."""

    warn: int = WARN
    fail: int = FAIL
    ratchet: tuple[tuple[Entry, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Formats:
    """Further keys of front matter, and how long a skill's description may be."""

    agent_keys: tuple[str, ...] = ()
    skill_keys: tuple[str, ...] = ()
    description_most: int = 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole. path: the settings file, or nothing. files: globs of specs; empty: the usual."""

    path: str = ""
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[Entry, tuple[str, ...]], ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    files: tuple[Entry, ...] = ()
    exclude: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    vocabularies: tuple[Vocabulary, ...] = ()
    duties: tuple[Duty, ...] = ()
    markers: tuple[str, ...] = ()
    references: References = References()
    size: Size = Size()
    ask_phrases: tuple[str, ...] = ()
    ask_allow: tuple[Allow, ...] = ()
    formats: Formats = Formats()
    gates: tuple[Entry, ...] = ()
    baseline: str = ""
