import gen
import ladder
import pytest


@pytest.mark.arm("generation")
def test_generation():
    assert gen.generate(["a", "b"], mock_response="ok") == ["ok", "ok"]


@pytest.mark.parametrize("arm", ["rung6", "rung7"])
def test_ladder(arm):
    assert ladder.RUNGS[arm]([1, 2, 3], [2, 4, 6]) >= 0
