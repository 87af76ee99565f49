"""A verdict in an agent or a skill that no vocabulary knows."""

import re
from collections.abc import Iterator

from pytest_epm.specs.model import AGENT, SKILL, Fault, Project, Rule, Spec
from pytest_epm.specs.rules.shared import covering

_LINE = re.compile(
    r"(?:^|[\n\t])[^\w\n]*(?:\w+[ ]){0,3}verdict[^\w\n:]*:(?P<rest>[^\n\t]*)", re.IGNORECASE
)
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])[A-Z][A-Z0-9]+(?:[_-][A-Z0-9]+)*(?![A-Za-z0-9_-])")


def check(spec: Spec, project: Project) -> Iterator[Fault]:
    """Yield a fault for each token of a `Verdict:` line that nothing declares for this file."""
    if spec.kind not in (AGENT, SKILL):
        return
    declared = covering(spec, project)
    known = {token for vocabulary in declared for token in vocabulary.tokens}
    known |= {token for vocabulary in declared for token in vocabulary.retired}
    for block in spec.document.blocks:
        if block.kind == "hidden" or "erdict" not in block.text.lower():
            continue
        for line in _LINE.finditer(block.text):
            for token in _TOKEN.finditer(line["rest"]):
                if token[0] not in known:
                    yield Fault(
                        spec.path,
                        spec.document.place(block, line.start("rest") + token.start()),
                        f"no vocabulary of this file knows the verdict {token[0]}",
                        "declare it: a table vocabulary.NAME with tokens and contract",
                        more={"token": token[0]},
                    )


RULE = Rule(
    "EPM104",
    "vocabulary-undeclared",
    "a verdict line with a token that no vocabulary of the file declares",
    check,
    default=False,
    severity="warning",
)
