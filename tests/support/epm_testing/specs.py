"""Specs in memory: what rules find in them, as `path:line:column`."""

from collections.abc import Mapping

from pytest_epm.specs import read_settings
from pytest_epm.specs.judge import Found, judge
from pytest_epm.specs.kinds import kind_of
from pytest_epm.specs.model import Ground, Project, Spec
from pytest_epm.specs.registry import RULES
from pytest_epm.specs.schema import At
from pytest_epm.specs.select import Selection
from pytest_epm.specs.settings import Settings
from pytest_epm.specs.where import Lines

AGENT = ".claude/agents/a.md"
SKILL = ".claude/skills/s/SKILL.md"
HEAD = "---\nname: a\ndescription: A.\n---\n"


def settings(text: str) -> Settings:
    """Return settings as a file for `--config` says them."""
    import tomllib

    return read_settings.read(At("lint.toml", Lines(text)), tomllib.loads(text))


def project(
    files: Mapping[str, str | bytes], text: str = "", ground: Ground | None = None
) -> Project:
    """Return a project of files that are all specs; what is around has them too."""
    specs = tuple(
        Spec(path, held if isinstance(held, bytes) else held.encode(), kind_of(path))
        for path, held in files.items()
    )
    ground = ground or Ground()
    by_path = {spec.path: spec for spec in specs}
    present = ground.present | frozenset(files)
    folders = {f.rpartition("/")[0] for f in present if "/" in f}
    for folder in list(folders):
        parts = folder.split("/")
        folders |= {"/".join(parts[:n]) for n in range(1, len(parts))}
    ground = ground._replace(present=present, folders=frozenset(folders), spec=by_path.get)
    return Project(specs, settings(text), ground)


def run(
    rule: str, files: Mapping[str, str | bytes], text: str = "", ground: Ground | None = None
) -> list[Found]:
    """Return what one rule finds."""
    chosen = tuple(r for r in RULES if r.name == rule)
    assert chosen, rule
    return judge(project(files, text, ground), Selection(chosen, RULES), None)


def found(
    rule: str, files: Mapping[str, str | bytes], text: str = "", ground: Ground | None = None
) -> list[str]:
    """Return where one rule finds something."""
    places = (item.finding for item in run(rule, files, text, ground))
    return [f"{place.path}:{place.line}:{place.column}" for place in places]


def at(
    rule: str, body: str, text: str = "", path: str = AGENT, ground: Ground | None = None
) -> list[str]:
    """Return `line:column` of what a rule finds in a body, whose first line is line 1."""
    places = [item.finding for item in run(rule, {path: HEAD + body}, text, ground)]
    return [f"{place.line - HEAD.count(chr(10))}:{place.column}" for place in places]
