"""`epm lint` and `epm rule` as a user calls them: files, formats, exit codes, bad input."""

import json
import os
import time

import pytest

from epm_testing import Project
from pytest_epm.specs.registry import RULES

AGENT = ".claude/agents/a.md"
GOOD = "---\nname: a\ndescription: A.\n---\n# A\n"
BAD = GOOD + "\n[x](gone.md)\n"


@pytest.fixture
def repository(project: Project) -> Project:
    project.git("init", "-q")
    project.put(AGENT, GOOD)
    project.git("add", ".")
    return project


class TestWhatIsLinted:
    def test_clean(self, repository: Project) -> None:
        done = repository.epm("lint")
        assert (done.code, done.out) == (0, "1 file linted: nothing found\n"), done.said

    def test_found_in_the_manner_of_ruff(self, repository: Project) -> None:
        repository.put(AGENT, BAD)
        done = repository.epm("lint")
        assert done.code == 1
        assert done.out == (
            f"{AGENT}:7:2: EPM301 ref-path: gone.md does not exist\n"
            "  next: mend the path, or take it out\n"
            "1 file linted: 1 error; epm rule EPM301 explains the first\n"
        )

    @pytest.mark.parametrize(
        ("path", "others", "linted"),
        [
            ("CLAUDE.md", (), True),
            ("sub/SKILL.md", (), True),
            ("plugins/p/agents/x.md", ("plugins/p/.claude-plugin/plugin.json",), True),
            ("agents/x.md", ("skills/s/SKILL.md",), True),
            ("agents/x.md", (), False),
            ("docs/agents/x.md", (), False),
            ("README.md", (), False),
            ("tests/fixtures/SKILL.md", (), False),
        ],
    )
    def test_the_usual_places(
        self, project: Project, path: str, others: tuple[str, ...], *, linted: bool
    ) -> None:
        project.git("init", "-q")
        project.put("CLAUDE.md", "x")
        for name in (path, *others):
            project.put(name, "\0")
        done = project.epm("lint", "--output-format", "json")
        places = {item["path"] for item in json.loads(done.out) if item["name"] == "encoding"}
        assert (path in places) == linted

    def test_nothing_to_look_at_is_no_pass(self, project: Project) -> None:
        done = project.epm("lint")
        assert done.code == 2
        assert "no spec was found" in done.err
        assert "next: name them" in done.err

    def test_ignored_files_are_none(self, repository: Project) -> None:
        repository.put(".gitignore", "vendor/\n")
        repository.put("vendor/SKILL.md", "x")
        assert repository.epm("lint").code == 0

    def test_from_a_folder_below(self, repository: Project) -> None:
        repository.put(AGENT, BAD)
        done = repository.epm("lint", cwd=repository.root / ".claude")
        assert f"{AGENT}:7:2" in done.out

    def test_paths_narrow_the_rules_of_one_file_only(self, repository: Project) -> None:
        repository.put(AGENT, "# A\n\n[x](gone.md)\n")
        repository.put(".claude/agents/b.md", "# B\n\n[x](gone.md)\n")
        done = repository.epm("lint", ".claude/agents/b.md", "--output-format", "json")
        found = {(item["name"], item["path"]) for item in json.loads(done.out)}
        assert found == {
            ("frontmatter-missing", ".claude/agents/b.md"),
            ("ref-path", ".claude/agents/b.md"),
            ("ref-path", AGENT),
        }

    def test_a_named_file_is_linted_wherever_it_lies(self, repository: Project) -> None:
        repository.put("notes.md", "[x](gone.md)")
        assert "notes.md:1:2: EPM301" in repository.epm("lint", "notes.md").out

    @pytest.mark.parametrize("path", ["none.md", "../x.md", "/etc/passwd", "empty"])
    def test_paths_that_are_nothing_to_lint(self, repository: Project, path: str) -> None:
        (repository.root / "empty").mkdir()
        (repository.root.parent / "x.md").write_text("x", encoding="utf-8")
        done = repository.epm("lint", path)
        assert done.code == 2, done.said

    def test_a_link_is_linted_where_it_leads_to(self, repository: Project) -> None:
        repository.put("CLAUDE.md", "[x](gone.md)")
        (repository.root / "AGENTS.md").symlink_to("CLAUDE.md")
        repository.git("add", ".")
        done = repository.epm("lint", "--output-format", "json")
        assert [item["path"] for item in json.loads(done.out)] == ["CLAUDE.md"]

    def test_a_link_out_of_the_repository_is_not_read(self, repository: Project) -> None:
        (repository.root.parent / "secret.md").write_text("[x](gone.md)", encoding="utf-8")
        (repository.root / "CLAUDE.md").symlink_to("../secret.md")
        assert repository.epm("lint").code == 0

    def test_an_untracked_target_is_told(self, repository: Project) -> None:
        repository.put(AGENT, GOOD + "[x](b.txt)\n")
        repository.put(".claude/agents/b.txt", "")
        done = repository.epm("lint")
        assert "b.txt is here, but git does not track it" in done.out
        assert "next: git add .claude/agents/b.txt" in done.out
        repository.git("add", ".")
        assert repository.epm("lint").code == 0

    def test_outside_git_what_is_on_disk_counts(self, project: Project) -> None:
        project.put(AGENT, GOOD + "[x](b.txt)\n")
        assert project.epm("lint").code == 1
        project.put(".claude/agents/b.txt", "")
        assert project.epm("lint").code == 0

    def test_what_git_ignores_comes_to_be_later(self, repository: Project) -> None:
        repository.put(".gitignore", "runs/\n*.log\n")
        repository.put(AGENT, GOOD + "[x](../../runs/a.json) [y](../../x.log) [z](../../y.txt)\n")
        done = repository.epm("lint", "--output-format", "json")
        assert [item["target"] for item in json.loads(done.out)] == ["../../y.txt"]


