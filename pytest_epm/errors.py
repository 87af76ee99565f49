"""Exit codes and the error family that every capability raises.

An error says what went wrong, where, and the next command. It carries these as
fields and pickles, because it may cross a worker border.
"""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of the `epm` command; under pytest its own codes hold."""

    HOLDS = 0
    AGAINST = 1
    USAGE = 2
    BUG = 70
    REFUSED = 125
    CANNOT_RUN = 126
    NOT_FOUND = 127
    INTERRUPTED = 130


class EpmError(Exception):
    """Something the user can mend.

    what: one plain sentence without a full stop.
    where: `path` or `path:line`, or nothing.
    next_step: what to do or the command to run, or nothing.
    """

    exit_code = Exit.USAGE

    def __init__(self, what: str, where: str = "", next_step: str = "") -> None:
        """Keep the three parts as arguments, so that the error pickles."""
        super().__init__(what, where, next_step)
        self.what = what
        self.where = where
        self.next_step = next_step

    def __str__(self) -> str:
        """`where: what` and, on a line of its own, the next step."""
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}\n  next: {self.next_step}" if self.next_step else head


class ConfigError(EpmError):
    """A setting that cannot be read or is not known."""


class RefusedError(EpmError):
    """The work was not started, because it could not be done safely or honestly."""


class GitError(EpmError):
    """Git did not answer, or answered with an error; `what` holds its own words."""
