"""Hook `epm-bytecode`: no compiled file is committed."""

import sys
from collections.abc import Sequence

from pytest_epm import cli


def main(argv: Sequence[str] | None = None) -> int:
    """Judge the staged files named; return 1 if any of them is bytecode that git tracks."""
    return cli.main(["bytecode", "tracked", *(sys.argv[1:] if argv is None else argv)])


if __name__ == "__main__":
    raise SystemExit(main())
