"""Plans: what is read, and what is refused with its line."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_epm.arms.cells import Compute, Pattern
from pytest_epm.arms.plan import Phase, Plan, PlanError, PlannedArm, parse


def table(*rows: str, head: str = "| arm | computes | edges | n/a |", above: str = "") -> str:
    rule = "|".join("---" for _ in range(head.count("|") - 1))
    lines = [f"{above}## Arms", "", head, f"|{rule}|", *rows]
    return "\n".join(lines) + "\n"


def arms(text: str) -> tuple[PlannedArm, ...]:
    return parse(text, "plan.md").arms


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("# Plan\n\nkind: infra\n\nNo experimental arms.\n", id="no heading"),
        pytest.param("## Firearms\n\nnone\n", id="a heading that holds the word"),
        pytest.param(f"```\n{table('| a | m:f | | |')}```\n", id="a plan inside a fence"),
        pytest.param("<!--\n## Arms\n-->\n", id="a heading inside a comment"),
        pytest.param("## Phases\n\n| when | what |\n|---|---|\n| May | x |\n", id="other phases"),
        pytest.param("> diverges: says somebody\n", id="a quoted line"),
        pytest.param("\ufeff# Plan\r\n\r\nText\r\n", id="byte order mark and CRLF"),
    ],
)
def test_vacuous(text: str) -> None:
    assert parse(text, "plan.md") == Plan("plan.md")


L2 = Pattern(("penalty",), "'l2'")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            table("| rung7 | ladder:rung7 | | |"),
            PlannedArm("rung7", 5, (Compute("ladder", "rung7"),)),
            id="plain",
        ),
        pytest.param(
            table("| rank | rank:rank_remote | rank.fetch, net.get | |"),
            PlannedArm("rank", 5, (Compute("rank", "rank_remote"),), ("rank.fetch", "net.get")),
            id="edges",
        ),
        pytest.param(
            table("| `l2` | `train:fit(penalty='l2')` | | |"),
            PlannedArm("l2", 5, (Compute("train", "fit", (L2,)),)),
            id="an argument, in code spans",
        ),
        pytest.param(
            table("| a | m:f(cfg.a.b={'x': [1, 2]}, n=-1), m:g | | |"),
            PlannedArm(
                "a",
                5,
                (
                    Compute(
                        "m",
                        "f",
                        (Pattern(("cfg", "a", "b"), "{'x': [1, 2]}"), Pattern(("n",), "-1")),
                    ),
                    Compute("m", "g"),
                ),
            ),
            id="several, commas inside brackets",
        ),
        pytest.param(
            table(r"| a | m:f(s='x\|y') | | |"),
            PlannedArm("a", 5, (Compute("m", "f", (Pattern(("s",), "'x|y'"),)),)),
            id="a pipe, escaped",
        ),
        pytest.param(
            table("| __a__ | m:A.__call__ | | |"),
            PlannedArm("__a__", 5, (Compute("m", "A.__call__"),)),
            id="underscores are no emphasis",
        ),
        pytest.param(
            table("| d | | | needs 4 GPUs; canary cell a |"),
            PlannedArm("d", 5, na="needs 4 GPUs; canary cell a"),
            id="not applicable",
        ),
        pytest.param(
            table("| a | m:f |", head="| arm | computes |"),
            PlannedArm("a", 5, (Compute("m", "f"),)),
            id="columns left out",
        ),
        pytest.param(
            table("| a | m:f | - | — |"),
            PlannedArm("a", 5, (Compute("m", "f"),)),
            id="a dash for nothing",
        ),
        pytest.param(
            table("| a | m:f |"), PlannedArm("a", 5, (Compute("m", "f"),)), id="a short row"
        ),
        pytest.param(
            table("| a | m:f | | |").replace("## Arms", "### 3. **Arms**:"),
            PlannedArm("a", 5, (Compute("m", "f"),)),
            id="numbered heading in bold",
        ),
        pytest.param(
            table("| a | m:f | | |").replace("\n", "\r\n"),
            PlannedArm("a", 5, (Compute("m", "f"),)),
            id="CRLF",
        ),
        pytest.param(
            table("| a | m:f | | |", above="---\ntitle: x\n---\n"),
            PlannedArm("a", 8, (Compute("m", "f"),)),
            id="front matter",
        ),
        pytest.param(
            table("| a | m:f | | |") + "\n### Budget\n\n| what | hours |\n|---|---|\n| a | 3 |\n",
            PlannedArm("a", 5, (Compute("m", "f"),)),
            id="another table further below",
        ),
        pytest.param(
            table("| Ä-1 | maß:größe | | |"),
            PlannedArm("Ä-1", 5, (Compute("maß", "größe"),)),
            id="beyond ASCII",
        ),
    ],
)
def test_an_arm(text: str, expected: PlannedArm) -> None:
    assert arms(text) == (expected,)


def test_two_tables_under_one_heading_are_one_plan() -> None:
    text = table("| a | m:f |", head="| arm | computes |")
    text += "\n### More\n\n| arm | computes |\n|---|---|\n| b | m:g |\n"
    assert [arm.name for arm in arms(text)] == ["a", "b"]


def test_phases() -> None:
    text = table("| a | m:f | | |") + (
        "\n## Phases\n\n| phase | computes | subset |\n|---|---|---|\n"
        "| fit | m:fit | cells=1, cfg.n=2 |\n| eval | m:ev, m:w | |\n"
    )
    subset = (Pattern(("cells",), "1"), Pattern(("cfg", "n"), "2"))
    assert parse(text, "p").phases == (
        Phase("fit", 11, (Compute("m", "fit"),), subset),
        Phase("eval", 12, (Compute("m", "ev"), Compute("m", "w"))),
    )


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("diverges: mock judge\ncanary: a\n", id="plain"),
        pytest.param("**Diverges:** mock judge\n\n**Canary:** `a`\n", id="marked up"),
        pytest.param("- diverges: mock judge\n- canary: a\n", id="a list"),
    ],
)
def test_diverges_and_canary(lines: str) -> None:
    plan = parse(table("| a | m:f | | |") + "\n" + lines, "plan.md")
    assert (plan.diverges, plan.canary) == ("mock judge", "a")


def test_front_matter_may_say_that_it_diverges() -> None:
    text = table("| a | m:f | | |", above="---\ndiverges: mock judge\n---\n\n")
    assert parse(text, "plan.md").diverges == "mock judge"


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        pytest.param("## Arms\n\nNone yet.\n", 1, "no table of arms", id="no table"),
        pytest.param(table(), 1, "no table of arms", id="no row"),
        pytest.param(
            "## Arms\n\n| arm | computes |\n| a | m:f |\n", 3, "looks like a table", id="no rule"
        ),
        pytest.param(
            "## Arms\n\n| arm | computes |\n|---|\n| a | m:f |\n",
            3,
            "looks like a table",
            id="a rule that is too short",
        ),
        pytest.param(
            table("| a | m:f | | |", head="| arm | runs | edges | n/a |"),
            3,
            "no table of arms",
            id="another second column",
        ),
        pytest.param(
            table("| a | m:f | |", head="| arm | computes | edge |"),
            3,
            "unknown column 'edge'",
            id="a column that nobody reads",
        ),
        pytest.param(
            "## The arms\n\n| arm | computes |\n|---|---|\n| a | m:f |\n",
            3,
            "stands under no heading Arms",
            id="a table that nobody reads",
        ),
        pytest.param(
            table("| a | m:f | | | more |"), 5, "5 cells under 4 columns", id="a cell too many"
        ),
        pytest.param(
            table("| a | m:f | | |", "| a | m:g | | |"), 6, "a is named twice", id="an arm twice"
        ),
        pytest.param(
            table("| a | m:f | | |", "| b | m:f | | |"),
            6,
            "a and b compute the same",
            id="a cell twice",
        ),
        pytest.param(
            table("| a | m:f(x=1, y=2) | | |", "| b | m:f(y=2,x=1) | | |"),
            6,
            "a and b compute the same",
            id="a cell twice, in another order",
        ),
        pytest.param(table("| a | | | |"), 5, "gives no reason", id="neither cell nor reason"),
        pytest.param(table("| a | m:f | | yes |"), 5, "'yes' is no reason", id="no reason"),
        pytest.param(table("| a | m.f | | |"), 5, "'m.f' is no `module:", id="no colon"),
        pytest.param(table("| a | m:f(x=y) | | |"), 5, "'y' is no literal", id="a name as value"),
        pytest.param(table("| a | m:f('l2') | | |"), 5, "no `argument=value`", id="positional"),
        pytest.param(table("| a | m:f(x=(1) | | |"), 5, "without its partner", id="bracket"),
        pytest.param(table("| a | m:f, m:f | | |"), 5, "names a computation twice", id="repeated"),
        pytest.param(table("| a | m:f(x=1, x=2) | | |"), 5, "an argument twice", id="argument"),
        pytest.param(table("| a | m:f | fetch | |"), 5, "'fetch' is no `module.name`", id="edge"),
        pytest.param(table("| a | m:f | m.f | |"), 5, "its own computation", id="itself as edge"),
        pytest.param(table("| | m:f | | |"), 5, "'' is no name", id="no name"),
        pytest.param(table("| a,b | m:f | | |"), 5, "'a,b' is no name", id="comma in a name"),
        pytest.param(
            table("| a | m:f | | |") + "\n## Arms\n", 7, "a second heading", id="two headings"
        ),
        pytest.param(
            table("| a | m:f | | |") + "\ncanary: b\n", 7, "'b' is none of the arms", id="canary"
        ),
        pytest.param(
            table("| a | | | slow |") + "\ncanary: a\n", 7, "none of the arms that run", id="n/a"
        ),
        pytest.param("diverges: a\n\ndiverges: b\n", 3, "a second line", id="diverges twice"),
        pytest.param("diverges:\n", 1, "says nothing", id="diverges without reason"),
        pytest.param(
            table("| a | m:f | | |")
            + "\n## Phases\n\n| phase | computes |\n|---|---|\n| fit | |\n",
            11,
            "fit computes nothing",
            id="a phase of nothing",
        ),
        pytest.param(
            table("| a | m:f | | |") + "\n## Phases\n\nSee above.\n",
            7,
            "the heading Phases has no table",
            id="no phases",
        ),
        pytest.param(
            table("| a | m:f | | |") + "\n## Phases\n\n| phase | computes |\n|---|---|\n",
            7,
            "the heading Phases has no table",
            id="a table of no phases",
        ),
    ],
)
def test_refused(text: str, where: int, words: str) -> None:
    with pytest.raises(PlanError, match=re.escape(words)) as caught:
        parse(text, "docs/plan.md")
    assert caught.value.where == f"docs/plan.md:{where}"
    assert caught.value.next_step


@given(st.text(alphabet="|-#\n `:*arm computes(')=\\<>!\r\u2028", max_size=200))
def test_whatever_is_written_is_a_plan_or_an_error_with_a_line(text: str) -> None:
    for whole in (text, table("| a | m:f | | |") + text):
        line = outcome(whole)
        assert 0 <= line <= whole.count("\n") + whole.count("\r") + 1


def outcome(text: str) -> int:
    """Return the line of the error, or 0."""
    try:
        parse(text, "plan.md")
    except PlanError as error:
        return int(error.where.removeprefix("plan.md:"))
    return 0
