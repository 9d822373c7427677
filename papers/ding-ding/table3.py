"""Table III: squared distance ∫ (F̂ − F)² to the true distribution, round 1 and progressive.

The paper's ED has no root and no factor of two, and the unit of the number; that of
`ak.operating_characteristics` is (2 ∫ (F̂ − F)²)^½, the D of `scipy.stats.energy_distance`.

Every person has a sensitivity of her own, the least share of the people that her range should leave
possible: drawn from a Beta law. Round 1 is one cut for everybody. In progressive collection each
goes on as long as she likes, and stops either before the next cut is seen, or after, as in Example
4. Numbers are those of a column of a CSV table, all through the real encoder.
"""

import csv
from functools import cache
from pathlib import Path

import numpy as np
from remaking import Results, Run
from scipy.stats import beta

import askance as ak
from askance.study.operating_characteristics import Collection
from askance.study.people import Recorded, record

ROOT = Path(__file__).parents[2]
SENSITIVITIES = {"low": beta(2, 8), "mixed": beta(2, 4), "high": beta(4, 4)}
SIZES = (100, 1000)
SURVEY = """askance = "survey-1"
title = "Table III"
consent = "Recorded people only."
[[question]]
name = "number"
text = "?"
line = {{ lower = {line[0]}, upper = {line[1]}, step = {line[2]} }}
mechanism = {{ name = "progressive", number = 5, floor = "1/20" }}
"""
AGES = (ROOT / "examples" / "fair-1978.csv", "age", ("15", "50", "1"))
TIMES = 40


@cache
def surveyed(table: Path, column: str, line: tuple[str, ...]) -> tuple[ak.Form, Recorded]:
    """Publish the question, and read the numbers of a column of a table."""
    form = ak.publish(ak.parse_survey(SURVEY.format(line=line).encode()))
    with table.open(newline="", encoding="utf-8-sig") as file:
        cells = [row[column].strip() for row in csv.DictReader(file)]
    return form, record(form, {"number": [cell for cell in cells if cell]}, table.name)


def squared_distance(collection: Collection) -> float:
    """Give ∫ (F̂ − F)² of one collection that was made once: the paper's ED."""
    return collection.energy**2 / 2


def collected(
    table: Path,
    column: str,
    line: tuple[str, ...],
    people: int,
    spread: str,
    times: int,
    seed: int = 32,
) -> list[Collection]:
    """Ask in one round, progressively if people stop before they look, and if after."""
    form, recorded = surveyed(table, column, line)
    own = SENSITIVITIES[spread].rvs(len(recorded.people), random_state=3)
    collections: list[Collection] = []
    for stops in ak.study.StoppingRule:
        (characteristics,) = ak.operating_characteristics(
            form,
            recorded,
            people=people,
            repetitions=times,
            sensitivities=own,
            stops=stops,
            rng=np.random.default_rng([32, seed]),
        )
        collections += characteristics.collections[bool(collections) :]
    return collections


def _table_3(run: Run, spread: str) -> Results:
    """Collect one by one: a mean of squared distances is no square of a mean of distances."""
    rows, times = {}, run.times(TIMES)
    for people in SIZES:
        runs = [collected(*AGES, people, spread, 1, seed) for seed in range(times)]
        figures = np.array(
            [
                [*map(squared_distance, three), *(collection.share_left for collection in three)]
                for three in runs
            ]
        )
        se = figures.std(axis=0, ddof=1) / times**0.5
        label = f"{spread} sensitivities, {people:,} women"
        rows[label] = figures.mean(axis=0).tolist(), se.tolist()
    return rows


def low(run: Run) -> Results:
    """Give energy distances and coverages of people who mind little."""
    return _table_3(run, "low")


def mixed(run: Run) -> Results:
    """Likewise, some mind little and some much."""
    return _table_3(run, "mixed")


def high(run: Run) -> Results:
    """Likewise, they mind much."""
    return _table_3(run, "high")
