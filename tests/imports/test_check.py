"""Whole projects, imported for real."""

from pathlib import Path

import pytest

from epm_testing import Project
from pytest_epm.imports.check import Asked, check
from pytest_epm.imports.results import Checked


def checked(project: Project, seconds: float = 20, **files: str) -> Checked:
    """Write files, `___` standing for a slash, and check the project."""
    for name, text in files.items():
        project.put(name.replace("___", "/") + ".py", text)
    return check(Asked(str(project.root), seconds=seconds))


def outcome(found: Checked) -> list[str]:
    """Return every outcome as one word with the module and name it is about."""
    kinds = (("broken", found.broken), ("unavailable", found.unavailable), ("note", found.notes))
    return [
        f"{kind} {item.problem} {item.module}:{item.name}".rstrip(": ")
        for kind, items in kinds
        for item in items
    ]


def late(statement: str) -> str:
    return "def f():\n" + "\n".join(f"    {line}" for line in statement.split("\n"))


def guarded(statement: str, error: str = "ImportError", handler: str = "pass") -> str:
    return late(f"try:\n    {statement}\nexcept {error}:\n    {handler}")


LIB = """
class Item:
    pass

def __getattr__(name):
    if name == 'lazy':
        return 1
    raise AttributeError(name)
"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(late("import lib"), id="a module"),
        pytest.param(late("from lib import Item"), id="a name"),
        pytest.param(late("from lib import lazy"), id="a lazy name"),
        pytest.param(late("import pkg.sub"), id="a submodule"),
        pytest.param(late("from pkg import sub"), id="a submodule by name"),
        pytest.param("if x:\n    from lib import *", id="all of it"),
        pytest.param(late("import os.path, json"), id="the standard library"),
        pytest.param(guarded("import json", handler="import gone"), id="a handler not needed"),
        pytest.param(
            guarded("from lib import Old", handler="from lib import Item"), id="a stand-in"
        ),
        pytest.param(
            late("with pytest.raises(ImportError):\n    import lib.gone"), id="there to fail"
        ),
        pytest.param("import gone_at_the_top", id="not deferred"),
    ],
)
def test_leaves_alone(project: Project, text: str) -> None:
    assert outcome(checked(project, lib=LIB, pkg_____init__="", pkg___sub="", gen=text)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(late("from lib import Itm"), "broken missing-name lib:Itm", id="a name"),
        pytest.param(late("import pkg.gone"), "broken missing-module pkg.gone", id="a module"),
        pytest.param(
            late("from pkg.bad import x"), "broken fails-inside pkg.bad:x", id="a module within"
        ),
        pytest.param(late("import faulty"), "broken fails-inside faulty", id="a syntax error"),
        pytest.param(
            late("from pkg import gone"), "broken missing-name pkg:gone", id="a submodule by name"
        ),
        pytest.param(
            guarded("from lib import Gone"), "broken missing-name lib:Gone", id="hidden by a guard"
        ),
        pytest.param(
            guarded("import pkg.gone", "Exception"),
            "broken missing-module pkg.gone",
            id="hidden by a guard for anything",
        ),
        pytest.param(
            guarded("from lib import Old", handler="from lib import Older"),
            "broken missing-name lib:Old broken missing-name lib:Older",
            id="neither side",
        ),
        pytest.param(
            guarded("import pkg.gone"), "unavailable missing-module pkg.gone", id="generated"
        ),
        pytest.param(
            guarded("from pkg import _version"),
            "unavailable missing-name pkg:_version",
            id="generated, by name",
        ),
        pytest.param(
            late("import no_such_thing"), "unavailable missing-module no_such_thing", id="an extra"
        ),
        pytest.param(
            late("import needs_extra"), "unavailable fails-inside needs_extra", id="needs an extra"
        ),
        pytest.param(
            late("import needed_thing"), "broken missing-module needed_thing", id="declared"
        ),
        pytest.param(
            guarded("import needed_thing"),
            "unavailable missing-module needed_thing",
            id="declared and guarded",
        ),
        pytest.param(
            late("from subprocess import STARTUPINFO"),
            "note missing-name subprocess:STARTUPINFO",
            id="the standard library of another platform",
        ),
        pytest.param(
            late("import not_set_up"), "unavailable fails-inside not_set_up", id="not set up here"
        ),
        pytest.param(
            late("from needs_in_pkg import x"),
            "unavailable missing-module needs_in_pkg:x",
            id="no such",
        ),
        pytest.param(
            late("from pkg.extra import made"),
            "unavailable fails-inside pkg.extra:made",
            id="bound",
        ),
        pytest.param(
            late("from pkg.extra import mode"),
            "broken missing-name pkg.extra:mode",
            id="needs an extra, and binds no such name",
        ),
        pytest.param(
            late("from pkg.state import STATE"),
            "unavailable missing-name pkg.state:STATE",
            id="a function will bind it",
        ),
        pytest.param(late("import leaves"), "unavailable fails-inside leaves", id="exits"),
        pytest.param(
            "if x:\n    from listed import *",
            "broken missing-name listed:*",
            id="a name in __all__",
        ),
        pytest.param("import os\ndef f(:\n", "note not-parsed", id="no Python"),
    ],
)
def test_outcome(project: Project, text: str, found: str) -> None:
    project.put("pyproject.toml", '[project]\ndependencies = ["needed-thing"]\n')
    got = checked(
        project,
        lib=LIB,
        pkg_____init__="",
        pkg___bad="from lib import Gone\n",
        pkg___extra="import no_such_thing\ndef made(): ...\n",
        pkg___state="def start():\n    global STATE\n    STATE = 1\n",
        faulty="def :\n",
        needs_extra="import no_such_thing\n",
        not_set_up="raise RuntimeError('set KEY')\n",
        leaves="raise SystemExit(3)\n",
        listed="__all__ = ['gone']\n",
        gen=text,
    )
    assert " ".join(outcome(got)) == found


class TestContained:
    def test_effects_stay_in_the_child(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(project.root)
        loud = (
            "import atexit, os, sys, threading, time\n"
            "print('noise'); os.write(1, b'noise'); open('left.txt', 'w').close()\n"
            "assert sys.stdin.read() == ''\n"
            "threading.Thread(target=time.sleep, args=(60,)).start()\n"
            "atexit.register(lambda: open(os.path.dirname(__file__) + '/late', 'w'))\n"
        )
        assert outcome(checked(project, loud=loud, gen=late("import loud"))) == []
        assert sorted(p.name for p in project.root.iterdir()) == ["gen.py", "loud.py"]
        assert capfd.readouterr() == ("", "")

    def test_a_crash_costs_one_module(self, project: Project) -> None:
        text = late("import a\nimport dies\nimport dies.x\nfrom b import Gone")
        found = checked(project, a="", b="", dies="import os; os.kill(os.getpid(), 11)", gen=text)
        assert outcome(found) == [
            "broken crashed dies",
            "broken crashed dies.x",
            "broken missing-name b:Gone",
        ]
        assert "signal 11" in found.broken[0].detail

    def test_a_hang_ends_with_its_limit(self, project: Project) -> None:
        text = late("import hangs\nfrom hangs import x\nfrom b import Gone")
        hangs = "import time\ntime.sleep(60)\n"
        found = checked(project, 1.5, hangs=hangs, b="", gen=text)
        assert outcome(found) == [
            "broken timed-out hangs",
            "broken timed-out hangs:x",
            "broken missing-name b:Gone",
        ]

    def test_stale_bytecode_is_not_believed(self, project: Project) -> None:
        project.stale("lib.py", "OLD = 1\n", "NEW = 1\n")
        assert outcome(checked(project, gen=late("from lib import OLD"))) == [
            "broken missing-name lib:OLD"
        ]


class TestHowItIsImported:
    def test_a_script_does_not_find_the_top_of_the_project(self, project: Project) -> None:
        main = late("import tools.helper") + "\nif __name__ == '__main__':\n    f()\n"
        project.put("pytest.ini", "[pytest]\n")
        found = checked(
            project, tools___helper="", tools___run=main, tools___lib=late("import tools.helper")
        )
        assert [(item.file, item.problem) for item in found.broken] == [
            ("tools/run.py", "missing-module")
        ]

    def test_pytests_own_paths_are_on_it(self, project: Project) -> None:
        project.put("pytest.ini", "[pytest]\npythonpath = deep/down\n")
        assert outcome(checked(project, deep___down___m="", gen=late("import m"))) == []

    def test_src(self, project: Project) -> None:
        found = checked(
            project,
            src___pkg_____init__="",
            src___pkg___m=late("from . import gone\nimport pkg"),
            tests___test_m=late("import pkg.m"),
        )
        assert outcome(found) == ["broken missing-name pkg:gone"]

    def test_a_module_that_hides_one_that_we_use(self, project: Project) -> None:
        found = checked(project, json="MINE = 1\n", gen=late("from json import MINE"))
        assert outcome(found) == []

    def test_a_circle_that_the_file_itself_enters_rightly(self, project: Project) -> None:
        found = checked(
            project,
            pkg_____init__="",
            pkg___a="from pkg.b import B\nclass A(B):\n    pass\n",
            pkg___b="class B:\n    pass\nfrom pkg.a import A\n" + late("from pkg.a import A"),
        )
        assert outcome(found) == []

    def test_a_relative_import_in_a_script(self, project: Project) -> None:
        found = checked(project, run="#!/usr/bin/python\n" + late("from . import x"))
        assert outcome(found) == ["broken no-package .:x"]


CALLED = """
import functools
class Plain:
    def __init__(self, a, b=1): ...
    @classmethod
    def make(cls, a): ...
