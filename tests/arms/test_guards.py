"""Guards in source text, and which of their sides ran."""

import ast
from textwrap import dedent

import pytest

from pytest_epm.arms.guards import Guard, guards
from pytest_epm.arms.waivers import judged, waivers


def found(source: str) -> tuple[Guard, ...]:
    text = dedent(source)
    return guards(ast.parse(text), frozenset(), waivers(text))


def spans(guard: Guard) -> tuple[list[str], list[str]]:
    """Return the lines of each side, `first-last`."""
    return (
        [f"{span.line}-{span.end_line}" for span in guard.mock],
        [f"{span.line}-{span.end_line}" for span in guard.real],
    )


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("if verbose:\n    a()\nelse:\n    b()", id="no flag"),
        pytest.param("if TYPE_CHECKING:\n    import a\nelse:\n    b = 1", id="type checking"),
        pytest.param("if dry_run:\n    log.info('dry')", id="nothing instead of it"),
        pytest.param("if not dry_run:\n    upload(r)", id="left out on a dry run"),
        pytest.param("r = fit(x)\nif not dry_run:\n    upload(r)\nreturn_(r)", id="dry upload"),
        pytest.param("if smoke:\n    x = x[:10]\nfit(x)", id="a smaller size in place"),
        pytest.param("if smoke:\n    n = 10\nelse:\n    n = 1000", id="a size"),
        pytest.param("if smoke:\n    n, m = 1, 2\nelse:\n    n, m = 3, 4", id="two sizes"),
        pytest.param(
            "if smoke:\n    n = 1\n    tag = 'smoke'\nelse:\n    n = 1000", id="a size and a tag"
        ),
        pytest.param("if smoke:\n    log.info('x')\n    n = 1\nelse:\n    n = 9", id="said aloud"),
        pytest.param("if smoke:\n    rows = rows[:9]\nelse:\n    rows = rows", id="a slice"),
        pytest.param("if smoke:\n    fit(10)\nelse:\n    fit(1000)", id="the same callee"),
        pytest.param("if smoke:\n    r = fit(10)\nelse:\n    r = fit(n)", id="its result"),
        pytest.param("if smoke:\n    print('a')\nelse:\n    print('b')", id="messages"),
        pytest.param("def f():\n    if smoke:\n        return 10\n    return 999", id="two sizes"),
        pytest.param("n = 10 if smoke else 1000", id="a size, inline"),
        pytest.param("n = SMALL if smoke else BIG", id="a constant"),
        pytest.param("fit(rows[:10] if smoke else rows)", id="a slice, inline"),
        pytest.param("fit(n=cfg.few if smoke else cfg.many)", id="settings, inline"),
        pytest.param("p = Path('a') / 'b' if smoke else root / f'{x}'", id="a path"),
        pytest.param("n = min(n, 10) if smoke else n", id="the smaller of two"),
        pytest.param("d = rows.head(5) if smoke else rows", id="the head of a table"),
        pytest.param("m = load('tiny') if smoke else load('big')", id="names of a model"),
        pytest.param("m = None if smoke else 1", id="nothing or a number"),
        pytest.param("n = n // 100 if smoke else n", id="a part of a size"),
        pytest.param("n = 1 if smoke else (cfg.n + 1) * 2", id="a size and constants"),
        pytest.param("n = 2 if smoke else 2 ** 20", id="constants alone"),
        pytest.param("n = 3 if smoke else len(rows) // 10", id="a part of a length"),
        pytest.param("n = min(n, MOST) if smoke else max(1, n)", id="bounds"),
        pytest.param("n = int('3') if smoke else int(n)", id="as a number"),
        pytest.param("n = 3 if smoke else int(os.environ.get('N', '9'))", id="the environment"),
        pytest.param("n = '3' if smoke else os.environ['N']", id="the environment, by its key"),
        pytest.param("n = '3' if smoke else os.getenv('N')", id="the environment, called"),
        pytest.param("t = 'a' if smoke else 'b-' + name + f'{n}'", id="a text"),
        pytest.param("p = root / 'a' if smoke else root / name / 'b'", id="a path of names"),
        pytest.param("if smoke:\n    n += 1\nelse:\n    n *= 9", id="a size in place"),
        pytest.param("s = sum(rows[:9]) if smoke else sum(rows)", id="computed from fewer"),
        pytest.param("x = [r for r in rows if not mock]", id="a comprehension"),
        pytest.param("if mock_path:\n    a()\nelse:\n    b()", id="what a mock is for"),
        pytest.param(
            "def f(LIVE):\n    if LIVE:\n        a()\n    else:\n        b()\nLIVE = not mock",
            id="a parameter named like a flag of the module",
        ),
        pytest.param("match size:\n    case 'big': a()\n    case _: b()", id="match on a size"),
        pytest.param("match mode:\n    case Mode.FAST: a()\n    case _: b()", id="on a member"),
        pytest.param("match (mock, n):\n    case (_, 1): a()\n    case _: b()", id="on a size"),
        pytest.param("match mode:\n    case 'mock': n = 1\n    case _: n = 2", id="match on data"),
    ],
)
def test_no_guard(source: str) -> None:
    assert found(source) == ()


