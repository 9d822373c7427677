"""Names for reports, each different."""

from collections.abc import Mapping
from typing import Any


def fresh(name: str, taken: Mapping[str, Any]) -> str:
    """Give a name as it is, or numbered if it is taken.

    >>> fresh("yes", {"yes": ("yes",)})
    'yes (2)'
    """
    at, tried = 2, name
    while tried in taken:
        tried, at = f"{name} ({at})", at + 1
    return tried
