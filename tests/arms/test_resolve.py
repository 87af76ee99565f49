"""From a name in a plan to the `def` in the source."""

import ast
from textwrap import dedent
from time import process_time

import pytest

from pytest_epm.arms.cells import Compute, computes
from pytest_epm.arms.resolve import (
    Answer,
    Found,
    IsClass,
    Module,
    NotFound,
    Opaque,
    Resolver,
    resolve,
    spread,
)

FAST = """
    from functools import partial, lru_cache
    from typing import overload
    import jax
    def plain(x): return x
    @jax.jit
    @lru_cache
    def wrapped(x): return x
    alias = plain
    half = partial(plain, 2)
    jitted = jax.jit(plain)
    def rebound(x): return x
    rebound = jax.jit(rebound)
    square = lambda x: x * x
    @overload
    def loaded(x: int) -> int: ...
    def loaded(x): return x
    @overload
    def loaded(x: str) -> str: ...
    if MOCK:
        def picked(x): return 0
    else:
        def picked(x): return x + 1
    if MOCK:
        def late(x): return 0
    if not MOCK:
        def only(x): return 1
    else:
        def only(x): return 0
    try:
        from math import sort
    except ImportError:
        def sort(x): return x
    def outer(x):
        def inner(y): return y
        return inner
    NUMBER = 3
    a = b
    b = a
"""
MODEL = """
    from abc import ABC
    import base as pkgbase
    class Model(pkgbase.Base, ABC):
        @property
        def size(self): return 1
        @size.setter
        def size(self, value): pass
        def fit(self, x): return x
        class Inner:
            def go(self): return 1
    class Sub(Model):
        pass
    instance = Sub()
"""
COND = """
    import sys
    if sys.version_info >= (3, 8):
        def run(x): return 1
    else:
        def run(x): return 2
    try:
        from absent import fast
    except ImportError:
        def fast(x): return 3
    try:
        from pkg.fast import plain as there
    except ImportError:
        def there(x): return 4
    try:
        from absent import gone
    except ImportError:
        gone = None
    def later(x): return 5
    if HAVE:
        def later(x): return 6
    def covered(x): return 7
    if HAVE:
        covered = jit(covered)
    if HAVE:
        def over(x): return 8
    def over(x): return 9
    class A:
        if HAVE:
            def run(self, x): return 10
        else:
            def run(self, x): return 11
    class B:
        @staticmethod
        def run(x): return x
        @classmethod
        def make(cls, x): return x
    class C(B):
        pass
"""
SOURCES = {
    "pkg": "from .fast import plain as public\nfrom pkg.models import *\nfrom . import fast\n",
    "pkg.fast": FAST,
    "pkg.models": "from ..pkg.deep.impl import run\nfrom .fast import nothing\n",
    "pkg.deep": "",
    "pkg.deep.impl": "async def run(x):\n    return x\n",
    "model": MODEL,
    "base": "class Base:\n    def predict(self, x):\n        return x\n    def fit(self): ...\n",
    "user": "import pkg.fast\nimport pkg.fast as f\nfrom math import sqrt\nfrom pkg import *\n",
    "math": None,
    "torn": "",
    "cond": COND,
}


def find(name: str) -> Module | None:
    if name not in SOURCES:
        return None
    source = SOURCES[name]
    tree = None if source is None else ast.parse(dedent(source))
    package = name if name in ("pkg", "pkg.deep") else name.rpartition(".")[0]
    if name == "torn":
        tree = None
    path = "" if source is None else f"{name}.py"
    return Module(name, path, tree, package)


MODULES = {name: find(name) for name in SOURCES}


def answer(cell: str) -> Answer:
    (compute,) = computes(cell)
    return resolve(compute, MODULES.get, SOURCES)


@pytest.mark.parametrize(
    ("cell", "module", "qualname"),
    [
        pytest.param("pkg.fast:plain", "pkg.fast", "plain", id="plain"),
        pytest.param("pkg.fast:wrapped", "pkg.fast", "wrapped", id="decorated"),
        pytest.param("pkg.fast:alias", "pkg.fast", "plain", id="alias"),
        pytest.param("pkg.fast:half", "pkg.fast", "plain", id="partial"),
        pytest.param("pkg.fast:jitted", "pkg.fast", "plain", id="wrapper called on it"),
        pytest.param("pkg.fast:rebound", "pkg.fast", "rebound", id="wrapped under its own name"),
        pytest.param("pkg.fast:square", "pkg.fast", "square.<lambda>", id="lambda"),
        pytest.param("pkg.fast:loaded", "pkg.fast", "loaded", id="overloads"),
        pytest.param("pkg.fast:late", "pkg.fast", "late", id="a mock alone"),
        pytest.param(
            "pkg.fast:outer.<locals>.inner", "pkg.fast", "outer.<locals>.inner", id="nested"
        ),
        pytest.param(
            "pkg.fast:outer.inner", "pkg.fast", "outer.<locals>.inner", id="nested, short"
        ),
        pytest.param("pkg:public", "pkg.fast", "plain", id="re-export"),
        pytest.param("user:public", "pkg.fast", "plain", id="re-export of a re-export"),
        pytest.param("pkg:run", "pkg.deep.impl", "run", id="star import"),
        pytest.param("pkg:fast.plain", "pkg.fast", "plain", id="through a submodule"),
        pytest.param("user:pkg.fast.plain", "pkg.fast", "plain", id="through an import"),
        pytest.param("user:f.plain", "pkg.fast", "plain", id="through an import as"),
        pytest.param("model:Model.fit", "model", "Model.fit", id="method"),
        pytest.param("model:Model.size", "model", "Model.size", id="property"),
        pytest.param("model:Model.Inner.go", "model", "Model.Inner.go", id="nested class"),
        pytest.param("model:instance.fit", "model", "Model.fit", id="through an instance"),
    ],
)
def test_found(cell: str, module: str, qualname: str) -> None:
    found = answer(cell)
    assert isinstance(found, Found)
    assert (found.module, found.qualname) == (module, qualname)
    assert found.path == f"{module}.py"


