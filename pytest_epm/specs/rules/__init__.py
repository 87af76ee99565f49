"""Rules, one a module. Each has a page, `docs/rules/CODE.md`, and a file of tests."""
