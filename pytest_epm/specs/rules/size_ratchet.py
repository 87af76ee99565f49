"""A file whose size is held, and that is of another size."""

from collections.abc import Iterator

from pytest_epm.specs.model import START, Fault, Project, Rule, Spec


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for a file that grew above its entry, or whose entry must come down."""
    for entry, held in project.settings.size.ratchet:
        if entry.glob != spec.path or spec.source.size == held:
            continue
        grew = spec.source.size > held
        more = {"bytes": spec.source.size, "held": held}
        if grew:
            message = f"{spec.source.size} bytes; it is held at {held} and grew"
            step = f"take {spec.source.size - held} bytes out of it"
        else:
            message = f"{spec.source.size} bytes; it is held at {held}, which must come down"
            step = "epm lint --update-ratchet"
        yield Fault(spec.path, START, message, step, more=more)


RULE = Rule(
    "EPM402",
    "size-ratchet",
    "a file of another size than it is held at",
    check,
    whole_set=True,
    unlisted=True,
)