class Bare: ...
class Error(Exception):
    def __init__(self, code): ...
def plain(a, *, k=1): ...
def passing(function):
    @functools.wraps(function)
    def inner(*args, **more): return function(*args, **more)
    return inner
def taking(function):
    @functools.wraps(function)
    def inner(*args, **more):
        more.pop('retry', 1)
        return function(*args, **more)
    return inner
@passing
def wrapped(a, b): ...
@taking
def taken(a): ...
async def ask(a): ...
"""


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        pytest.param("plain(1, k=2)", "", id="fits"),
        pytest.param("plain(*p)", "", id="nobody knows"),
        pytest.param("Plain(1, b=2)", "", id="a class"),
        pytest.param("Plain.make(1)", "", id="a class method"),
        pytest.param("Bare()", "", id="a class without a maker"),
        pytest.param("Error(1)", "", id="an exception"),
        pytest.param("wrapped(1)", "", id="wrapped, and too few"),
        pytest.param("taken(1, retry=2)", "", id="a wrapper takes it off"),
        pytest.param("return ask(1)", "", id="handed on"),
        pytest.param("plain(1, j=2)", "unexpected-keyword", id="no such keyword"),
        pytest.param("plain()", "wrong-arguments", id="too few"),
        pytest.param("plain(1, 2)", "wrong-arguments", id="too many"),
        pytest.param("Plain()", "wrong-arguments", id="a class, too few"),
        pytest.param("Plain.make()", "wrong-arguments", id="a class method, too few"),
        pytest.param("Bare(1)", "wrong-arguments", id="no maker, too many"),
        pytest.param("Error()", "wrong-arguments", id="an exception, too few"),
        pytest.param("wrapped(1, 2, c=3)", "unexpected-keyword", id="wrapped, no such keyword"),
        pytest.param("ask(1).strip()", "not-awaited", id="not awaited"),
    ],
)
@pytest.mark.parametrize("where", ["deferred", "top"])
def test_calls(project: Project, call: str, problem: str, where: str) -> None:
    name = call.removeprefix("return ").partition("(")[0].partition(".")[0]
    statement = f"from lib import {name}"
    text = late(f"{statement}\n{call}") if where == "deferred" else f"{statement}\n{late(call)}"
    found = checked(project, lib=CALLED, gen=text.replace("f()", "f(p=())"))
    assert " ".join(bad.problem for bad in found.call_shapes) == problem


def test_an_attribute_that_the_module_lacks(project: Project) -> None:
    found = checked(project, lib=LIB, gen=late("import lib\nlib.Itm()\nlib.Item()"))
    (bad,) = found.call_shapes
    assert (bad.problem, bad.callee, bad.line) == ("missing-attribute", "lib.Itm", 3)
    assert "(did you mean 'Item'?)" in bad.detail


def test_an_attribute_that_the_module_gets_later(project: Project) -> None:
    proxies = "def fill(names): pass\nfill(globals())\n"
    found = checked(project, lib=proxies, gen=late("import lib\nlib.made_at_run_time()"))
    assert found.call_shapes == ()


def test_only_what_is_asked_for(project: Project) -> None:
    a, b = (str(project.put(f"{n}.py", late("from lib import Gone"))) for n in "ab")
    project.put("lib.py", "")
    found = check(Asked(str(project.root), files=[a, b, a], judged={b}))
    assert [(item.file, item.judged) for item in found.broken] == [("a.py", False), ("b.py", True)]
    assert not found.holds
    assert check(Asked(str(project.root), judged=())).holds


def test_a_file_that_is_no_text(project: Project, tmp_path: Path) -> None:
    (project.root / "bad.py").write_bytes(b"import \xff\n")
    (project.root / "nul.py").write_bytes(b"import a\0\n")
    outside = tmp_path / "outside.py"
    outside.write_text(late("import json"))
    found = check(Asked(str(project.root), files=[*map(str, project.root.iterdir()), str(outside)]))
    assert outcome(found) == ["note not-parsed", "note not-parsed"]
