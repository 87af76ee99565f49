"""A green gate that means what it says: pytest plugin, pre-commit hooks and the `epm` command."""
