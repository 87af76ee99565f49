"""What loaded modules prove."""

import pytest

from pytest_epm.bytecode.proof import Doubt, Loaded, doubtful, too_early
from pytest_epm.bytecode.roots import Origin, Root

ROOTS = [Root("/p", Origin.ROOTDIR, ("/p",))]
MOD = Loaded("mod", "/p/mod.py", "/p/__pycache__/mod.cpython-312.pyc")


def early(module: Loaded, *, foreign: str = "", stale: bool = False) -> list[Doubt]:
    return too_early([module], ROOTS, lambda *_: foreign, lambda _: stale)


@pytest.mark.parametrize(
    "module",
    [
        pytest.param(Loaded("json", "/usr/lib/python3.12/json/__init__.py", "/c"), id="elsewhere"),
        pytest.param(Loaded("pytest_epm", "/p/pytest_epm/__init__.py", "/c"), id="ours"),
        pytest.param(Loaded("epm_hooks.bytecode", "/p/hooks/epm_hooks/b.py", "/c"), id="our hook"),
        pytest.param(Loaded("sitecustomize", "/p/sitecustomize.py", "/c"), id="fresh start-up"),
    ],
)
def test_not_too_early(module: Loaded) -> None:
    assert early(module) == []


def test_what_is_not_the_projects_is_not_too_early() -> None:
    assert early(MOD, foreign="/p/.venv is a virtual environment") == []


@pytest.mark.parametrize(
    "module",
    [
        pytest.param(MOD, id="a module"),
        pytest.param(Loaded("pytest_epmx", "/p/pytest_epmx.py", "/c"), id="a name like ours"),
    ],
)
def test_too_early(module: Loaded) -> None:
    assert early(module) == [Doubt(*module)]


def test_start_up_code_that_is_stale_is_too_early() -> None:
    module = Loaded("sitecustomize", "/p/sitecustomize.py", "/c")
    assert early(module, stale=True) == [Doubt(*module)]


def doubts(module: Loaded, *exist: str, kept: frozenset[str] = frozenset()) -> list[Doubt]:
    def caches(cached: str) -> list[str]:
        return [cached, cached.replace(".pyc", "-pytest-9.2.0.pyc")]

    def foreign(file: str) -> bool:
        return "site-packages" in file

    return doubtful([module], exist.__contains__, foreign, caches, kept)


def test_no_doubt_without_a_cached_file() -> None:
    assert doubts(MOD) == []


def test_no_doubt_about_installed_packages() -> None:
    installed = Loaded("six", "/v/site-packages/six.py", "/v/site-packages/__pycache__/six.pyc")
    assert doubts(installed, installed.cached) == []


def test_no_doubt_about_our_own_modules() -> None:
    ours = Loaded("pytest_epm.git", "/p/pytest_epm/git.py", "/p/pytest_epm/__pycache__/git.pyc")
    assert doubts(ours, ours.cached) == []


def test_no_doubt_about_sourceless_code_that_git_tracks() -> None:
    sourceless = Loaded("fast", "/p/fast.pyc", "/p/fast.pyc")
    assert doubts(sourceless, "/p/fast.pyc", kept=frozenset({"/p/fast.pyc"})) == []


def test_doubt_where_a_cached_file_exists() -> None:
    assert doubts(MOD, MOD.cached) == [Doubt("mod", "/p/mod.py", MOD.cached)]


def test_doubt_where_pytests_rewritten_file_exists() -> None:
    rewritten = "/p/__pycache__/mod.cpython-312-pytest-9.2.0.pyc"
    assert doubts(MOD, rewritten) == [Doubt("mod", "/p/mod.py", rewritten)]


def test_doubt_about_sourceless_code() -> None:
    sourceless = Loaded("fast", "/p/fast.pyc", "/p/fast.pyc")
    assert doubts(sourceless, "/p/fast.pyc") == [Doubt("fast", "/p/fast.pyc", "/p/fast.pyc")]
