"""Which known word a word may have been meant for. Pure."""

from collections.abc import Iterable

_FAR = 1_000


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that takes the fewest edits, the first of equals; or nothing."""
    return min(known, key=lambda other: distance(word, other), default="")


def close(word: str, known: Iterable[str], most: int = 2) -> str:
    """Return the nearest known word, if it takes no more than `most` edits; or nothing."""
    near = nearest(word, (other for other in known if abs(len(other) - len(word)) <= most))
    return near if near and distance(word, near) <= most else ""


def distance(one: str, other: str) -> int:
    """Return how many letters are added, dropped, changed or swapped with a neighbour."""
    if max(len(one), len(other)) > _FAR:
        return _FAR
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def one_edit(one: str, other: str) -> bool:
    """Whether a single edit, a swap of neighbours too, makes one word of the other."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or one == other:
        return False
    at = 0
    while at < len(short) and short[at] == long[at]:
        at += 1
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return swapped or short[at + 1 :] == long[at + 1 :]
