"""Measure what intervals from ranges cost, beside one fit of the most likely distribution.

    python benchmarks/npmle/intervals.py [people]

Two cuts a person. For quantiles, shares up to five points and the band: how many fits with a share
held they take, the processor's seconds, and in how many seconds of a plain fit: passes in turn, the
median of each, and the least of each.
"""

import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from kinds import make

import askance as ak
from askance.inference.intervals.constrained_npmle import ConstrainedFits

PASSES = 15


def seconds(work: Callable[[], object]) -> float:
    """Give the processor's seconds of one run: others may share it."""
    start = time.process_time()
    work()
    return time.process_time() - start


def counted(work: Callable[[], object]) -> int:
    """Count the fits with a share held."""
    fits, fit_with_share = 0, ConstrainedFits.fit_with_share

    def counting(*args: object, **kwargs: object) -> object:
        nonlocal fits
        fits += 1
        return fit_with_share(*args, **kwargs)

    ConstrainedFits.fit_with_share = counting
    try:
        work()
    finally:
        ConstrainedFits.fit_with_share = fit_with_share
    return fits


def main(people: int) -> None:
    """Print one line for each kind of interval."""
    low, high, _ = make("case2", people, 2_025, 0.3)
    ranges = ak.Ranges(low, high)
    ends = np.concatenate([low, high])
    points = np.quantile(ends[np.isfinite(ends)], [0.1, 0.3, 0.5, 0.7, 0.9])
    fit = "one fit"
    kinds = {
        fit: lambda: ak.npmle(ranges),
        "quantile_intervals": lambda: ak.inference.quantile_intervals(ranges),
        "cdf_intervals": lambda: ak.inference.cdf_intervals(ranges, points),
        "simultaneous_band": lambda: ak.inference.simultaneous_band(ranges),
    }
    took: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(PASSES):
        for name, work in kinds.items():
            took[name].append(seconds(work))
    sys.stdout.write(f"{people:,} people\n{'':<20}{'fits':>6}{'s':>8}{'ratio':>8}{'least':>8}\n")
    for name, work in kinds.items():
        ratio = median(took[name]) / median(took[fit])
        least = min(took[name]) / min(took[fit])
        sys.stdout.write(
            f"{name:<20}{counted(work):>6}{median(took[name]):>8.4f}{ratio:>8.1f}{least:>8.1f}\n"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
