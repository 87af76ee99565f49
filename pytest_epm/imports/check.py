"""Collect, resolve and judge the deferred imports of a project."""

import contextlib
import gc
import os
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_epm.imports import gather
from pytest_epm.imports.declared import required
from pytest_epm.imports.judge import Owners
from pytest_epm.imports.layout import Ground, Placement, place, tops
from pytest_epm.imports.read import Read, read, unread
from pytest_epm.imports.resolve import Resolver, Task
from pytest_epm.imports.results import Call, Checked, Import
from pytest_epm.imports.tally import Found, tally

# What the standard library offers hardly changes; a coroutine of asyncio is dropped as easily.
_STEADY = sys.stdlib_module_names - {"asyncio"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What to check.

    root: top of the project. files: absolute; None for all of the project. judged: absolute
    files whose problems count against; None for all that are looked at. given: what pytest's
    ini puts on the path, relative to the root; None to read it from the ini file.
    """

    root: str
    files: Sequence[str] | None = None
    judged: Collection[str] | None = None
    given: Sequence[str] | None = None
    seconds: float = 60.0


def check(asked: Asked) -> Checked:
    """Return what became of the deferred imports. Raises EpmError if no child can be started."""
    with _no_collection():
        return _check(asked)


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Make syntax trees, which hold no circles, without the collector's walks through them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _check(asked: Asked) -> Checked:
    project = gather.python_files(asked.root)
    wanted = project if asked.files is None else list(dict.fromkeys(asked.files))
    ground = gather.ground(asked.root, {*project, *wanted}, asked.given)
    placements = [place(file, "", ground) for file in project]
    reads = [_read(file, ground) for file in wanted]
    resolver = Resolver((asked.root, *ground.shared), asked.seconds)
    found = _resolved(reads, resolver)
    owners = _owners(asked.root, placements, found, resolver)
    judged = None if asked.judged is None else {_shown(f, asked.root) for f in asked.judged}
    return tally(reads, found, owners, judged)


def _read(file: str, ground: Ground) -> Read:
    try:
        text = gather.text_of(file)
    except (OSError, SyntaxError, ValueError) as error:
        return unread(place(file, "", ground), str(error))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read(text, place(file, text, ground), _STEADY)


def _resolved(reads: Iterable[Read], resolver: Resolver) -> Found:
    by_path: dict[tuple[str, ...], list[Read]] = {}
    for item in reads:
        if item.imports or item.calls:
            by_path.setdefault(item.placement.path, []).append(item)
    found = Found()
    for path, group in by_path.items():
        imports = [i for item in group for i in item.imports if not i.module.startswith(".")]
        own = {item.placement.source.file: item.placement.source.module for item in group}
        late = [call for item in group for call in item.calls]
        tasks = [_import(item, own[item.file]) for item in imports]
        answers = resolver.answers(path, [*tasks, *map(_call, late)])
        found = Found(
            (*found.imports, *zip(imports, answers, strict=False)),
            (*found.calls, *zip(late, answers[len(imports) :], strict=True)),
        )
    return found


def _import(item: Import, own: str) -> Task:
    return {"do": "import", "module": item.module, "name": item.name, "own": own}


def _call(call: Call) -> Task:
    return {
        "do": "call",
        "module": call.module,
        "path": call.path,
        "named": call.named,
        "positional": call.positional,
        "keywords": call.keywords,
    }


def _owners(root: str, placements: Sequence[Placement], found: Found, resolver: Resolver) -> Owners:
    own = tops(placements)
    modules = frozenset(p.source.module for p in placements) - {""}
    texts = dict(_texts(root, placements, found))
    owners = Owners(root, own, modules, required(gather.declaring(root)), texts=texts)
    asked = set(_tops_in_doubt(found)) - own
    if not asked:
        return owners
    (facts,) = resolver.answers([], [{"do": "installed", "tops": sorted(asked)}])
    standard = frozenset(facts.get("standard", ()))
    return replace(owners, standard=standard, installed=facts.get("owners", {}))


def _texts(root: str, placements: Sequence[Placement], found: Found) -> Iterator[tuple[str, str]]:
    """Yield modules of the project that something was not found in, with their sources."""
    files = {p.source.module: p.source.file for p in placements if p.source.package}
    for module in {item.module for item, answer in found.imports if not answer["ok"]}:
        if module in files:
            with contextlib.suppress(OSError, SyntaxError, ValueError):
                yield module, gather.text_of(os.path.join(root, files[module]))


def _tops_in_doubt(found: Found) -> Iterator[str]:
    """Yield top names of modules that something was not found in."""
    for item, answer in found.imports:
        if not answer["ok"]:
            yield item.module.partition(".")[0]
            yield str(answer.get("missing") or item.module).partition(".")[0]
    for _, answer in found.calls:
        if "of" in answer:
            yield str(answer["of"]).partition(".")[0]


def _shown(path: str, root: str) -> str:
    return os.path.relpath(path, root) if path.startswith(os.path.join(root, "")) else path