class TestSettings:
    def test_in_pyproject_and_in_epm_toml(self, repository: Project) -> None:
        repository.put(AGENT, BAD)
        repository.put("pyproject.toml", '[tool.epm.lint]\nignore = ["ref-path"]\n')
        assert repository.epm("lint").code == 0
        (repository.root / "pyproject.toml").unlink()
        repository.put("epm.toml", '[lint.per-file-ignores]\n".claude/agents/*.md" = ["EPM3"]\n')
        assert repository.epm("lint").code == 0

    def test_other_commands_read_past_it(self, repository: Project) -> None:
        repository.put("epm.toml", "[lint]\n")
        assert repository.epm("bytecode", "audit").code == 0

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("[lint]\nselct = []\n", "epm.toml:2: unknown key 'selct'"),
            ('[lint]\n\nselect = "x"\n', "epm.toml:3: select takes a list of texts, not 'x'"),
            ('[lint]\nselect = ["x"]\n', "no rule is called 'x'"),
            ("[lint.size]\nwarn = true\n", "epm.toml:2: size.warn takes a whole number"),
            ("[lint.size]\nwarn = 5\nfail = 4\n", "epm.toml:1: warn (5) is above fail (4)"),
            ("[lint.vocabulary.x]\ntokens = []\n", "epm.toml:1: x has no token"),
            ("[lint.vocabulary.x]\ncontract = []\n", "vocabulary.x needs the key tokens"),
            ('[[lint.duty]]\nid = "a"\n', "epm.toml:1: duty needs the key files"),
            ('[lint]\nfiles = ["../*.md"]\n', "epm.toml:2: '../*.md' points out of the repo"),
            ('[lint]\nfiles = ["/etc/*"]\n', "epm.toml:2: '/etc/*' points out of the repo"),
            ("lint = 3\n", "epm.toml:1: lint is a table, not 3"),
            (
                '[lint.references]\nheading_steps = "("\n',
                "epm.toml:2: references.heading_steps is no",
            ),
            ('[lint.references]\nheading_steps = "x"\n', "has no group n"),
            ('[lint.severity]\nsize = "bad"\n', "epm.toml:2: severity.size is one of error, warn"),
            ('[lint]\npacks = ["none"]\n', "no pack is called 'none'"),
            ('[lint.markers]\nknown = ["x"]\n', "'x' is no marker"),
        ],
    )
    def test_refused_with_file_and_line(self, repository: Project, text: str, said: str) -> None:
        repository.put("epm.toml", text)
        done = repository.epm("lint")
        assert done.code == 2, done.said
        assert said in done.err.replace(f"{repository.root}/", "")

    def test_shown(self, repository: Project) -> None:
        text = '[lint.vocabulary.v]\ntokens = ["A_B"]\ncontract = ["x.md"]\n[[lint.duty]]\n'
        repository.put("epm.toml", text + 'id = "d"\nfiles = ["x.md"]\nsentence = "It MUST"\n')
        shown = repository.epm("lint", "--show-config").out
        repository.put("again.toml", shown)
        again = repository.epm("lint", "--show-config", "--config", "again.toml").out
        assert shown.splitlines()[1:] == again.splitlines()[1:]
        assert 'tokens = ["A_B"]' in shown
        assert 'sentence = "It MUST"' in shown

    def test_an_expression_without_an_end_is_bounded(self, repository: Project) -> None:
        body = f"## {'a' * 60}!\n\nsee Step 1\n"
        repository.put(AGENT, GOOD + body)
        repository.put("epm.toml", '[lint.references]\nheading_steps = "^(?P<n>(a+)+)$"\n')
        began = time.monotonic()
        done = repository.epm("lint")
        assert done.code == 2, done.said
        assert "heading_steps took longer than 10 s" in done.err
        assert time.monotonic() - began < 40


