"""From `module:qualname` to the `def` in the source. Pure: sources are found by the caller.

What stands between the name and the `def` does not matter: re-exports, aliases, partials,
decorators and wrappers called on it are followed.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from pytest_epm.arms.cells import Compute
from pytest_epm.arms.scopes import Binding, Blocks, Definition, definition


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
    """The `def` of a computation.

    sub: `module:Class` that `self` must be of, if inherited. others: what the same name means
    where a condition went the other way.
    """

    module: str
    path: str
    qualname: str
    line: int
    node: Definition
    sub: str = ""
    others: tuple["Found", ...] = ()


@dataclass(frozen=True, slots=True)
class Opaque:
    """An object of a module without source: it can be seen to be called, never to run.

    absent: whether there is no such module.
    """

    module: str
    qualname: str
    absent: bool = field(default=False, compare=False)


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
_MOST_LOST = 20  # more than that are no slips of the pen, and to look for each takes long
Find = Callable[[str], Module | None]


class Resolver:
    """Looks up many computations; it walks each block of source once."""

    def __init__(self, find: Find, known: Iterable[str] = ()) -> None:
        """Take what finds a module by its dotted name, and modules for the nearest names."""
        self.find = find
        self.blocks = Blocks()
        self._known = tuple(known)
        self._lost = 0

    def __call__(self, compute: Compute) -> Answer:
        """Return the `def` that a plan names, or why there is none."""
        module = self.find(compute.module)
        if module is None:
            nearest = self.nearest(compute.module, self._known)
            return NotFound(f"no module {compute.module}", nearest)
        parts = tuple(p for p in compute.qualname.split(".") if p != "<locals>")
        return _Search(self, self.find, compute).within(module, parts)

    def nearest(self, name: str, names: Iterable[str]) -> tuple[str, ...]:
        """Return names that look like this one, best first; nothing if many were lost."""
        self._lost += 1
        if self._lost > _MOST_LOST:
            return ()
        return tuple(get_close_matches(name, sorted(set(names)), 3, 0.6))


def resolve(compute: Compute, find: Find, known: Iterable[str] = ()) -> Answer:
    """Return the `def` of one computation, as `Resolver` does of many."""
    return Resolver(find, known)(compute)


@dataclass(frozen=True)
class _Search:
    resolver: Resolver
    find: Find
    compute: Compute
    seen: set[tuple[int, tuple[str, ...]]] = field(default_factory=set)

    def within(self, module: Module, parts: tuple[str, ...]) -> Answer:
        """Look `parts` up from the top of a module."""
        if module.tree is None and module.path.endswith(".py"):
            words = "does not parse as Python (a syntax error?), or cannot be read"
            return NotFound(f"{module.path} {words}")
        if module.tree is None:
            return Opaque(module.name, ".".join(parts))
        return self.below(module, module.tree.body, "", parts)

    def below(
        self, module: Module, body: list[ast.stmt], prefix: str, parts: tuple[str, ...]
    ) -> Answer:
        name = parts[0]
        lost: NotFound | None = None
        answers: list[Answer] = []
        tried: set[int] = set()  # statements whose `try` has an answer
        for bound in reversed(self.resolver.blocks.bindings(body, name, star=not prefix)):
            # `f = jit(f)` means the `f` before it; a circle comes to nothing.
            key = (id(bound.node), parts)
            if key in self.seen or (bound.handler and bound.inside in tried):
                continue
            self.seen.add(key)
            answer = self.follow(module, bound, prefix, parts)
            if isinstance(answer, NotFound):
                lost = lost or (None if bound.star else answer)
                continue
            answers.append(answer)
            if not bound.inside:  # bound in any case, and what stands before it is gone
                break
            if not (isinstance(answer, Opaque) and answer.absent):
                tried.add(bound.inside)
        return _all_of(answers) or lost or self.lost(module, name, body)

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
        answer = self.within(target, wanted) if target else _absent(source, wanted)
        if not isinstance(answer, Found) and rest and self.find(f"{source}.{wanted[0]}"):
            return self.dotted(f"{source}.{wanted[0]}", tuple(rest))
        return answer

    def dotted(self, source: str, parts: tuple[str, ...]) -> Answer:
        """Look up in a module, or in a submodule of that name."""
        deeper = self.find(f"{source}.{parts[0]}") if len(parts) > 1 else None
        if deeper is not None:
            return self.dotted(deeper.name, parts[1:])
        target = self.find(source)
        return self.within(target, parts) if target else _absent(source, parts)

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
        if self.resolver.blocks.bindings(node.body, parts[0]):
            return self.below(module, node.body, f"{qualname}.", parts)
        for base in node.bases:
            name = dotted_name(base)
            answer = self.within(module, (*name, *parts)) if name else self.no()
            if isinstance(answer, Found):
                # A static method is told of no class.
                static = _is_static(answer.node)
                return answer if static else replace(answer, sub=f"{module.name}:{qualname}")
        nearest = self.resolver.nearest(parts[0], self.methods(module, node))
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
        here = (
            node.name
            for node in ast.walk(ast.Module(body, []))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        )
        close = self.resolver.nearest(name, here)
        return NotFound(f"{module.name} has no {name}", tuple(f"{module.name}:{n}" for n in close))


def _all_of(answers: list[Answer]) -> Answer | None:
    """Return what a name may mean, as one answer; what is absent only if nothing else is."""
    present = [a for a in answers if not (isinstance(a, Opaque) and a.absent)] or answers
    if not present:
        return None
    first, *others = present
    if not isinstance(first, Found):
        return first
    named = [found for other in others if isinstance(other, Found) for found in spread(other)]
    more = {(found.path, found.line): found for found in named}
    more.pop((first.path, first.line), None)
    return replace(first, others=(*first.others, *more.values())) if more else first


def spread(found: Found) -> tuple[Found, ...]:
    """Return a `def` and the others that its name may mean."""
    return (replace(found, others=()), *found.others)


def _absent(module: str, parts: Iterable[str]) -> Opaque:
    return Opaque(module, ".".join(parts), absent=True)


def _is_static(node: Definition) -> bool:
    return any(ast.unparse(decorator) == "staticmethod" for decorator in node.decorator_list)


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
