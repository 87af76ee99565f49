"""Handlers, and the courses of frames in which they did and did not swallow."""

import ast
from textwrap import dedent

import pytest

from epm_testing.frames import frames
from pytest_epm.arms.handlers import Course, Swallowed, aliases, attempts, gathers


def function(source: str) -> ast.FunctionDef:
    tree = ast.parse(dedent(source))
    return next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")


def swallowed(source: str, *arguments: object) -> tuple[Swallowed, ...]:
    """Run `f` of the source and follow the course of its frame."""
    (seen,) = frames(source, arguments)
    known = aliases(ast.parse(dedent(source)))
    course, kinds = Course(attempts(function(source), known)), iter(seen.kinds)
    for event, line in seen.events:
        if event == "line":
            course.line(line)
        elif event == "exception":
            course.raised(line, next(kinds))
    course.ended(returned=not seen.raised)
    return course.swallowed()


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        pytest.param("def f():\n    return 1", (), id="nothing attempted"),
        pytest.param(
            """
            def f():
                try:
                    x = 1
                except Exception:
                    x = 2
                return x
            """,
            (),
            id="went well",
        ),
        pytest.param(
            """
            def f():
                try:
                    return 1
                except Exception:
                    return 2
            """,
            (),
            id="returned well",
        ),
        pytest.param(
            """
            def f():
                try:
                    1 / 0
                except Exception:
                    raise
            """,
            (),
            id="raised again",
        ),
        pytest.param(
            """
            def f():
                try:
                    1 / 0
                except Exception as error:
                    x = 1
                    raise ValueError from error
                finally:
                    x = 2
            """,
            (),
            id="raised another, through finally",
        ),
        pytest.param(
            """
            def f():
                for n in (0, 0, 1):
                    try:
                        x = 1 / n
                        break
                    except Exception:
                        continue
                return x
            """,
            (),
            id="a retry that succeeds",
        ),
        pytest.param(
            """
            def f():
                n = 0
                while True:
                    try:
                        return 1 / n
                    except Exception:
                        n += 1
            """,
            (),
            id="a retry that returns",
        ),
        pytest.param(
            """
            def f():
                try:
                    1 / 0
                except ImportError:
                    x = 1
                except NotImplementedError: x = 2
            """,
            (),
            id="of another type",
        ),
        pytest.param(
            """
            from contextlib import suppress
            def f():
                with suppress(Exception):
                    x = 1
                return x
            """,
            (),
            id="nothing to suppress",
        ),
        pytest.param(
            """
            from contextlib import suppress
            def f():
                try:
                    with suppress(KeyError):
                        1 / 0
                except ZeroDivisionError:
                    raise
            """,
            (),
            id="not suppressed",
        ),
        pytest.param(
            """
            def f():
                try:
                    1 / 0
                finally:
                    x = 1
            """,
            (),
            id="finally alone",
        ),
        pytest.param(
            """
            def f():
                try:
                    try: 1 / 0
                    except ImportError: y = 1
                except ZeroDivisionError:
                    raise
            """,
            (),
            id="another, on one line",
        ),
        pytest.param(
            """
            LOST = (KeyError, ImportError)
            def f():
                y = 0
                try:
                    try: 1 / 0
                    except LOST: y = 1
                finally:
                    y = 2
            """,
            (),
            id="another of a tuple, on one line, through finally",
        ),
    ],
)
def test_nothing_swallowed(source: str, arguments: tuple[object, ...]) -> None:
    assert swallowed(source, *arguments) == ()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            """
            def f():
                try:
                    return 1 / 0
                except Exception:
                    return 0
            """,
            Swallowed(5, ("Exception",), judged=True),
            id="returned",
        ),
        pytest.param(
            """
            def f():
                try:
                    1 / 0
                except:
                    pass
                return 0
            """,
            Swallowed(5, (), judged=True),
            id="bare",
        ),
        pytest.param(
            """
            def f():
                try:
                    1 / 0
                except Exception: x = 1
                return x
            """,
            Swallowed(5, ("Exception",), judged=True),
            id="on one line",
        ),
        pytest.param(
            """
            def f():
                for n in (1, 0):
                    try:
                        x = 1 / n
                    except Exception:
                        x = 0
                return x
            """,
            Swallowed(6, ("Exception",), judged=True),
            id="succeeded before, not later",
        ),
        pytest.param(
            """
            def f():
                try:
                    import no_such_module_anywhere
                except ImportError:
                    x = None
                return x
            """,
            Swallowed(5, ("ImportError",), judged=True),
            id="an import",
        ),
        pytest.param(
            """
            def f():
                try:
                    1 / 0
                except (KeyError, Exception) as error:
                    try:
                        {}["a"]
                    except KeyError:
                        x = 1
                return x
            """,
            Swallowed(5, ("KeyError", "Exception"), judged=True),
            id="with an attempt of its own",
        ),
        pytest.param(
            """
            def f():
                try:
                    1 / 0
                except ValueError:
                    x = 1
                except ArithmeticError:
                    x = 2
                return x
            """,
            Swallowed(7, ("ArithmeticError",), judged=False),
            id="another type is listed",
        ),
        pytest.param(
            """
            from contextlib import suppress
            def f():
                with suppress(Exception):
                    1 / 0
                return 0
            """,
            Swallowed(4, ("Exception",), judged=True),
            id="suppressed",
        ),
        pytest.param(
            """
            import contextlib
            def f():
                with contextlib.suppress(KeyError, ZeroDivisionError):
                    x = 1
                    1 / 0
            """,
            Swallowed(4, ("KeyError", "ZeroDivisionError"), judged=False),
            id="suppressed at the end",
        ),
        pytest.param(
            """
            def f():
                try:
                    1 / 0
                except Exception:
                    x = 1
                finally:
                    x = 2
            """,
            Swallowed(5, ("Exception",), judged=True),
            id="through finally",
        ),
        pytest.param(
            """
            ERRS = (Exception,)
            def f():
                try:
                    1 / 0
                except ERRS:
                    pass
            """,
            Swallowed(6, ("ERRS",), judged=True),
            id="a tuple of the module",
        ),
        pytest.param(
            """
            Err = Exception
            Errs = (KeyError, Err)
            def f():
                try:
                    1 / 0
                except Errs: x = 1
            """,
            Swallowed(7, ("Errs",), judged=True),
            id="an alias of an alias",
        ),
        pytest.param(
            """
            ERRS = (ArithmeticError, ValueError)
            def f():
                try:
                    1 / 0
                except ERRS:
                    pass
            """,
            Swallowed(6, ("ERRS",), judged=False),
            id="a tuple of others",
        ),
        pytest.param(
            """
            from contextlib import suppress as ignoring
            def f():
                with ignoring(Exception):
                    1 / 0
            """,
            Swallowed(4, ("Exception",), judged=True),
            id="suppressed by another name",
        ),
        pytest.param(
            """
            import contextlib
            quiet = contextlib.suppress(Exception)
            def f():
                with quiet:
                    1 / 0
                return 0
            """,
            Swallowed(5, ("Exception",), judged=True),
            id="suppressed by one of the module",
        ),
        pytest.param(
            """
            import contextlib
            def f():
                quiet = contextlib.suppress(Exception)
                with quiet:
                    1 / 0
                return 0
            """,
            Swallowed(5, ("Exception",), judged=True),
            id="suppressed by a local",
        ),
        pytest.param(
            """
            import contextlib
            def f():
                with contextlib.ExitStack() as stack:
                    stack.enter_context(contextlib.suppress(Exception))
                    1 / 0
                return 0
            """,
            Swallowed(4, ("Exception",), judged=True),
            id="suppressed by a stack",
        ),
    ],
)
def test_swallowed(source: str, expected: Swallowed) -> None:
    assert expected in swallowed(source)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        pytest.param("def f(): asyncio.gather(a())", (), id="exceptions come through"),
        pytest.param("def f(): gather(a(), return_exceptions=False)", (), id="switched off"),
        pytest.param("def f(): asyncio.gather(a(), return_exceptions=True)", (1,), id="kept"),
    ],
)
def test_gathers(source: str, lines: tuple[int, ...]) -> None:
    assert gathers(function(source)) == lines


def test_a_long_loop_is_followed_in_little_room() -> None:
    source = "def f():\n  for n in x:\n    try:\n      g(n)\n    except Exception:\n      pass\n"
    course = Course(attempts(function(source)))
    for _ in range(1000):
        for line in (2, 3, 4):
            course.line(line)
        course.raised(4)
        course.line(5)
        course.line(6)
    course.ended(returned=True)
    assert course.swallowed() == (Swallowed(5, ("Exception",), judged=True),)
