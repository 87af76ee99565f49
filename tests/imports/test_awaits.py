"""Whether a coroutine goes anywhere. The call looked at is `ask(...)`."""

import ast

import pytest

from pytest_epm.imports.awaits import dropped
from pytest_epm.imports.collect import Source
from pytest_epm.imports.scopes import walked


def is_dropped(body: str) -> bool:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    tree = walked(ast.parse(f"def f(xs):\n{lines}\n"), Source("m.py"))
    (found,) = [
        call for call, _ in tree.calls if isinstance(call.func, ast.Name) and call.func.id == "ask"
    ]
    return dropped(found, tree)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("await ask()", id="awaited"),
        pytest.param("return ask()", id="returned"),
        pytest.param("return (ask(), 1)", id="returned in a tuple"),
        pytest.param("return [ask(x) for x in xs]", id="returned as a list"),
        pytest.param("return ask() if xs else None", id="returned by a ternary"),
        pytest.param("yield ask()", id="yielded"),
        pytest.param("return lambda: ask()", id="returned by a lambda"),
        pytest.param("asyncio.run(ask())", id="given to a runner"),
        pytest.param("run(main=ask())", id="given by keyword"),
        pytest.param("asyncio.gather(*[ask(x) for x in xs])", id="gathered"),
        pytest.param("gather(*(ask(x) for x in xs))", id="gathered from a generator"),
        pytest.param("t = ask()\nawait t", id="named, then awaited"),
        pytest.param("t = ask()\nasyncio.run(t)", id="named, then handed on"),
        pytest.param("t = ask()\nu = t\nreturn u", id="by two names"),
        pytest.param("ts = [ask(x) for x in xs]\nawait gather(*ts)", id="a list by name"),
        pytest.param("ts = list(ask(x) for x in xs)\nreturn ts", id="list() of them"),
        pytest.param("ts = []\nfor x in xs:\n    ts.append(ask(x))\nreturn ts", id="appended"),
        pytest.param("ts = [ask(x) for x in xs]\nfor t in ts:\n    await t", id="a loop awaits"),
        pytest.param(
            "ts = [ask(x) for x in xs]\nreturn [await t for t in ts]", id="so does a list"
        ),
        pytest.param("ts = {}\nts[1] = ask()\nreturn ts", id="stored, and that returned"),
        pytest.param("xs.append(ask())", id="appended to someone else's list"),
        pytest.param("self.t = ask()", id="an attribute keeps it"),
        pytest.param("def g():\n    return t\nt = ask()", id="an inner function returns it"),
        pytest.param("if (t := ask()):\n    await t", id="walrus"),
        pytest.param("a, b = ask(), 1\nawait a", id="unpacked"),
    ],
)
def test_handed_on(body: str) -> None:
    assert not is_dropped(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("ask()", id="a statement"),
        pytest.param("return ask().strip()", id="an attribute of it"),
        pytest.param("return ask()[0]", id="an item of it"),
        pytest.param("return {'n': ask()}", id="in a dictionary"),
        pytest.param("print(ask())", id="given to a builtin"),
        pytest.param("return len([ask(x) for x in xs])", id="counted"),
        pytest.param("return ', '.join(ask(x) for x in xs)", id="joined"),
        pytest.param("t = ask()\nreturn 1", id="named and forgotten"),
        pytest.param("t = ask()\nreturn t.strip()", id="named, then used as a value"),
        pytest.param(
            "ts = [ask(x) for x in xs]\nreturn {'n': len(ts), 'a': ts}", id="the incident"
        ),
        pytest.param("ts = [ask(x) for x in xs]\nreturn [t.strip() for t in ts]", id="iterated"),
        pytest.param("ts = []\nfor x in xs:\n    ts.append(ask(x))\nreturn len(ts)", id="appended"),
        pytest.param("for a in ask():\n    g(a)", id="iterated itself"),
        pytest.param("return f'{ask()}'", id="formatted"),
        pytest.param("if ask():\n    return 1", id="a condition"),
        pytest.param("t = ask()\nt = t", id="only itself"),
    ],
)
def test_dropped(body: str) -> None:
    assert is_dropped(body)
