"""Every option, command, hook and reason has its page, and every link leads somewhere."""

import argparse
import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from epm_testing import run
from pytest_epm import cli
from pytest_epm.config import OPTIONS, Option
from pytest_epm.specs.model import Rule
from pytest_epm.specs.read_settings import KEYS
from pytest_epm.specs.registry import RULES
from pytest_epm.verdicts import Reason

HERE = Path(__file__).parents[2]
DOCS = HERE / "docs"
PAGES = [*sorted(HERE.glob("*.md")), *sorted(DOCS.rglob("*.md")), *HERE.glob("examples/**/*.md")]


def leaves(
    parser: argparse.ArgumentParser, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Yield every command that does something, with the words that call it."""
    inner = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]  # noqa: SLF001 - argparse has no other way to ask
    for action in inner:
        for name, child in action.choices.items():
            yield from leaves(child, (*words, name))
    if not inner:
        yield words, parser


COMMANDS = dict(leaves(cli._parser()))  # noqa: SLF001 - the parser is the table of commands


@pytest.mark.parametrize("words", COMMANDS, ids="-".join)
def test_every_command_has_a_page_with_every_flag(words: tuple[str, ...]) -> None:
    page = (DOCS / "commands" / f"{'-'.join(words)}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# epm {' '.join(words)}\n")
    for action in COMMANDS[words]._actions:  # noqa: SLF001 - as above
        for flag in action.option_strings:
            assert f"`{flag}`" in page


def test_no_page_is_left_of_a_command_that_is_gone() -> None:
    pages = {page.stem for page in (DOCS / "commands").glob("*.md")}
    assert pages == {"-".join(words) for words in COMMANDS}


def test_the_generated_pages_are_up_to_date() -> None:
    made = runpy.run_path(str(DOCS / "generate.py"))["options_page"]()
    assert (DOCS / "options.md").read_text(encoding="utf-8") == made, "run make docs"


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: str(option.name))
def test_every_option_has_a_page_with_every_value(option: Option) -> None:
    page = (DOCS / "options" / f"{option.name}.md").read_text(encoding="utf-8")
    for word in (option.flag, option.env, option.ini, option.takes, *option.choices):
        assert word in page or word == "MODE"


def test_every_hook_has_a_page() -> None:
    hooks = yaml.safe_load((HERE / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    pages = {page.stem for page in (DOCS / "hooks").glob("*.md")}
    assert pages == {hook["id"] for hook in hooks}


def test_every_reason_is_explained() -> None:
    folder = HERE / "pytest_epm/bytecode"
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    code = r'(?:Finding|Stale)\(\s*(?:[\w.]+, )?"([a-z]+(?:-[a-z]+)*)"'
    made = {*re.findall(code, source), *re.findall(r'"((?:same|unchecked)-[a-z]+)"', source)}
    assert {"orphan", "unchecked-hash", "stale-possible"} <= made
    page = (DOCS / "bytecode.md").read_text(encoding="utf-8")
    assert not [reason for reason in made if f"`{reason}`" not in page]


def test_every_reason_of_an_arm_has_a_page() -> None:
    pages = {page.stem: page.read_text(encoding="utf-8") for page in (DOCS / "reasons").iterdir()}
    assert set(pages) == set(Reason)
    above = (DOCS / "real-arms.md").read_text(encoding="utf-8")
    for code, page in pages.items():
        assert page.startswith(f"# {code}\n")
        assert "## How to fix it" in page
        assert f"(reasons/{code}.md)" in above


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.code))
def test_every_rule_has_a_page(rule: Rule) -> None:
    page = (DOCS / "rules" / f"{rule.code}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {rule.name} ({rule.code})\n")
    for part in ("Why", "Example", "Options", "How to suppress"):
        assert f"\n## {part}\n" in page
    assert "Use instead:" in page
    above = (DOCS / "lint.md").read_text(encoding="utf-8")
    assert f"| {rule.code} | [{rule.name}](rules/{rule.code}.md) | {rule.summary}" in above


def test_no_page_is_left_of_a_rule_that_is_gone() -> None:
    assert {page.stem for page in (DOCS / "rules").iterdir()} == {rule.code for rule in RULES}


def test_every_key_of_the_lint_settings_is_explained() -> None:
    page = (DOCS / "lint.md").read_text(encoding="utf-8")
    missing = [key for key in KEYS if key not in page and key.replace("_", "-") not in page]
    assert set(missing) <= {"uploads"}, "told of where uploads are"


def test_every_problem_of_an_import_is_explained() -> None:
    from pytest_epm.imports import results

    made = {value for name, value in vars(results).items() if name.isupper()}
    assert {"missing-name", "not-awaited"} <= made
    page = (DOCS / "imports.md").read_text(encoding="utf-8")
    assert not [problem for problem in made if f"| `{problem}` |" not in page]


def test_the_readme_is_short_and_links_every_page() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    linked = set(re.findall(r"\]\((docs/[^)#]+)", text))
    tops = {str(page.relative_to(HERE)) for page in DOCS.rglob("*.md")}
    folders = {page.rpartition("/")[0] for page in tops - linked}
    assert folders == {"docs/options", "docs/reasons", "docs/rules"}, (
        "linked from the pages above them"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HERE)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        file = page.parent / path if path else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {
                re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings
            }


@pytest.mark.parametrize("words", COMMANDS, ids="-".join)
def test_help_is_enough(words: tuple[str, ...]) -> None:
    done = run([sys.executable, "-m", "pytest_epm.cli", *words, "--help"], HERE)
    assert done.code == 0
    assert "usage: epm" in done.out
    assert len(done.out.splitlines()) > 3


def test_the_demo_tells_the_story() -> None:
    done = run([sys.executable, "examples/demo.py"], HERE)
    assert done.code == 0, done.said
    assert re.search(
        r"1 passed.*gate GREEN.*assert 20 == 180.*1 failed.*gate RED", done.out, re.DOTALL
    )