class TestOutput:
    def test_json_is_a_bare_list(self, repository: Project) -> None:
        repository.put(AGENT, BAD)
        (item,) = json.loads(repository.epm("lint", "--output-format", "json").out)
        assert item == {
            "code": "EPM301",
            "name": "ref-path",
            "path": AGENT,
            "line": 7,
            "column": 2,
            "severity": "error",
            "message": "gone.md does not exist",
            "next_step": "mend the path, or take it out",
            "target": "gone.md",
        }
        repository.put(AGENT, GOOD)
        assert repository.epm("lint", "--output-format", "json").out == "[]\n"

    def test_github(self, repository: Project) -> None:
        repository.put(AGENT, BAD)
        first = repository.epm("lint", "--output-format", "github").out.splitlines()[0]
        assert first.startswith(f"::error file={AGENT},line=7,col=2,title=EPM301 ref-path::EPM301")

    def test_sarif(self, repository: Project) -> None:
        repository.put(AGENT, BAD)
        log = json.loads(repository.epm("lint", "--output-format", "sarif").out)
        (run,) = log["runs"]
        (result,) = run["results"]
        place = result["locations"][0]["physicalLocation"]
        assert (log["version"], result["ruleId"]) == ("2.1.0", "EPM301")
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "EPM301"
        assert place["artifactLocation"]["uri"] == AGENT
        assert place["region"] == {"startLine": 7, "startColumn": 2}

    def test_statistics_and_exit_zero(self, repository: Project) -> None:
        repository.put(AGENT, BAD + "\n[y](none.md)\n")
        done = repository.epm("lint", "--statistics", "--exit-zero")
        assert done.code == 0
        assert done.out.startswith("2  EPM301  ref-path\n")

    def test_warnings_may_pass(self, repository: Project) -> None:
        repository.put(AGENT, GOOD.replace("description", "version: 1\ndescription"))
        assert repository.epm("lint").code == 1
        assert repository.epm("lint", "--fail-on", "error").code == 0

    def test_hostile_names_stay_on_their_line(self, repository: Project) -> None:
        repository.put("a\x1b[31m\n::error::x/SKILL.md", "x")
        for chosen in ("text", "github", "sarif", "json"):
            out = repository.epm("lint", "--output-format", chosen).out
            assert "\x1b" not in out
            assert "\n::error::x" not in out