ARMED = "def fake(): ...\ndef real(): ...\n"


@pytest.mark.parametrize(
    ("source", "mock", "real"),
    [
        pytest.param("if mock:\n    a()\nelse:\n    b()", ["2-2"], ["4-4"], id="if and else"),
        pytest.param("if not mock:\n    a()\nelse:\n    b()", ["4-4"], ["2-2"], id="not"),
        pytest.param(
            "def f():\n    if mock:\n        return 1\n    x = a()\n    return x",
            ["3-3"],
            ["4-5"],
            id="early return",
        ),
        pytest.param(
            "def f():\n    if not mock:\n        return a()\n    return 1",
            ["4-4"],
            ["3-3"],
            id="early return of the real side",
        ),
        pytest.param(
            "def f():\n    if mock:\n        raise SystemExit\n    a()",
            ["3-3"],
            ["4-4"],
            id="raise",
        ),
        pytest.param("if mock:\n    print(1)\n    sys.exit(0)\na()", ["2-3"], ["4-4"], id="exit"),
        pytest.param(
            "for x in y:\n    if mock:\n        continue\n    a()\nb()",
            ["3-3"],
            ["4-4"],
            id="continue",
        ),
        pytest.param(
            "def f():\n    if x:\n        if mock:\n            return 1\n    return a()",
            ["4-4"],
            ["5-5"],
            id="the rest stands further out",
        ),
        pytest.param(
            "def f():\n    try:\n        if mock:\n            return 1\n    except E:\n"
            "        c()\n    else:\n        b()\n    return a()",
            ["4-4"],
            ["8-8", "9-9"],
            id="the rest of a try is no handler",
        ),
        pytest.param(
            "if mock:\n    a()\nelif fast:\n    b()\nelse:\n    c()",
            ["2-2"],
            ["4-4", "6-6"],
            id="elif",
        ),
        pytest.param(
            "if mode == 'real':\n    a()\nelif mode == 'mock':\n    b()\nelse:\n    c()",
            ["4-4"],
            ["2-2", "6-6"],
            id="mock in the middle",
        ),
        pytest.param("if mock:\n    n = 1\nelse:\n    n = fit()", ["2-2"], ["4-4"], id="computed"),
        pytest.param("if mock:\n    a(1)\nelse:\n    b(1)", ["2-2"], ["4-4"], id="other callees"),
        pytest.param(
            ARMED + "if mock:\n    f = fake\nelse:\n    f = real", ["4-4"], ["6-6"], id="a function"
        ),
        pytest.param("if mock:\n    m = Tiny\nelse:\n    m = Big", ["2-2"], ["4-4"], id="a class"),
        pytest.param(
            "if mock:\n    f = a\nelse:\n    f = b\nf(1)", ["2-2"], ["4-4"], id="called later"
        ),
        pytest.param(
            "if mock:\n    c = a\nelse:\n    c = b\nc.complete(1)",
            ["2-2"],
            ["4-4"],
            id="an object that works later",
        ),
        pytest.param("x = 0.5 if mock else score(t)", ["1-1"], ["1-1"], id="inline"),
        pytest.param(ARMED + "f = fake if mock else real", ["3-3"], ["3-3"], id="inline function"),
        pytest.param("(a if mock else b)(x)", ["1-1"], ["1-1"], id="called at once"),
        pytest.param("x = run(1 if a else b(), c() if mock else d())", ["1-1"], ["1-1"], id="deep"),
        pytest.param(
            "f = lambda *a: _mock(*a) if MOCK else real(*a)", ["1-1"], ["1-1"], id="lambda"
        ),
        pytest.param(
            "while (a() if mock else b()):\n    c()", ["1-1"], ["1-1"], id="in a condition"
        ),
        pytest.param(
            "if MOCK:\n    class A: ...\nelse:\n    class A(B): ...", ["2-2"], ["4-4"], id="classes"
        ),
        pytest.param(
            "LIVE = not os.getenv('MOCK')\nif LIVE:\n    a()\nelse:\n    b()",
            ["5-5"],
            ["3-3"],
            id="a flag of the module",
        ),
        pytest.param(
            "match mode:\n    case 'real': a()\n    case 'mock' | 'fake': b()",
            ["3-3"],
            ["2-2"],
            id="match on a word",
        ),
        pytest.param(
            "match dry_run:\n    case True: a()\n    case _: b()", ["2-2"], ["3-3"], id="on a flag"
        ),
        pytest.param(
            "match mode:\n    case Mode.MOCK: a()\n    case Mode.REAL: b()",
            ["2-2"],
            ["3-3"],
            id="match on a member",
        ),
        pytest.param(
            "match (mock, n):\n    case (True, _): a()\n    case _: b()",
            ["2-2"],
            ["3-3"],
            id="match on two things",
        ),
        pytest.param(
            "match x:\n    case 1 if mock: a()\n    case _: b()", ["2-2"], ["3-3"], id="a case's if"
        ),
    ],
)
def test_a_guard(source: str, mock: list[str], real: list[str]) -> None:
    (guard,) = found(source)
    assert spans(guard) == (mock, real)


