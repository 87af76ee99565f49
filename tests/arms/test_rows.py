"""Plan, source and evidence into rows."""

import ast
from dataclasses import replace
from textwrap import dedent

import pytest

from pytest_epm.arms.evidence import Call, Caught, Computed, Dropped, Item, Ran
from pytest_epm.arms.guards import guards
from pytest_epm.arms.handlers import Swallowed
from pytest_epm.arms.judge import Facts
from pytest_epm.arms.plan import Plan, PlanError, parse
from pytest_epm.arms.resolve import Module
from pytest_epm.arms.rows import ArmResult, mock_only, phases, rows, watched
from pytest_epm.arms.substitutes import Replaced
from pytest_epm.arms.targets import targets
from pytest_epm.arms.waivers import waivers
from pytest_epm.verdicts import Arm

SOURCE = """\
import asyncio

def fit(rows, mock=False):
    if mock:
        return 0
    if not rows:
        return None
    w = 0.0
    for x in rows:
        w += x
    w /= len(rows)
    return w

def helper(rows):
    return sum(rows)

def rung7(rows):
    return helper(rows)

def rung8(rows):
    return fit(rows)

class Base:
    def go(self, x):
        return x * 2

class Sub(Base):
    pass

def main(dry_run):
    if dry_run:
        return 1
    return fit([1])
"""
MODULE = Module("m", "/p/m.py", ast.parse(SOURCE), "")
ARMS = """\
## Arms

| arm | computes | edges | n/a |
|---|---|---|---|
| fit | m:fit | net.get | |
| rung7 | m:rung7 | | |
| rung8 | m:rung8 | | |
| sub | m:Sub.go | | |
| root | math:sqrt | | |
| off | | | needs 4 GPUs |
| gone | m:fti | | |
"""
PLAN = parse(ARMS, "plan.md")
WHOLE = Call(frozenset({4, 6, 8, 9, 10, 11, 12}), at=(12, 4))


def find(name: str) -> Module | None:
    return {"m": MODULE, "math": Module("math", "", None, "")}.get(name)


def facts_of(plan: Plan = PLAN, source: str = SOURCE) -> Facts:
    tree = ast.parse(source)
    found = guards(tree, waivers=waivers(source))
    return Facts(targets(plan, watched(plan), find, ["m", "math"]), {"/p/m.py": found})


FACTS = facts_of()


def lines(*numbers: int) -> frozenset[tuple[str, int]]:
    return frozenset(("/p/m.py", number) for number in numbers)


def item(arm: str = "fit", outcome: str = "passed", **computed: Computed) -> Item:
    cells = {"fit": "m:fit", "sub": "m:Sub.go", "root": "math:sqrt"}
    given = {cells.get(name, f"m:{name}"): value for name, value in computed.items()}
    return Item(f"test_m.py::test_{arm}", (arm,), outcome, given)


def row(name: str, *items: Item, facts: Facts = FACTS) -> ArmResult:
    return next(result for result in rows(PLAN, facts, items) if result.name == name)


GOOD = Ran(lines(4, 6, 8, 9, 10, 11, 12))
KEY = Caught("/p/m.py", "fit", Swallowed(5, ("KeyError",), judged=False))


@pytest.mark.parametrize(
    "computed",
    [
        pytest.param(Computed((WHOLE,), GOOD), id="ran"),
        pytest.param(Computed((WHOLE,), GOOD, cached=True), id="from a cache"),
        pytest.param(
            Computed((Call(frozenset({4, 5}), at=(5, 8)), WHOLE), Ran(lines(4, 5, 6, 8, 12))),
            id="mock and real in one test",
        ),
        pytest.param(
            Computed((Call(frozenset({4}), returned=False), WHOLE), GOOD),
            id="a retry that succeeds",
        ),
        pytest.param(Computed((WHOLE,), replace(GOOD, caught=(KEY,))), id="a look before a leap"),
        pytest.param(
            Computed((WHOLE,), replace(GOOD, replaced=(Replaced(("net.get", "m.get")),))),
            id="an edge",
        ),
        pytest.param(
            Computed((WHOLE,), replace(GOOD, replaced=(Replaced(("m.helper",), spied=True),))),
            id="a spy",
        ),
        pytest.param(
            Computed((WHOLE,), replace(GOOD, dropped=(Dropped(("net.get",), "/p/m.py", 8),))),
            id="an edge that is not awaited",
        ),
        pytest.param(
            Computed((replace(WHOLE, returned=None),), GOOD), id="a generator that goes on"
        ),
    ],
)
def test_real(computed: Computed) -> None:
    result = row("fit", item(fit=computed))
    assert (result.status, result.reasons) == (Arm.REAL, ())
    assert result.ran.startswith("m:fit ran ")


