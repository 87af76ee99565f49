"""An instruction to ask the user outside the places where that is sanctioned."""

from collections.abc import Iterator

from pytest_epm.specs import globs
from pytest_epm.specs.document import Block
from pytest_epm.specs.model import Fault, Project, Rule, Spec


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each phrase in prose, unless its sentence forbids it."""
    phrases = project.settings.ask_phrases
    if not phrases:
        return
    from pytest_epm.specs.asks import asking  # few have phrases

    for block in spec.document.blocks:
        if block.kind in ("code", "hidden"):
            continue
        text = block.text
        for start, end in block.struck:
            text = text[:start] + " " * (end - start) + text[end:]
        for phrase, index in asking(text, phrases):
            if not _is_allowed(spec, block, project):
                yield Fault(
                    spec.path,
                    spec.document.place(block, index),
                    f"{' '.join(phrase.split())!r} outside of every sanctioned gate",
                    "decide by a default, or sanction the section in asks.allow",
                    more={"phrase": " ".join(phrase.split())},
                )


def _is_allowed(spec: Spec, block: Block, project: Project) -> bool:
    titles = [title.casefold() for title in spec.document.titles(block)]
    return any(
        globs.matches(allow.file.glob, spec.path)
        and (not allow.section or " ".join(allow.section.split()).casefold() in titles)
        for allow in project.settings.ask_allow
    )


RULE = Rule(
    "EPM501", "ask-unsanctioned", "an instruction to ask the user outside sanctioned gates", check
)
