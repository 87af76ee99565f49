"""Never a deletion outside the roots, nor in an interpreter's or another project's tree."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_epm.bytecode import gather
from pytest_epm.bytecode.purge import purge_roots
from pytest_epm.bytecode.roots import choose

# Folders of a whole little machine. A project's own are those in which bytecode may go.
OWN = {
    "home/proj": ("home/proj", "home/proj/pkg", "home/proj/build", "home/proj/.claude/hooks"),
    "home/other": ("home/other", "home/other/pkg"),
    "srv/venvproj": ("srv/venvproj", "srv/venvproj/src"),
    "srv/lost": ("srv/lost", "srv/lost/src"),
    "": ("srv",),
}
FOREIGN = (
    "home/notes",
    "home/proj/.venv/lib/python3.12/site-packages/six",
    "home/proj/.venv/bin",
    "home/proj/.hg/store",
    "home/proj/node_modules/gyp",
    "home/proj/tools/env/lib/python3.12",
    "home/.pyenv/versions/3.9/lib/python3.9",
    "home/.pyenv/versions/3.9/lib/python3.9/json",
    "home/.pyenv/versions/3.9/lib/python3.9/site-packages",
    "home/.pyenv/versions/3.9/share/gdb",
    "home/.local/lib/python3.12/site-packages",
    "srv/venvproj/lib/python3.12/site-packages/six",
    "srv/lost/lib/python3.12/site-packages/six",
)
EVIDENCE = (
    "home/proj/pyproject.toml",
    "home/proj/.venv/pyvenv.cfg",
    "home/proj/tools/env/bin/python",
    "home/proj/tools/env/lib/python3.12/site-packages/x.py",
    "home/.pyenv/versions/3.9/bin/python3.9",
    "home/.pyenv/versions/3.9/lib/python3.9/os.py",
    "home/.pyenv/versions/3.9/lib/python3.9/encodings/__init__.py",
    "srv/venvproj/pyvenv.cfg",
    "srv/lost/bin/python",
)
PLACES = (*[folder for folders in OWN.values() for folder in folders], *FOREIGN)
START = (*PLACES, "", "home/.pyenv", "home/.pyenv/versions/3.9")
NAMES = ("__pycache__/mod.cpython-312.pyc", "__pycache__/t.cpython-312-pytest-9.2.0.pyc", "old.pyc")


@contextmanager
def world() -> Iterator[Path]:
    top = Path(tempfile.mkdtemp(prefix="epm-world-")).resolve()
    try:
        for name in EVIDENCE:
            put(top / name)
        for folder in PLACES:
            put(top / folder / "mod.py")
        yield top
    finally:
        shutil.rmtree(top)


def put(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def listing(top: Path) -> set[str]:
    return {str(path.relative_to(top)) for path in top.rglob("*") if path.is_file()}


@settings(max_examples=150, deadline=None)
@given(
    rootdir=st.sampled_from(START),
    invocation=st.sampled_from(START),
    on_path=st.lists(st.sampled_from(START), max_size=3),
    bytecode=st.sets(st.tuples(st.sampled_from(PLACES), st.sampled_from(NAMES))),
)
def test_whatever_rootdir_invocation_dir_and_path_are(
    rootdir: str, invocation: str, on_path: list[str], bytecode: set[tuple[str, str]]
) -> None:
    with world() as top:
        for folder, name in bytecode:
            put(top / folder / name)
        before = listing(top)
        home = {"HOME": str(top / "home")}
        with mock.patch.object(sys, "path", [str(top / folder) for folder in on_path]):
            candidates = gather.for_run(top / rootdir, top / invocation, [])
            chosen = choose(candidates, gather.machine(home))
        if not chosen.refused:
            ours = tuple(root for root in chosen.roots if root.path.startswith(str(top)))
            purge_roots(chosen._replace(roots=ours), [])
        gone = before - listing(top)
        roots = {rootdir, invocation, *on_path}
        own = [place for places in OWN.values() for place in places]
        places = [place for place in own if any(reaches(root, place) for root in roots)]
        # A folder that was named as a root is walked as one, whatever it is called.
        places += [p for p in FOREIGN if any(root in FOREIGN and within(p, root) for root in roots)]
        assert gone <= {f"{place}/{name}" for place in places for name in NAMES}
        if rootdir in OWN and not chosen.refused:
            assert not {f"{p}/{name}" for p in OWN[rootdir] for name in NAMES} & listing(top)


def reaches(root: str, place: str) -> bool:
    """Whether a purge from `root` may come to `place`: home folders are not entered from above."""
    return within(place, root) and not (within(place, "home") and root in ("", "home"))


def within(place: str, root: str) -> bool:
    return f"{place}/".startswith(f"{root}/" if root else "")
