"""From `module:qualname` to the `def` in the source. Pure: sources are found by the caller.

What stands between the name and the `def` does not matter: re-exports, aliases, partials,
decorators and wrappers called on it are followed.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from pytest_epm.arms.cells import Compute
from pytest_epm.arms.scopes import Binding, Definition, bindings, definition


@dataclass(frozen=True, slots=True)
class Module:
    """A module. tree: None if it has no source, as one in C. ours: whether the project's."""

    name: str
    path: str
    tree: ast.Module | None
    package: str
    ours: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """The `def` of a computation. sub: `module:Class` that `self` must be of, if inherited."""

    module: str
    path: str
    qualname: str
    line: int
    node: Definition
    sub: str = ""


@dataclass(frozen=True, slots=True)
class Opaque:
    """An object of a module without source: it can be seen to be called, never to run."""

    module: str
    qualname: str


@dataclass(frozen=True, slots=True)
class NotFound:
    """Nothing of that name. nearest: names that exist and look like it, best first."""

    what: str
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IsClass:
    """The name is a class, and a computation is one of its methods."""

    name: str
    methods: tuple[str, ...]


Answer = Found | Opaque | NotFound | IsClass
Find = Callable[[str], Module | None]


def resolve(compute: Compute, find: Find, known: Iterable[str] = ()) -> Answer:
    """Return the `def` that a plan names, or why there is none.

    find: a module by its dotted name. known: names of modules, for the nearest ones.
    """
    module = find(compute.module)
    if module is None:
        nearest = get_close_matches(compute.module, sorted(set(known)), 3, 0.6)
        return NotFound(f"no module {compute.module}", tuple(nearest))
    parts = tuple(p for p in compute.qualname.split(".") if p != "<locals>")
    return _Search(find, compute).within(module, parts)


