"""What a call came to. Pure: it takes the answers of the child."""

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_epm.imports.judge import Owners, State
from pytest_epm.imports.results import (
    MISSING_ATTRIBUTE,
    NOT_AWAITED,
    UNEXPECTED_KEYWORD,
    WRONG_ARGUMENTS,
    BadCall,
    Call,
)
from pytest_epm.imports.suggest import nearest


def misfits(call: Call, answer: Mapping[str, Any], owners: Owners) -> Iterator[BadCall]:
    """Yield what is wrong with a call."""
    if "lacks" in answer:
        if owners.state(answer["of"]) is State.BROKEN:
            yield _bad(call, MISSING_ATTRIBUTE, _lacking(answer))
        return
    if answer.get("words"):
        problem = UNEXPECTED_KEYWORD if answer["unexpected"] else WRONG_ARGUMENTS
        yield _bad(call, problem, f"{answer['words']}; the signature is {answer['signature']}")
    if answer.get("async") and call.dropped:
        detail = "an async function is called, and nothing awaits what it returns"
        yield _bad(call, NOT_AWAITED, detail)


def _lacking(answer: Mapping[str, Any]) -> str:
    near = nearest(answer["lacks"], answer["names"])
    hint = f" (did you mean {', '.join(map(repr, near))}?)" if near else ""
    return f"module {answer['of']!r} has no attribute {answer['lacks']!r}{hint}"


def _bad(call: Call, problem: str, detail: str) -> BadCall:
    return BadCall(call.file, call.line, call.function, call.callee, problem, detail)
