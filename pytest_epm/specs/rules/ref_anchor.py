"""A link to a heading that is not there."""

from collections.abc import Iterator

from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.nearest import close
from pytest_epm.specs.references import links

_ENDINGS = (".md", ".mdx", ".markdown")


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each anchor that no heading of the file it names makes."""
    for link in links(spec.document, spec.path, project.ground):
        if not link.anchor or not link.path.lower().endswith(_ENDINGS):
            continue
        anchor = link.anchor.lower()
        other = spec if link.path == spec.path else project.ground.spec(link.path)
        if other is None or anchor in ("top", ""):
            continue
        slugs = other.document.slugs
        if anchor not in slugs and anchor.removeprefix("user-content-") not in slugs:
            near = close(anchor, sorted(slugs), 3)
            yield Fault(
                spec.path,
                spec.document.place(link.block, link.at),
                f"no heading of {other.path} is called #{link.anchor}",
                f"link to #{near}" if near else "mend the anchor, or the heading",
                more={"target": link.target, "nearest": f"#{near}" if near else ""},
            )


RULE = Rule("EPM302", "ref-anchor", "a link to a heading that is not there", check, whole_set=True)
