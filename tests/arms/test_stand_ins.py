"""What stands in is found on whatever way project code comes to it."""

from typing import Any

import pytest

from epm_testing.scenarios import Scenario, run

SCORE = """
    import asyncio, functools
    from concurrent.futures import ThreadPoolExecutor
    def score(x):
        y = x * 2
        return y + 1
"""
COMPUTE = "    def compute(xs):\n        n = len(xs)\n"
EACH = f"{SCORE}{COMPUTE}        return n, [score(x) for x in xs]\n"
MAPPED = f"{SCORE}{COMPUTE}        return n, list(map(score, xs))\n"
PATCHED = """
    @ARM
    def test(monkeypatch):
        monkeypatch.setattr({name}, "score", lambda x: 0)
        {name}.compute([1, 2])
"""


def by_score(name: str, body: str) -> Scenario:
    """Return an arm whose `score` a test replaces; it comes to it as `body` says."""
    code = f"{SCORE}{COMPUTE}        {body}\n"
    return Scenario(name, code, PATCHED.format(name=name), "FALLBACK", ("substituted",))


CLASSES = """
    import abc
    class Model:
        def __init__(self, n):
            self.n = n
        def score(self, x):
            y = x * self.n
            return y
        def __call__(self, x):
            y = x + self.n
            return y
        @property
        def size(self):
            y = self.n * 2
            return y
    class Child(Model):
        def score(self, x):
            y = super().score(x)
            return y + 1
    class Port(abc.ABC):
        @staticmethod
        def get(x):
            y = x + 1
            return y
    class Outer:
        class Inner:
            @staticmethod
            def get(x):
                y = x + 1
                return y
    client = Model(3)
    RUNGS = {"r7": client.score, "r8": Port.get}
"""


def by_class(name: str, body: str, patch: str) -> Scenario:
    """Return an arm that comes to a class as `body` says; the test patches it."""
    code = f"{CLASSES}{COMPUTE}        {body}\n"
    test = f"""
        from unittest.mock import MagicMock, PropertyMock
        class Fake:
            def score(self, x): return 0
        @ARM
        def test(monkeypatch):
            m = {name}
            {patch}
            m.compute([1, 2])
    """
    return Scenario(name, code, test, "FALLBACK", ("substituted",))


def by_module(name: str, body: str, fake: str) -> Scenario:
    """Return an arm that imports late what the test has put into sys.modules."""
    code = f"{COMPUTE}        {body}\n"
    test = f"""
        import sys, types
        from unittest.mock import MagicMock
        def made():
            module = types.ModuleType("heavy_{name}")
            module.fetch = lambda xs: [0]
            return module
        @ARM
        def test(monkeypatch):
            monkeypatch.setitem(sys.modules, "heavy_{name}", {fake})
            {name}.compute([1, 2])
    """
    return Scenario(name, code, test, "FALLBACK", ("substituted",))


FOUND = [
    by_score("by_map", "return n, sum(map(score, xs))"),
    by_score("by_pool", "return n, list(ThreadPoolExecutor(1).map(score, xs))"),
    by_score("by_submit", "return n, ThreadPoolExecutor(1).submit(score, 1).result()"),
    by_score("by_thread", "return n, asyncio.run(asyncio.to_thread(score, 1))"),
    by_score("by_key", "return n, sorted(xs, key=score)"),
    by_score("by_partial", "return n, functools.partial(score, 1)()"),
    by_score("by_alias", "f = score; return n, [f(x) for x in xs]"),
    by_class(
        "chained",
        "return n, Model(3).score(n)",
        "monkeypatch.setattr(m.Model, 'score', lambda s, x: 0)",
    ),
    by_class(
        "chained_mock",
        "return n, Model(3).score(n)",
        "monkeypatch.setattr(m.Model, 'score', MagicMock())",
    ),
    by_class(
        "subscripted",
        "ms = [Model(3)]; return n, ms[0].score(n)",
        "monkeypatch.setattr(m.Model, 'score', lambda s, x: 0)",
    ),
    by_class(
        "by_super",
        "return n, Child(3).score(n)",
        "monkeypatch.setattr(m.Model, 'score', lambda s, x: 0)",
    ),
    by_class(
        "called_object",
        "return n, Model(3)(n)",
        "monkeypatch.setattr(m.Model, '__call__', lambda s, x: 0)",
    ),
    by_class(
        "by_property",
        "return n, Model(3).size",
        "monkeypatch.setattr(m.Model, 'size', PropertyMock())",
    ),
    by_class("a_client", "return n, client.score(n)", "monkeypatch.setattr(m, 'client', Fake())"),
    by_class(
        "of_an_abc",
        "return n, Port.get(n)",
        "monkeypatch.setattr(m.Port, 'get', staticmethod(lambda x: 0))",
    ),
    by_class(
        "nested",
        "return n, Outer.Inner.get(n)",
        "monkeypatch.setattr(m.Outer.Inner, 'get', staticmethod(lambda x: 0))",
    ),
    by_class(
        "by_registry", "return n, RUNGS['r8'](n)", "monkeypatch.setitem(m.RUNGS, 'r8', lambda x: 0)"
    ),
    by_class(
        "by_builtin", "return n, open('x')", "monkeypatch.setattr('builtins.open', MagicMock())"
    ),
    by_class(
        "over_builtin",
        "return n, open('x')",
        "monkeypatch.setattr(m, 'open', lambda p: 0, raising=False)",
    ),
    by_module("from_mock", "from heavy_from_mock import fetch; return n, fetch(xs)", "MagicMock()"),
    by_module("of_mock", "import heavy_of_mock; return n, heavy_of_mock.fetch(xs)", "MagicMock()"),
    by_module("from_made", "from heavy_from_made import fetch; return n, fetch(xs)", "made()"),
    by_module(
        "of_space",
        "import heavy_of_space; return n, heavy_of_space.fetch(xs)",
        "types.SimpleNamespace(fetch=lambda xs: [0])",
    ),
    Scenario(
        "replaced_later",
        EACH,
        """
        @ARM
        def test(monkeypatch):
            replaced_later.compute([1])
            monkeypatch.setattr(replaced_later, "score", lambda x: 0)
            replaced_later.compute([1, 2])
        """,
        "FALLBACK",
        ("substituted",),
    ),
    Scenario(
        "no_spy",
        EACH,
        """
        from unittest.mock import patch
        @ARM
        def test():
            real = no_spy.score
            with patch("no_spy.score", return_value=0):
                out = no_spy.compute([1])
            assert out != real(1)
        """,
        "FALLBACK",
        ("substituted",),
    ),
    Scenario(
        "not_opaque",
        """
        import functools
        class offline:
            def __init__(self, f): functools.update_wrapper(self, f)
            def __call__(self, *a): return 0.5
        @offline
        def compute(xs):
            y = sum(xs)
            return y
        """,
        """
        @ARM
        def test(): assert not_opaque.compute([1]) == 0.5
        """,
        "FALLBACK",
        ("not-executed",),
    ),
]

