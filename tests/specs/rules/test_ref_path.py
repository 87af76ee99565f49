"""Rule ref-path: a link or a path that leads nowhere."""

import pytest

from epm_testing.specs import AGENT, at, found, run
from pytest_epm.specs.model import Ground

GROUND = Ground(
    present=frozenset(
        {
            "scripts/gate.py",
            "scripts/sub/x.py",
            ".claude/rules/r.md",
            ".claude/rules/a b.md",
            "scripts/link",
            "lib/x.py",
        }
    ),
    opaque={"scripts/link": "../lib"},
    untracked=frozenset({"scripts/loose.py"}),
    ignored=lambda paths: frozenset(path for path in paths if path.endswith(".log")),
)
CONFIG = """
[references]
roots = ["scripts", ".claude"]
ignore = ["scripts/made/**"]
"""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "Run `scripts/gate.py` and `scripts/gate.py:12` and `scripts/gate.py::test_x` and `./scripts/gate.py`.\n",
            id="tracked",
        ),
        pytest.param("`scripts/` and `scripts/sub/`\n", id="a folder"),
        pytest.param("[x](../rules/r.md) and [y](../../scripts/gate.py#L3)\n", id="a link"),
        pytest.param("[x](../rules/a%20b.md)\n", id="percent-decoded"),
        pytest.param(
            "`scripts/*.py` `scripts/<id>.py` `scripts/{x}.py` `scripts/your-script.py` `scripts/...`\n",
            id="globs and placeholders",
        ),
        pytest.param(
            "[x](https://example.org/a.py) <mailto:a@example.org> `https://example.org/scripts/x.py`\n",
            id="addresses",
        ),
        pytest.param(
            "`owner/name` `origin/main` `text/plain` `and/or` `a scripts/x.py`\n", id="no path"
        ),
        pytest.param("```\nscripts/gone.py\n```\n", id="fenced code"),
        pytest.param("`lib/gone.py`\n", id="not below a root"),
        pytest.param("`scripts/made/x.json`\n", id="ignored by the settings"),
        pytest.param("`scripts/out.log`\n", id="git would not take it"),
        pytest.param("Save it to `scripts/new.py`.\n", id="comes to be"),
        pytest.param("For example `scripts/other.py`.\n", id="an example"),
        pytest.param("`scripts/link/x.py`\n", id="behind a link"),
        pytest.param("<!-- `scripts/gone.py` -->\n", id="in a comment"),
        pytest.param("[x](thumbnail_url) [y](url)\n", id="a word in a link"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("ref-path", body, CONFIG, ground=GROUND) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("Run `scripts/gone.py`.\n", ["1:6"], id="a code span"),
        pytest.param("See [x](../rules/none.md).\n", ["1:6"], id="a link"),
        pytest.param("`scripts/none/`\n", ["1:2"], id="a folder"),
        pytest.param("| a |\n|---|\n| `scripts/gone.py` |\n", ["3:4"], id="in a table"),
        pytest.param("`scripts/gone.py:3`\n", ["1:2"], id="with a line"),
        pytest.param("![x](gone.png)\n", ["1:3"], id="an image"),
        pytest.param("`scripts/loose.py`\n", ["1:2"], id="untracked"),
        pytest.param("[x][r]\n\n[r]: ./none.md\n", ["1:2"], id="a reference link"),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("ref-path", body, CONFIG, ground=GROUND) == places


def test_an_untracked_file_is_told_as_such() -> None:
    (item,) = run("ref-path", {AGENT: "`scripts/loose.py`"}, CONFIG, GROUND)
    assert "git does not track it" in item.finding.message
    assert item.finding.next_step == "git add scripts/loose.py"


def test_a_skill_of_a_plugin_speaks_of_other_repositories() -> None:
    ground = Ground(present=frozenset({"scripts/gate.py", ".claude-plugin/plugin.json"}))
    body = "Run `scripts/gone.py`."
    assert found("ref-path", {"skills/s/SKILL.md": body}, ground=ground) == []
    assert found("ref-path", {"CLAUDE.md": body}, ground=ground) == ["CLAUDE.md:1:6"]
    own = Ground(present=ground.present | {"skills/s/scripts/x.py"})
    assert found("ref-path", {"skills/s/SKILL.md": body}, ground=own) == ["skills/s/SKILL.md:1:6"]
