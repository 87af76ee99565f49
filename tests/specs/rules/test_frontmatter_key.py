"""Rule frontmatter-key: a key that no client knows."""

import pytest

from epm_testing.specs import AGENT, SKILL, found, run

CONFIG = '[frontmatter]\nagent-keys = ["owner"]\n'


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "---\nname: a\ndescription: A.\ntools: Read\ndisallowedTools: Bash\nmodel: opus\ncolor: red\nmaxTurns: 3\n---\n",
            id="known ones",
        ),
        pytest.param("---\nname: a\ndescription: A.\nowner: me\n---\n", id="added by the settings"),
        pytest.param("---\na: b: c\n---\n", id="broken, told by another rule"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert found("frontmatter-key", {AGENT: text}, CONFIG) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param(
            "---\nname: a\ndescription: A.\ndisallowed-tools: Bash\n---\n",
            ["4:1"],
            id="other spelling",
        ),
        pytest.param("---\nname: a\ndescription: A.\nmodell: x\n---\n", ["4:1"], id="one edit"),
        pytest.param(
            "---\nname: a\ndescription: A.\nallowedTools: x\n---\n", ["4:1"], id="meant for another"
        ),
        pytest.param("---\nname: a\ndescription: A.\nversion: 1\n---\n", ["4:1"], id="unknown"),
        pytest.param("---\nname: a\n---\n", ["1:1"], id="no description"),
    ],
)
def test_finds(text: str, places: list[str]) -> None:
    wanted = [f"{AGENT}:{place}" for place in places]
    assert found("frontmatter-key", {AGENT: text}, CONFIG) == wanted


def test_a_slip_is_an_error_an_unknown_key_a_warning() -> None:
    head = "---\nname: s\ndescription: S.\nuser_invocable: true\nversion: 1\n---\n"
    slip, unknown = run("frontmatter-key", {SKILL: head})
    assert (slip.finding.severity, slip.more["nearest"]) == ("error", "user-invocable")
    assert (unknown.finding.severity, unknown.more["key"]) == ("warning", "version")
