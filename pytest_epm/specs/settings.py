"""What `[tool.epm.lint]` can say, as frozen values."""

import re
from typing import NamedTuple

WARN, FAIL = 28_672, 40_960
STEPS = r"^(?:\W*)Step\s+(?P<n>\d+[a-z]?(?:\.\d+|-[a-z]+)*)"
DEFAULT_FILES = (
    ".claude/agents/*.md",
    ".claude/skills/*/SKILL.md",
    "**/SKILL.md",
    "CLAUDE.md",
    "AGENTS.md",
)


class Entry(NamedTuple):
    """A glob or path of the settings file. line: where it stands there."""

    glob: str
    line: int


class Vocabulary(NamedTuple):
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


class Duty(NamedTuple):
    """A sentence that each of the files must hold, or one of them, if `in_any`."""

    id: str
    files: tuple[Entry, ...]
    sentence: str
    in_any: bool = False


class Allow(NamedTuple):
    """A place at which asking is sanctioned. section: a heading, or nothing for all of a file."""

    file: Entry
    section: str = ""
    reason: str = ""


class References(NamedTuple):
    """roots: folders that a path in a code span begins with; empty means the usual ones."""

    roots: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    heading_steps: re.Pattern[str] = re.compile(STEPS)
    steps_line: int = 0


class Size(NamedTuple):
    """Bytes. ratchet: exact sizes that files are held at."""

    warn: int = WARN
    fail: int = FAIL
    ratchet: tuple[tuple[Entry, int], ...] = ()


class Formats(NamedTuple):
    """Further keys of front matter, and how long a skill's description may be."""

    agent_keys: tuple[str, ...] = ()
    skill_keys: tuple[str, ...] = ()
    description_most: int = 1024


class Settings(NamedTuple):
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