@dataclass(frozen=True)
class _Search:
    find: Find
    compute: Compute
    seen: set[tuple[int, tuple[str, ...]]] = field(default_factory=set)

    def within(self, module: Module, parts: tuple[str, ...]) -> Answer:
        """Look `parts` up from the top of a module."""
        if module.tree is None:
            return Opaque(module.name, ".".join(parts))
        return self.below(module, module.tree.body, "", parts)

    def below(
        self, module: Module, body: list[ast.stmt], prefix: str, parts: tuple[str, ...]
    ) -> Answer:
        name, *rest = parts
        lost: NotFound | None = None
        for bound in reversed(bindings(body, name, star=not prefix)):
            # `f = jit(f)` means the `f` before it; a circle comes to nothing.
            key = (id(bound.node), parts)
            if key not in self.seen:
                self.seen.add(key)
                answer = self.follow(module, bound, prefix, (name, *rest))
                if not isinstance(answer, NotFound):
                    return answer
                lost = lost or (None if bound.star else answer)
        return lost or self.lost(module, name, body)

    def follow(self, module: Module, bound: Binding, prefix: str, parts: tuple[str, ...]) -> Answer:
        name, *rest = parts
        if bound.module is not None:
            return self.imported(module, bound, parts)
        if isinstance(bound.node, ast.ClassDef):
            return self.of_class(module, bound.node, f"{prefix}{name}", tuple(rest))
        if isinstance(bound.node, ast.FunctionDef | ast.AsyncFunctionDef):
            qualname = f"{prefix}{name}"
            if rest:
                inner = f"{qualname}.<locals>."
                return self.below(module, bound.node.body, inner, tuple(rest))
            return Found(module.name, module.path, qualname, bound.node.lineno, bound.node)
        return self.value(module, bound.node, f"{prefix}{name}", tuple(rest))

    def imported(self, module: Module, bound: Binding, parts: tuple[str, ...]) -> Answer:
        source = _absolute(module, bound)
        name, *rest = parts
        if not bound.name and not bound.star:  # `import a.b as c`
            if not rest:
                return NotFound(f"{self.compute.name} is a module")
            return self.dotted(source, tuple(rest))
        wanted = (name if bound.star else bound.name, *rest)
        target = self.find(source)
        answer = self.within(target, wanted) if target else Opaque(source, ".".join(wanted))
        if not isinstance(answer, Found) and rest and self.find(f"{source}.{wanted[0]}"):
            return self.dotted(f"{source}.{wanted[0]}", tuple(rest))
        return answer

    def dotted(self, source: str, parts: tuple[str, ...]) -> Answer:
        """Look up in a module, or in a submodule of that name."""
        deeper = self.find(f"{source}.{parts[0]}") if len(parts) > 1 else None
        if deeper is not None:
            return self.dotted(deeper.name, parts[1:])
        target = self.find(source)
        return self.within(target, parts) if target else Opaque(source, ".".join(parts))

    def value(self, module: Module, node: ast.AST, qualname: str, rest: tuple[str, ...]) -> Answer:
        """Follow what a name is bound to: another name, a lambda, a call that wraps one."""
        made = definition(node)
        if made is not None and not rest:
            return Found(module.name, module.path, f"{qualname}.<lambda>", made.lineno, made)
        name = dotted_name(node)
        if name:
            return self.within(module, (*name, *rest))
        if isinstance(node, ast.Call):
            if rest:  # an instance: its methods are those of its class
                made_by = dotted_name(node.func)
                return self.within(module, (*made_by, *rest)) if made_by else self.no()
            if node.args:
                return self.value(module, node.args[0], qualname, rest)
        return self.no()

    def no(self) -> NotFound:
        return NotFound(f"{self.compute.name} is no function of the source")

    def of_class(
        self,
        module: Module,
        node: ast.ClassDef,
        qualname: str,
        parts: tuple[str, ...],
    ) -> Answer:
        if not parts:
            methods = tuple(dict.fromkeys(self.methods(module, node)))
            return IsClass(f"{module.name}:{qualname}", methods)
        if bindings(node.body, parts[0]):
            return self.below(module, node.body, f"{qualname}.", parts)
        for base in node.bases:
            name = dotted_name(base)
            answer = self.within(module, (*name, *parts)) if name else self.no()
            if isinstance(answer, Found):
                return replace(answer, sub=f"{module.name}:{qualname}")
        nearest = get_close_matches(parts[0], [*self.methods(module, node)], 3, 0.6)
        listed = tuple(f"{module.name}:{qualname}.{near}" for near in dict.fromkeys(nearest))
        return NotFound(f"{module.name}:{qualname} has no method {parts[0]}", listed)

    def methods(self, module: Module, node: ast.ClassDef) -> Iterator[str]:
        """Yield names of methods, the class's own first, then those of its project bases."""
        for item in node.body:
            if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                yield item.name
        for base in node.bases:
            name = dotted_name(base)
            answer = self.within(module, name) if name else None
            if isinstance(answer, IsClass):
                yield from answer.methods

    def lost(self, module: Module, name: str, body: list[ast.stmt]) -> NotFound:
        here = [
            node.name
            for node in ast.walk(ast.Module(body, []))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        close = dict.fromkeys(get_close_matches(name, sorted(set(here)), 3, 0.6))
        return NotFound(f"{module.name} has no {name}", tuple(f"{module.name}:{n}" for n in close))


def _absolute(module: Module, bound: Binding) -> str:
    """Return the module that an import statement means, relative ones from the package."""
    if not bound.level:
        return bound.module or ""
    base = module.package.split(".")
    base = base[: len(base) - bound.level + 1]
    return ".".join([*base, *filter(None, [bound.module])])


def dotted_name(node: ast.AST) -> tuple[str, ...]:
    """Return `('a', 'b')` for `a.b`, or nothing."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        inner = dotted_name(node.value)
        return (*inner, node.attr) if inner else ()
    return ()
