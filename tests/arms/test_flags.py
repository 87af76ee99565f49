"""Words that are flags, and which way a condition on one points."""

import ast

import pytest

from pytest_epm.arms.flags import Flags, module_flags


def words(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize(
    "word",
    words(
        "fake_quant smoke_passed mock_server_url dummy_var_names mock_path mock_seed "
        "names_mock stubborn mocking smoke_test_results toy_story placeholder_text "
        "verbose debug quiet run dry use_model api_client TYPE_CHECKING platform __name__ "
        "__debug__ _ offline_rl_buffer"
    ),
)
def test_no_flag(word: str) -> None:
    assert not Flags().has(word)


@pytest.mark.parametrize(
    "word",
    words(
        "mock MOCK _mock is_mock mock_response --mock-response use_fake_llm dry_run "
        "DRY_RUN dry-run dryrun dryRun smoke smoke_mode SMOKE_ONLY llm_mock mock_upload "
        "mocked_judge offline is_offline_mode stub canned_responses LLM_MOCK simulate "
        "toy_model useMockClient"
    ),
)
def test_a_flag(word: str) -> None:
    assert Flags().has(word)


def test_words_of_the_project() -> None:
    flags = Flags(frozenset({"synthetic", "cheap_path"}))
    assert flags.has("use_synthetic")
    assert flags.has("CHEAP_PATH")
    assert not flags.has("cheap")


def way(text: str) -> int:
    return Flags().polarity(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    "test",
    [
        "verbose",
        "args.verbose",
        "not api_key",
        "len(rows) > 3",
        "mode == 'fast'",
        "mode in ('mock', 'real')",
        "'stub' in names",
        "name == other",
        "smoke == other",
        "sys.platform == 'linux'",
        "os.getenv('HOME')",
        "mock_mode == 'strict'",
        "1 < smoke < 3",
        "isinstance(x, Fake)",
        "x.get(mock)",
        "mode is Mode.REAL",
        "mode is other.mock",
        "mock == Mode.FAST",
        "mode in (Mode.MOCK, Mode.REAL)",
        "[]",
    ],
)
def test_points_nowhere(test: str) -> None:
    assert way(test) == 0


@pytest.mark.parametrize(
    "test",
    [
        "mock",
        "args.dry_run",
        "settings.app.mock_llm",
        "settings.mock.enabled",
        "not not mock",
        "mode == 'mock'",
        "'mock' == mode",
        "mode in ('mock', 'fake')",
        "mode is Mode.MOCK",
        "mode == modes.Mode.DRY_RUN",
        "Mode.MOCK == mode",
        "mode in (Mode.MOCK, Mode.FAKE)",
        "mock == Mode.MOCK",
        "mock == 'mock'",
        "dry_run is True",
        "dry_run is not False",
        "mock_response is not None",
        "mock == 1",
        "args.smoke > 0",
        "os.getenv('LLM_MOCK')",
        "os.environ.get('LLM_MOCK', '').lower() in ('1', 'true', 'yes')",
        "os.environ['MOCK'] == '1'",
        "os.environ['MOCK'] != '0'",
        "truthy(os.getenv('LLM_MOCK'))",
        "bool(args.mock)",
        "getattr(args, 'dry_run', False)",
        "config['dry_run']",
        "_mock_enabled()",
        "self.is_mock()",
        "'--smoke' in sys.argv",
        "'LLM_MOCK' in os.environ",
        "mock or not key",
        "key and mock",
        "(m := args.mock)",
    ],
)
def test_points_to_the_mock_side(test: str) -> None:
    assert way(test) == 1
    assert way(f"not ({test})") == -1


@pytest.mark.parametrize(
    "test",
    [
        "not mock",
        "not (mock and x)",
        "mode != 'mock'",
        "mode is not Mode.MOCK",
        "mode not in ('mock', 'dry-run')",
        "mock is None",
        "mock is not True",
        "mock == False",
        "os.getenv('MOCK', '0') == '0'",
        "os.getenv('MOCK') in ('', '0', None)",
        "'--smoke' not in sys.argv",
        "x and not args.mock",
    ],
)
def test_points_to_the_real_side(test: str) -> None:
    assert way(test) == -1


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("DEBUG = os.getenv('DEBUG')", {}, id="no flag behind it"),
        pytest.param("LIVE = not os.getenv('MOCK')\nLIVE = True", {}, id="bound twice"),
        pytest.param("def f():\n    LIVE = not mock", {}, id="not at module level"),
        pytest.param(
            "def f():\n    global LIVE\n    LIVE = 1\nLIVE = not mock", {}, id="bound elsewhere too"
        ),
        pytest.param("LIVE = not os.getenv('MOCK')", {"LIVE": -1}, id="the other way round"),
        pytest.param("CHEAP: bool = os.getenv('MOCK') == '1'", {"CHEAP": 1}, id="annotated"),
    ],
)
def test_a_module_level_name_is_followed_once(source: str, expected: dict[str, int]) -> None:
    assert module_flags(ast.parse(source)).names == expected


def test_a_local_of_that_name_is_another() -> None:
    flags = module_flags(ast.parse("LIVE = not os.getenv('MOCK')"))
    assert flags.without(frozenset({"LIVE"})).names == {}