LEFT_ALONE = [
    Scenario(
        "handed_in",
        """
        def compute(xs, ask):
            n = len(xs)
            return n, [ask(x) for x in map(ask, xs)]
        """,
        """
        from unittest.mock import MagicMock
        def double(x): return 2 * x
        @ARM
        def test():
            handed_in.compute([1], double)
            handed_in.compute([1], MagicMock())
        """,
    ),
    Scenario(
        "edge_by_map",
        MAPPED,
        PATCHED.format(name="edge_by_map"),
        edges="edge_by_map.score",
    ),
    Scenario(
        "spied",
        MAPPED,
        """
        from unittest.mock import patch
        @ARM
        def test():
            with patch("spied.score", wraps=spied.score) as spy:
                spied.compute([1])
            assert spy.called
        """,
    ),
    Scenario(
        "async_edge",
        """
        async def push(y):
            return y
        async def compute(xs):
            y = sum(xs)
            await push(y)
            return y
        """,
        """
        import asyncio
        from unittest.mock import AsyncMock, patch
        @ARM
        def test():
            with patch("async_edge.push", AsyncMock()):
                assert asyncio.run(async_edge.compute([1])) == 1
        """,
        edges="async_edge.push",
    ),
    Scenario(
        "fills_an_abstract",
        """
        import abc
        class Base(abc.ABC):
            @abc.abstractmethod
            def ask(self, x):
                y = x
                return y
            def late(self, x):
                raise NotImplementedError
        def compute(xs, base):
            n = len(xs)
            return n, [base.ask(x) + base.late(x) for x in xs]
        """,
        """
        class Mine(fills_an_abstract.Base):
            def ask(self, x): return x
            def late(self, x): return x
        @ARM
        def test(): assert fills_an_abstract.compute([1], Mine()) == (1, [2])
        """,
    ),
    Scenario(
        "proxies",
        """
        class Bunch:
            def __init__(self): self.d = {}
            def __getattr__(self, k): return self.__dict__["d"][k]
            def __call__(self, x): return x + 1
        def compute(xs):
            b = Bunch()
            return [b(x) for x in xs]
        """,
        """
        @ARM
        def test(): assert proxies.compute([1]) == [2]
        """,
    ),
    Scenario(
        "hook",
        """
        HOOK = None
        def compute(xs):
            n = len(xs)
            return n, HOOK(n) if HOOK else 0
        """,
        """
        @ARM
        def test(monkeypatch):
            monkeypatch.setattr(hook, "HOOK", lambda n: n)
            hook.compute([1])
        """,
    ),
    Scenario(
        "loaded_anew",
        EACH,
        """
        import importlib
        @ARM
        def test(): importlib.reload(loaded_anew).compute([1])
        """,
    ),
    Scenario(
        "other_mock",
        EACH + "    def other(): pass\n",
        """
        @ARM
        def test(monkeypatch):
            monkeypatch.setattr(other_mock, "other", lambda: 0)
            other_mock.other()
            other_mock.compute([1])
        """,
    ),
]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found, _ = run([*FOUND, *LEFT_ALONE], tmp_path_factory.mktemp("arms"), "-p", "no:cacheprovider")
    arms: dict[str, Any] = found["arms"]
    return arms


@pytest.mark.parametrize("one", [*LEFT_ALONE, *FOUND], ids=lambda one: one.name)
def test_row(one: Scenario, rows: dict[str, Any]) -> None:
    row = rows[one.name]
    assert (row["status"], tuple(row["reasons"])) == (one.status, one.reasons), row["items"]
