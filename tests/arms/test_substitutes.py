"""Replacements that count, and those that do not."""

import pytest

from pytest_epm.arms.substitutes import Replaced, counts

FETCH = ("net.client.fetch", "rank.fetch")


@pytest.mark.parametrize(
    ("replaced", "edges", "globs"),
    [
        pytest.param(Replaced(FETCH), ("rank.fetch",), (), id="an edge, where it is used"),
        pytest.param(Replaced(FETCH), ("net.client.fetch",), (), id="where it is defined"),
        pytest.param(Replaced(("net.Client.get",)), ("net.Client",), (), id="a method of an edge"),
        pytest.param(Replaced(FETCH), (), ("net.*",), id="an edge of all arms"),
        pytest.param(Replaced(FETCH, spied=True), (), (), id="a spy"),
        pytest.param(Replaced(("os.getcwd",)), (), (), id="cwd"),
        pytest.param(Replaced(("time.sleep", "job.sleep")), (), (), id="time, where it is used"),
        pytest.param(Replaced(("random.random",)), (), (), id="random"),
        pytest.param(Replaced(("sys.stdout.write",)), (), (), id="stdio"),
        pytest.param(Replaced(("os.environ.get",)), (), (), id="environment"),
    ],
)
def test_does_not_count(replaced: Replaced, edges: tuple[str, ...], globs: tuple[str, ...]) -> None:
    assert not counts(replaced, edges, globs)


@pytest.mark.parametrize(
    ("replaced", "edges", "globs"),
    [
        pytest.param(Replaced(FETCH), (), (), id="no edge"),
        pytest.param(Replaced(FETCH), ("rank.fet",), (), id="a beginning is no edge"),
        pytest.param(Replaced(FETCH), ("rank.fetch.more",), (), id="below it"),
        pytest.param(Replaced(FETCH), (), ("fetch",), id="a glob is held against all of it"),
        pytest.param(Replaced(("mytime.sleep",)), (), (), id="a name that ends alike"),
        pytest.param(Replaced(("os.listdir",)), (), (), id="another of that module"),
    ],
)
def test_counts(replaced: Replaced, edges: tuple[str, ...], globs: tuple[str, ...]) -> None:
    assert counts(replaced, edges, globs)
