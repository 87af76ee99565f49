"""Write the pages that come from the code: `make docs`. A test fails if they are not up to date."""

from pathlib import Path

from pytest_epm.config import OPTIONS, Option

HERE = Path(__file__).parent
HEAD = """\
# Options

Written by `make docs` from the one table of options; do not edit. A flag counts before the
environment, the environment before pytest's ini, the ini before the settings file. The settings
file is `[tool.epm]` in `pyproject.toml`, or `epm.toml`, at or above the rootdir and no higher
than the git top; to have both is an error.
"""


def options_page() -> str:
    """Return the page of all options."""
    return "\n".join([HEAD, *map(_section, OPTIONS)])


def _section(option: Option) -> str:
    values = " · ".join(f"`{choice}`" for choice in option.choices) or option.takes
    many = ", several" if option.many else ""
    given = (
        ("flag", f"`{option.flag}`" if option.flag else ""),
        ("environment", f"`{option.env}`" if option.env else ""),
        ("pytest's ini", f"`{option.ini}`" if option.ini else ""),
        ("settings file", f"`{option.name}`" if option.file else ""),
        ("values", f"{values}{many}" if values else ""),
    )
    rows = "\n".join(f"| {way} | {name} |" for way, name in given if name)
    return f"""\
## [{option.name}](options/{option.name}.md)

| given by | name |
|---|---|
{rows}

{option.help}
"""


if __name__ == "__main__":
    (HERE / "options.md").write_text(options_page(), encoding="utf-8")
