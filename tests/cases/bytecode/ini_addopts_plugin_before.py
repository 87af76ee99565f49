"""A project-local plugin named by -p in addopts (addopts come before the command line, so it is imported before a command-line -p). Loaded code cannot be made fresh: to refuse is the honest answer.

Usage: ini_addopts_plugin_before.py [COMMAND ...]   default command: this Python -m pytest
Prints STALE (exit 1), FRESH (0), REFUSED (2) or SKIP (77).
"""
import os, shutil, subprocess, sys, tempfile, time
from pathlib import Path

CMD = sys.argv[1:] or [sys.executable, "-m", "pytest"]
PY = os.environ.get("EPM_CASE_PYTHON") or (
    CMD[0] if os.path.basename(CMD[0]).startswith("python") else sys.executable)
ENV = {k: v for k, v in os.environ.items() if k not in (
    "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONOPTIMIZE",
    "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "SOURCE_DATE_EPOCH")}
TOP = Path(tempfile.mkdtemp(prefix="epm-case-")).resolve()
ROOT = TOP / "proj"
ROOT.mkdir()
ENV["EPM_SEEN"] = str(TOP / "seen.txt")
T0 = 1_700_000_000


def put(rel, text, mtime=None, root=None):
    p = (root or ROOT) / rel
    p.parent.mkdir(parents=True, exist_ok=True)
    p.write_text(text)
    if mtime is not None:
        os.utime(p, (mtime, mtime))
    return p


def py(*args, cwd=None, **env):
    subprocess.run([PY, *args], cwd=cwd or ROOT, env={**ENV, **env}, check=True,
                   stdout=subprocess.DEVNULL)


def pyver():
    return subprocess.run([PY, "-c", "import pytest; print(pytest.__version__)"], env=ENV,
                          capture_output=True, text=True).stdout.strip()


def skip(why):
    print("SKIP", why)
    shutil.rmtree(TOP, ignore_errors=True)
    sys.exit(77)


def verdict(*extra, cwd=None, **env):
    """Run the command under test; what the project's code reported decides."""
    r = subprocess.run([*CMD, "-q", *extra], cwd=cwd or ROOT, env={**ENV, **env},
                       stdin=subprocess.DEVNULL, capture_output=True, text=True)
    seen = TOP / "seen.txt"
    got = set(seen.read_text().split()) if seen.exists() else set()
    if os.environ.get("EPM_CASE_VERBOSE"):
        sys.stderr.write(r.stdout + r.stderr)
    if "old" in got:
        word, code = "STALE", 1
    elif got == {"new"}:
        word, code = "FRESH", 0
    else:
        word, code = "REFUSED (nothing of the project reported; pytest exit %d)" % r.returncode, 2
        sys.stderr.write((r.stdout + r.stderr)[-1500:])
    print(word)
    shutil.rmtree(TOP, ignore_errors=True)
    sys.exit(code)


REPORT = """
import os
def report(value):
    with open(os.environ["EPM_SEEN"], "a") as f:
        f.write(value + "\\n")
"""
OLD, NEW = 'VALUE = "old"\n', 'VALUE = "new"\n'
TEST = REPORT + """
def test_value():
    import mod
    report(mod.VALUE)
    assert mod.VALUE == "old"   # the gate is green only on the old code
"""

put("projplug.py", OLD, T0); py("-c", "import projplug, importlib"); put("projplug.py", NEW, T0)
put("pytest.ini", "[pytest]\naddopts = -p projplug\n")
put("test_it.py", REPORT + """
def test_value(pytestconfig):
    p = pytestconfig.pluginmanager.get_plugin("projplug")
    report(p.VALUE)
    import projhelp
    report(projhelp.VALUE)
""")
put("projhelp.py", OLD, T0); py("-c", "import projhelp"); put("projhelp.py", NEW, T0)
put("projplug.py", "import projhelp\nVALUE = projhelp.VALUE\n")
verdict()
