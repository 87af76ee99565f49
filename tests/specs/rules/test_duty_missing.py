"""Rule duty-missing: a duty sentence that is nowhere."""

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
            "An upload check should enumerate every prefix that the run wrote.\n",
            id="weakened, told by another rule",
        ),
        pytest.param(
            "```\nAn upload check MUST enumerate every prefix that the run wrote.\n```\n",
            id="hidden, told by another rule",
        ),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("duty-missing", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("Check the upload.\n", ["-3:1"], id="gone"),
        pytest.param(
            "An upload check MUST enumerate most prefixes that the run wrote.\n",
            ["-3:1"],
            id="other words",
        ),
        pytest.param(
            "An upload check MUST\n\nenumerate every prefix that the run wrote.\n",
            ["-3:1"],
            id="torn apart by a paragraph",
        ),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("duty-missing", body, CONFIG) == places
