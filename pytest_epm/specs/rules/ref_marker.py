"""A marker that is in a known namespace and unknown."""

import re
from collections.abc import Iterator

from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.nearest import close

_OPEN_END = re.compile(r"[<{*\N{HORIZONTAL ELLIPSIS}]|\.\.\.")


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each marker that the settings do not name."""
    known = project.settings.markers
    if not known:
        return
    from pytest_epm.verdicts import Kind  # few have markers

    every = (*known, *Kind)
    spaces = {marker.rpartition(":")[0] for marker in known}
    if not any(f"{space}:" in spec.source.text for space in spaces):
        return
    inner = "|".join(map(re.escape, sorted(spaces)))
    pattern = re.compile(rf"(?<![\w:/.-])(?:{inner}):[A-Za-z0-9][\w-]*(?!\w)")
    for block in spec.document.blocks:
        if block.kind == "hidden":
            continue
        for match in pattern.finditer(block.text):
            if match[0] in every or _OPEN_END.match(block.text, match.end()):
                continue
            if match[0].endswith("-") or block.text.startswith("://", match.end()):
                continue
            near = close(match[0], every, 3)
            yield Fault(
                spec.path,
                spec.document.place(block, match.start()),
                f"{match[0]} is no known marker" + (f"; nearest: {near}" if near else ""),
                f"write {near}" if near else "add it to markers.known",
                more={"target": match[0], "nearest": near},
            )


RULE = Rule("EPM304", "ref-marker", "a marker that the settings do not name", check, whole_set=True)
