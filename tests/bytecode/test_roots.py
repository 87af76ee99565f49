"""Which folders are purged, which are refused, which are left out."""

import pytest

from pytest_epm.bytecode.roots import (
    Candidate,
    Machine,
    Origin,
    Root,
    Within,
    below,
    choose,
    covering,
    unsafe,
)

MACHINE = Machine(
    homes=frozenset({"/srv/ci"}),
    account="/var/lib/runner",
    interpreter=frozenset({"/opt/python", "/opt/python/lib/python3.12", "/opt/python/bin/python"}),
    temporary=frozenset({"/tmp"}),
)


def candidate(
    path: str, origin: Origin = Origin.ROOTDIR, within: Within = Within.PROJECT
) -> Candidate:
    return Candidate(path, path, origin, within)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/srv/ci/proj", id="a project in a home folder"),
        pytest.param("/home/ann/proj", id="a project in a home folder of the usual place"),
        pytest.param("/tmp/proj", id="a project among temporary files"),
        pytest.param("/opt/proj", id="a project beside the interpreter"),
        pytest.param("/opt/pythonic", id="a name that begins like the interpreter's"),
        pytest.param("/srv/ci2", id="a name that begins like a home folder's"),
    ],
)
def test_safe(path: str) -> None:
    assert unsafe(candidate(path), MACHINE) == ""


@pytest.mark.parametrize(
    ("path", "why"),
    [
        pytest.param("/", "the top of the file system", id="top"),
        pytest.param("/srv/ci", "a home folder", id="home in use"),
        pytest.param("/var/lib/runner", "a home folder", id="home on record"),
        pytest.param("/root", "a home folder", id="the administrator's"),
        pytest.param("/home/ann", "a home folder", id="somebody's"),
        pytest.param("/Users/ann", "a home folder", id="somebody's on a Mac"),
        pytest.param("/home", "a folder that holds a home folder", id="everybody's"),
        pytest.param("/var/lib", "a folder that holds a home folder", id="above the one on record"),
        pytest.param("/tmp", "the folder for temporary files", id="temporary files"),
        pytest.param("/opt", "a folder that holds the running interpreter", id="above it"),
        pytest.param("/opt/python", "a folder that holds the running interpreter", id="its home"),
        pytest.param(
            "/opt/python/lib", "a folder that holds the running interpreter", id="above its library"
        ),
    ],
)
def test_unsafe(path: str, why: str) -> None:
    assert unsafe(candidate(path), MACHINE) == why


@pytest.mark.parametrize("within", [Within.INTERPRETER, Within.HOME_OF_INTERPRETER])
def test_an_interpreter_is_no_root_even_if_named(within: Within) -> None:
    chosen = choose([candidate("/x/lib/python3.9", Origin.ARGUMENT, within)], MACHINE)
    assert chosen.roots == ()
    assert chosen.refused == (("/x/lib/python3.9", Origin.ARGUMENT, within.value),)


def test_installed_packages_are_a_root_only_if_named() -> None:
    site = "/x/lib/python3.9/site-packages"
    on_path = candidate(site, Origin.SYS_PATH, Within.INSTALLED)
    named = candidate(site, Origin.ARGUMENT, Within.INSTALLED)
    assert choose([on_path], MACHINE).roots == ()
    assert [root.path for root in choose([named], MACHINE).roots] == [site]


def test_an_environment_of_its_own_below_the_root_is_passed_by() -> None:
    machine = Machine(
        homes=frozenset(),
        interpreter=frozenset({"/work/proj/.conda", "/work/proj/.conda/bin/python"}),
        environment="/work/proj/.conda",
    )
    assert unsafe(candidate("/work/proj"), machine) == ""
    assert unsafe(candidate("/work/proj/.conda"), machine) != ""


@pytest.mark.parametrize(
    "origin", [Origin.INVOCATION, Origin.PYTHONPATH, Origin.SYS_PATH, Origin.EDITABLE]
)
def test_what_nobody_named_is_left_out(origin: Origin) -> None:
    chosen = choose([candidate("/work/proj"), candidate("/srv/ci", origin)], MACHINE)
    assert [root.path for root in chosen.roots] == ["/work/proj"]
    assert chosen.refused == ()
    assert chosen.left_out == (("/srv/ci", origin, "a home folder"),)


@pytest.mark.parametrize("origin", [Origin.ROOTDIR, Origin.PROJECT, Origin.ARGUMENT])
def test_what_was_named_is_refused(origin: Origin) -> None:
    chosen = choose([candidate("/srv/ci", origin)], MACHINE)
    assert chosen.refused == (("/srv/ci", origin, "a home folder"),)


def test_a_root_stands_once_with_every_spelling() -> None:
    chosen = choose(
        [
            candidate("/work/proj"),
            Candidate("/work/proj", "/link/proj", Origin.SYS_PATH),
            Candidate("/work/proj", "/link/proj", Origin.INVOCATION),
        ],
        MACHINE,
    )
    assert chosen.roots == (Root("/work/proj", Origin.ROOTDIR, ("/work/proj", "/link/proj")),)


def test_roots_keep_the_order_of_the_candidates() -> None:
    chosen = choose([candidate("/work/proj/src"), candidate("/work/proj")], MACHINE)
    assert [root.path for root in chosen.roots] == ["/work/proj/src", "/work/proj"]


def test_two_choices_add_up_to_one_with_each_root_once() -> None:
    one = choose([candidate("/work/proj")], MACHINE)
    two = choose([candidate("/work/proj"), candidate("/work/other")], MACHINE)
    assert [root.path for root in one.plus(two).roots] == ["/work/proj", "/work/other"]


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("/a/b", "/a", True),
        ("/a", "/a", False),
        ("/ab", "/a", False),
        ("/a", "/", True),
        ("/", "/", False),
        ("/a", "", False),
    ],
)
def test_below(path: str, folder: str, *, expected: bool) -> None:
    assert below(path, folder) is expected


def test_the_innermost_root_covers() -> None:
    roots = [Root(path, Origin.SYS_PATH, (path,)) for path in ("/p", "/p/src", "/q")]
    found = covering("/p/src/mod.py", roots)
    assert found is not None
    assert found.path == "/p/src"
    assert covering("/r/mod.py", roots) is None
