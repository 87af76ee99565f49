"""What a test came to, from the reports of its phases. Pure."""


class Came:
    """Takes the reports of one run of a test in their order."""

    def __init__(self) -> None:
        """Begin with no report."""
        self.word = "error"

    def report(self, when: str | None, outcome: str, *, expected: bool) -> None:
        """Take the report of a phase. expected: whether a failure was."""
        if when == "call":
            self.word = self._called(outcome, expected=expected)
        elif outcome == "skipped":
            self.word = "xfailed" if expected else "skipped"
        elif outcome == "failed":
            self.word = "error"

    def _called(self, outcome: str, *, expected: bool) -> str:
        if expected:
            return "xfailed" if outcome == "skipped" else "xpassed"
        return outcome
