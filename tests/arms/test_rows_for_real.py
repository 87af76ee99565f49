"""What a legitimate smoke does stays REAL."""

import sys
from pathlib import Path
from typing import Any

import pytest

from epm_testing import Project
from epm_testing.scenarios import Scenario, run

WORK = """
    def compute(xs):
        total = 0
        for x in xs:
            total += x * x
        return total
"""

ASK = """
    def ask(x):
        y = x + 1
        return y
    def compute(x, mock=False):
        y = ask(x) if not mock else 0
        return y
"""

LEAVES_ALONE = [
    Scenario("plain", WORK, "@ARM\ndef test(): assert plain.compute([1, 2]) == 5\n"),
    Scenario("one_line", ASK, "@ARM\ndef test(): assert one_line.compute(1) == 2\n"),
    Scenario(
        "smaller_sizes",
        """
        def compute(xs, smoke=False):
            size = 2 if smoke else 1000
            if smoke:
                steps = 1
            else:
                steps = 10
            return sum(x * steps for x in xs[:size])
        """,
        "@ARM\ndef test(): assert smaller_sizes.compute([1, 2, 3], smoke=True) == 3\n",
    ),
    Scenario(
        "dry_upload",
        """
        def upload(row): raise OSError
        def compute(xs):
            return [x + 1 for x in xs]
        def main(xs, dry_run):
            rows = compute(xs)
            if dry_run:
                print("would upload")
            else:
                upload(rows)
            return rows
        """,
        "@ARM\ndef test(): assert dry_upload.main([1], True) == [2]\n",
    ),
    Scenario(
        "edge_by_conftest",
        """
        def fetch(url):
            raise OSError
        def compute(url):
            rows = fetch(url)
            return sorted(rows)
        """,
        "@ARM\ndef test(): assert edge_by_conftest.compute('u') == [1, 2]\n",
        edges="edge_by_conftest.fetch",
        conftest="""
            import pytest, edge_by_conftest
            @pytest.fixture(autouse=True, scope="session")
            def no_network():
                before = edge_by_conftest.fetch
                edge_by_conftest.fetch = lambda url: [2, 1]
                yield
                edge_by_conftest.fetch = before
        """,
    ),
    Scenario(
        "spy",
        """
        def helper(x):
            return x + 1
        def compute(x):
            y = helper(x)
            return y * 2
        """,
        """
        from unittest.mock import patch
        @ARM
        def test():
            with patch("spy.helper", wraps=spy.helper) as seen:
                assert spy.compute(1) == 4
            assert seen.called
        """,
    ),
    Scenario(
        "session_fixture",
        WORK,
        """
        @pytest.fixture(scope="session")
        def trained(): return session_fixture.compute([1, 2])
        def test_other(trained): assert trained
        @ARM
        def test(trained): assert trained == 5
        """,
    ),
    Scenario(
        "eafp",
        """
        def compute(rows):
            seen = {}
            for row in rows:
                try:
                    seen[row] += 1
                except KeyError:
                    seen[row] = 1
            return seen
        """,
        "@ARM\ndef test(): assert eafp.compute('aab') == {'a': 2, 'b': 1}\n",
        notes=("handled KeyError in compute",),
    ),
    Scenario(
        "retried",
        """
        TRIES = []
        def once():
            TRIES.append(1)
            if len(TRIES) < 2: raise RuntimeError
            return 7
        def compute(n):
            for _ in range(n):
                try:
                    return once()
                except Exception:
                    continue
            raise RuntimeError
        """,
        "@ARM\ndef test(): assert retried.compute(3) == 7\n",
    ),
    Scenario(
        "fork_pool",
        """
        import multiprocessing
        def one(x):
            y = x * x
            return y
        def main(xs):
            with multiprocessing.get_context("fork").Pool(2) as pool:
                return pool.map(one, xs)
        """,
        "@ARM\ndef test(): assert fork_pool.main([1, 2, 3]) == [1, 4, 9]\n",
        computes="one",
    ),
    Scenario(
        "spawn_pool",
        """
        import multiprocessing
        def one(x):
            y = x * x
            return y
        def main(xs):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                return pool.map(one, xs)
        """,
        "@ARM\ndef test(): assert spawn_pool.main([1, 2]) == [1, 4]\n",
        computes="one",
    ),
    Scenario(
        "threads",
        """
        from concurrent.futures import ThreadPoolExecutor
        def one(x):
            y = x * x
            return y
        def compute(xs):
            with ThreadPoolExecutor(2) as pool:
                return list(pool.map(one, xs))
        """,
        "@ARM\ndef test(): assert threads.compute([1, 2]) == [1, 4]\n",
        computes="compute; one",
    ),
    Scenario(
        "awaited",
        """
        import asyncio
        async def ask(p):
            await asyncio.sleep(0)
            return len(p)
        async def compute(ps):
            found = await asyncio.gather(*[ask(p) for p in ps])
            return sum(found)
        """,
        "import asyncio\n@ARM\ndef test(): assert asyncio.run(awaited.compute(['a', 'bb'])) == 3\n",
    ),
    Scenario(
        "generator",
        """
        def compute(n):
            for i in range(n):
                yield i * i
        """,
        "@ARM\ndef test(): assert list(generator.compute(3)) == [0, 1, 4]\n",
    ),
    Scenario(
        "cached",
        """
        from functools import lru_cache
        @lru_cache
        def compute(n):
            total = sum(range(n))
            return total
        """,
        """
        @ARM
        def test_one(): assert cached.compute(4) == 6
        @ARM
        def test_two(): assert cached.compute(4) == 6
        """,
    ),
    Scenario(
        "config_arm",
        """
        def compute(xs, penalty="l1"):
            total = sum(xs)
            return total, penalty
        """,
        "@ARM\ndef test(): assert config_arm.compute([1], penalty='l2') == (1, 'l2')\n",
        computes="compute(penalty='l2')",
    ),
    Scenario(
        "inherited",
        """
        class Base:
            def step(self, x):
                y = x + self.bias
                return y
        class Sub(Base):
            bias = 1
        """,
        "@ARM\ndef test(): assert inherited.Sub().step(1) == 2\n",
        computes="Sub.step",
    ),
    Scenario(
        "wrapped",
        """
        import functools
        def logged(f):
            @functools.wraps(f)
            def inner(*a):
                return f(*a)
            return inner
        @logged
        def compute(x):
            y = x + 1
            return y
        """,
        "@ARM\ndef test(): assert wrapped.compute(1) == 2\n",
    ),
    Scenario(
        "environment",
        """
        import os, time
        def compute(x):
            key = os.getenv("KEY")
            time.sleep(0)
            return (key, x)
        """,
        """
        @ARM
        def test(monkeypatch):
            monkeypatch.setenv("KEY", "k")
            monkeypatch.setattr("time.sleep", lambda s: None)
            assert environment.compute(1) == ("k", 1)
        """,
    ),
    Scenario(
        "waived",
        """
        def compute(x, mock_llm=False):
            y = x + 1
            if mock_llm:  # epm: allow mock-branch -- the judge has an arm of its own
                return y
            return ask(y)
        """,
        "@ARM\ndef test(): assert waived.compute(1, True) == 2\n",
    ),
    Scenario(
        "closed_early",
        """
        def compute(xs):
            total = 0
            for x in xs:
                total += x
                yield total
            done = total
            return done
        """,
        """
        from itertools import islice
        @ARM
        def test():
            assert next(closed_early.compute([1, 2, 3])) == 1
            assert list(islice(closed_early.compute([1, 2]), 1)) == [1]
            for got in closed_early.compute([1, 2, 3]):
                break
            it = closed_early.compute([1, 2])
            next(it)
            it.close()
        """,
    ),
    Scenario(
        "async_closed_early",
        """
        async def compute(xs):
            total = 0
            for x in xs:
                total += x
                yield total
            done = total
        """,
        """
        import asyncio
        async def first():
            async for got in async_closed_early.compute([1, 2]):
                break
            return got
        @ARM
        def test(): assert asyncio.run(first()) == 1
        """,
    ),
    Scenario(
        "exits",
        """
        import sys
        def compute(xs):
            total = sum(xs)
            print(total)
            sys.exit(0 if xs else None)
        """,
        """
        @ARM
        def test():
            with pytest.raises(SystemExit): exits.compute([1])
            with pytest.raises(SystemExit): exits.compute([])
        """,
    ),
    Scenario(
        "iterator",
        """
        class Rows:
            def __init__(self, xs): self.xs = list(xs)
            def __iter__(self): return self
            def __next__(self):
                if not self.xs: raise StopIteration
                x = self.xs.pop()
                return x + 1
        class Stream:
            def __init__(self, xs): self.rows = Rows(xs)
            def __aiter__(self): return self
            async def __anext__(self):
                try:
                    y = next(self.rows)
                except StopIteration:
                    raise StopAsyncIteration
                return y
        """,
        """
        import asyncio
        async def every(): return [x async for x in iterator.Stream([1])]
        @ARM
        def test():
            assert list(iterator.Rows([1, 2])) == [3, 2]
            assert asyncio.run(every()) == [2]
        """,
        computes="Rows.__next__; Stream.__anext__",
    ),
    Scenario(
        "thrown_in",
        """
        from contextlib import asynccontextmanager, contextmanager
        @contextmanager
        def compute(x):
            y = x + 1
            try:
                yield y
            finally:
                y = 0
        @asynccontextmanager
        async def later(x):
            y = x + 1
            yield y
            y = 0
        """,
        """
        import asyncio
        async def fail():
            async with thrown_in.later(1) as y:
                assert y == 2
                raise KeyError
        @ARM
        def test():
            with pytest.raises(ValueError):
                with thrown_in.compute(1) as y:
                    assert y == 2
                    raise ValueError
            with pytest.raises(KeyError):
                asyncio.run(fail())
        """,
        computes="compute; later",
    ),
    Scenario(
        "cancelled",
        """
        import asyncio
        async def compute(xs):
            while True:
                xs.append(len(xs))
                await asyncio.sleep(0)
        """,
        """
        import asyncio
        async def stop():
            xs = []
            task = asyncio.create_task(cancelled.compute(xs))
            await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            return xs
        @ARM
        def test(): assert asyncio.run(stop())[0] == 0
        """,
    ),
    Scenario(
        "conditional",
        """
        import sys
        if sys.version_info >= (3, 8):
            def compute(xs):
                total = sum(xs)
                return total
        else:
            def compute(xs):
                total = 0
                for x in xs: total += x
                return total
        """,
        "@ARM\ndef test(): assert conditional.compute([1, 2]) == 3\n",
    ),
    Scenario(
        "fast_absent",
        """
        try:
            from no_such_module_anywhere import compute
        except ImportError:
            def compute(xs):
                total = sum(xs)
                return total
        """,
        "@ARM\ndef test(): assert fast_absent.compute([1, 2]) == 3\n",
    ),
    Scenario(
        "inherited_static",
        """
        class A:
            @staticmethod
            def run(x):
                y = x + 1
                return y
        class B(A):
            pass
        """,
        "@ARM\ndef test(): assert inherited_static.B.run(1) == 2\n",
        computes="B.run",
    ),
    Scenario(
        "another_on_one_line",
        """
        def compute(xs):
            total = sum(xs)
            try:
                try: total += xs[9]
                except ImportError: total = 0
            except IndexError:
                total += 1
            return total
        """,
        "@ARM\ndef test(): assert another_on_one_line.compute([1]) == 2\n",
        notes=("handled IndexError in compute",),
    ),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found, _ = run(LEAVES_ALONE, tmp_path_factory.mktemp("arms") / "project")
    return found


@pytest.mark.parametrize("scenario", LEAVES_ALONE, ids=lambda scenario: scenario.name)
def test_row(scenario: Scenario, report: dict[str, Any]) -> None:
    row = report["arms"][scenario.name]
    assert (row["status"], tuple(row["reasons"])) == (scenario.status, scenario.reasons), row
    if scenario.notes is not None:
        assert tuple(row["notes"]) == scenario.notes


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a tool id is what may be taken")
def test_without_a_free_id_rows_are_unknown(tmp_path: Path) -> None:
    taken = """
        import sys
        for number in (3, 4): sys.monitoring.use_tool_id(number, "other")
    """
    only = [Scenario("plain", WORK, LEAVES_ALONE[0].test, conftest=taken)]
    found, done = run(only, tmp_path / "project")
    assert found["arms"]["plain"]["status"] == "UNKNOWN"
    assert done.code == 1


def test_a_phase_may_be_executed_by_any_passing_test(project: Project) -> None:
    project.put("mod.py", "def fit(cells):\n    total = sum(cells)\n    return total\n")
    project.put("test_mod.py", "import mod\ndef test(): assert mod.fit(cells=[1]) == 1\n")
    project.put("test_arm.py", "import mod\ndef test(arm): assert mod.fit([1, 2]) == 3\n")
    project.put(
        "conftest.py",
        "def pytest_generate_tests(metafunc):\n"
        "    if 'arm' in metafunc.fixturenames: metafunc.parametrize('arm', ['a'])\n",
    )
    plan = "## Arms\n\n| arm | computes |\n|---|---|\n| a | mod:fit |\n\n"
    plan += "## Phases\n\n| phase | computes | subset |\n|---|---|---|\n"
    project.put("plan.md", f"{plan}| fit | mod:fit | cells=[1] |\n")
    options = ("--real-arms", "--epm-plan", "plan.md")
    done = project.pytest("-q", *options)
    assert "fit executed, subset cells=[1]" in done.out
    assert done.code == 0
    project.put("plan.md", f"{plan}| fit | mod:fit | cells=[9] |\n")
    done = project.pytest("-q", *options)
    assert "fit not executed: no call of mod:fit carried cells=[9]" in done.out
    assert done.code == 1