def test_real_beside_what_is_not() -> None:
    mocked = Computed((Call(frozenset({4, 5}), at=(5, 8)),), Ran(lines(4, 5)))
    failing, unsure = item(outcome="failed"), replace(item(), id="u", unknown="overlapped")
    good = replace(item(fit=Computed((WHOLE,), GOOD)), id="good")
    result = row("fit", item(fit=mocked), failing, unsure, good)
    assert (result.status, result.ran) == (Arm.REAL, "m:fit ran 7 of 9")


def test_a_dry_run_after_the_computation_is_no_mock() -> None:
    ran = item(fit=Computed((WHOLE,), GOOD))
    assert row("fit", replace(ran, ran=Ran(lines(31, 32)))).status is Arm.REAL


BARE = Caught("/p/m.py", "fit", Swallowed(9, (), judged=True))


@pytest.mark.parametrize(
    ("computed", "reasons"),
    [
        pytest.param(Computed(), ["not-executed"], id="never called"),
        pytest.param(Computed((Call(),)), ["not-executed"], id="called, never entered"),
        pytest.param(
            Computed((Call(frozenset({4, 6, 7}), at=(7, 8)),), Ran(lines(4, 6, 7))),
            ["early-exit"],
            id="left early",
        ),
        pytest.param(
            Computed((Call(frozenset({4, 5}), at=(5, 8)),), Ran(lines(4, 5))),
            ["mock-branch"],
            id="a mock side, and no early exit besides",
        ),
        pytest.param(
            Computed((WHOLE, replace(WHOLE, returned=False)), GOOD),
            ["fallback-handler"],
            id="the last call raised",
        ),
        pytest.param(
            Computed((WHOLE,), replace(GOOD, caught=(BARE,))), ["fallback-handler"], id="swallowed"
        ),
        pytest.param(
            Computed((WHOLE,), replace(GOOD, replaced=(Replaced(("m.helper",)),))),
            ["substituted"],
            id="something it looked up",
        ),
        pytest.param(
            Computed((WHOLE,), replace(GOOD, dropped=(Dropped(("m.ask",), "/p/m.py", 8),))),
            ["not-awaited"],
            id="not awaited",
        ),
    ],
)
def test_fallback(computed: Computed, reasons: list[str]) -> None:
    result = row("fit", item(fit=computed))
    assert (result.status, list(result.reasons)) == (Arm.FALLBACK, reasons)
    assert all(fault.path == "/p/m.py" and fault.line for fault in result.faults)


def test_replaced_itself() -> None:
    test = replace(item(), ran=Ran(replaced=(Replaced(("m.fit", "user.fit"), "a Mock"),)))
    result = row("fit", test)
    assert result.reasons == ("not-executed", "substituted")
    assert "user.fit was replaced by a Mock" in [fault.words for fault in result.faults]


def test_a_mock_side_before_the_computation() -> None:
    result = row("fit", replace(item(), ran=Ran(lines(31, 32))))
    assert result.reasons == ("mock-branch", "not-executed")


def test_a_waived_mock_side() -> None:
    source = SOURCE.replace("if mock:", "if mock:  # epm: allow mock-branch -- no GPU here")
    computed = Computed((Call(frozenset({4, 5}), at=(5, 8)),), Ran(lines(4, 5)))
    assert row("fit", item(fit=computed), facts=facts_of(source=source)).status is Arm.REAL


def test_a_stub_and_a_wrapper_of_what_is_planned() -> None:
    ran = Computed((Call(frozenset({18}), at=(18, 4)),))
    assert row("rung7", item("rung7", rung7=ran)).reasons == ("stub",)
    ran = Computed((Call(frozenset({21}), at=(21, 4)),))
    assert row("rung8", item("rung8", rung8=ran)).status is Arm.REAL


@pytest.mark.parametrize(
    ("owner", "status"),
    [
        pytest.param(("m:Base",), Arm.FALLBACK, id="the base alone"),
        pytest.param(("m:Sub", "m:Base"), Arm.REAL, id="the class itself"),
        pytest.param(("m:Deep", "m:Sub", "m:Base"), Arm.REAL, id="a class below"),
    ],
)
def test_an_inherited_method(owner: tuple[str, ...], status: Arm) -> None:
    call = Call(frozenset({25}), at=(25, 8), owner=owner)
    assert row("sub", item("sub", sub=Computed((call,)))).status is status


