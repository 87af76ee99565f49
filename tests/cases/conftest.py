"""Case scripts are data for their driver, though some have the name of a test."""

collect_ignore = ["arms", "bytecode", "lint"]
