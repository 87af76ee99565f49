"""`epm lint` beside the linters of agent specs, on the specs of public repositories."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version

from measure import Cost, FaultError, NotRunError, progress, run, take_turns, text_of
from place import Place
from show import Block, Row, Target, costs, ratios

# Where a clone of each public repository lies; the commits are those of docs/benchmarks.md.
_CORPUS = "EPM_BENCH_SPECS"
_FEWEST = 1500
_SPECS = ("SKILL.md", "CLAUDE.md", "AGENTS.md")
_PEERS = {
    "agnix": (["agnix", "."], Target(2.5)),
    "skillsaw": (["skillsaw", "lint", "."], Target(0.167)),  # six times the files a second
    "markdownlint-cli2": (["markdownlint-cli2", "**/*.md"], Target(0.083)),  # twelve times
}
_FOUND = range(4)  # a linter that finds something does not exit with 0


def lint(place: Place) -> Block:
    """Lint the same files in one process each; then one changed file of a repository of 70."""
    top, number, size = _gathered(place)
    ours = [sys.executable, "-m", "pytest_epm.cli", "lint", "--config", _all(place), "--statistics"]
    contenders: dict[str, Callable[[], Cost]] = {"epm": partial(run, ours, top, _FOUND)}
    absent = []
    for name, (command, _) in _PEERS.items():
        path = shutil.which(command[0])
        if path is None:
            absent.append(f"{name} is absent")
        else:
            contenders[name] = partial(run, [path, *command[1:]], top, _FOUND)
    taken = take_turns(place.rounds(3, 1), contenders)
    block = Block(
        f"lint: every rule over {number} specs, {size / 1e6:.1f} MB",
        [f"epm {version('pytest-epm')}", *_versions(contenders)],
        notes=absent,
    )
    for name, cost in taken.items():
        block.rows += costs(name, cost)
    for name in [name for name in taken if name != "epm"]:
        block.rows += ratios(f"epm / {name}", taken["epm"], taken[name], cpu=_PEERS[name][1])
    block.rows += _small(place)
    return block


def _gathered(place: Place) -> tuple[str, int, int]:
    """Copy the specs of all clones below one folder; return it, their number and bytes."""
    source = os.environ.get(_CORPUS, "")
    if not os.path.isdir(source):
        raise NotRunError(f"no corpus: set {_CORPUS} to a folder of clones")
    progress("lint: gathering specs")
    top = os.path.join(place.folder, "specs")
    paths = list(_specs(source))
    for path in paths:
        target = os.path.join(top, os.path.relpath(path, source))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(path, target)
    if len(paths) < _FEWEST:
        raise NotRunError(f"{len(paths)} specs below {source}, fewer than {_FEWEST}")
    text_of(["git", "init", "-q"], top)
    text_of(["git", "add", "-A"], top)
    return top, len(paths), sum(map(os.path.getsize, paths))


def _specs(source: str) -> Iterator[str]:
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name not in (".git", "node_modules")]
        parts = folder.split(os.sep)
        is_agents = parts[-1] == "agents" or "categories" in parts
        for name in names:
            path = os.path.join(folder, name)
            wanted = name in _SPECS or (is_agents and name.endswith(".md") and name != "README.md")
            if wanted and not os.path.islink(path):
                yield path


def _all(place: Place) -> str:
    path = os.path.join(place.folder, "all.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write('select = ["ALL"]\nfiles = ["**/*.md"]\n')
    return path


def _versions(contenders: dict[str, Callable[[], Cost]]) -> Iterator[str]:
    for name in contenders:
        if name != "epm":
            try:
                said = text_of([name, "--version"], os.curdir).strip().splitlines()
            except NotRunError:
                continue
            yield said[-1] if said else name


def _small(place: Place) -> list[Row]:
    """Lint one changed file of a repository of 70 specs, with a vocabulary over all of them."""
    top = os.path.join(place.folder, "small")
    head = "---\nname: a{0}\ndescription: Agent {0}.\n---\n# Agent {0}\n\n"
    # 7.4 KB each, as 71 real files have it, with a reference in every eighth paragraph.
    plain = "- Read the plan first, then *every* file that it names, and say what is not so.\n" * 10
    told = "\nReturn `PASS_FULL` or FAIL, see [one](a1.md) and `scripts/gate.py`.\n\n## Next\n\n"
    body = (plain + told) * 8
    for number in range(70):
        path = os.path.join(top, ".claude", "agents", f"a{number}.md")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(head.format(number) + body)
    os.makedirs(os.path.join(top, "scripts"))
    for name, text in (
        ("scripts/gate.py", ""),
        (
            "epm.toml",
            '[lint.vocabulary.v]\ntokens = ["PASS_FULL", "FAIL"]\ncontract = ["**/*.md"]\n',
        ),
    ):
        with open(os.path.join(top, name), "w", encoding="utf-8") as file:
            file.write(text)
    text_of(["git", "init", "-q"], top)
    text_of(["git", "add", "-A"], top)
    command = [os.path.join(place.scripts, "epm"), "lint", "--output-format", "json"]
    if json.loads(text_of(command, top)):
        raise FaultError("the small repository is not clean")
    rounds = place.rounds(15, 3)
    taken = [run([*command, ".claude/agents/a1.md"], top) for _ in range(rounds)]
    return [Row("one file of 70, CPU s", [cost.cpu for cost in taken], Target(0.25))]
