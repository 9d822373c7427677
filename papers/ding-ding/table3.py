"""Table III: energy distance to the true distribution, round 1 and progressive collection.

Every person has a sensitivity of her own, the least share of the people that her range should leave
possible: drawn from a Beta law. Round 1 is one cut for everybody. In progressive collection each
goes on as long as she likes, and stops either before the next cut is seen, or after, as in Example
4. Numbers are those of a column of a CSV table, all through the real encoder.

python papers/ding-ding/table3.py [--table CSV] [--column age] [--line 15,50,1] [--times 40]
"""

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import beta

import askance as ak
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
HEAD = "| sensitivities | people | round 1 | stops before | stops after |"
Row = dict[str, float]


def energies(
    table: Path, column: str, line: Sequence[str], people: int, spread: str, times: int
) -> Row:
    """Give the mean energy distance of each way to collect."""
    form = ak.publish(ak.parse_survey(SURVEY.format(line=line).encode()))
    with table.open(newline="", encoding="utf-8-sig") as file:
        cells = [row[column].strip() for row in csv.DictReader(file)]
    recorded = record(form, {"number": [cell for cell in cells if cell]}, table.name)
    own = SENSITIVITIES[spread].rvs(len(recorded.people), random_state=3)
    found: Row = {}
    for stops in ak.study.Stops:
        (one,) = ak.operating_characteristics(
            form,
            recorded,
            people=people,
            repetitions=times,
            sensitivities=own,
            stops=stops,
            rng=np.random.default_rng(32),
        )
        first, more = one.collections
        found["round 1"] = float(first.energy or 0)
        found[stops.value] = float(more.energy or 0)
    return found


def table(path: Path, column: str, line: Sequence[str], times: int) -> str:
    """Write the table."""
    rows = [HEAD, "|---|---|---|---|---|"]
    for spread in SENSITIVITIES:
        for people in SIZES:
            found = energies(path, column, line, people, spread, times)
            told = " | ".join(f"{value:.3f}" for value in found.values())
            rows.append(f"| {spread} | {people:,} | {told} |")
    return "\n".join(rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", type=Path, default=ROOT / "examples" / "fair-1978.csv")
    parser.add_argument("--column", default="age")
    parser.add_argument("--line", default="15,50,1")
    parser.add_argument("--times", type=int, default=40)
    given = parser.parse_args()
    made = table(given.table, given.column, given.line.split(","), given.times)
    sys.stdout.write(made + "\n")


if __name__ == "__main__":
    main()
