"""A link or a path in a code span that leads nowhere."""

import posixpath
from collections.abc import Iterable, Iterator

from pytest_epm.specs import globs
from pytest_epm.specs.model import AGENT, SKILL, Fault, Project, Rule, Spec
from pytest_epm.specs.references import (
    Reference,
    candidates,
    children,
    folder_of,
    is_present,
    links,
    paths,
)

# What a reference says, and where it may lie.
Dead = tuple[Reference, list[str]]


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each path that git does not know."""
    found = project.once("dead", lambda: {s.path: list(_dead(s, project)) for s in project.specs})
    if not any(found.values()):
        return
    # All of them in one question.
    ignored = project.once("ignored", lambda: _ignored(found.values(), project))
    for reference, at in found[spec.path]:
        if not any(place in ignored or f"{place}/" in ignored for place in at):
            yield _fault(spec, reference, at, project)


def _ignored(found: Iterable[list[Dead]], project: Project) -> frozenset[str]:
    places = {place for dead in found for _, at in dead for place in at}
    # A pattern that means folders does not match the name of one that is not there.
    return project.ground.ignored(places | {f"{place}/" for place in places})


def _dead(spec: Spec, project: Project) -> Iterator[Dead]:
    if not spec.listed or spec.source.foreign:
        return
    ground, ignore = project.ground, project.settings.references.ignore
    below = project.once("children", lambda: children(ground))
    shipped = _is_shipped(spec, project)
    folder = folder_of(spec.path, below, project.settings.references, is_shipped=shipped)
    for link in links(spec.document, spec.path, ground):
        if link.target.startswith("#") or link.path.startswith("../"):
            continue
        is_absolute = link.target.startswith("/")
        if is_absolute and link.path.partition("/")[0] not in folder.roots:
            continue  # an address of a site
        if not is_present(link.path, ground) and not globs.any_matches(ignore, link.path):
            yield link, [link.path]
    for path in paths(spec.document, folder):
        at = candidates(path.path, folder.here)
        known = any(is_present(place, ground) for place in at)
        if not known and not any(globs.any_matches(ignore, place) for place in at):
            yield path, at


def _is_shipped(spec: Spec, project: Project) -> bool:
    """Whether a file is part of a plugin, and so made for other repositories."""
    own = spec.path.startswith(".claude/") or "/.claude/" in spec.path
    return project.ships_plugins and not own and spec.kind in (AGENT, SKILL)


def _fault(spec: Spec, reference: Reference, at: list[str], project: Project) -> Fault:
    target = reference.target
    place = spec.document.place(reference.block, reference.at)
    loose = next((path for path in at if path.rstrip("/") in project.ground.untracked), "")
    if loose:
        message = f"{target} is here, but git does not track it"
        step = f"git add {loose}"
    else:
        message = f"{target} does not exist"
        near = project.elsewhere.get(posixpath.basename(target.rstrip("/")), "")
        step = f"name {near}" if near else "mend the path, or take it out"
    return Fault(spec.path, place, message, step, more={"target": target})


RULE = Rule(
    "EPM301",
    "ref-path",
    "a link or a path in a code span that leads nowhere",
    check,
    whole_set=True,
)
