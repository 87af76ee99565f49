"""A file that is larger than a client reads with care."""

from collections.abc import Iterator

from pytest_epm.specs.model import START, Fault, Project, Rule, Spec


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for a file above a bound; one with a ratchet entry is judged by that."""
    size = project.settings.size
    if any(entry.glob == spec.path for entry, _ in size.ratchet):
        return
    for severity, bound in (("error", size.fail), ("warning", size.warn)):
        if spec.source.size > bound:
            yield Fault(
                spec.path,
                START,
                f"{spec.source.size} bytes, above {bound}",
                "move parts into files that are read when needed, or hold it: "
                "epm lint --update-ratchet",
                severity,
                more={"bytes": spec.source.size, "bound": bound},
            )
            return


RULE = Rule("EPM401", "size", "a file that is larger than the bound", check)