@pytest.mark.parametrize(
    ("canned", "computed"),
    [
        pytest.param("0.0", "(w * 3 - xs[0]) ** 2", id="a power"),
        pytest.param("0.9", "max(xs)", id="the largest"),
        pytest.param("1.0", "a @ b", id="a product"),
        pytest.param("1.0", "a * b", id="two names"),
        pytest.param("1.0", "w * w", id="a name twice"),
        pytest.param("1.0", "n ** 2", id="the power of a name"),
        pytest.param("0.0", "n * xs[0] + 1", id="an element"),
        pytest.param("1", "min(a, b)", id="the smaller of two names"),
        pytest.param("1", "max(xs, key=len)", id="by a key"),
        pytest.param("1", "round(x, 2)", id="rounded"),
        pytest.param("1", "abs(x)", id="without its sign"),
        pytest.param("[]", "sorted(xs)", id="sorted"),
        pytest.param("1", "set(xs)", id="each once"),
        pytest.param("True", "a > b", id="compared"),
        pytest.param("'1'", "os.environ.get(name(xs))", id="looked up by what was computed"),
        pytest.param("'a'", "f'{score(xs)}'", id="computed in a text"),
    ],
)
@pytest.mark.parametrize(
    "shape",
    [
        "x = {0} if mock else {1}",
        "if mock:\n    x = {0}\nelse:\n    x = {1}",
        "def f():\n    return {0} if mock else {1}",
        "def f():\n    if mock:\n        return {0}\n    return {1}",
    ],
)
def test_a_result_is_no_data(shape: str, canned: str, computed: str) -> None:
    assert len(found(shape.format(canned, computed))) == 1


def test_adding_up_is_no_data() -> None:
    assert len(found("if mock:\n    loss += 1\nelse:\n    loss += w")) == 1


def test_two_mock_sides_are_two_guards() -> None:
    both = found("if mock:\n    a()\nelif fake:\n    b()\nelse:\n    c()")
    assert [spans(guard) for guard in both] == [(["2-2"], ["6-6"]), (["4-4"], ["6-6"])]


