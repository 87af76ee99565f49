"""Hook `epm-lint`: agent specs and skill docs hold what the gates rely on."""

import sys
from collections.abc import Sequence

from pytest_epm import cli


def main(argv: Sequence[str] | None = None) -> int:
    """Lint all specs of the repository; return 1 if anything is found."""
    return cli.main(["lint", *(sys.argv[1:] if argv is None else argv)])


if __name__ == "__main__":
    raise SystemExit(main())
