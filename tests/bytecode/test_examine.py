"""An audit of real files, made by the interpreter that runs the tests."""

import importlib.util
import marshal
import os
import py_compile
import sys
from pathlib import Path

import pytest

from epm_testing import Project
from epm_testing.projects import NEW, OLD
from epm_testing.users import as_nobody, open_folder
from pytest_epm.bytecode.examine import examine_roots
from pytest_epm.bytecode.results import Examined, Stale
from pytest_epm.bytecode.roots import Chosen, Origin, Root


def audit(project: Project, prefix: str = "") -> Examined:
    path = str(project.root)
    return examine_roots(
        Chosen((Root(path, Origin.ARGUMENT, (path,)),)), [prefix] if prefix else []
    )


def found(project: Project) -> list[tuple[str, str]]:
    root = str(project.root)
    return [(item.path.removeprefix(f"{root}/"), item.why) for item in audit(project).stale]


def relative(project: Project, path: Path) -> str:
    return str(path.relative_to(project.root))


class TestLeavesAlone:
    def test_fresh(self, project: Project) -> None:
        for level in (0, 1, 2):
            project.compiled("pkg/mod.py", optimize=level)
        assert found(project) == []
        assert audit(project).compared == 3

    def test_another_time(self, project: Project) -> None:
        project.compiled("mod.py")
        project.put("mod.py", NEW, 1_600_000_000)
        assert found(project) == []

    def test_another_size(self, project: Project) -> None:
        project.stale("mod.py", new='VALUE = "newer"\n')
        assert found(project) == []

    def test_checked_hash(self, project: Project) -> None:
        source = project.put("mod.py", OLD)
        mode = py_compile.PycInvalidationMode.CHECKED_HASH
        py_compile.compile(str(source), invalidation_mode=mode)
        project.put("mod.py", NEW)
        assert found(project) == []

    def test_another_interpreters(self, project: Project) -> None:
        cached = project.stale("mod.py")
        cached.rename(cached.with_name("mod.cpython-27.pyc"))
        assert found(project) == []

    def test_cached_file_without_a_source(self, project: Project) -> None:
        project.compiled("pkg/mod.py")
        project.put("pkg/other.py", "")
        (project.root / "pkg/mod.py").unlink()
        assert found(project) == []

    def test_comment_of_the_same_size(self, project: Project) -> None:
        project.stale("mod.py", "x = 1  # one\n", "x = 1  # two\n")
        assert found(project) == []

    @pytest.mark.parametrize("beside", ["old.py", "old/__init__.py"])
    def test_legacy_in_the_shadow_of_a_source(self, project: Project, beside: str) -> None:
        project.legacy("old")
        project.put(beside, "")
        assert found(project) == []

    def test_legacy_that_git_tracks(self, project: Project) -> None:
        project.git("init", "-q")
        kept = project.legacy("fast")
        project.git("add", "-f", "fast.pyc")
        assert found(project) == []
        assert audit(project).kept == (str(kept),)

    def test_legacy_of_another_interpreter(self, project: Project) -> None:
        project.put("old.pyc", "nothing that anyone can load")
        assert found(project) == []

    def test_ghost_that_no_import_can_name(self, project: Project) -> None:
        project.put("not-a-name/__pycache__/mod.cpython-27.pyc", "")
        assert found(project) == []


