"""The pages of the rules, from the installed package or from a checkout."""

import os

from pytest_epm.errors import EpmError
from pytest_epm.specs.model import Rule
from pytest_epm.specs.registry import RULES
from pytest_epm.specs.select import nearest_rule

_HERE = os.path.dirname(os.path.abspath(__file__))
_FOLDERS = (
    os.path.join(_HERE, "rule_pages"),  # of a wheel
    os.path.join(os.path.dirname(os.path.dirname(_HERE)), "docs", "rules"),
)


def page(word: str) -> str:
    """Return the page of a rule by its code or name. Raises EpmError for a word that is neither."""
    for rule in RULES:
        if word.casefold() in (rule.code.casefold(), rule.name):
            return _text(rule)
    near = nearest_rule(word, RULES)
    step = f"epm rule {near}" if near else "epm rule --all lists them"
    raise EpmError(f"no rule is called {word!r}", next_step=step)


def listing() -> list[str]:
    """Return a line for each rule: code, name, what it names."""
    width = max(len(rule.name) for rule in RULES)
    return [f"{rule.code}  {rule.name:<{width}}  {_summary(rule)}" for rule in RULES]


def _summary(rule: Rule) -> str:
    return rule.summary if rule.default else f"{rule.summary} (off by default)"


def _text(rule: Rule) -> str:
    for folder in _FOLDERS:
        path = os.path.join(folder, f"{rule.code}.md")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return file.read().rstrip()
    return f"# {rule.name} ({rule.code})\n\n{rule.summary}"