def test_an_object_without_a_body() -> None:
    result = row("root", item("root", root=Computed((Call(opaque=True),))))
    assert (result.status, result.notes, result.ran) == (
        Arm.REAL,
        ("called",),
        "math:sqrt was called",
    )


@pytest.mark.parametrize(
    ("outcomes", "reasons"),
    [
        pytest.param([], ["no-test"], id="no test"),
        pytest.param(["skipped"], ["skipped"], id="skipped"),
        pytest.param(["xfailed", "xpassed"], ["skipped"], id="expected to fail"),
        pytest.param(["failed"], ["failed"], id="failed"),
        pytest.param(["error", "skipped"], ["failed", "skipped"], id="both"),
    ],
)
def test_missing(outcomes: list[str], reasons: list[str]) -> None:
    tests = [item(outcome=outcome, fit=Computed((WHOLE,), GOOD)) for outcome in outcomes]
    result = row("fit", *tests)
    assert (result.status, list(result.reasons)) == (Arm.MISSING, reasons)


def test_not_found_names_the_nearest() -> None:
    result = row("gone", item("gone"))
    assert (result.status, result.reasons) == (Arm.MISSING, ("not-found",))
    assert result.notes == ("m has no fti (did you mean m:fit?)",)


def test_not_applicable_only_by_the_plan() -> None:
    result = row("off")
    assert (result.status, result.reasons) == (Arm.NA, ("needs 4 GPUs",))


def test_no_data_is_unknown_whatever_else_fell_back() -> None:
    unsure = replace(item(), id="u", unknown="no free monitoring id")
    result = row("fit", item(fit=Computed()), unsure)
    assert (result.status, result.reasons) == (Arm.UNKNOWN, ("no free monitoring id",))


def test_a_class_is_refused_with_its_methods() -> None:
    plan = parse(ARMS.replace("m:Sub.go", "m:Sub"), "plan.md")
    with pytest.raises(PlanError, match="m:Sub is a class") as caught:
        facts_of(plan)
    assert (caught.value.where, caught.value.next_step) == ("plan.md:8", "name one of m:Sub.go")


PHASED = parse(
    dedent(
        """\
        ## Arms

        | arm | computes |
        |---|---|
        | fit | m:fit |

        ## Phases

        | phase | computes | subset |
        |---|---|---|
        | fit | m:fit | cells=1 |
        | go | m:helper | |
        """
    ),
    "plan.md",
)


@pytest.mark.parametrize(
    ("ran", "words"),
    [
        pytest.param((), ["no passing test ran m:fit", "no passing test ran m:helper"], id="none"),
        pytest.param(("m:fit",), ["no call of m:fit carried cells=1", "no passing"], id="whole"),
        pytest.param(("m:fit", "m:fit(cells=1)", "m:helper"), ["", ""], id="all"),
    ],
)
def test_phases(ran: tuple[str, ...], words: list[str]) -> None:
    assert [str(compute) for compute in watched(PHASED)] == ["m:fit", "m:fit(cells=1)", "m:helper"]
    test = Item("t", (), "passed", {name: Computed((WHOLE,)) for name in ran})
    results = phases(PHASED, facts_of(PHASED), [test, replace(test, outcome="failed")])
    for result, expected in zip(results, words, strict=True):
        assert result.words.startswith(expected)
        assert result.executed is not bool(expected)
    assert results[0].subset == "cells=1"


@pytest.mark.parametrize(
    ("passing", "whole", "found"),
    [
        pytest.param((), (), [], id="nothing ran"),
        pytest.param((4, 6), (4, 6), [], id="real"),
        pytest.param((4, 5), (4, 5, 6), [], id="real in another test"),
        pytest.param((), (4, 5), [], id="mock in a failing test"),
        pytest.param((4, 5), (4, 5), [4], id="mock only"),
        pytest.param((4, 5, 31, 32), (4, 5, 31, 32), [4, 31], id="two"),
    ],
)
def test_mock_only(passing: tuple[int, ...], whole: tuple[int, ...], found: list[int]) -> None:
    only = mock_only(FACTS, Ran(lines(*passing)), Ran(lines(*whole)))
    assert [guard.line for _, guard in only] == found
