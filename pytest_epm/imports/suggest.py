"""Which name was meant. Pure."""

from collections.abc import Iterable
from difflib import SequenceMatcher

_CUT_OFF = 0.6
_MOST = 3


def nearest(wanted: str, offered: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return up to three names like the one wanted; those of its kind first, then the nearest.

    offered: names with their kinds, `class`, `function`, `module` or `value`. What kind is
    wanted shows in the spelling: `DispatchCall` is a class, `dispatch_calls` is none.
    """
    ranked = []
    matcher = SequenceMatcher(None, b=wanted)
    for name, kind in offered:
        if name == wanted or name.startswith("_") > wanted.startswith("_"):
            continue
        matcher.set_seq1(name)
        if matcher.real_quick_ratio() >= _CUT_OFF and matcher.quick_ratio() >= _CUT_OFF:
            ratio = matcher.ratio()
            if ratio >= _CUT_OFF:
                ranked.append((kind not in _kinds(wanted), -ratio, name))
    return tuple(name for _, _, name in sorted(ranked)[:_MOST])


def _kinds(name: str) -> frozenset[str]:
    bare = name.lstrip("_")
    if bare.isupper():
        return frozenset({"value"})
    if bare[:1].isupper():
        return frozenset({"class"})
    return frozenset({"function", "module", "value"})
