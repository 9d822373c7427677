"""Table III: energy distance to the true distribution, round 1 and progressive collection.

Every person has a sensitivity of her own, the least share of the people that her range should leave
possible: drawn from a Beta law. Round 1 is one cut for everybody. In progressive collection each
goes on as long as she likes, and stops either before the next cut is seen, or after, as in Example
4. Numbers are those of a column of a CSV table, all through the real encoder.
"""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from remaking import Found, Run
from scipy.stats import beta

import askance as ak
from askance.study.operating_characteristics import Collection
from askance.study.people import record

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
TIMES, BATCHES = 40, 8


def collected(
    table: Path,
    column: str,
    line: Sequence[str],
    people: int,
    spread: str,
    times: int,
    seed: int = 32,
) -> list[Collection]:
    """Ask in one round, progressively if people stop before they look, and if after."""
    form = ak.publish(ak.parse_survey(SURVEY.format(line=line).encode()))
    with table.open(newline="", encoding="utf-8-sig") as file:
        cells = [row[column].strip() for row in csv.DictReader(file)]
    recorded = record(form, {"number": [cell for cell in cells if cell]}, table.name)
    own = SENSITIVITIES[spread].rvs(len(recorded.people), random_state=3)
    found: list[Collection] = []
    for stops in ak.study.Stops:
        (one,) = ak.operating_characteristics(
            form,
            recorded,
            people=people,
            repetitions=times,
            sensitivities=own,
            stops=stops,
            rng=np.random.default_rng([32, seed]),
        )
        found += one.collections[bool(found) :]
    return found


def _table_3(run: Run, spread: str) -> Found:
    """Collect in several batches, which tell the standard errors."""
    rows, times = {}, max(1, run.times(TIMES) // BATCHES)
    for people in SIZES:
        made = [collected(*AGES, people, spread, times, seed) for seed in range(BATCHES)]
        told = np.array(
            [[*(one.energy for one in three), *(one.left for one in three)] for three in made]
        )
        se = told.std(axis=0, ddof=1) / BATCHES**0.5
        rows[f"{spread} sensitivities, {people:,} women"] = told.mean(axis=0).tolist(), se.tolist()
    return rows


def low(run: Run) -> Found:
    """Give energy distances and coverages of people who mind little."""
    return _table_3(run, "low")


def mixed(run: Run) -> Found:
    """Likewise, some mind little and some much."""
    return _table_3(run, "mixed")


def high(run: Run) -> Found:
    """Likewise, they mind much."""
    return _table_3(run, "high")
