"""Whether two code objects do the same. Pure."""

from types import CodeType


def same_code(cached: CodeType, fresh: CodeType) -> bool:
    """Whether both do the same on the same lines, wherever they were compiled.

    Equality of code objects leaves out the file name. It counts column positions, which
    an interpreter run with `-X no_debug_ranges` does not store: those may differ.
    """
    return cached == fresh or _key(cached) == _key(fresh)


def _key(code: CodeType) -> tuple[object, ...]:
    consts = tuple(
        _key(const) if isinstance(const, CodeType) else _constant(const) for const in code.co_consts
    )
    return (
        code.co_code,
        consts,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags,
        code.co_qualname,
        code.co_exceptiontable,
        tuple(code.co_lines()),
    )


def _constant(value: object) -> object:
    """Tell apart what `==` does not: 1 from 1.0 and True, 0.0 from -0.0."""
    if isinstance(value, tuple):
        return ("tuple", *map(_constant, value))
    if isinstance(value, frozenset):
        return frozenset(map(_constant, value))
    # Zeros differ by sign, and their equality does not say so.
    exact = repr(value) if isinstance(value, float | complex) else value
    return (type(value), exact)
