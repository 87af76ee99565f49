"""A command that runs pytest as a gate and does not ask for fresh bytecode."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_epm.specs.document import Block
from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.source import Place

if TYPE_CHECKING:
    from pytest_epm.specs.commands import Call  # off by default, so imported when it runs

_SHELLS = ("", "sh", "bash", "shell", "zsh", "console", "text", "make", "makefile", "yaml", "yml")


def check_all(project: Project) -> Iterator[Fault]:
    """Yield a fault for each call in specs and in scripts; pytest's addopts count for all."""
    from pytest_epm.specs.commands import asks, asks_by_environment, python_calls, shell_calls

    if asks(project.ground.addopts):
        return
    for spec in project.specs:
        if spec.listed:
            yield from _in_spec(spec)
    for path, text in project.ground.scripts:
        if not asks_by_environment(text):
            calls = python_calls(text) if path.endswith(".py") else shell_calls(text)
            for call in calls:
                yield _fault(path, Place(call.line + 1, call.column + 1), call)


def _in_spec(spec: Spec) -> Iterator[Fault]:
    if "pytest" not in spec.source.text:
        return
    for block in spec.document.blocks:
        if block.kind == "hidden" or "pytest" not in block.text:
            continue
        if block.kind == "code":
            yield from _in_text(spec, block, 0, len(block.text))
        for start, end in block.codes:
            if block.kind != "code" and " " in block.text[start:end].strip():
                yield from _in_text(spec, block, start, end)


def _in_text(spec: Spec, block: Block, start: int, end: int) -> Iterator[Fault]:
    from pytest_epm.specs.commands import asks_by_environment, shell_calls

    text = block.text[start:end]
    if asks_by_environment(text):
        return
    starts = [0, *(n + 1 for n, char in enumerate(text) if char == "\n")]
    for call in shell_calls(text):
        index = start + starts[call.line] + call.column
        place = spec.document.place(block, min(index, len(block.text) - 1))
        yield _fault(spec.path, place, call)


def _fault(path: str, place: Place, call: "Call") -> Fault:
    words = call.words if len(call.words) <= 60 else f"{call.words[:57]}..."  # noqa: PLR2004 - of a line
    return Fault(
        path,
        place,
        f"`{' '.join(words.split())}` may run old bytecode: it asks for no -p epm",
        "add -p epm to the command, or to pytest's addopts for all of them",
        more={"command": " ".join(call.words.split())},
    )


RULE = Rule(
    "EPM502",
    "gate-unpurged",
    "a pytest command that does not ask for fresh bytecode",
    check_all=check_all,
    whole_set=True,
    default=False,
)
