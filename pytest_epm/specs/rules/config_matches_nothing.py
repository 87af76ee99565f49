"""An entry of the settings that looks at nothing: it would pass whatever happens."""

from collections.abc import Iterator

from pytest_epm.specs import globs
from pytest_epm.specs.model import Fault, Project, Rule
from pytest_epm.specs.settings import Entry
from pytest_epm.specs.source import Place


def check_all(project: Project) -> Iterator[Fault]:
    """Yield a fault in the settings file for each glob, path or heading that is not there."""
    settings = project.settings
    paths = project.ground.files | set(project.by_path)
    for name, entry in _entries(project):
        if not any(globs.matches(entry.glob, path) for path in paths):
            yield _fault(settings.path, entry, f"{name}: {entry.glob} matches no file")
    for allow in settings.ask_allow:
        specs = project.meant((allow.file,))
        section = " ".join(allow.section.split()).casefold()
        titles = {h.text.casefold() for spec in specs for h in spec.document.headings}
        if specs and section and section not in titles:
            what = f"asks.allow: {allow.file.glob} has no heading {allow.section!r}"
            yield _fault(settings.path, allow.file, what)


def _entries(project: Project) -> Iterator[tuple[str, Entry]]:
    settings = project.settings
    groups = [("files", settings.files), ("gates", settings.gates)]
    groups += [(f"vocabulary.{v.name}", v.entries) for v in settings.vocabularies]
    groups += [(f"duty {duty.id}", duty.files) for duty in settings.duties]
    groups += [("size.ratchet", tuple(entry for entry, _ in settings.size.ratchet))]
    groups += [("asks.allow", tuple(allow.file for allow in settings.ask_allow))]
    groups += [("per-file-ignores", tuple(entry for entry, _ in settings.per_file_ignores))]
    for name, entries in groups:
        for entry in entries:
            if entry.line:  # what a pack brings is none of this file
                yield name, entry


def _fault(path: str, entry: Entry, message: str) -> Fault:
    place = Place(entry.line, 1)
    step = "mend the entry, or take it out"
    return Fault(path, place, message, step, more={"target": entry.glob})


RULE = Rule(
    "EPM903",
    "config-matches-nothing",
    "an entry of the settings that matches nothing",
    check_all=check_all,
    whole_set=True,
)
