"""What stands in for an arm is named, and so is what was not run."""

from typing import Any

import pytest

from epm_testing.scenarios import Scenario, run

WORK = """
    def compute(xs):
        total = 0
        for x in xs:
            total += x * x
        return total
"""

FAULTS = [
    Scenario(
        "caught_by_name",
        """
        from contextlib import ExitStack, suppress as ignoring
        ERRS = (Exception,)
        def inner(xs): raise NotImplementedError
        def compute(xs):
            try:
                return inner(xs)
            except ERRS:
                return sum(xs)
        def stacked(xs):
            y = sum(xs)
            with ExitStack() as stack:
                stack.enter_context(ignoring(Exception))
                y = inner(xs)
            return y
        """,
        """
        @ARM
        def test(): assert caught_by_name.compute([1]) == caught_by_name.stacked([1])
        """,
        "FALLBACK",
        ("fallback-handler",),
        computes="compute; stacked",
    ),
    Scenario(
        "conditional_stub",
        """
        import sys
        if sys.version_info < (3, 8):
            def compute(xs):
                total = sum(xs)
                return total
        else:
            def compute(xs):
                return 0.5
        """,
        "@ARM\ndef test(): assert conditional_stub.compute([1, 2])\n",
        "FALLBACK",
        ("stub",),
    ),
    Scenario(
        "above",
        """
        class Base:
            def run(self, xs):
                y = sum(xs)
                return y
        class Sub(Base):
            def run(self, xs):
                return super().run(xs)
        """,
        "@ARM\ndef test(): assert above.Sub().run([1]) == 1\n",
        "FALLBACK",
        ("stub",),
        computes="Sub.run",
    ),
    Scenario(
        "exits_with_an_error",
        """
        import sys
        def compute(xs):
            total = sum(xs)
            sys.exit("no GPU")
        """,
        """
        @ARM
        def test():
            with pytest.raises(SystemExit): exits_with_an_error.compute([1])
        """,
        "FALLBACK",
        ("fallback-handler",),
    ),
    Scenario(
        "exits_at_once",
        """
        import sys
        def compute(xs):
            if xs: sys.exit(0)
            total = sum(xs)
            total += 1
            return total
        """,
        """
        @ARM
        def test():
            with pytest.raises(SystemExit): exits_at_once.compute([1])
        """,
        "FALLBACK",
        ("early-exit",),
    ),
    Scenario(
        "generator_fails",
        """
        def compute(xs):
            for x in xs:
                yield 1 / x
            done = 1
        """,
        """
        @ARM
        def test():
            with pytest.raises(ZeroDivisionError): list(generator_fails.compute([1, 0]))
        """,
        "FALLBACK",
        ("fallback-handler",),
    ),
    Scenario(
        "fails_when_thrown_at",
        """
        def compute(xs):
            try:
                yield sum(xs)
            except KeyError:
                raise ValueError
        """,
        """
        @ARM
        def test():
            it = fails_when_thrown_at.compute([1])
            assert next(it) == 1
            with pytest.raises(ValueError): it.throw(KeyError())
        """,
        "FALLBACK",
        ("fallback-handler",),
    ),
    Scenario(
        "a_task_fails",
        """
        import asyncio
        async def ask(x):
            await asyncio.sleep(0)
            raise NotImplementedError
        async def compute(xs):
            got = await asyncio.gather(*[ask(x) for x in xs])
            return got
        """,
        """
        import asyncio
        @ARM
        def test():
            with pytest.raises(NotImplementedError): asyncio.run(a_task_fails.compute([1]))
        """,
        "FALLBACK",
        ("fallback-handler",),
    ),
    Scenario(
        "a_stream_fails",
        """
        import asyncio
        async def ask(x):
            await asyncio.sleep(0)
            raise KeyError
        async def compute(xs):
            yield len(xs)
            await asyncio.create_task(ask(xs))
        """,
        """
        import asyncio
        async def every(): return [x async for x in a_stream_fails.compute([1])]
        @ARM
        def test():
            with pytest.raises(KeyError): asyncio.run(every())
        """,
        "FALLBACK",
        ("fallback-handler",),
    ),
    Scenario(
        "one_line",
        """
        def ask(x):
            y = x + 1
            return y
        def compute(x, mock=False):
            y = ask(x) if not mock else 0
            return y
        """,
        "@ARM\ndef test(): assert one_line.compute(1, True) == 0\n",
        "FALLBACK",
        ("mock-branch",),
    ),
    Scenario(
        "a_loss",
        """
        def compute(xs, mock=False):
            w = len(xs)
            loss = 0.0 if mock else (w * 3 - xs[0]) ** 2
            return loss
        """,
        "@ARM\ndef test(): assert a_loss.compute([1], True) == 0\n",
        "FALLBACK",
        ("mock-branch",),
    ),
    Scenario(
        "dropped",
        """
        async def ask(p): return p
        def compute(ps):
            found = [ask(p) for p in ps]
            return len(found)
        """,
        """
        @ARM
        @pytest.mark.filterwarnings("ignore")
        def test(): assert dropped.compute([1]) == 1
        """,
        "FALLBACK",
        ("not-awaited",),
    ),
    Scenario(
        "mocked_helper",
        """
        def helper(x): return x + 1
        def compute(x):
            y = helper(x)
            return y * 2
        """,
        """
        from unittest.mock import patch
        @ARM
        def test():
            with patch("mocked_helper.helper", return_value=5):
                assert mocked_helper.compute(1) == 10
        """,
        "FALLBACK",
        ("substituted",),
    ),
    Scenario(
        "assigned",
        """
        def helper(x): return x + 1
        def compute(x):
            y = helper(x)
            return y * 2
        """,
        """
        @ARM
        def test():
            before, assigned.helper = assigned.helper, lambda x: 5
            try: assert assigned.compute(1) == 10
            finally: assigned.helper = before
        """,
        "FALLBACK",
        ("substituted",),
    ),
    Scenario(
        "foreign",
        """
        import json
        def compute(x):
            y = json.dumps(x)
            return y * 2
        """,
        """
        @ARM
        def test(monkeypatch):
            monkeypatch.setattr("json.dumps", lambda x: "a")
            assert foreign.compute(1) == "aa"
        """,
        "FALLBACK",
        ("substituted",),
    ),
    Scenario(
        "made_up_module",
        """
        def compute(x):
            import colorsys
            y = colorsys.rgb_to_hsv(x, x, x)
            return y * 2
        """,
        """
        import sys, types
        @ARM
        def test(monkeypatch):
            fake = types.ModuleType("colorsys")
            fake.rgb_to_hsv = lambda *a: 5
            monkeypatch.setitem(sys.modules, "colorsys", fake)
            assert made_up_module.compute(1) == 10
        """,
        "FALLBACK",
        ("substituted",),
    ),
    Scenario(
        "overridden",
        """
        class Trainer:
            def loss(self, x): return x * 3
            def compute(self, x):
                y = self.loss(x)
                return y + 1
        """,
        """
        class Easy(overridden.Trainer):
            def loss(self, x): return 0
        @ARM
        def test(): assert Easy().compute(1) == 1
        """,
        "FALLBACK",
        ("substituted",),
        computes="Trainer.compute",
    ),
    Scenario(
        "one_line_mock",
        """
        def real(x): return x + 1
        def fake(x): return 0
        def compute(x, mock=False):
            y = fake(x) if mock else real(x)
            return y
        """,
        "@ARM\ndef test(): assert one_line_mock.compute(1, mock=True) == 0\n",
        "FALLBACK",
        ("mock-branch",),
    ),
    Scenario(
        "swallowed",
        """
        def compute(x):
            y = x + 1
            try:
                y = missing(y)
            except Exception:
                y = 0
            return y
        """,
        "@ARM\ndef test(): assert swallowed.compute(1) == 0\n",
        "FALLBACK",
        ("fallback-handler",),
    ),
    Scenario(
        "raised",
        """
        def compute(x):
            y = x + 1
            raise ValueError(y)
        """,
        "@ARM\ndef test():\n    with pytest.raises(ValueError): raised.compute(1)\n",
        "FALLBACK",
        ("fallback-handler",),
    ),
    Scenario(
        "gathered",
        """
        import asyncio
        async def ask(p): raise OSError
        async def compute(ps):
            found = await asyncio.gather(*[ask(p) for p in ps], return_exceptions=True)
            return len(found)
        """,
        "import asyncio\n@ARM\ndef test(): assert asyncio.run(gathered.compute(['a'])) == 1\n",
        "FALLBACK",
        ("fallback-handler",),
    ),
    Scenario(
        "other_config",
        """
        def compute(xs, penalty="l1"):
            total = sum(xs)
            return total, penalty
        """,
        "@ARM\ndef test(): assert other_config.compute([1]) == (1, 'l1')\n",
        "FALLBACK",
        ("not-executed",),
        computes="compute(penalty='l2')",
    ),
    Scenario(
        "undrained",
        """
        def compute(n):
            for i in range(n):
                yield i * i
        """,
        "@ARM\ndef test(): assert undrained.compute(3)\n",
        "FALLBACK",
        ("not-executed",),
    ),
    Scenario(
        "unbound", WORK, "def test(): assert unbound.compute([1]) == 1\n", "MISSING", ("no-test",)
    ),
    Scenario(
        "left_out",
        WORK,
        "@ARM\n@pytest.mark.skip\ndef test(): assert left_out.compute([1]) == 1\n",
        "MISSING",
        ("skipped",),
    ),
    Scenario(
        "expected_to_fail",
        WORK,
        "@ARM\n@pytest.mark.xfail\ndef test(): assert expected_to_fail.compute([1]) == 2\n",
        "MISSING",
        ("skipped",),
    ),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found, _ = run(FAULTS, tmp_path_factory.mktemp("arms") / "project")
    return found


@pytest.mark.parametrize("scenario", FAULTS, ids=lambda scenario: scenario.name)
def test_row(scenario: Scenario, report: dict[str, Any]) -> None:
    row = report["arms"][scenario.name]
    assert (row["status"], tuple(row["reasons"])) == (scenario.status, scenario.reasons), row
    if scenario.notes is not None:
        assert tuple(row["notes"]) == scenario.notes
