"""Evidence crosses a process as plain JSON and comes out the same."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pytest_epm.arms.evidence import Call, Caught, Computed, Dropped, Item, Ran, pack, unpack
from pytest_epm.arms.handlers import Swallowed
from pytest_epm.arms.substitutes import Replaced

TEXT = st.text(max_size=6)
NUMBER = st.integers(0, 99)
NAMES = st.lists(TEXT, max_size=2).map(tuple)
HANDLERS = st.builds(Swallowed, NUMBER, NAMES, st.booleans())
RAN = st.builds(
    Ran,
    st.frozensets(st.tuples(TEXT, NUMBER), max_size=3),
    st.frozensets(st.tuples(TEXT, NUMBER, NUMBER), max_size=3),
    st.lists(st.builds(Caught, TEXT, TEXT, HANDLERS), max_size=2).map(tuple),
    st.lists(st.builds(Replaced, NAMES, TEXT, st.booleans()), max_size=2).map(tuple),
    st.lists(st.builds(Dropped, NAMES, TEXT, NUMBER), max_size=2).map(tuple),
)
CALLS = st.builds(
    Call,
    st.frozensets(NUMBER, max_size=3),
    st.sampled_from([True, False, None]),
    st.tuples(NUMBER, st.integers(-1, 9)),
    NAMES,
    st.booleans(),
)
COMPUTED = st.builds(Computed, st.lists(CALLS, max_size=2).map(tuple), RAN, st.booleans())
ITEMS = st.builds(Item, TEXT, NAMES, TEXT, st.dictionaries(TEXT, COMPUTED, max_size=2), RAN, TEXT)


@given(ITEMS)
def test_there_and_back(item: Item) -> None:
    assert unpack(json.loads(json.dumps(pack(item)))) == item


@given(RAN, RAN)
def test_two_together_hold_both(one: Ran, other: Ran) -> None:
    both = one | other
    assert one.lines <= both.lines
    assert other.landings <= both.landings
    assert both.replaced == one.replaced + other.replaced
