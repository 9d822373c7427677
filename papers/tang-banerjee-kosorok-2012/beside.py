"""Simulate the likelihood ratio for F(t) where shares beside t are equal to it, and others are not.

So many shares before t, and so many after it, are as F(t); what lies beyond is far off. Shares are
independent, normal and known to rise. Printed is, for each two numbers and each level, how far the
quantile of the ratio lies on the way from that of 𝔻 to that of χ².

python papers/tang-banerjee-kosorok-2012/beside.py [paths] [seed]
"""

import sys

import numpy as np
from scipy.optimize import isotonic_regression

from askance.inference.intervals.likelihood_ratio_law import critical_value

TIED = (0, 1, 2, 3, 4, 6, 9, 14, 22, 40, 80, 160, 320)
LEVELS = (0.8, 0.95, 0.99)


def ratio(shares: np.ndarray, share_index: int) -> float:
    """Compare residual sums of isotonic regressions, with one share held at 0 and free."""
    free = isotonic_regression(shares).x
    pooled = np.zeros(len(shares))
    if share_index:
        pooled[:share_index] = np.minimum(isotonic_regression(shares[:share_index]).x, 0)
    if share_index + 1 < len(shares):
        pooled[share_index + 1 :] = np.maximum(isotonic_regression(shares[share_index + 1 :]).x, 0)
    return float(np.sum((free - pooled) * (2 * shares - free - pooled)))


def main() -> None:
    """Print the way from 𝔻 to χ² that the quantile has gone, for each two numbers and level."""
    paths = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 77)
    first, last = (np.array([critical_value(x, k) for x in LEVELS]) for k in (0, 1))
    sys.stdout.write("tied  and  " + "".join(f"{level:>8}" for level in LEVELS) + "\n")
    for tie, before in enumerate(TIED):
        for after in TIED[: tie + 1]:
            size = before + after + 1
            ratios = [ratio(rng.standard_normal(size), before) for _ in range(paths)]
            progress = (np.quantile(ratios, LEVELS) - first) / (last - first)
            sys.stdout.write(
                f"{before:<6}{after:<5}" + "".join(f"{x:8.2f}" for x in progress) + "\n"
            )


if __name__ == "__main__":
    main()
