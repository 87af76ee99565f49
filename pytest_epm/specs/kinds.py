"""Which files are specs, and of which kind. Pure."""

import posixpath
from collections.abc import Iterable

from pytest_epm.specs import globs
from pytest_epm.specs.model import AGENT, MEMORY, OTHER, SKILL
from pytest_epm.specs.settings import DEFAULT_FILES, Settings

_MEMORY = frozenset({"CLAUDE.md", "AGENTS.md", "CLAUDE.local.md"})
_ASIDE = frozenset({"fixtures", "__fixtures__", "testdata", "test-fixtures"})
_FOREIGN = ("node_modules", "__pycache__", "site-packages", ".venv", "venv")


def specs(files: Iterable[str], settings: Settings) -> list[str]:
    """Return the specs among the files: by the settings' globs, else by the usual places."""
    every = [path for path in files if not _is_left_out(path, settings)]
    if settings.files:
        wanted = [entry.glob for entry in settings.files]
        return sorted(path for path in every if globs.any_matches(wanted, path))
    beside = {_above(path) for path in every if ".claude-plugin/" in path or "skills/" in path}
    return sorted(path for path in every if _is_usual(path, beside))


def _above(path: str) -> str:
    """Return the folder that holds the `.claude-plugin` or `skills` of a path."""
    parts = path.split("/")
    names = (".claude-plugin", "skills")
    at = next((n for n, part in enumerate(parts[:-1]) if part in names), 0)
    return "/".join(parts[:at])


def _is_usual(path: str, beside: set[str]) -> bool:
    if not path.endswith(".md"):
        return False
    parts = path.split("/")[:-1]
    if _ASIDE & set(parts):
        return False  # specs on purpose odd
    if globs.any_matches(DEFAULT_FILES, path):
        return True
    if "docs" in parts or any(part.startswith(".") and part != ".claude" for part in parts):
        return False  # pages about agents, and agents of other clients
    folder, agents, name = path.rpartition("agents/")
    is_direct = bool(agents) and "/" not in name and (not folder or folder.endswith("/"))
    return is_direct and folder.rstrip("/") in beside


def _is_left_out(path: str, settings: Settings) -> bool:
    parts = path.split("/")
    return any(part in _FOREIGN for part in parts[:-1]) or globs.any_matches(settings.exclude, path)


def kind_of(path: str) -> str:
    """Return what kind of file a path is."""
    folder, name = posixpath.split(path)
    if name == "SKILL.md":
        return SKILL
    if name in _MEMORY:
        return MEMORY
    if not path.endswith(".md") or name == "README.md":
        return OTHER
    return AGENT if "agents" in folder.split("/") else OTHER
