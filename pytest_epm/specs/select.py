"""Which rules run, and how severe their findings are. Pure."""

import difflib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pytest_epm.errors import ConfigError
from pytest_epm.specs.model import Rule
from pytest_epm.specs.settings import Settings

_ALL = "ALL"


class Selection(NamedTuple):
    """rules: those that run. every: all there are, so that names can be told."""

    rules: tuple[Rule, ...]
    every: tuple[Rule, ...]


def selected(rules: Sequence[Rule], settings: Settings) -> Selection:
    """Return the rules that run. Raises ConfigError for a word that means none."""
    for words in (settings.select, settings.extend_select, settings.ignore):
        _known(words, rules, settings.path)
    for _, words in settings.per_file_ignores:
        _known(words, rules, settings.path)
    _known([word for word, _ in settings.severity], rules, settings.path)
    chosen = {rule.code for rule in rules if rule.default}
    if settings.select:
        chosen = set(_meant(settings.select, rules))
    chosen |= set(_meant(settings.extend_select, rules))
    chosen -= set(_meant(settings.ignore, rules))
    return Selection(tuple(rule for rule in rules if rule.code in chosen), tuple(rules))


def means(word: str, rule: Rule) -> bool:
    """Whether a name, a code or the beginning of one means a rule."""
    is_prefix = word.startswith("EPM") and rule.code.startswith(word)
    return word in (rule.name, _ALL) or is_prefix or word == rule.code


def severity(rule: Rule, given: str, settings: Settings) -> str:
    """Return the severity of a finding: what the settings say, the finding itself, the rule."""
    chosen = [level for word, level in settings.severity if means(word, rule)]
    return chosen[-1] if chosen else given or rule.severity


def nearest_rule(word: str, rules: Iterable[Rule]) -> str:
    """Return the rule's name that a word was meant for, or nothing."""
    near = difflib.get_close_matches(word, [rule.name for rule in rules], 1)
    return near[0] if near else ""


def _meant(words: Iterable[str], rules: Iterable[Rule]) -> list[str]:
    listed = list(rules)
    return [rule.code for word in words for rule in listed if means(word, rule)]


def _known(words: Iterable[str], rules: Sequence[Rule], path: str) -> None:
    for word in words:
        if not any(means(word, rule) for rule in rules):
            near = nearest_rule(word, rules)
            step = f"did you mean {near}?" if near else "epm rule --all lists them"
            raise ConfigError(f"no rule is called {word!r}", path, step)
