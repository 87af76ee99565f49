"""What of a tree goes, and which folders were ghosts."""

import pytest

from pytest_epm.bytecode.tree import Folder, Tree, ghosts, legacy, removal


def tree(*folders: Folder) -> Tree:
    return Tree("/p", folders)


ROOT = Folder("/p", -1, other=True)
CACHE = Folder("/p/__pycache__", 0, ("mod.cpython-312.pyc",), cache=True)


@pytest.mark.parametrize(
    "folders",
    [
        pytest.param((ROOT,), id="no bytecode"),
        pytest.param((Folder("/p", -1),), id="empty root"),
        pytest.param((ROOT, Folder("/p/empty", 0)), id="a folder that was empty before"),
        pytest.param((ROOT, Folder("/p/a", 0), Folder("/p/a/b", 1)), id="empty folders, nested"),
    ],
)
def test_leaves_alone(folders: tuple[Folder, ...]) -> None:
    goes = removal(tree(*folders))
    assert (goes.files, goes.folders) == ((), ())


def test_cache_folder_goes_with_its_files() -> None:
    goes = removal(tree(ROOT, CACHE))
    assert goes.files == ((1, ("mod.cpython-312.pyc",)),)
    assert goes.folders == (1,)


def test_cache_folder_with_a_foreign_file_stays() -> None:
    goes = removal(tree(ROOT, CACHE._replace(other=True)))
    assert goes.files == ((1, ("mod.cpython-312.pyc",)),)
    assert goes.folders == ()


def test_empty_cache_folder_goes() -> None:
    assert removal(tree(ROOT, Folder("/p/__pycache__", 0, cache=True))).folders == (1,)


def test_link_to_a_cache_folder_is_unlinked() -> None:
    goes = removal(tree(ROOT._replace(links=("__pycache__",))))
    assert goes.files == ((0, ("__pycache__",)),)


def test_folders_of_bytecode_only_go_inner_ones_first() -> None:
    goes = removal(
        tree(
            ROOT,
            Folder("/p/gone", 0),
            Folder("/p/gone/deep", 1),
            Folder("/p/gone/deep/__pycache__", 2, ("__init__.cpython-312.pyc",), cache=True),
        )
    )
    assert goes.folders == (3, 2, 1)


def test_an_empty_folder_beside_bytecode_keeps_what_it_lies_in() -> None:
    goes = removal(
        tree(
            ROOT,
            Folder("/p/pkg", 0),
            Folder("/p/pkg/data", 1),
            Folder("/p/pkg/__pycache__", 1, ("a.cpython-312.pyc",), cache=True),
        )
    )
    assert goes.folders == (3,)


def test_root_stays_even_if_it_held_nothing_else() -> None:
    assert removal(tree(Folder("/p", -1, ("mod.pyc",)))).folders == ()


def test_tracked_legacy_stays_and_keeps_its_folder() -> None:
    goes = removal(tree(ROOT, Folder("/p/lib", 0, ("a.pyc", "b.pyc"))), {"/p/lib/a.pyc"})
    assert goes.kept == ("/p/lib/a.pyc",)
    assert goes.files == ((1, ("b.pyc",)),)
    assert goes.folders == ()


def test_what_git_tracks_inside_a_cache_folder_goes_all_the_same() -> None:
    goes = removal(tree(ROOT, CACHE), {"/p/__pycache__/mod.cpython-312.pyc"})
    assert goes.files == ((1, ("mod.cpython-312.pyc",)),)
    assert goes.kept == ()


def test_legacy_is_bytecode_outside_cache_folders() -> None:
    assert list(legacy(tree(ROOT._replace(bytecode=("x.pyc",)), CACHE))) == ["/p/x.pyc"]


def test_ghosts_are_named_by_their_outermost_folder() -> None:
    found = ghosts(
        tree(
            ROOT,
            CACHE,
            Folder("/p/gone", 0),
            Folder("/p/gone/deep", 2),
            Folder("/p/gone/deep/__pycache__", 3, ("a.cpython-312.pyc",), cache=True),
        )
    )
    assert found == ["/p/gone"]
