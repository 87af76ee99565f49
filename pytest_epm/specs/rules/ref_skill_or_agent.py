"""A skill or an agent that is named and that the repository does not have."""

from collections.abc import Iterator

from pytest_epm.specs.formats import names_in
from pytest_epm.specs.model import AGENT, SKILL, START, Fault, Project, Rule, Spec
from pytest_epm.specs.nearest import close
from pytest_epm.specs.references import BUILT_IN_AGENTS, mentions
from pytest_epm.specs.source import Place


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each name that is nearly that of a skill or agent, or in front matter."""
    known = _known(project)
    front = spec.document.front
    for kind, key, sure in (
        ("skill", "skills", spec.kind == AGENT),
        ("agent", "agent", spec.kind == SKILL),
    ):
        found = front.key(key) if sure else None
        if found:
            for name in names_in(found.value):
                if ":" not in name and name not in known[kind] and known[kind]:
                    yield _fault(spec, kind, name, known[kind], Place(found.line, found.column))
    for mention in mentions(spec.document):
        names = known[mention.kind]
        if mention.name in names or mention.name in known["agent"] | known["skill"]:
            continue
        if close(mention.name, sorted(names)):
            place = spec.document.place(mention.block, mention.at)
            yield _fault(spec, mention.kind, mention.name, names, place)


def _known(project: Project) -> dict[str, frozenset[str]]:
    more = project.settings.references
    skills, agents = project.names[SKILL], project.names[AGENT]
    built_in = BUILT_IN_AGENTS if agents or more.agents else frozenset[str]()
    return {
        "skill": skills | frozenset(more.skills),
        "agent": agents | frozenset(more.agents) | built_in,
    }


def _fault(spec: Spec, kind: str, name: str, known: frozenset[str], place: Place = START) -> Fault:
    near = close(name, sorted(known))
    return Fault(
        spec.path,
        place,
        f"no {kind} is called {name}" + (f"; nearest: {near}" if near else ""),
        f"write {near}" if near else f"mend the name, or add it to references.{kind}s",
        more={"target": name, "nearest": near},
    )


RULE = Rule(
    "EPM305",
    "ref-skill-or-agent",
    "a skill or an agent that the repository does not have",
    check,
    whole_set=True,
)
