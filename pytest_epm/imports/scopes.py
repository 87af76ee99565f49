"""Every call of a file with the scope it stands in, and what imports bind. Pure: syntax only."""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_epm.imports.collect import Source, absolute, literal_module
from pytest_epm.syntax import fields

# Each node of a project comes by here: exact types and tables instead of many questions.
_FUNCTIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef})
_SCOPES = _FUNCTIONS | {ast.ClassDef}
_OTHER = _SCOPES | {ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping}
_BINDING = _OTHER | {ast.Name, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.arg}


@dataclass(frozen=True, slots=True)
class Bound:
    """What an import binds a name to: `path` from `module`.

    shown: how a call of it reads. late: the import is deferred.
    """

    module: str
    path: tuple[str, ...]
    shown: str
    late: bool = False


@dataclass(slots=True)
class Scope:
    """One scope; a name with several meanings, or with one that is no import, means nothing."""

    outer: "Scope | None"
    is_class: bool = False
    names: dict[str, set[Bound | None]] = field(default_factory=dict)

    def bind(self, name: str, bound: Bound | None) -> None:
        """Add a meaning to a name."""
        self.names.setdefault(name, set()).add(bound)

    def means(self, name: str) -> Bound | None:
        """Return the one import that the name stands for where it is used in this scope."""
        scope: Scope | None = self
        while scope:
            if name in scope.names and (scope is self or not scope.is_class):
                meanings = scope.names[name]
                return next(iter(meanings)) if len(meanings) == 1 else None
            scope = scope.outer
        return None


@dataclass(frozen=True, slots=True)
class Tree:
    """A syntax tree, walked once: calls with their scopes, parents, and names by their text."""

    calls: tuple[tuple[ast.Call, Scope], ...]
    parents: Mapping[ast.AST, ast.AST]
    names: Mapping[str, Sequence[ast.Name]]


def walked(tree: ast.Module, source: Source, late: Collection[ast.AST] = ()) -> Tree:
    """Walk a tree and bind what its imports bind. late: the imports that are deferred."""
    calls: list[tuple[ast.Call, Scope]] = []
    parents: dict[ast.AST, ast.AST] = {}
    names: dict[str, list[ast.Name]] = {}
    todo: list[tuple[ast.AST, Scope]] = [(tree, Scope(None))]
    while todo:
        node, scope = todo.pop()
        loaded = None
        if isinstance(node, ast.Call):
            calls.append((node, scope))
        elif isinstance(node, ast.Name):
            names.setdefault(node.id, []).append(node)
        elif isinstance(node, ast.Assign):
            loaded = _loaded(node, source)
        if loaded:
            scope.bind(loaded.shown, loaded)
        for child, where in _children(node, scope):
            parents[child] = node
            # The name that an `import_module` is assigned to has its meaning already.
            if type(child) in _BINDING and not (loaded and isinstance(child, ast.Name)):
                _bind(child, where, source, late=child in late)
            todo.append((child, where))
    return Tree(tuple(calls), parents, names)


def _children(node: ast.AST, scope: Scope) -> list[tuple[ast.AST, Scope]]:
    if type(node) in _SCOPES:
        return _of_scope(node, scope)
    found: list[tuple[ast.AST, Scope]] = []
    for name in fields(type(node)):
        value = getattr(node, name)
        if type(value) is list:
            found += [(child, scope) for child in value if isinstance(child, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append((value, scope))
    return found


def _of_scope(node: ast.AST, scope: Scope) -> list[tuple[ast.AST, Scope]]:
    inner = Scope(scope, is_class=isinstance(node, ast.ClassDef))
    return [
        (child, inner if name in ("body", "args") else scope)
        for name in fields(type(node))
        for value in [getattr(node, name)]
        for child in (value if isinstance(value, list) else [value])
        if isinstance(child, ast.AST)
    ]


def _bind(node: ast.AST, scope: Scope, source: Source, *, late: bool) -> None:
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            scope.bind(node.id, None)
    elif isinstance(node, ast.Import):
        for alias in node.names:
            scope.bind(*_module(alias, late=late))
    elif isinstance(node, ast.ImportFrom):
        module = absolute(node.module or "", node.level, source.package)
        for alias in node.names:
            bound = Bound(module, (alias.name,), f"{module}.{alias.name}", late)
            scope.bind(alias.asname or alias.name, bound)
    else:
        for name in _other(node):
            scope.bind(name, None)


def _loaded(node: ast.Assign, source: Source) -> Bound | None:
    """Return what `name = import_module("literal")` binds."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
            module = literal_module(call, source)
            return Bound(module, (), name, late=True) if module else None
    return None


def _other(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Global() | ast.Nonlocal():
            yield from node.names
        case ast.arg():
            yield node.arg


def _module(alias: ast.alias, *, late: bool) -> tuple[str, Bound]:
    if alias.asname:
        return alias.asname, Bound(alias.name, (), alias.asname, late)
    top = alias.name.partition(".")[0]
    return top, Bound(top, (), top, late)
