"""Packs: the built-in one, and one that another package offers."""

import subprocess
import sys
from pathlib import Path

import pytest

from epm_testing import Project, run
from pytest_epm.specs.settings import Settings
from pytest_epm.specs.smoke import DUTIES, SUBJECTS, with_smoke
from pytest_epm.verdicts import Smoke

HEAD = "---\nname: a\ndescription: A.\n---\n"
AGENT = ".claude/agents/a.md"
TOKENS = ", ".join(Smoke)


def linted(project: Project, body: str, *others: tuple[str, str]) -> list[str]:
    project.git("init", "-q")
    project.put("epm.toml", '[lint]\npacks = ["smoke"]\n')
    project.put(AGENT, HEAD + body)
    for name, text in others:
        project.put(name, text)
    out = project.epm("lint").out
    return [
        " ".join(line.split(" ")[:3]).rstrip(":") for line in out.splitlines() if "EPM" in line
    ][:-1]


class TestSmoke:
    @pytest.mark.parametrize(
        "body",
        [
            pytest.param("Nothing of it.\n", id="another subject"),
            pytest.param(f"{TOKENS}\n\n{DUTIES['real-arms']}.\n", id="whole"),
            pytest.param(f"Post PASS_PARTIAL.\n\n{DUTIES['real-arms']}.\n", id="one token"),
            pytest.param("Run `pytest -p epm -q`.\n", id="purged"),
        ],
    )
    def test_leaves_alone(self, project: Project, body: str) -> None:
        assert linted(project, body) == []

    @pytest.mark.parametrize(
        ("body", "found"),
        [
            pytest.param("PASS_UNIFED\n", "5:1: EPM101 token-unknown", id="misspelt"),
            pytest.param(
                "PASS_PARTIAL, FAIL, PASS_CANARY, FAIL_NO_CANARY\n",
                "5:1: EPM102 token-missing",
                id="told, and not whole",
            ),
            pytest.param("Run `pytest -q`.\n", "5:6: EPM502 gate-unpurged", id="unpurged"),
            pytest.param("`epm:statsu`\n", "5:2: EPM304 ref-marker", id="marker"),
        ],
    )
    def test_finds(self, project: Project, body: str, found: str) -> None:
        assert f"{AGENT}:{found}" in linted(project, body)

    def test_ci_files_are_looked_at(self, project: Project) -> None:
        ci = (".github/workflows/ci.yml", "jobs:\n  t:\n    steps:\n      - run: pytest -q\n")
        assert linted(project, "x\n", ci) == [f"{ci[0]}:4:14: EPM502 gate-unpurged"]

    @pytest.mark.parametrize("name", DUTIES)
    def test_each_duty_is_asked_for_where_its_subject_is(self, name: str) -> None:
        texts = (("a.md", SUBJECTS[name][0]), ("b.md", "x"), ("c.md", SUBJECTS[name][-1]))
        duties = {duty.id: duty for duty in with_smoke(Settings(), texts).duties}
        assert [entry.glob for entry in duties[f"smoke/{name}"].files] == ["a.md", "c.md"]
        assert not with_smoke(Settings(), (("b.md", "x"),)).duties

    def test_one_file_of_several_must_hold_it(self, project: Project) -> None:
        other = (
            ".claude/agents/b.md",
            HEAD.replace("a", "b") + f"epm:status\n\n{DUTIES['lock-safe-move']}.",
        )
        found = linted(project, "`epm:status`\n", other)
        assert not [line for line in found if "duty" in line]


PACK = """
from pytest_epm.hookspecs import Pack, PackRule, Remark, hookimpl


def no_todo(spec):
    for prose in spec.prose:
        if "TODO" in prose.text:
            words = f"a TODO in {spec.kind} {spec.keys.get('name')}"
            yield Remark(prose.line, words, next_step="do it")


@hookimpl
def epm_lint_packs():
    table = {"vocabulary": {"acme": {"tokens": ["ACME_OK", "ACME_BAD"], "contract": ["**/a.md"]}}}
    rule = PackRule("ACME1", "todo-left", "a TODO in a spec", no_todo, severity="warning")
    return [Pack("acme", settings=table, rules=(rule,), extend_select=("vocabulary-undeclared",))]
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install a package with a pack where the tests' interpreter finds it; return the folder."""
    folder = tmp_path_factory.mktemp("acme")
    info = folder / "acme_pack-1.dist-info"
    info.mkdir()
    (folder / "acme_pack.py").write_text(PACK, encoding="utf-8")
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: acme-pack\nVersion: 1\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text("[epm]\nacme = acme_pack\n", encoding="utf-8")
    return folder


def epm(project: Project, folder: Path, *arguments: str) -> tuple[int, str]:
    done = project.epm(*arguments, env={"PYTHONPATH": str(folder)})
    return done.code, done.said


def test_a_pack_of_another_package(project: Project, installed: Path) -> None:
    project.put("epm.toml", '[lint]\npacks = ["acme"]\n')
    project.put(
        AGENT, HEAD + "ACME_OK or ACME_BDA\n\nTODO <!-- epm: allow todo-left -- later -->\n"
    )
    project.put("CLAUDE.md", "x\n\n- TODO\n")
    code, said = epm(project, installed, "lint")
    assert code == 1
    assert "CLAUDE.md:3:1: ACME1 todo-left: a TODO in memory None\n  next: do it\n" in said
    assert f"{AGENT}:5:12: EPM101 token-unknown: ACME_BDA" in said
    assert f"{AGENT}:7" not in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"ACME1"', '"EPM999"', "EPM999 todo-left is taken"),
        (
            "for prose in",
            "1 / 0\n    for prose in",
            "rule ACME1 of pack acme failed: ZeroDivisionError",
        ),
        ("@hookimpl", "1 / 0", "a rule pack cannot be loaded: ZeroDivisionError"),
        ('{"tokens"', '{"tokns": [], "tokens"', "pack acme:1: unknown key 'vocabulary.acme.tokns'"),
    ],
)
def test_a_pack_that_is_wrong(
    project: Project, installed: Path, old: str, new: str, said: str
) -> None:
    folder = project.root.parent / "wrong"
    subprocess.run(["cp", "-r", str(installed), str(folder)], check=True)
    (folder / "acme_pack.py").write_text(PACK.replace(old, new), encoding="utf-8")
    project.put("epm.toml", '[lint]\npacks = ["acme"]\n')
    project.put(AGENT, HEAD + "TODO\n")
    code, out = epm(project, folder, "lint")
    assert code == 2, out
    assert said in out


def test_without_packs_nothing_of_others_is_loaded(project: Project, installed: Path) -> None:
    project.put(AGENT, HEAD + "TODO\n")
    code = (
        "import sys; from pytest_epm import cli; cli.main(['lint']); print('pluggy' in sys.modules)"
    )
    done = run([sys.executable, "-c", code], project.root, {"PYTHONPATH": str(installed)})
    assert done.out.endswith("False\n")
