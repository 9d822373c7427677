"""What tests of the papers share: the scripts in `papers/`, and what these are made with."""

import sys
from pathlib import Path

import pytest

PAPERS = Path(__file__).parents[2] / "papers"
sys.path.insert(0, str(PAPERS))


@pytest.fixture(scope="session")
def remaking():
    import remaking

    return remaking


@pytest.fixture(scope="module")
def script(remaking):
    """Load a script by its paper's folder and its own name."""
    return remaking.script


@pytest.fixture
def run(remaking, tmp_path):
    """Make a figure or table at a share of its size, into a folder of the test."""

    def made(folder, function, number, share=0.03, data=None):
        (shown,) = [one for one in remaking.Paper.read(folder).shown if one.number == number]
        one = remaking.Run(folder=tmp_path / folder, shown=shown, share=share, data=data)
        found, drawn = remaking.make(function, one)
        return found, "".join(drawn)

    return made
