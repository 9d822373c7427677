"""Simulate the likelihood ratio for F(t) in a stretch where nobody is, from two cuts a person.

No number falls between two cuts that are both in the stretch, so a rise of the fit within it loses
log-likelihood: in proportion to the people with a cut on either side of the rise, who are 4u(1 − u)
of those at the middle where even cuts leave a part u of the stretch before it. In the limit shares
are independent, normal and known to rise, each rise at its price. The price at the middle is z
standard errors of what half the stretch tells. Printed are, for each place of t in the stretch and
each z, the 0.95 quantile of the ratio, and that of `ConstrainedLaw` if it knew z: with 1.6 for 0.6,
and without the sixth of the way from 𝔻 to χ² that it adds.

python papers/tang-banerjee-kosorok-2012/stretch.py [paths] [seed]
"""

import sys

import numpy as np

from askance.inference.intervals.likelihood_ratio_law import ConstrainedLaw, critical_value
from beside import ratio

SHARES, LEVEL = 200, 0.95
PLACES = (0.5, 0.3, 0.15)
FALLS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
PART, OF_SURVEYS = 1.6, 0.6  # at which z all but 1/e of the shares are linked: here, in surveys
SIXTH = (critical_value(LEVEL, 1) - critical_value(LEVEL, 0)) / 6
LEAST = 1e-6


def pull(fall: float) -> np.ndarray:
    """What the prices of all rises make of each share: upwards before the middle, then down."""
    before = np.arange(SHARES + 1) / SHARES
    return np.diff(fall * np.sqrt(SHARES / 2) * 4 * before * (1 - before))


def simulated(share_index: int, fall: float, paths: int, rng: np.random.Generator) -> float:
    """Simulate the quantile."""
    drift = pull(fall)
    ratios = [ratio(rng.standard_normal(SHARES) + drift, share_index) for _ in range(paths)]
    return float(np.quantile(ratios, LEVEL))


def by_law(share_index: int, fall: float) -> float:
    """Look up the quantile for shares that all tie, of so much known that z is as asked."""
    root = SHARES / OF_SURVEYS / (max(fall, LEAST) * np.sqrt(SHARES / 2) * 4 / PART)
    none, information = np.zeros(SHARES), np.full(SHARES, root**2)
    law = ConstrainedLaw(
        level=LEVEL, ends=none, upto=none, people=none + 1, information=information
    )
    return float(law.critical(np.array([share_index]), none[None], np.ones(1))[0]) - SIXTH


def main() -> None:
    """Print both quantiles for each place and each z."""
    paths = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 77)
    sys.stdout.write("place         z" + "".join(f"{fall:>7g}" for fall in FALLS) + "\n")
    for position in PLACES:
        share_index = round(position * (SHARES - 1))
        simulated_ratios = [simulated(share_index, fall, paths, rng) for fall in FALLS]
        law_ratios = [by_law(share_index, fall) for fall in FALLS]
        for name, row in (("simulated", simulated_ratios), ("law", law_ratios)):
            sys.stdout.write(
                f"{position:<6g}{name:<9}" + "".join(f"{value:7.2f}" for value in row) + "\n"
            )


if __name__ == "__main__":
    main()
