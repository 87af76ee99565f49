"""Hook `epm-imports`: what staged files import late can be imported."""

import sys
from collections.abc import Sequence

from pytest_epm import cli


def main(argv: Sequence[str] | None = None) -> int:
    """Check the staged files named; return 1 if a deferred import or a call by one is broken."""
    return cli.main(["imports", "check", *(sys.argv[1:] if argv is None else argv)])


if __name__ == "__main__":
    raise SystemExit(main())
