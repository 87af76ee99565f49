"""Rule packs: the built-in one, and those that installed packages offer by a hook."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pytest_epm.errors import ConfigError, EpmError
from pytest_epm.specs import read_settings
from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.schema import At
from pytest_epm.specs.settings import Entry, Settings
from pytest_epm.specs.source import Place
from pytest_epm.specs.where import Lines

if TYPE_CHECKING:
    from pytest_epm.hookspecs import Pack, PackRule, SpecFile

SMOKE = "smoke"
# Rules that the pack switches on.
GATES = ("gate-unpurged",)


def others(settings: Settings) -> tuple["Pack", ...]:
    """Return the packs that the settings name and that are not built in. Raises ConfigError."""
    wanted = [name for name in settings.packs if name != SMOKE]
    if not wanted:
        return ()
    offered = {pack.name: pack for pack in _offered()}
    for name in wanted:
        if name not in offered:
            known = ", ".join((SMOKE, *sorted(offered)))
            step = f"install the package that offers it; known: {known}"
            raise ConfigError(f"no pack is called {name!r}", settings.path, step)
    return tuple(offered[name] for name in wanted)


def _offered() -> Iterator["Pack"]:
    import pluggy

    from pytest_epm import hookspecs

    manager = pluggy.PluginManager(hookspecs.GROUP)
    manager.add_hookspecs(hookspecs.Specs)
    try:
        manager.load_setuptools_entrypoints(hookspecs.GROUP)
        for packs in manager.hook.epm_lint_packs():
            yield from packs
    except Exception as error:  # a package of somebody else can raise anything
        what = f"a rule pack cannot be loaded: {type(error).__name__}: {error}"
        raise EpmError(what, next_step="mend or uninstall the package that offers it") from error


def with_packs(settings: Settings, packs: Sequence["Pack"]) -> Settings:
    """Return the settings with what the packs add to them; `smoke` looks at the specs first."""
    if SMOKE in settings.packs:
        more = (*settings.extend_select, *GATES)
        settings = settings._replace(extend_select=more)
    for pack in packs:
        settings = _merged(settings, pack)
    return settings


def _merged(settings: Settings, pack: "Pack") -> Settings:
    at = At(f"pack {pack.name}", Lines(""))
    added = read_settings.read(at, dict(pack.settings))
    return settings._replace(
        vocabularies=(
            *settings.vocabularies,
            *(
                v._replace(contract=_unlined(v.contract), restated_in=_unlined(v.restated_in))
                for v in added.vocabularies
            ),
        ),
        duties=(*settings.duties, *(d._replace(files=_unlined(d.files)) for d in added.duties)),
        markers=(*settings.markers, *added.markers),
        ask_phrases=(*settings.ask_phrases, *added.ask_phrases),
        extend_select=(*settings.extend_select, *pack.extend_select),
    )


def _unlined(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return globs as those of no line: they are none of the settings file."""
    return tuple(entry._replace(line=0) for entry in entries)


def rules(packs: Sequence["Pack"], known: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules of the packs. Raises ConfigError for a code or name that is taken."""
    made: list[Rule] = []
    for pack in packs:
        for rule in pack.rules:
            taken = [r for r in (*known, *made) if rule.code == r.code or rule.name == r.name]
            if taken or rule.code.startswith("EPM"):
                what = f"pack {pack.name}: {rule.code} {rule.name} is taken"
                raise ConfigError(what, next_step="the pack must give its rule another code")
            made.append(_rule(pack.name, rule))
    return tuple(made)


def _rule(pack: str, rule: "PackRule") -> Rule:
    def check(spec: Spec, _project: Project) -> Iterator[Fault]:
        try:
            remarks = list(rule.check(_view(spec)))
        except Exception as error:
            what = f"rule {rule.code} of pack {pack} failed: {type(error).__name__}: {error}"
            raise EpmError(what, spec.path, "report it to the pack's authors") from error
        for remark in remarks:
            place = Place(max(remark.line, 1), max(remark.column, 1))
            yield Fault(spec.path, place, remark.message, remark.next_step)

    return Rule(rule.code, rule.name, rule.summary, check, severity=rule.severity)


def _view(spec: Spec) -> "SpecFile":
    from pytest_epm.hookspecs import Prose, SpecFile

    document = spec.document
    prose = tuple(
        Prose(block.kind, block.text, document.place(block, 0).line, tuple(document.titles(block)))
        for block in document.blocks
        if block.kind != "hidden"
    )
    keys: Mapping[str, object] = {key.name: key.value for key in document.front.keys}
    return SpecFile(spec.path, spec.kind, spec.source.text, prose, keys)
