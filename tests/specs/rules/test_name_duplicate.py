"""Rule name-duplicate: two agents or two skills of one name."""

import pytest

from epm_testing.specs import found


def named(name: str) -> str:
    return f"---\nname: {name}\ndescription: X.\n---\n"


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param((".claude/agents/a.md", ".claude/skills/b/SKILL.md"), id="agent and skill"),
        pytest.param(("plugins/p/agents/a.md", "plugins/q/agents/a.md"), id="of two plugins"),
        pytest.param((".claude/skills/x/SKILL.md", "skills/x/SKILL.md"), id="of two clients"),
        pytest.param(("CLAUDE.md", "AGENTS.md"), id="neither agent nor skill"),
    ],
)
def test_leaves_alone(paths: tuple[str, ...]) -> None:
    assert found("name-duplicate", dict.fromkeys(paths, named("x"))) == []


@pytest.mark.parametrize(
    ("paths", "places"),
    [
        pytest.param(
            (".claude/agents/b.md", ".claude/agents/a.md"), [".claude/agents/b.md:2:1"], id="agents"
        ),
        pytest.param(
            (".claude/agents/a.md", ".claude/agents/sub/a.md", ".claude/agents/z.md"),
            [".claude/agents/sub/a.md:2:1", ".claude/agents/z.md:2:1"],
            id="each later one",
        ),
        pytest.param(
            ("skills/a/SKILL.md", "skills/b/SKILL.md"), ["skills/b/SKILL.md:2:1"], id="skills"
        ),
    ],
)
def test_finds(paths: tuple[str, ...], places: list[str]) -> None:
    assert found("name-duplicate", dict.fromkeys(paths, named("x"))) == places


def test_a_broken_file_has_a_name_too() -> None:
    broken = "---\nname: x\ndescription: a: b\n---\n"
    files = {".claude/agents/a.md": named("x"), ".claude/agents/b.md": broken}
    assert found("name-duplicate", files) == [".claude/agents/b.md:2:1"]
