"""A suppression that silences nothing. What silences what is known when all rules have run."""

from pytest_epm.specs.model import Rule

RULE = Rule("EPM901", "suppression-unused", "a suppression that silences nothing", unlisted=True)
