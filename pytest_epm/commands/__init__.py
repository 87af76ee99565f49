"""The nouns of the `epm` command: a module each adds its subparser and calls one capability."""
