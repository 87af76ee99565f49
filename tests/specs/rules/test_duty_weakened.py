"""Rule duty-weakened: a duty sentence whose force was taken."""

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
            "An upload check need not enumerate every prefix that the run wrote.\n",
            id="negated, told by another rule",
        ),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("duty-weakened", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param(
            "x\n\n- An upload check should enumerate\n  every prefix that the run wrote.\n",
            ["3:3"],
            id="should",
        ),
        pytest.param(
            "An upload check SHOULD enumerate every prefix that the run wrote.\n",
            ["1:1"],
            id="SHOULD",
        ),
        pytest.param(
            "An upload check MAY enumerate every prefix that the run wrote.\n", ["1:1"], id="MAY"
        ),
        pytest.param(
            "An upload check must enumerate every prefix that the run wrote.\n",
            ["1:1"],
            id="must in lower case",
        ),
        pytest.param(
            "An upload check MUST normally enumerate every prefix that the run wrote.\n",
            ["1:1"],
            id="hedge after the modal",
        ),
        pytest.param(
            "An upload check MUST, where practical, enumerate every prefix that the run wrote.\n",
            ["1:1"],
            id="hedge in commas",
        ),
        pytest.param(
            "An upload check MUST enumerate every prefix that the run wrote, if possible.\n",
            ["1:1"],
            id="hedge at the end",
        ),
        pytest.param(
            "An upload check MUST enumerate, ideally, every prefix that the run wrote.\n",
            ["1:1"],
            id="hedge among the words",
        ),
        pytest.param(
            "Ideally, an upload check MUST enumerate every prefix that the run wrote.\n",
            ["1:10"],
            id="hedge before",
        ),
        pytest.param(
            "An upload check MUST enumerate every prefix that the run wrote when convenient.\n",
            ["1:1"],
            id="when convenient",
        ),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("duty-weakened", body, CONFIG) == places
