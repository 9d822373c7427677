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
        (displayed,) = [
            element for element in remaking.Paper.read(folder).shown if element.number == number
        ]
        item = remaking.Run(folder=tmp_path / folder, shown=displayed, share=share, data=data)
        result, draws = remaking.make(function, item)
        return result, "".join(draws)

    return made
