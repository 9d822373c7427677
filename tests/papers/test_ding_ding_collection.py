"""Ding and Ding (2022) on collection: figures 12 and 14 are drawn, Table III is computed."""

from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "papers" / "ding-ding"
HERE = (ROOT / "examples" / "fair-1978.csv", "age", ("15", "50", "1"))
FEW = 8


@pytest.fixture(scope="module")
def scripts():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        yield {name: import_module(name) for name in ("figures", "table3")}


@pytest.fixture(scope="module")
def ages(scripts):
    """Give the energy distances of 1,000 women of mixed sensitivities."""
    return scripts["table3"].energies(*HERE, 1000, "mixed", FEW)


def test_the_figures_are_drawn(scripts, tmp_path):
    scripts["figures"].main(tmp_path)
    for drawn in (tmp_path, FOLDER):
        assert "E[Y²], normal" in (drawn / "figure-12.svg").read_text(encoding="utf-8")
        assert "Beta(2, 5)" in (drawn / "figure-14.svg").read_text(encoding="utf-8")


def assert_nearer_unless_people_look(found):
    first, before, after = found.values()
    assert before < 0.75 * first
    assert after > 1.5 * first


def test_progressive_collection_of_ages_is_nearer_unless_people_look(ages):
    assert_nearer_unless_people_look(ages)


def test_progressive_collection_of_life_expectancies_is_too(scripts, data_beside):
    real = data_beside("life_expectancy.csv"), "Life expectancy ", ("35", "90", "1")
    assert_nearer_unless_people_look(scripts["table3"].energies(*real, 1000, "mixed", FEW))


def test_the_page_shows_this_table(scripts, ages):
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    at = lines.index(scripts["table3"].HEAD)
    rows = [line.strip("| ").split(" | ") for line in lines[at + 2 : at + 8]]
    assert [row[0] for row in rows[::2]] == list(scripts["table3"].SENSITIVITIES)
    (told,) = [row[2:] for row in rows if row[:2] == ["mixed", "1,000"]]
    assert [float(one) for one in told] == pytest.approx(list(ages.values()), rel=0.25)
