"""`epm init`: a commented starting configuration for the repository at hand."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_epm.specs.model import AGENT, SKILL, Spec
from pytest_epm.specs.settings import FAIL
from pytest_epm.specs.show import toml

_LINE = re.compile(
    r"(?:^|[\n\t])[^\w\n]*(?:\w+[ ]){0,3}verdict[^\w\n:]*:(?P<rest>[^\n\t]*)", re.IGNORECASE
)
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])[A-Z][A-Z0-9]+(?:[_-][A-Z0-9]+)*(?![A-Za-z0-9_-])")
_LIST = re.compile(r"[A-Z][A-Z0-9_]{2,}(?:`?\**\s*[/|]\s*\**`?[A-Z][A-Z0-9_]{2,})+")
_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_FEWEST = 2  # tokens that make a vocabulary


class Proposal(NamedTuple):
    """The text of a configuration, and what it is made of."""

    text: str
    specs: int
    vocabularies: int
    held: int


def propose(specs: Sequence[Spec], prefix: tuple[str, ...]) -> Proposal:
    """Return a configuration for the specs. prefix: names that lead to the table."""
    table = ".".join(prefix)
    vocabularies = list(_vocabularies(specs))
    large = [spec for spec in specs if spec.source.size > FAIL]
    lines = [
        f"[{table}]",
        f"# Specs found in the usual places: {len(specs)}. `files` names others:",
        '# files = [".claude/agents/*.md", "docs/agents/*.md"]',
        "# The product's own vocabulary, the duties of its gates, and pytest commands that may run",
        "# old bytecode:",
        '# packs = ["smoke"]',
        "",
        *_tables(table, vocabularies),
        "# Sentences that must not get lost, weakened, negated or hidden.",
        f"# [[{table}.duty]]",
        '# id = "enumerate-prefixes"',
        '# files = [".claude/agents/uploader.md"]',
        '# sentence = "An upload check MUST enumerate every prefix that the run wrote"',
        "",
        "# Asking the user is allowed only in the places named.",
        f"# [{table}.asks]",
        '# phrases = ["ask the user", "AskUserQuestion"]',
        '# allow = [{ file = ".claude/skills/gate/SKILL.md", section = "Ask", reason = "why" }]',
        "",
        *_ratchet(table, large),
    ]
    text = "\n".join(lines).rstrip("\n") + "\n"
    return Proposal(text, len(specs), len(vocabularies), len(large))


def _vocabularies(specs: Sequence[Spec]) -> Iterator[tuple[str, Spec, list[str]]]:
    names: set[str] = set()
    for spec in specs:
        if spec.kind not in (AGENT, SKILL) or spec.source.foreign:
            continue
        tokens = list(dict.fromkeys(_tokens(spec)))
        if len(tokens) >= _FEWEST:
            name = _NAME.sub("-", spec.name or spec.path.rpartition("/")[2].removesuffix(".md"))
            while name in names:
                name += "-2"
            names.add(name)
            yield name, spec, tokens


def _tokens(spec: Spec) -> Iterator[str]:
    """Yield the tokens of verdict lines, and of lists with slashes on them."""
    for block in spec.document.blocks:
        if block.kind == "hidden":
            continue
        for line in _LINE.finditer(block.text):
            yield from (match[0] for match in _TOKEN.finditer(line["rest"]))
        if "erdict" in block.text:
            for listed in _LIST.finditer(block.text):
                yield from (match[0] for match in _TOKEN.finditer(listed[0]))


def _tables(table: str, found: list[tuple[str, Spec, list[str]]]) -> Iterator[str]:
    if not found:
        yield "# Verdicts that agents return: the tokens, and the files that must tell all of them."
        yield f"# [{table}.vocabulary.smoke]"
        yield '# tokens = ["MERGE_READY", "MERGE_LATER", "BLOCK"]'
        yield '# prefixes = ["MERGE_"]'
        yield '# contract = [".claude/agents/smoke.md"]'
        yield ""
    for name, spec, tokens in found:
        yield f"# Seen on verdict lines of {spec.path}: take out what is no verdict."
        yield f"[{table}.vocabulary.{toml(name) if '.' in name else name}]"
        yield f"tokens = {toml(tokens)}"
        yield f"contract = [{toml(spec.path)}]"
        yield ""


def _ratchet(table: str, large: Sequence[Spec]) -> Iterator[str]:
    if large:
        yield f"# Files above {FAIL} bytes are held where they are; the entries only come down:"
        yield "# epm lint --update-ratchet"
        yield f"[{table}.size.ratchet]"
        for spec in large:
            yield f"{toml(spec.path)} = {spec.source.size}"
