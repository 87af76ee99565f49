"""What several rules ask: who a vocabulary covers, where a token stands, what became of duties."""

from collections.abc import Iterator

from pytest_epm.specs import globs
from pytest_epm.specs.duties import Flow, Outcome, flow, outcome
from pytest_epm.specs.model import Project, Spec
from pytest_epm.specs.settings import Duty, Vocabulary
from pytest_epm.specs.source import Place
from pytest_epm.specs.tokens import Use


def covering(spec: Spec, project: Project) -> list[Vocabulary]:
    """Return the vocabularies that a file is part of."""
    return [
        vocabulary
        for vocabulary in project.settings.vocabularies
        if any(globs.matches(entry.glob, spec.path) for entry in vocabulary.entries)
    ]


def every_token(project: Project) -> frozenset[str]:
    """Return the tokens of all vocabularies, retired ones too."""
    vocabularies = project.settings.vocabularies
    return frozenset(t for v in vocabularies for t in (*v.tokens, *v.retired))


def place_of(spec: Spec, use: Use) -> Place:
    """Return where a token stands in its file."""
    if use.block is not None:
        return spec.document.place(use.block, use.at)
    # Front matter begins on the second line, and has no marks to take off.
    before = spec.document.front.text[: use.at]
    return Place(before.count("\n") + 2, len(before) - before.rfind("\n"))


def outcomes(spec: Spec, project: Project) -> Iterator[tuple[Duty, Outcome]]:
    """Yield the duties of a file with what became of each."""
    seen: Flow | None = None
    for duty in project.settings.duties:
        if any(globs.matches(entry.glob, spec.path) for entry in duty.files):
            seen = seen or flow(spec.document)
            yield duty, outcome(spec.document, seen, duty.sentence)
