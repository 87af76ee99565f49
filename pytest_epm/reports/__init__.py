"""Writers: a Report as text or JSON. Pure: they return strings and print nothing."""

from pytest_epm.reports.json import to_json
from pytest_epm.reports.text import to_lines

__all__ = ["to_json", "to_lines"]
