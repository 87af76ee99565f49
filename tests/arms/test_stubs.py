"""Bodies that compute, and bodies that only look as if they did."""

import ast
from textwrap import dedent

import pytest

from pytest_epm.arms.stubs import stub

PROJECT = {
    "helper": "m:helper",
    "self._fit": "m:A._fit",
    "planned": "m:planned",
    "lib.go": "lib:go",
}


def why(source: str) -> str:
    (node,) = ast.parse(dedent(source)).body
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)

    def callee(func: ast.expr) -> str:
        return PROJECT.get(ast.unparse(func), "")

    return stub(node, callee, frozenset({"m:planned"}))


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(x): return x * 2", id="computes"),
        pytest.param("def f(x): return x", id="gives back what it got"),
        pytest.param("def f(): return 0.5", id="has no parameters to read"),
        pytest.param("def f(self): return 0.5", id="self is none"),
        pytest.param("def f(xs): return sum(xs)", id="hands over to a builtin"),
        pytest.param("def f(xs): return np.mean(xs)", id="hands over to a library"),
        pytest.param("def f(xs): return planned(xs)", id="hands over to a planned computation"),
        pytest.param("def f(xs): return helper(xs) + 1", id="adds to it"),
        pytest.param("def f(xs): return helper(xs[1:])", id="takes a part first"),
        pytest.param("def f(xs, cfg): return helper(xs, cfg.lr)", id="takes a part of a setting"),
        pytest.param("def f(xs): return [helper(x) for x in xs]", id="for each"),
        pytest.param("def f(xs): return helper(xs), lib.go(xs)", id="two helpers"),
        pytest.param("def f(xs): return {'r': helper(xs), 'n': len(xs)}", id="and more"),
        pytest.param(
            "def f(xs):\n    r = helper(xs)\n    return r / r.sum()", id="uses the result twice"
        ),
        pytest.param("def f(xs):\n    with lock:\n        return sum(xs)", id="under a lock"),
        pytest.param("def f(xs):\n    a, b = helper(xs)\n    return b, a", id="in another order"),
        pytest.param(
            "def f(xs):\n    try:\n        return helper(xs)\n    except E:\n        return g(xs)",
            id="with a handler",
        ),
        pytest.param(
            "def f(xs):\n    with lock:\n        r = helper(xs)\n        return r + 1",
            id="more inside",
        ),
        pytest.param(
            "def f(xs):\n    if not xs:\n        raise NotImplementedError\n    return sum(xs)",
            id="raises for some",
        ),
        pytest.param(
            "def f(xs):\n    if xs:\n        return sum(xs)\n    raise NotImplementedError",
            id="raises for the rest",
        ),
        pytest.param("def f(x):\n    x += 1\n    return None", id="reads by adding"),
        pytest.param("def f(*args, **kw): return locals()", id="reads all at once"),
        pytest.param("def f(xs):\n    for x in xs:\n        yield x", id="generator"),
        pytest.param("def f(xs):\n    def g(): return xs\n    return g", id="closure"),
    ],
)
def test_computes(source: str) -> None:
    assert why(source) == ""


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(x): pass", id="pass"),
        pytest.param("def f(x): ...", id="dots"),
        pytest.param('def f(x):\n    """Doc."""', id="docstring"),
        pytest.param(
            "def f(x):\n    import numpy\n    log.info('x')\n    print(x)", id="says only"
        ),
        pytest.param("def f(x):\n    warnings.warn('todo')\n    del x", id="warns and deletes"),
        pytest.param("def f():\n    self.logger.info('x')", id="logs, without parameters"),
    ],
)
def test_empty(source: str) -> None:
    assert why(source) == "its body is empty"


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(x): raise NotImplementedError", id="bare"),
        pytest.param("def f(x):\n    'Doc.'\n    raise NotImplementedError('todo')", id="called"),
        pytest.param("async def f(): raise NotImplementedError", id="async"),
        pytest.param(
            "def f(x):\n    if not x:\n        raise ValueError\n    raise NotImplementedError(x)",
            id="after checks",
        ),
    ],
)
def test_not_implemented(source: str) -> None:
    assert why(source) == "it raises NotImplementedError"


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(xs, ys): return 0.0", id="literal"),
        pytest.param("def f(self, xs): return self.default", id="self is none"),
        pytest.param("def f(xs):\n    print(xs)\n    return {}", id="a message is no use"),
        pytest.param("def f(*xs, **kw): return random.random()", id="random"),
        pytest.param("def f(xs):\n    xs = [1]\n    return 3", id="overwrites it"),
    ],
)
def test_reads_nothing(source: str) -> None:
    assert why(source) == "it reads none of its parameters"


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(xs, ys): return helper(xs, ys)", id="bare"),
        pytest.param(
            "def f(xs, ys):\n    'Doc.'\n    # TODO\n    return helper(xs, ys)", id="todo"
        ),
        pytest.param("def f(xs, ys): return helper(ys, n=0)", id="some, and a literal"),
        pytest.param("def f(xs):\n    r = helper(xs)\n    return r", id="through a local"),
        pytest.param(
            "def f(xs):\n    r = helper(xs)\n    out = {'r2': r}\n    return out", id="two locals"
        ),
        pytest.param("def f(xs): return {'r2': helper(xs), 'ok': True}", id="in a dict"),
        pytest.param("def f(xs): return [helper(xs)]", id="in a list"),
        pytest.param("def f(*a, **k): return helper(*a, **k)", id="all of them"),
        pytest.param("async def f(x): return await helper(x)", id="awaited"),
        pytest.param("def f(x):\n    yield from helper(x)", id="yielded from"),
        pytest.param("def f(x):\n    helper(x)", id="called for its effect"),
        pytest.param("def f(x): return (helper(x),)", id="tuple"),
        pytest.param("def f(xs):\n    r: int = helper(xs)\n    return r", id="annotated"),
        pytest.param("def f(xs):\n    a, b = helper(xs)\n    return a, b", id="taken apart"),
        pytest.param("def f(xs):\n    with lock:\n        return helper(xs)", id="under a lock"),
        pytest.param(
            "def f(xs):\n    with lock, log(1):\n        r = helper(xs)\n        return r",
            id="under two",
        ),
        pytest.param(
            "def f(xs):\n    try:\n        return helper(xs)\n    finally:\n        done()",
            id="finally",
        ),
    ],
)
def test_hands_over(source: str) -> None:
    assert why(source) == "it only hands its parameters to m:helper, which no plan names"


def test_hands_over_to_a_function_of_a_module() -> None:
    assert "lib:go" in why("def f(xs):\n    r = lib.go(xs)\n    return r")


def test_hands_over_to_a_method() -> None:
    assert "m:A._fit" in why("def f(self, x): return self._fit(x)")
