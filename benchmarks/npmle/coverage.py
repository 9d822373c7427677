"""How often 95 % intervals for F(0.3) and F(0.5) cover: here, and SurPyval's default.

One uniform cut a person, numbers even on [0, 1], 300 people: `python benchmarks/npmle/coverage.py
[surveys]`. Both sides read the same surveys, made from one seed. SurPyval's interval is what
``cb`` gives for its Turnbull estimate by Kaplan-Meier, whose error treats the ranges as if their
numbers had been seen.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))

PEOPLE, POINTS = 300, (0.3, 0.5)
Intervals = list[list[list[float]]]


def survey(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Give whether each number is up to its cut, and the cut."""
    rng = np.random.default_rng([2026, number])
    y, cut = rng.random((2, PEOPLE))
    return y <= cut, cut


def ours(surveys: int) -> Intervals:
    import askance as ak

    covered = []
    for below, cut in map(survey, range(surveys)):
        ranges = ak.Ranges(np.where(below, -np.inf, cut), np.where(below, cut, np.inf))
        intervals = ak.inference.cdf_intervals(ranges, POINTS)
        covered.append([intervals.lower.tolist(), intervals.upper.tolist()])
    return covered


def theirs(surveys: int) -> Intervals:
    import surpyval

    widths = []
    for below, cut in map(survey, range(surveys)):
        fit = surpyval.Turnbull.fit(
            x=cut, c=np.where(below, -1, 1), turnbull_estimator="Kaplan-Meier"
        )
        widths.append(np.sort(np.asarray(fit.cb(np.array(POINTS), on="ff")).T, axis=0).tolist())
    return widths


def main(surveys: int) -> None:
    from peers import peers

    command = [str(peers(Path(__file__).parent)), __file__, str(surveys), "--theirs"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    print(
        f"{surveys} surveys of {PEOPLE} people, a cut each"
        + "".join(f"{f'F({t})':>10}" for t in POINTS)
    )
    for name, ends in (("askance", ours(surveys)), ("SurPyval", json.loads(ran.stdout))):
        low, high = np.array(ends).transpose(1, 0, 2)
        share = ((low <= POINTS) & (np.array(POINTS) <= high)).mean(axis=0)
        width = np.nanmean(high - low, axis=0)
        print(f"{name:<40}" + "".join(f"{value:>10.3f}" for value in share))
        print(f"{'  mean width':<40}" + "".join(f"{value:>10.3f}" for value in width))


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    if "--theirs" in sys.argv:
        print(json.dumps(theirs(count)))
    else:
        main(count)
