"""Commands that start pytest, in shell text, CI files and Python, and whether they purge. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_SEPARATORS = re.compile(r"\|\||&&|[;|&]|\$\(|`|\(|\)")
_WORD = re.compile(r"""(?:[^\s"'`]|"[^"\n]*"|'[^'\n]*')+""")
_RUNNERS = frozenset({"pytest", "py.test", "pytest-3"})
_WRAPPERS = frozenset(
    {"uv", "uvx", "pipx", "poetry", "pdm", "hatch", "rye", "pixi", "run", "exec", "sudo", "time",
     "env", "timeout", "nice", "xvfb-run", "coverage", "python", "python3", "conda", "mamba",
     "nohup", "make", "then", "do", "else", "if", "!", "-", "run:", "@", "tox", "nox", "--"}
)  # fmt: skip
_PYTHON = re.compile(r"(?:.*/)?(?:python[\d.]*|\$\{?\w+\}?|\$\(\w+\))$")
_QUIET = frozenset({"--version", "--help", "-h", "--fixtures", "--markers"})
_PURGES = re.compile(
    r"(?:^|\s)(?:-p[\s=]?[\"']?epm\b|--real-arms\b|--epm-bytecode[\s=][\"']?purge\b|"
    r"-o[\s=]?[\"']?epm_bytecode\s*=\s*purge\b)"
)
_NOT = re.compile(r"(?:^|\s)-p[\s=]?[\"']?no:epm\b")
_BY_ENV = re.compile(
    r"(?:PYTEST_ADDOPTS\s*[:=].*?-p[\s=]?epm\b|PYTEST_PLUGINS\s*[:=]\s*[\"']?[\w.,]*\bepm\b"
    r"|EPM_BYTECODE\s*[:=]\s*[\"']?purge)"
)
_LISTED = re.compile(r"""["'](?:-m["']\s*,\s*["'])?(?:pytest|py\.test)["']\s*[,\]]""")
_VARIABLE = re.compile(r"\$[({]\w+[)}]")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_ASSIGN = re.compile(r"\w+=\S*$")


class Call(NamedTuple):
    """A command that starts pytest without asking for fresh bytecode. line, column: 0-based."""

    line: int
    column: int
    words: str


def asks_by_environment(text: str) -> bool:
    """Whether a file sets the environment so that every pytest in it purges."""
    return bool(_BY_ENV.search(text))


def asks(options: str) -> bool:
    """Whether options, such as pytest's addopts, ask for fresh bytecode."""
    return bool(_PURGES.search(" " + options)) and not _NOT.search(" " + options)


def shell_calls(text: str) -> Iterator[Call]:
    """Yield calls in shell text: scripts, recipes, `run:` steps, code blocks."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        first = number
        whole = _COMMENT.sub("", lines[number]) if "pytest" not in lines[number] else lines[number]
        while whole.endswith("\\") and number + 1 < len(lines):
            number += 1
            whole = whole[:-1] + " " + lines[number].strip()
        number += 1
        if "pytest" in whole or "py.test" in whole:
            for column, command in _commands(whole):
                if not asks(command):
                    yield Call(first, min(column, len(lines[first])), command.strip())


def _commands(line: str) -> Iterator[tuple[int, str]]:
    """Yield the commands of a line that start pytest, with their columns."""
    begin = 0
    line = _COMMENT.sub(lambda match: " " * len(match[0]), line)
    line = _VARIABLE.sub(lambda match: "$" + "x" * (len(match[0]) - 1), line)
    ends = [(match.start(), match.end()) for match in _SEPARATORS.finditer(line)]
    for end, after in [*ends, (len(line), len(line))]:
        command = line[begin:end]
        at = _starts(command)
        if at is not None:
            yield begin + at, command[at:]
        begin = after


def _starts(command: str) -> int | None:
    """Return where in a command pytest is started, or None."""
    words = [(match.start(), match[0].strip("\"'")) for match in _WORD.finditer(command)]
    for number, (at, word) in enumerate(words):
        bare = word.lstrip("@-")
        name = bare.rpartition("/")[2]
        if name in _RUNNERS and "=" not in word:
            rest = [other for _, other in words[number + 1 :]]
            if _QUIET & set(rest[:1]) or (rest and rest[0] in (":", "=", "==")):
                return None
            return at
        if bare in ("-m", "m") and number + 1 < len(words) and words[number + 1][1] in _RUNNERS:
            rest = [other for _, other in words[number + 2 :]]
            return None if _QUIET & set(rest[:1]) else words[max(number - 1, 0)][0]
        leads = (
            bare in _WRAPPERS
            or not bare
            or word.startswith("-")
            or _ASSIGN.match(word)
            or _PYTHON.match(word)
            or bare.isdigit()
            or bare in ("$", ">", "%")
        )
        if not leads:
            return None
    return None


def python_calls(text: str) -> Iterator[Call]:
    """Yield lists in Python code that start pytest: `["pytest", ...]`, `["-m", "pytest"]`."""
    for match in _LISTED.finditer(text):
        stop = text.find("]", match.end() - 1)
        words = text[match.start() : stop if stop >= 0 else match.end() + 200]
        plain = " ".join(re.findall(r"[\"']([^\"'\n]*)[\"']", words))
        before = text[max(match.start() - 120, 0) : match.start()]
        opened = before.rfind("[") > before.rfind("]")
        if (
            opened
            and not asks(plain)
            and "pip" not in before
            and not _QUIET & set(plain.split()[1:2])
        ):
            line = text.count("\n", 0, match.start())
            column = match.start() - text.rfind("\n", 0, match.start()) - 1
            yield Call(line, column, plain)
