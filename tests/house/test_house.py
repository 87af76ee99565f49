"""Rules of the house that no other tool holds."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]
PACKAGE = HERE / "pytest_epm"
SOURCES = [*sorted(PACKAGE.rglob("*.py")), *sorted((HERE / "hooks").rglob("*.py"))]

# Modules of arms that gather or apply.
DO = ("again", "files", "__init__", "leg", "part", "project", "session", "setting", "sources")
# Modules that decide: they take what was gathered and return a frozen result.
BYTECODE = ("compare", "header", "names", "proof", "results", "roots", "say", "tree")
IMPORTS = (
    *("awaits", "calls", "collect", "declared", "guards", "judge", "layout", "misfits", "places"),
    *("read", "results", "say", "scopes", "static", "suggest", "tally"),
)
ARMS = [path.stem for path in sorted((PACKAGE / "arms").glob("*.py")) if path.stem not in DO]
SPECS_DO = ("__init__", "baseline", "gather", "keep", "known", "lint", "pages", "packs", "bounds")
SPECS = [path.stem for path in sorted((PACKAGE / "specs").glob("*.py"))]
PURE = [
    *(f"specs/{name}" for name in SPECS if name not in SPECS_DO),
    *(f"specs/rules/{path.stem}" for path in sorted((PACKAGE / "specs/rules").glob("*.py"))),
    *(f"bytecode/{name}" for name in BYTECODE),
    *(f"imports/{name}" for name in IMPORTS),
    *(f"arms/{name}" for name in ARMS),
    "verdicts",
]
# What gathers or changes; `os.path.join` and the like only work on text.
EFFECTS = {"subprocess", "sys", "time", "tempfile", "shutil", "socket", "pathlib", "glob"}
TEXT = {"join", "dirname", "basename", "splitext", "splitdrive", "split", "sep", "altsep", "path"}

MOST_LINES, MOST_FUNCTION_LINES = 400, 40


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def effects(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in EFFECTS)
        elif isinstance(node, ast.ImportFrom):
            if node.module in EFFECTS:
                yield node.module
            if node.module == "os":
                yield from (alias.name for alias in node.names if alias.name not in TEXT)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "os" and node.attr not in TEXT:
                yield f"os.{node.attr}"
        elif isinstance(node, ast.Name) and node.id in ("open", "print", "input"):
            yield node.id


@pytest.mark.parametrize("name", PURE)
def test_deciding_modules_have_no_effects(name: str) -> None:
    assert list(effects(tree(PACKAGE / f"{name}.py"))) == []


@pytest.mark.parametrize("name", ["text", "json", "sarif", "github", "markdown"])
def test_writers_have_no_effects(name: str) -> None:
    assert list(effects(tree(PACKAGE / "reports" / f"{name}.py"))) == []


def test_an_effect_is_seen() -> None:
    assert "os.scandir" in effects(tree(PACKAGE / "bytecode" / "walk.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HERE)))
def test_rooms_are_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < MOST_FUNCTION_LINES, node.name
