"""Watch tests run: what of the project's code they entered, caught, replaced and dropped."""