class TestRule:
    @pytest.mark.parametrize("word", ["EPM301", "epm301", "ref-path"])
    def test_page(self, project: Project, word: str) -> None:
        assert project.epm("rule", word).out.startswith("# ref-path (EPM301)\n")

    def test_all(self, project: Project) -> None:
        assert len(project.epm("rule", "--all").out.splitlines()) == len(RULES)

    def test_unknown(self, project: Project) -> None:
        done = project.epm("rule", "ref-pth")
        assert done.code == 2
        assert "next: epm rule ref-path" in done.err


class TestBadInput:
    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(b"", id="empty"),
            pytest.param(b"\xff\xfe\x00", id="UTF-16"),
            pytest.param(b"---\n" * 50_000, id="dashes"),
            pytest.param(b"> " * 20_000 + b"x", id="deep quote"),
            pytest.param(b"- " * 20_000 + b"x", id="deep list"),
            pytest.param(b"[" * 50_000, id="brackets"),
            pytest.param(b"*_" * 50_000, id="emphasis"),
            pytest.param(b"`" * 100_000, id="ticks"),
            pytest.param(b"<!--" * 20_000, id="comments"),
            pytest.param(b"<a " * 20_000, id="tags"),
            pytest.param(b"An upload check MUST" + b" " * 500_000 + b"x", id="blanks"),
            pytest.param(b"---\nx: " + b"{" * 60_000 + b"\n---\n", id="deep YAML"),
            pytest.param(b"---\nx: &a [*a]\n---\n", id="YAML that holds itself"),
            pytest.param(b"|a|b|\n|-|-|\n" + b"|c|d|\n" * 50_000, id="long table"),
            pytest.param(b"a\r" * 100_000, id="lone carriage returns"),
        ],
    )
    def test_is_survived(self, repository: Project, raw: bytes) -> None:
        (repository.root / "CLAUDE.md").write_bytes(raw)
        (repository.root / "SKILL.md").write_bytes(raw)
        repository.put(
            "epm.toml",
            '[lint.vocabulary.v]\ntokens = ["A_B"]\nprefixes = ["A_"]\ncontract = ["*.md"]\n'
            '[[lint.duty]]\nid = "d"\nfiles = ["*.md"]\n'
            'sentence = "An upload check MUST enumerate every prefix"\n'
            '[lint.asks]\nphrases = ["ask the user"]\n',
        )
        began = time.monotonic()
        done = repository.epm("lint", "--output-format", "json")
        assert done.code in (0, 1), done.said
        assert "Traceback" not in done.said
        assert time.monotonic() - began < 20

    def test_a_pipe_is_not_waited_for(self, repository: Project) -> None:
        os.mkfifo(repository.root / "CLAUDE.md")
        done = repository.epm("lint")
        assert done.code in (0, 2), done.said

    def test_a_file_that_cannot_be_read_is_named(self, repository: Project) -> None:
        (repository.root / "loop.md").symlink_to("loop.md")
        done = repository.epm("lint", "loop.md")
        assert done.code == 2, done.said

    def test_a_tracked_file_that_is_gone(self, repository: Project) -> None:
        repository.put("CLAUDE.md", "x")
        repository.git("add", ".")
        (repository.root / "CLAUDE.md").unlink()
        assert repository.epm("lint").code == 0

    def test_names_that_are_no_utf8(self, repository: Project) -> None:
        path = os.fsencode(repository.root) + b"/\xff"
        os.mkdir(path)
        with open(path + b"/SKILL.md", "wb") as file:
            file.write(b"x")
        for chosen in ("text", "json", "sarif", "github"):
            done = repository.epm("lint", "--output-format", chosen)
            assert done.code == 1, done.said
