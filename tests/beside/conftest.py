"""Published figures on public data that are no part of the project.

Where the data lie beside the project's folder these tests run; elsewhere none is collected:
the same programs' figures on invented data stand in `tests/oracles` and are checked everywhere.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"
collect_ignore_glob = [] if DATA.is_dir() else ["test_*.py"]


@pytest.fixture(scope="session")
def data_beside() -> Callable[[str], Path]:
    """Find a file of public data."""
    return DATA.joinpath
