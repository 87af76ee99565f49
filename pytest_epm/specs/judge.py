"""Rules over specs, less what is suppressed, ignored or accepted: the findings. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pytest_epm.report import Finding
from pytest_epm.specs import globs
from pytest_epm.specs.model import Fault, Project, Rule, Spec
from pytest_epm.specs.select import Selection, means, nearest_rule, severity
from pytest_epm.specs.suppressions import Suppression, suppressions

_UNUSED = "suppression-unused"


class Found(NamedTuple):
    """A finding with the rule it is of, and what a machine wants to know besides."""

    finding: Finding
    rule: Rule
    more: Mapping[str, object] = MappingProxyType({})


def judge(project: Project, selection: Selection, chosen: frozenset[str] | None) -> list[Found]:
    """Return the findings in the order of the files.

    chosen: paths to which rules that look at one file are narrowed; None for all.
    """
    specs = [s for s in project.specs if chosen is None or s.path in chosen]
    raw: list[tuple[Rule, Fault]] = []
    for rule in selection.rules:
        raw += [(rule, fault) for fault in _of(rule, project, specs)]
    silent = _Silence(project, selection)
    kept = [(rule, fault) for rule, fault in raw if not silent.silences(rule, fault)]
    kept += silent.unused(specs)
    kept = [(rule, fault) for rule, fault in kept if not _is_ignored(rule, fault, project)]
    return sorted((_found(r, f, project) for r, f in kept), key=_order)


def _of(rule: Rule, project: Project, chosen: Sequence[Spec]) -> Iterator[Fault]:
    if rule.check_all:
        yield from rule.check_all(project)
    if rule.check:
        for spec in project.specs if rule.whole_set else chosen:
            if (spec.listed or rule.unlisted) and (
                not spec.source.foreign or rule.name == "encoding"
            ):
                yield from rule.check(spec, project)


class _Silence:
    """What comments of the files silence, and which of these comments did so."""

    def __init__(self, project: Project, selection: Selection) -> None:
        self.project = project
        self.selection = selection
        self.used: set[tuple[str, int]] = set()
        self.known: dict[str, tuple[Suppression, ...]] = {}

    def of(self, spec: Spec) -> tuple[Suppression, ...]:
        if spec.path not in self.known:
            has_any = "epm: allow" in spec.source.text or "epm:allow" in spec.source.text
            self.known[spec.path] = suppressions(spec.document) if has_any else ()
        return self.known[spec.path]

    def silences(self, rule: Rule, fault: Fault) -> bool:
        spec = self.project.by_path.get(fault.path)
        if spec is None or rule.code.startswith("EPM9"):
            return False
        for suppression in self.of(spec):
            covers = suppression.first <= fault.place.line <= suppression.last
            if covers and suppression.reason and any(means(w, rule) for w in suppression.rules):
                self.used.add((spec.path, suppression.start))
                return True
        return False

    def unused(self, specs: Iterable[Spec]) -> list[tuple[Rule, Fault]]:
        rule = next((r for r in self.selection.rules if r.name == _UNUSED), None)
        if rule is None:
            return []
        return [(rule, fault) for spec in specs for fault in self.idle(spec)]

    def idle(self, spec: Spec) -> Iterator[Fault]:
        for suppression in self.of(spec):
            if not suppression.reason or (spec.path, suppression.start) in self.used:
                continue
            place = spec.document.source.place(suppression.start)
            unknown = [w for w in suppression.rules if not self.meant(w, self.selection.every)]
            ran = any(self.meant(word, self.selection.rules) for word in suppression.rules)
            if unknown:
                near = nearest_rule(unknown[0], self.selection.every)
                step = f"did you mean {near}?" if near else "epm rule --all lists them"
                yield Fault(spec.path, place, f"no rule is called {unknown[0]}", step)
            elif ran or not suppression.rules:
                words = ", ".join(suppression.rules) or "no rule"
                message = f"this suppression of {words} silences nothing"
                yield Fault(spec.path, place, message, "take it out")

    @staticmethod
    def meant(word: str, rules: Iterable[Rule]) -> bool:
        return any(means(word, rule) for rule in rules)


def _is_ignored(rule: Rule, fault: Fault, project: Project) -> bool:
    return any(
        globs.matches(entry.glob, fault.path) and any(means(word, rule) for word in words)
        for entry, words in project.settings.per_file_ignores
    )


def _found(rule: Rule, fault: Fault, project: Project) -> Found:
    finding = Finding(
        rule.code,
        f"{rule.name}: {fault.message}",
        fault.path,
        fault.place.line,
        fault.place.column,
        severity(rule, fault.severity, project.settings),
        fault.next_step,
    )
    return Found(finding, rule, fault.more)


def _order(found: Found) -> tuple[str, int, int, str]:
    finding = found.finding
    return finding.path, finding.line, finding.column, finding.code
