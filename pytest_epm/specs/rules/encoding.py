"""A file that is not UTF-8 text, or holds NUL bytes."""

from collections.abc import Iterator

from pytest_epm.specs.model import START, Fault, Project, Rule, Spec


def check(spec: Spec, _project: Project) -> Iterator[Fault]:
    """Yield a fault at the first such byte; a byte order mark and CRLF are fine."""
    if spec.source.foreign:
        message = "this is UTF-16; nothing else was checked"
        yield Fault(spec.path, START, message, "save it as UTF-8")
        return
    for damage in spec.source.damage:
        yield Fault(spec.path, damage.place, damage.what, "save it as UTF-8")


RULE = Rule("EPM904", "encoding", "a file that is not UTF-8 text", check, unlisted=True)
