"""`epm init`, and what lint writes: the ratchet and the baseline."""

import pytest

from epm_testing import Project

AGENT = ".claude/agents/a.md"
GOOD = "---\nname: a\ndescription: A.\n---\n# A\n"
LARGE = "x" * 50_000


@pytest.fixture
def repository(project: Project) -> Project:
    project.git("init", "-q")
    project.put(AGENT, GOOD + "\nVerdict: PASS_A / FAIL_B\n")
    project.put("CLAUDE.md", LARGE)
    return project


class TestInit:
    def test_what_it_writes_holds_at_once(self, repository: Project) -> None:
        done = repository.epm("init")
        assert (done.code, done.out.splitlines()[0]) == (
            0,
            "epm.toml: 2 specs found, 1 vocabulary proposed, 1 file held at its size",
        )
        text = (repository.root / "epm.toml").read_text(encoding="utf-8")
        assert 'tokens = ["PASS_A", "FAIL_B"]' in text
        assert '"CLAUDE.md" = 50000' in text
        assert repository.epm("lint").code == 0, repository.epm("lint").said

    def test_beside_settings_that_are_there(self, repository: Project) -> None:
        before = '[project]\nname = "x"\n\n[tool.epm]\nbytecode = "off"\n'
        repository.put("pyproject.toml", before)
        assert repository.epm("init").code == 0
        text = (repository.root / "pyproject.toml").read_text(encoding="utf-8")
        assert text.startswith(before)
        assert "[tool.epm.lint]" in text
        assert repository.epm("lint").code == 0

    def test_nothing_is_overwritten(self, repository: Project) -> None:
        repository.put("epm.toml", "[lint]\n")
        done = repository.epm("init")
        assert done.code == 2
        assert (repository.root / "epm.toml").read_text(encoding="utf-8") == "[lint]\n"

    def test_printed(self, repository: Project) -> None:
        assert "[lint]" in repository.epm("init", "--print").out
        assert not (repository.root / "epm.toml").exists()

    def test_without_a_spec(self, project: Project) -> None:
        project.put("README.md", "x")
        assert project.epm("init").code == 0
        assert project.epm("lint").code == 2


class TestRatchet:
    @pytest.mark.parametrize(
        ("size", "entry"),
        [
            pytest.param(60_000, '"CLAUDE.md" = 50000', id="grew: kept"),
            pytest.param(45_000, '"CLAUDE.md" = 45000', id="shrank: comes down"),
            pytest.param(50_000, '"CLAUDE.md" = 50000', id="as it is"),
            pytest.param(10, "", id="small: goes"),
        ],
    )
    def test_only_comes_down(self, repository: Project, size: int, entry: str) -> None:
        repository.epm("init")
        repository.put("CLAUDE.md", "x" * size)
        done = repository.epm("lint", "--update-ratchet")
        assert done.code == 0, done.said
        text = (repository.root / "epm.toml").read_text(encoding="utf-8")
        assert [line for line in text.splitlines() if line.startswith('"CLAUDE.md"')] == (
            [entry] if entry else []
        )
        assert repository.epm("lint").code == (size > 50_000)

    def test_a_file_that_is_new_is_not_let_in(self, repository: Project) -> None:
        repository.epm("init")
        repository.put("sub/SKILL.md", LARGE)
        assert repository.epm("lint", "--update-ratchet").out == "nothing to tighten\n"

    def test_the_rest_of_the_file_stays(self, repository: Project) -> None:
        text = '# mine\n[lint.size]\n# why\nratchet = { "CLAUDE.md" = 50_000 }\n'
        repository.put("epm.toml", text)
        repository.put("CLAUDE.md", "x" * 45_000)
        done = repository.epm("lint", "--update-ratchet")
        assert done.out == "CLAUDE.md: from 50000 down to 45000 bytes\n", done.said
        after = (repository.root / "epm.toml").read_text(encoding="utf-8")
        assert after == text.replace("50_000", "45000")

    def test_without_a_settings_file(self, repository: Project) -> None:
        done = repository.epm("lint", "--update-ratchet")
        assert done.code == 2
        assert "next: epm init" in done.err


class TestBaseline:
    @pytest.fixture
    def accepted(self, repository: Project) -> Project:
        assert repository.epm("lint", "--write-baseline", "accepted.toml").code == 0
        path = repository.root / "accepted.toml"
        text = path.read_text(encoding="utf-8")
        repository.put("accepted.toml", text.replace("TODO: say why", "being split"))
        repository.put("epm.toml", '[lint]\nbaseline = "accepted.toml"\n')
        return repository

    def test_what_is_accepted_is_not_told(self, accepted: Project) -> None:
        assert accepted.epm("lint").code == 0

    def test_a_worse_one_is_another_finding(self, accepted: Project) -> None:
        accepted.put("CLAUDE.md", LARGE + "x")
        out = accepted.epm("lint").out
        assert "CLAUDE.md:1:1: EPM401 size: 50001 bytes" in out
        assert "accepted.toml:1:1: EPM901" in out

    def test_unused(self, accepted: Project) -> None:
        accepted.put("CLAUDE.md", "x")
        done = accepted.epm("lint")
        assert done.code == 1
        assert "the accepted size of CLAUDE.md is not found any more" in done.out

    @pytest.mark.parametrize(
        ("old", "new", "code", "said"),
        [
            ("expires = 2", "expires = 1", 1, "the acceptance of size in CLAUDE.md ended on 1"),
            ("being split", "TODO: later", 2, "accepted.toml:5: the reason is not filled in"),
            ("expires = ", "expires = 5 #", 2, "accepted.toml:6: expires takes a date"),
            ("reason = ", "why = ", 2, "accepted.toml:5: unknown key"),
        ],
    )
    def test_entries_that_do_not_hold(
        self, accepted: Project, old: str, new: str, code: int, said: str
    ) -> None:
        text = (accepted.root / "accepted.toml").read_text(encoding="utf-8")
        accepted.put("accepted.toml", text.replace(old, new))
        done = accepted.epm("lint")
        assert done.code == code, done.said
        assert said in done.said

    def test_a_file_is_not_overwritten(self, accepted: Project) -> None:
        assert accepted.epm("lint", "--write-baseline", "accepted.toml").code == 2

    def test_one_outside_of_the_repository(self, accepted: Project) -> None:
        accepted.put("epm.toml", '[lint]\nbaseline = "../x.toml"\n')
        assert "points out of the repository" in accepted.epm("lint").err