class TestStale:
    @pytest.mark.parametrize("level", [0, 1, 2])
    def test_same_time_and_size(self, project: Project, level: int) -> None:
        cached = project.stale("pkg/mod.py", optimize=level)
        assert found(project) == [(relative(project, cached), "same-mtime")]

    def test_names_source_and_difference(self, project: Project) -> None:
        cached = project.stale("mod.py")
        source = str(project.root / "mod.py")
        assert audit(project).stale == (
            Stale(str(cached), "same-mtime", source, "holds other code than its source"),
        )

    def test_unchecked_hash(self, project: Project) -> None:
        source = project.put("mod.py", OLD)
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        cached = py_compile.compile(str(source), invalidation_mode=mode)
        project.put("mod.py", 'VALUE = "much later"\n')
        assert found(project) == [(relative(project, Path(cached or "")), "unchecked-hash")]

    def test_hash_that_agrees_before_other_code(self, project: Project) -> None:
        source = project.put("mod.py", NEW)
        cached = Path(importlib.util.cache_from_source(str(source)))
        cached.parent.mkdir()
        header = importlib.util.MAGIC_NUMBER + (3).to_bytes(4, "little")
        header += importlib.util.source_hash(NEW.encode())
        cached.write_bytes(header + marshal.dumps(compile(OLD, "mod.py", "exec")))
        assert found(project) == [(relative(project, cached), "same-hash")]

    def test_source_that_no_longer_compiles(self, project: Project) -> None:
        project.stale("mod.py", "x = 1\n", "x = (\n")
        assert audit(project).stale[0].detail == "its source does not compile"

    def test_source_with_a_null_byte(self, project: Project) -> None:
        project.stale("mod.py", "x = 1\n", "x = \0\n")
        assert audit(project).stale[0].detail == "its source does not compile"

    def test_cached_file_that_cannot_be_loaded(self, project: Project) -> None:
        cached = project.compiled("mod.py")
        cached.write_bytes(cached.read_bytes()[:20])
        assert audit(project).stale[0].detail == "cannot be loaded"

    def test_cached_file_that_is_a_pipe(self, project: Project) -> None:
        cached = project.compiled("mod.py")
        cached.unlink()
        os.mkfifo(cached)
        assert audit(project).stale[0].detail == "is no regular file"

    def test_cached_file_that_holds_no_code(self, project: Project) -> None:
        cached = project.compiled("mod.py")
        cached.write_bytes(cached.read_bytes()[:16] + marshal.dumps("code"))
        assert audit(project).stale[0].detail == "holds no code object"

    def test_orphan(self, project: Project) -> None:
        project.put("keep.py", "")
        orphan = project.legacy("old")
        assert found(project) == [(relative(project, orphan), "orphan")]

    def test_orphan_beside_a_folder_that_is_no_package(self, project: Project) -> None:
        project.put("old/data.txt", "")
        orphan = project.legacy("old")
        assert found(project) == [(relative(project, orphan), "orphan")]

    def test_ghost(self, project: Project) -> None:
        project.put("keep.py", "")
        project.ghost("gone")
        assert found(project) == [("gone", "namespace-ghost")]

    def test_behind_a_linked_cache_folder(self, project: Project, tmp_path: Path) -> None:
        cached = project.stale("mod.py")
        cached.parent.rename(tmp_path / "elsewhere")
        cached.parent.symlink_to(tmp_path / "elsewhere")
        assert found(project) == [(relative(project, cached), "same-mtime")]

    def test_below_a_prefix(self, project: Project, tmp_path: Path) -> None:
        cached = project.stale("pkg/mod.py")
        mirrored = tmp_path / "cache" / str(project.root / "pkg")[1:] / cached.name
        mirrored.parent.mkdir(parents=True)
        cached.rename(mirrored)
        stale = audit(project, str(tmp_path / "cache")).stale
        assert [(item.path, item.source) for item in stale] == [
            (str(mirrored), str(project.root / "pkg/mod.py"))
        ]

    def test_a_prefix_hides_what_lies_in_the_tree(self, project: Project, tmp_path: Path) -> None:
        project.stale("mod.py")
        assert audit(project, str(tmp_path / "cache")).stale == ()

    def test_a_cache_that_cannot_be_read(self) -> None:
        with open_folder() as folder:
            project = Project(folder / "proj")
            cached = project.compiled("mod.py")
            cached.chmod(0)
            with as_nobody():
                (item,) = audit(project).stale
        assert (item.path, item.why, item.detail) == (
            str(cached),
            "unreadable",
            "Permission denied",
        )


def test_deletes_nothing(project: Project) -> None:
    project.stale("mod.py")
    project.legacy("old")
    project.ghost("gone")
    before = project.bytecode()
    audit(project)
    assert project.bytecode() == before


def test_rewritten_by_pytest_and_validated_by_time_is_named_apart(project: Project) -> None:
    cached = project.stale("test_mod.py")
    name = f"test_mod.{sys.implementation.cache_tag}-pytest-8.0.0.pyc"
    rewritten = cached.rename(cached.with_name(name))
    examined = audit(project)
    assert examined.stale == ()
    assert examined.uncompared == (str(rewritten),)
