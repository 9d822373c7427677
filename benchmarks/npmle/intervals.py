"""Measure what intervals from ranges cost, beside one fit of the most likely distribution.

    python benchmarks/npmle/intervals.py [people]

Two cuts a person. For quantiles, shares up to five points and the band: how many fits with a share
held they take, the processor's seconds, and in how many seconds of a plain fit of the same run.
"""

import sys
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from kinds import make

import askance as ak
from askance.inference.intervals.constrained_fit import HeldFits


def seconds(work: Callable[[], object], times: int) -> float:
    """Give the shortest of some runs, on the processor: others may share it."""
    marks = [time.process_time()]
    for _ in range(times):
        work()
        marks.append(time.process_time())
    return min(late - early for early, late in pairwise(marks))


def counted(work: Callable[[], object]) -> int:
    """Count the fits with a share held."""
    fits, held = 0, HeldFits.held

    def counting(*args: object, **kwargs: object) -> object:
        nonlocal fits
        fits += 1
        return held(*args, **kwargs)

    HeldFits.held = counting
    try:
        work()
    finally:
        HeldFits.held = held
    return fits


def main(people: int) -> None:
    """Print one line for each kind of interval."""
    low, high, _ = make("case2", people, 2_025, 0.3)
    ranges = ak.Ranges(low, high)
    ends = np.concatenate([low, high])
    points = np.quantile(ends[np.isfinite(ends)], [0.1, 0.3, 0.5, 0.7, 0.9])
    one = seconds(lambda: ak.npmle(ranges), 5)
    sys.stdout.write(
        f"{people:,} people, one fit {one:.4f} s\n{'':<20}{'fits':>6}{'s':>8}{'ratio':>8}\n"
    )
    kinds = {
        "quantile_intervals": lambda: ak.inference.quantile_intervals(ranges),
        "cdf_intervals": lambda: ak.inference.cdf_intervals(ranges, points),
        "simultaneous_band": lambda: ak.inference.simultaneous_band(ranges),
    }
    for name, work in kinds.items():
        took = seconds(work, 2)
        sys.stdout.write(f"{name:<20}{counted(work):>6}{took:>8.3f}{took / one:>8.1f}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