def test_a_property_means_its_getter() -> None:
    found = answer("model:Model.size")
    assert isinstance(found, Found)
    assert ast.unparse(found.node.body[0]) == "return 1"


@pytest.mark.parametrize(("name", "result"), [("picked", "x + 1"), ("only", "1")])
def test_the_real_side_of_a_flag_is_meant(name: str, result: str) -> None:
    found = answer(f"pkg.fast:{name}")
    assert isinstance(found, Found)
    assert ast.unparse(found.node.body[0]) == f"return {result}"


@pytest.mark.parametrize(
    ("cell", "sub"),
    [
        pytest.param("model:Model.fit", "", id="its own"),
        pytest.param("model:Model.predict", "model:Model", id="inherited"),
        pytest.param("model:Sub.predict", "model:Sub", id="inherited twice"),
        pytest.param("model:Sub.fit", "model:Sub", id="the nearest base wins"),
    ],
)
def test_an_inherited_method_names_the_class(cell: str, sub: str) -> None:
    found = answer(cell)
    assert isinstance(found, Found)
    assert found.sub == sub


@pytest.mark.parametrize(
    ("cell", "results"),
    [
        pytest.param("cond:over", ["9"], id="a later one holds in any case"),
        pytest.param("cond:covered", ["7"], id="wrapped on a condition"),
        pytest.param("cond:there", ["x"], id="the import works"),
        pytest.param("cond:run", ["1", "2"], id="by version"),
        pytest.param("cond:fast", ["3"], id="the module is absent"),
        pytest.param("cond:later", ["5", "6"], id="perhaps another"),
        pytest.param("cond:A.run", ["10", "11"], id="methods"),
    ],
)
def test_every_candidate_counts(cell: str, results: list[str]) -> None:
    found = answer(cell)
    assert isinstance(found, Found)
    bodies = [ast.unparse(one.node.body[0]) for one in spread(found)]
    assert sorted(bodies) == sorted(f"return {result}" for result in results)


def test_absent_in_any_case() -> None:
    gone = answer("cond:gone")
    assert gone == Opaque("absent", "gone")


@pytest.mark.parametrize(("cell", "sub"), [("cond:C.run", ""), ("cond:C.make", "cond:C")])
def test_an_inherited_static_method_has_no_self(cell: str, sub: str) -> None:
    found = answer(cell)
    assert isinstance(found, Found)
    assert found.sub == sub


def test_many_lost_names_are_not_all_looked_for() -> None:
    resolver = Resolver(MODULES.get, SOURCES)
    cells = ", ".join(f"pkg.fast:plain{n}" for n in range(50))
    found = [resolver(compute) for compute in computes(cells)]
    assert isinstance(found[0], NotFound)
    assert isinstance(found[-1], NotFound)
    assert (found[0].nearest[:1], found[-1].nearest) == (("pkg.fast:plain",), ())


def test_a_large_module_is_walked_once() -> None:
    source = "".join(f"def f{n}(x): return x\n" for n in range(3000))
    module = Module("large", "large.py", ast.parse(source), "")
    resolver = Resolver({"large": module}.get)
    begun = process_time()
    found = [resolver(Compute("large", f"f{n}")) for n in range(3000)]
    assert all(isinstance(one, Found) for one in found)
    assert process_time() - begun < 5  # seconds; to walk it for each takes three times as long


def test_a_class_lists_its_methods() -> None:
    assert answer("model:Sub") == IsClass("model:Sub", ("size", "fit", "predict"))


@pytest.mark.parametrize(
    ("cell", "module", "qualname"),
    [
        pytest.param("math:sqrt", "math", "sqrt", id="a module without source"),
        pytest.param("user:sqrt", "math", "sqrt", id="imported from one"),
        pytest.param("pkg.fast:sort", "math", "sort", id="from outside, its fallback aside"),
    ],
)
def test_opaque(cell: str, module: str, qualname: str) -> None:
    assert answer(cell) == Opaque(module, qualname)


@pytest.mark.parametrize(
    ("cell", "what", "nearest"),
    [
        pytest.param("pkg.fsat:plain", "no module pkg.fsat", ("pkg.fast",), id="module"),
        pytest.param("pkg.fast:plian", "pkg.fast has no plian", ("pkg.fast:plain",), id="function"),
        pytest.param(
            "model:Model.fitt",
            "model:Model has no method fitt",
            ("model:Model.fit",),
            id="method",
        ),
        pytest.param("pkg.fast:zzz", "pkg.fast has no zzz", (), id="nothing like it"),
        pytest.param("pkg.fast:NUMBER", "pkg.fast:NUMBER is no function", (), id="a number"),
        pytest.param("pkg.fast:a", "pkg.fast has no a", (), id="a circle"),
        pytest.param("pkg.models:nothing", "pkg.fast has no nothing", (), id="a broken re-export"),
        pytest.param("user:f", "user:f is a module", (), id="a module"),
        pytest.param("torn:f", "torn.py does not parse as Python", (), id="a syntax error"),
    ],
)
def test_not_found(cell: str, what: str, nearest: tuple[str, ...]) -> None:
    found = answer(cell)
    assert isinstance(found, NotFound)
    assert found.what.startswith(what)
    assert found.nearest[: len(nearest)] == nearest