def test_a_guard_names_its_function() -> None:
    source = """
        class A:
            def f(self):
                def g():
                    return 1 if mock else a()
                return g
    """
    (guard,) = found(source)
    assert (guard.function, guard.condition) == ("A.f.<locals>.g", "mock")
    assert (guard.line, guard.covers(5, 19), guard.covers(5, 31)) == (5, True, False)


GENERATE = "def f():\n    if mock:\n        return 1\n    x = a()\n    return x"
ONE_LINE = "def f():\n    if mock: return 1\n    return a()"
TERNARY = "x = 0.5 if mock else score(t)"


@pytest.mark.parametrize(
    ("source", "lines", "landings", "ran"),
    [
        pytest.param(GENERATE, set(), set(), (False, False), id="neither"),
        pytest.param(GENERATE, {1, 2}, set(), (False, False), id="the condition alone"),
        pytest.param(GENERATE, {2, 3}, set(), (True, False), id="mock"),
        pytest.param(GENERATE, {2, 4, 5}, set(), (False, True), id="real"),
        pytest.param(GENERATE, {2, 3, 4, 5}, set(), (True, True), id="both"),
        pytest.param(ONE_LINE, {2}, set(), (False, False), id="one line, no branch seen"),
        pytest.param(ONE_LINE, {2}, {(2, 13)}, (True, False), id="one line, mock"),
        pytest.param(ONE_LINE, {2, 3}, {(3, 11)}, (False, True), id="one line, real"),
        pytest.param(TERNARY, {1}, {(1, 4)}, (True, False), id="inline, mock"),
        pytest.param(TERNARY, {1}, {(1, 21)}, (False, True), id="inline, real"),
        pytest.param(TERNARY, {1}, {(1, 4), (1, 21)}, (True, True), id="inline, one after other"),
    ],
)
def test_which_side_ran(
    source: str, lines: set[int], landings: set[tuple[int, int]], ran: tuple[bool, bool]
) -> None:
    (guard,) = found(source)
    assert guard.ran(lines, landings) == ran


BRANCH = "if mock:{}\n    a()\nelse:\n    b()\n"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        pytest.param(BRANCH.format(""), "", id="none"),
        pytest.param(BRANCH.format("  # epm: allow mock-branch"), "", id="without a reason"),
        pytest.param(BRANCH.format("  # epm: allow stub -- no"), "", id="of another rule"),
        pytest.param("# epm: allow mock-branch -- far\n\n" + BRANCH.format(""), "", id="far away"),
        pytest.param(
            "x = '# epm: allow mock-branch -- text'\n" + BRANCH.format(""), "", id="in a string"
        ),
        pytest.param(BRANCH.format("  # epm: allow mock-branch -- no GPU"), "no GPU", id="beside"),
        pytest.param(
            "# epm: allow mock-branch -- no GPU\n" + BRANCH.format(""), "no GPU", id="above"
        ),
    ],
)
def test_waived(source: str, reason: str) -> None:
    (guard,) = found(source)
    assert guard.reason == reason


@pytest.mark.parametrize(
    ("source", "codes"),
    [
        pytest.param("x = 1  # epm: is fine\n", [], id="no waiver"),
        pytest.param(BRANCH.format("  # epm: allow mock-branch -- no GPU"), [], id="used"),
        pytest.param(
            BRANCH.format("  # epm: allow mock-branch"), ["waiver-without-reason"], id="no reason"
        ),
        pytest.param("x = 1  # epm: allow mock-branch -- y\n", ["waiver-unused"], id="unused"),
        pytest.param("x = 1  # epm: allow mok-branch -- y\n", ["waiver-unknown"], id="misspelt"),
        pytest.param("def broken(:\n", [], id="no Python"),
    ],
)
def test_what_is_wrong_with_waivers(source: str, codes: list[str]) -> None:
    places = [(g.line, g.head.end_line) for g in found(source)] if "broken" not in source else []
    findings = judged(waivers(source), places, "a.py")
    assert [finding.code for finding in findings] == codes
    assert all(finding.line and finding.next_step for finding in findings)
