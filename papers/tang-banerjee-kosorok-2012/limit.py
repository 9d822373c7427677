"""Simulate the likelihood ratio for F(t) where many people share each cut: between 𝔻 and χ².

On a grid the shares below the cuts are independent, nearly normal, and known to rise. Let the true
rise from one cut to the next be r standard errors of either share. As r → 0 the ratio has the law
of 𝔻 (Banerjee & Wellner, 2001), as r → ∞ χ² with one degree of freedom; in between it is the case
of Tang, Banerjee & Kosorok (2012) whose grid is neither coarse nor fine. Printed is, for each r and
level, how far the quantile lies on the way from the first to the second. Then the same for shares
that rise otherwise before t than after: beside a jump nothing pulls back to one side, and the
ratio is larger than either regular law has it.

python papers/tang-banerjee-kosorok-2012/limit.py [paths] [seed]
"""

import sys

import numpy as np
from scipy.optimize import isotonic_regression

from askance.inference.intervals.likelihood_ratio_law import critical_value

RISES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
SIDES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 2.0, 4.0)
LEVELS = (0.8, 0.9, 0.95, 0.99)
REACH = 6.0


def ratio(before: float, after: float, rng: np.random.Generator) -> float:
    """Draw the ratio once: residual sums of isotonic regressions, with 0 held at 0 and free."""
    low, high = (max(6, int(np.ceil(REACH / rise ** (2 / 3)))) for rise in (before, after))
    steps = np.arange(-low, high + 1)
    shares = np.where(steps < 0, before, after) * steps + rng.standard_normal(len(steps))
    free = isotonic_regression(shares).x
    before_shares = np.minimum(isotonic_regression(shares[:low]).x, 0)
    right = np.maximum(isotonic_regression(shares[low + 1 :]).x, 0)
    pooled = np.concatenate([before_shares, [0.0], right])
    return float(np.sum((free - pooled) * (2 * shares - free - pooled)))


def ways(before: float, after: float, paths: int, rng: np.random.Generator) -> np.ndarray:
    """Say of each level how far its quantile has gone from 𝔻 to χ²."""
    first, last = (np.array([critical_value(x, k) for x in LEVELS]) for k in (0, 1))
    quantiles = np.quantile([ratio(before, after, rng) for _ in range(paths)], LEVELS)
    return (quantiles - first) / (last - first)


def main() -> None:
    """Print the way from 𝔻 to χ² that the quantile has gone, for each r and level, and each two."""
    paths = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 2012)
    sys.stdout.write("rise  " + "".join(f"{level:>8}" for level in LEVELS) + "\n")
    for rise in RISES:
        quantiles_by_level = ways(rise, rise, paths, rng)
        sys.stdout.write(
            f"{rise:<6}" + "".join(f"{value:8.3f}" for value in quantiles_by_level) + "\n"
        )
    title = "rise before and after, level 0.95"
    sys.stdout.write(f"\n{title}\n      " + "".join(f"{rise:>8}" for rise in SIDES) + "\n")
    for before in SIDES:
        quantiles_by_level = [
            ways(before, after, paths, rng)[LEVELS.index(0.95)] for after in SIDES
        ]
        sys.stdout.write(
            f"{before:<6}" + "".join(f"{value:8.3f}" for value in quantiles_by_level) + "\n"
        )


if __name__ == "__main__":
    main()
