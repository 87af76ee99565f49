"""pre-commit hooks: each a few lines that call the `epm` command."""
