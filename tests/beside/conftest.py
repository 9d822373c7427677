"""Published figures on public data that are no part of the project.

Where the data lie beside the project's folder these tests run; elsewhere none is collected:
the same programs' figures on invented data stand in `tests/oracles` and are checked everywhere.
What is compared with R itself, on data of its own, is collected where R has them.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"
R = [Path("/usr/lib/R/site-library") / word for word in ("survey", "jsonlite")]
collect_ignore_glob = [] if DATA.is_dir() else ["test_*.py"]
collect_ignore = [] if all(item.is_dir() for item in R) else ["test_r_survey.py"]


@pytest.fixture(scope="session")
def data_beside() -> Callable[[str], Path]:
    """Find a file of public data."""
    return DATA.joinpath
