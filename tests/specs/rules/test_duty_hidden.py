"""Rule duty-hidden: a duty sentence that nobody takes as said."""

import pytest

from epm_testing.specs import at

CONFIG = """
[[duty]]
id = "d"
files = [".claude/agents/a.md"]
sentence = "An upload check MUST enumerate every prefix that the run wrote."
"""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "An upload check MUST enumerate every prefix that the run wrote.\n", id="as it is"
        ),
        pytest.param(
            "1. Before the stop call:\n   an upload check MUST\n   enumerate every prefix\n   that the run wrote, then post.\n",
            id="wrapped in an item",
        ),
        pytest.param(
            "> An upload check MUST enumerate every\nprefix that the run wrote.\n",
            id="lazy lines of a quote",
        ),
        pytest.param(
            "An *upload* check **MUST** `enumerate` every [prefix](x.md) that the run wrote.\n",
            id="emphasis, code and links",
        ),
        pytest.param(
            "| a |\n|---|\n| An upload check MUST enumerate every prefix that the run wrote |\n",
            id="cell of a table",
        ),
        pytest.param(
            "- An upload check MUST\n  - enumerate every prefix that the run wrote\n",
            id="over a nested item",
        ),
        pytest.param(
            "An upload check SHALL enumerate every prefix that the run wrote.\n",
            id="SHALL is as strong",
        ),
        pytest.param(
            "An upload check is REQUIRED to enumerate every prefix that the run wrote.\n",
            id="REQUIRED is as strong",
        ),
        pytest.param(
            "Never skip this: an upload check MUST enumerate every prefix that the run wrote.\n",
            id="after a warning that denies nothing",
        ),
        pytest.param(
            "Never forget that an upload check MUST enumerate every prefix that the run wrote.\n",
            id="nobody may forget",
        ),
        pytest.param(
            "An upload check MUST ~~not~~ enumerate every prefix that the run wrote.\n",
            id="a struck word is gone",
        ),
        pytest.param(
            "<rules>\nAn upload check MUST enumerate every prefix that the run wrote.\n</rules>\n",
            id="between tags",
        ),
        pytest.param(
            "An upload check MUST enumerate every prefix that the run wrote.\n\nAn upload check should enumerate every prefix that the run wrote.\n",
            id="a weaker copy besides",
        ),
        pytest.param(
            "An upload check MUST enumerate every prefix that the run wrote.\n\nAn upload check MUST NOT enumerate every prefix that the run wrote.\n",
            id="a denied copy besides",
        ),
        pytest.param(
            "```\nAn upload check MUST enumerate every prefix that the run wrote.\n```\n\nAn upload check MUST enumerate every prefix that the run wrote.\n",
            id="a visible copy besides",
        ),
        pytest.param(
            "```\nAn upload check MUST enumerate every prefix that the run wrote.\n```\n\nAn upload check should enumerate every prefix that the run wrote.\n",
            id="weakened in plain text",
        ),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("duty-hidden", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param(
            "x\n\n```\nAn upload check MUST enumerate every prefix that the run wrote.\n```\n",
            ["4:1"],
            id="fence",
        ),
        pytest.param(
            "x\n\n    An upload check MUST enumerate every prefix that the run wrote.\n",
            ["3:5"],
            id="indented code",
        ),
        pytest.param(
            "x\n\n<!-- An upload check MUST enumerate every prefix that the run wrote. -->\n",
            ["3:6"],
            id="comment",
        ),
        pytest.param(
            "x <!-- An upload check MUST enumerate every prefix that the run wrote. --> y\n",
            ["1:8"],
            id="comment inside of a paragraph",
        ),
        pytest.param(
            "<div>\n<!-- x\n\nAn upload check MUST enumerate every prefix that the run wrote.\n-->\n</div>\n",
            ["4:1"],
            id="comment with an empty line, inside of a tag",
        ),
        pytest.param(
            "~~An upload check MUST enumerate every prefix that the run wrote.~~\n",
            ["1:3"],
            id="struck through",
        ),
        pytest.param(
            "a <del>An upload check MUST enumerate every prefix that the run wrote.</del> b\n",
            ["1:8"],
            id="struck by a tag",
        ),
        pytest.param(
            'The old text was "An upload check MUST enumerate every prefix that the run wrote." once.\n',
            ["1:19"],
            id="in quotation marks",
        ),
        pytest.param(
            "The old text was “An upload check MUST enumerate every prefix that the run wrote.” once.\n",
            ["1:19"],
            id="in typographic quotation marks",
        ),
        pytest.param(
            "```\nAn upload check MUST enumerate\nevery prefix that the run wrote.\n```\n",
            ["2:1"],
            id="wrapped in a fence",
        ),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("duty-hidden", body, CONFIG) == places
