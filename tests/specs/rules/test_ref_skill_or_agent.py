"""Rule ref-skill-or-agent: a skill or an agent that is not there."""

import pytest

from epm_testing.specs import AGENT, SKILL, at, found

CONFIG = """[references]
skills = ["review-code"]
"""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("Load the `review-code` skill.\n", id="there"),
        pytest.param("Load the `pdf-tools` skill.\n", id="from elsewhere"),
        pytest.param("Load the `totally-other` skill.\n", id="not near any"),
        pytest.param("`rebiew-code`\n", id="no such word beside"),
    ],
)
def test_leaves_alone(body: str) -> None:
    assert at("ref-skill-or-agent", body, CONFIG) == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        pytest.param("Load the `rebiew-code` skill.\n", ["1:11"], id="nearly the name"),
        pytest.param("Use the skill `review-coed`.\n", ["1:16"], id="the word before"),
    ],
)
def test_finds(body: str, places: list[str]) -> None:
    assert at("ref-skill-or-agent", body, CONFIG) == places


def test_the_keys_of_the_front_matter() -> None:
    agent = "---\nname: a\ndescription: A.\nskills: [s, gone]\n---\n"
    skill = "---\nname: s\ndescription: S.\nagent: nobody\n---\n"
    assert found("ref-skill-or-agent", {AGENT: agent, SKILL: skill}) == [
        f"{AGENT}:4:1",
        f"{SKILL}:4:1",
    ]
