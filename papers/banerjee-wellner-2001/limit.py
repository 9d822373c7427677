"""Simulate the limit of the likelihood ratio for F(t) from current-status data.

Banerjee & Wellner (2001): 2 (max l − max {l : F(t) = θ}) tends in law to 𝔻 = ∫ (S² − S₀²), with S
the slope of the greatest convex minorant of W(s) + s², W a two-sided Brownian motion, and S₀ the
same kept ≤ 0 to the left of 0 and ≥ 0 to the right. On a grid of steps h this is a difference of
residual sums of isotonic regressions of the increments. Each path is read on several grids, so that
what the grid does can be told from chance.

python papers/banerjee-wellner-2001/limit.py [paths] [seed]
"""

import sys

import numpy as np
from scipy.optimize import isotonic_regression

REACH = 3.0
STEP = 0.00125
COARSER = (16, 4, 1)
LEVELS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.98, 0.99, 0.995, 0.999)


def ratio(slopes: np.ndarray, step: float) -> float:
    """Give 𝔻 for one path, from the slopes of its increments."""
    half = len(slopes) // 2
    free = isotonic_regression(slopes).x
    before = np.minimum(isotonic_regression(slopes[:half]).x, 0)
    right = np.maximum(isotonic_regression(slopes[half:]).x, 0)
    bound = np.concatenate([before, right])
    return step * float(np.sum((free - bound) * (2 * slopes - free - bound)))


def simulate(paths: int, rng: np.random.Generator) -> np.ndarray:
    """Draw 𝔻 this often, on each grid: shape (grids, paths)."""
    half = round(REACH / STEP)
    drift = 2 * (np.arange(-half, half) + 0.5) * STEP  # the mean slope of s² over a step
    statistics = np.empty((len(COARSER), paths))
    for path in range(paths):
        slopes = drift + rng.standard_normal(2 * half) / np.sqrt(STEP)
        for row, by in enumerate(COARSER):
            statistics[row, path] = ratio(slopes.reshape(-1, by).mean(axis=1), by * STEP)
    return statistics


def main() -> None:
    """Print each quantile and its standard error, for each grid."""
    paths = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 2001
    for by, statistics in zip(COARSER, simulate(paths, np.random.default_rng(seed)), strict=True):
        statistics.sort()
        sys.stdout.write(f"step {by * STEP}, {paths} paths\n")
        for level in LEVELS:
            spread = np.sqrt(level * (1 - level) * paths)
            ends = statistics[
                [int(level * paths - spread), int(min(level * paths + spread, paths - 1))]
            ]
            middle = np.quantile(statistics, level)
            sys.stdout.write(f"  {level:<6} {middle:.4f} ± {(ends[1] - ends[0]) / 2:.4f}\n")


if __name__ == "__main__":
    main()
