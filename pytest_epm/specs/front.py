"""YAML front matter: found, read with the lines of its keys, or told what is wrong with it. Pure.

PyYAML's C loader does the work. A mapping that repeats a key is not refused by it, so nodes
are looked at before values are made of them.
"""

import re
from typing import Any, NamedTuple

ABSENT, CLOSED, UNCLOSED, BROKEN, NO_MAPPING = "absent", "closed", "unclosed", "broken", "other"
MOST = 1 << 16  # characters; a client would not read as much into its list of skills
_DEEPEST = 200
_FENCE = re.compile(r"---[ \t]*$")
_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_KEY = re.compile(r"^(name|description)[ \t]*:[ \t]*(.*)$", re.MULTILINE)
_NESTED = re.compile(r"[\[{]|(?:^|(?<=\s))[-?:](?=\s)")


class Key(NamedTuple):
    """A key of the mapping with its value. line: of the key, in the file."""

    name: str
    line: int
    column: int
    value: object


class Front(NamedTuple):
    """What stands before the body.

    state: one of the words above. text: between the lines of dashes. body: offset in
    characters at which the body begins. what, line, column: the fault of a broken one, or
    where something that is no mapping begins. keys: as written, of a broken one those that
    could be told; repeated: keys that are there once more.
    """

    state: str
    text: str = ""
    body: int = 0
    what: str = ""
    line: int = 1
    column: int = 1
    keys: tuple[Key, ...] = ()
    repeated: tuple[Key, ...] = ()

    def get(self, name: str) -> object:
        """Return the value of a key, or None."""
        return next((key.value for key in self.keys if key.name == name), None)

    def key(self, name: str) -> Key | None:
        """Return a key, or None."""
        return next((key for key in self.keys if key.name == name), None)


def read(text: str) -> Front:
    """Take the front matter of a text apart."""
    first, newline, _ = text.partition("\n")
    if not _FENCE.match(first):
        return Front(ABSENT)
    begin = len(first) + len(newline)
    end = _END.search(text, begin)
    if not end:
        return Front(UNCLOSED, body=begin)
    inner = text[begin : end.start()]
    body = min(end.end() + 1, len(text))
    return _parsed(inner)._replace(text=inner, body=body)


def _parsed(inner: str) -> Front:
    import yaml

    if len(inner) > MOST or _depth(inner) > _DEEPEST:
        return Front(BROKEN, what=f"more than {MOST} characters or {_DEEPEST} levels", line=1)
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(inner)
    try:
        return _of_node(loader.get_single_node(), loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line, mark.column) if mark else (0, 0)
        return _broken(inner, str(error.problem or error.context), line, column)
    except yaml.reader.ReaderError as error:
        before = inner[: error.position]
        what = "a control character"
        return _broken(inner, what, before.count("\n"), len(before) - before.rfind("\n") - 1)
    except (ValueError, RecursionError, OverflowError) as error:
        return _broken(inner, str(error) or "nested too deeply", 0, 0)
    finally:
        loader.dispose()


def _of_node(node: Any, loader: Any) -> Front:  # noqa: ANN401 - PyYAML's C classes have no types
    if node is None:
        return Front(CLOSED)
    if node.id != "mapping":
        mark = node.start_mark
        return Front(NO_MAPPING, what=node.id, line=mark.line + 2, column=mark.column + 1)
    return _mapping(node, loader)


def _mapping(node: Any, loader: Any) -> Front:  # noqa: ANN401 - PyYAML's C classes have no types
    keys: list[Key] = []
    repeated: list[Key] = []
    for key, value in node.value:
        name = key.value if isinstance(key.value, str) else "?"
        line, column = key.start_mark.line + 2, key.start_mark.column + 1
        try:
            made = loader.construct_object(value, deep=True)
        except (ValueError, OverflowError):  # such as a date that no calendar has
            made = value.value
        known = any(name == other.name for other in keys)
        (repeated if known else keys).append(Key(name, line, column, made))
    return Front(CLOSED, keys=tuple(keys), repeated=tuple(repeated))


def _broken(inner: str, what: str, line: int, column: int) -> Front:
    """Tell the fault, and read what names the file line by line."""
    found: dict[str, Key] = {}
    for match in _KEY.finditer(inner):
        number = inner.count("\n", 0, match.start()) + 2
        found.setdefault(match[1], Key(match[1], number, 1, match[2].strip().strip("\"'")))
    keys = tuple(found.values())
    return Front(BROKEN, what=what, line=line + 2, column=column + 1, keys=keys)


def _depth(inner: str) -> int:
    """Return a bound on how deep a document is nested: the C parser has no limit of its own."""
    indents = {len(line) - len(line.lstrip(" ")) for line in inner.split("\n")}
    most = max((len(_NESTED.findall(line)) for line in inner.split("\n")), default=0)
    return len(indents) + max(most, _brackets(inner))


def _brackets(inner: str) -> int:
    deep = deepest = 0
    for char in re.findall(r"[\[\]{}]", inner):
        deep = deep + 1 if char in "[{" else max(deep - 1, 0)
        deepest = max(deepest, deep)
    return deepest
