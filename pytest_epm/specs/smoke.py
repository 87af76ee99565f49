"""The pack `smoke`: the product's own vocabulary, and the duties of the four incidents. Pure."""

from collections.abc import Iterator

from pytest_epm.specs.settings import Duty, Entry, Settings, Vocabulary
from pytest_epm.verdicts import Kind, Smoke

NAME = "smoke"
_PREFIXES = ("PASS_", "FAIL_")
# A file that names as many of the tokens tells the vocabulary, and must tell all of it.
_TELLS = 3
DUTIES = {
    "real-arms": "A smoke verdict MUST rest on the real computation of every arm",
    "all-prefixes": "An upload check MUST enumerate every prefix that the run wrote",
    "fresh-bytecode": "A test gate MUST run with fresh bytecode",
    "lock-safe-move": "A status move MUST take the lock before it moves anything",
}
# Words by which a file is about the subject of a duty.
SUBJECTS = {
    "real-arms": (Smoke.PASS_UNIFIED.value, Kind.SMOKE.value, "--real-arms"),
    "all-prefixes": (Kind.UPLOAD.value, "epm uploads verify"),
    "fresh-bytecode": (Kind.TEST.value, "epm gate"),
    "lock-safe-move": (Kind.STATUS.value, "epm task set-status"),
}

Texts = tuple[tuple[str, str], ...]


def with_smoke(settings: Settings, specs: Texts) -> Settings:
    """Return settings with the pack added.

    specs: path and text of each. The vocabulary is closed in all of them, and whole in those
    that tell it. Of the files that are about the subject of a duty one must hold it.
    """
    return settings._replace(
        vocabularies=(*settings.vocabularies, *_vocabularies(specs)),
        duties=(*settings.duties, *_duties(specs)),
        markers=tuple(dict.fromkeys((*settings.markers, *(kind.value for kind in Kind)))),
    )


def _vocabularies(specs: Texts) -> Iterator[Vocabulary]:
    tokens = tuple(token.value for token in Smoke)
    telling = [p for p, text in specs if sum(token in text for token in tokens) >= _TELLS]
    others = [path for path, _ in specs if path not in telling]
    if telling:
        yield Vocabulary(NAME, tokens, prefixes=_PREFIXES, contract=_entries(telling))
    if others:
        yield Vocabulary(
            NAME, tokens, prefixes=_PREFIXES, contract=_entries(others), is_whole=False
        )


def _duties(specs: Texts) -> Iterator[Duty]:
    for name, sentence in DUTIES.items():
        about = [path for path, text in specs if any(word in text for word in SUBJECTS[name])]
        if about:
            yield Duty(f"{NAME}/{name}", _entries(about), sentence, in_any=True)


def _entries(paths: list[str]) -> tuple[Entry, ...]:
    return tuple(Entry(path, 0) for path in paths)
