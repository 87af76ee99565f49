"""What several rules ask: who a vocabulary covers, where a token stands, what became of duties."""

from typing import TYPE_CHECKING

from pytest_epm.specs import globs
from pytest_epm.specs.model import Project, Spec
from pytest_epm.specs.settings import Duty, Vocabulary
from pytest_epm.specs.source import Place
from pytest_epm.specs.tokens import Use

if TYPE_CHECKING:
    from pytest_epm.specs.duties import Flow, Outcome


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


def outcomes(spec: Spec, project: Project) -> list[tuple[Duty, "Outcome"]]:
    """Return the duties of a file with what became of each."""
    if not project.settings.duties:
        return []
    return project.once("duties", lambda: _all_outcomes(project)).get(spec.path, [])


def _all_outcomes(project: Project) -> dict[str, list[tuple[Duty, "Outcome"]]]:
    from pytest_epm.specs.duties import flow, outcome  # few have duties

    seen: dict[str, Flow] = {}
    found: dict[str, list[tuple[Duty, Outcome]]] = {}
    for duty in project.settings.duties:
        became: list[tuple[str, Outcome]] = []
        for spec in project.meant(duty.files):
            if spec.source.foreign:
                continue
            if spec.path not in seen:
                seen[spec.path] = flow(spec.document)
            became.append((spec.path, outcome(spec.document, seen[spec.path], duty.sentence)))
        for path, one in _reported(became) if duty.in_any else became:
            found.setdefault(path, []).append((duty, one))
    return found


def _reported(became: list[tuple[str, "Outcome"]]) -> list[tuple[str, "Outcome"]]:
    """Return what is wrong with a duty that one of several files must hold."""
    from pytest_epm.specs.duties import KEPT, MISSING

    if any(one.state == KEPT for _, one in became):
        return []
    faulty = [(path, one) for path, one in became if one.state != MISSING]
    return faulty or became[:1]
