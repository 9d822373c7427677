"""Print how often 95 % intervals of a slope cover: python tests/odds/regression_coverage.py.

Ranges between two cuts a person, 60 and 400 people, logistic noise; Wald, profile and score
intervals under the model, and Wald's from the sandwich. Then villages of five whose members share a
covariate and part of their noise: errors that know of the villages, and errors that do not.
"""

import sys

import numpy as np
from designs import Reading

from askance.channels import Ranges
from askance.inference import censored_regression

SURVEYS = 200
SLOPE = 0.7


def survey(rng: np.random.Generator, n: int, shared: float) -> tuple[Ranges, np.ndarray]:
    """Give ranges and one covariate; ``shared`` is the spread of what a village has in common."""
    village = np.repeat(np.arange(n // 5), 5)
    x = rng.normal(size=n // 5)[village] if shared else rng.normal(size=n)
    y = SLOPE * x + rng.logistic(size=n) + shared * rng.normal(size=n // 5)[village]
    cuts = np.sort(rng.normal(0, 2, (n, 2)), axis=1)
    cell = (y[:, None] > cuts).sum(axis=1)
    ends = np.column_stack([np.full(n, -np.inf), cuts, np.full(n, np.inf)])
    return Ranges(ends[np.arange(n), cell], ends[np.arange(n), cell + 1]), x[:, None]


def read(ranges: Ranges, x: np.ndarray, by: str) -> Reading:
    """Read the interval of the slope."""
    errors = "robust" if by == "robust" else "observed"
    village = np.repeat(np.arange(len(x) // 5), 5) if by == "villages" else None
    fit = censored_regression(ranges, x, "logistic", errors=errors, clusters=village)
    coefficients_result = fit.coefficients(by=by if by in ("profile", "score") else "wald")
    return Reading(
        (coefficients_result.lower[1], coefficients_result.upper[1]),
        (coefficients_result.value[1],) * 2,
        (SLOPE, SLOPE),
    )


def table() -> list[str]:
    """Give one line per kind of interval and number of people."""
    lines = [f"{'noise':<10}{'people':>7}  {'interval':<10}{'covers':>7}  of {SURVEYS} surveys"]
    for noise, shared, kinds in (
        ("alone", 0.0, ("wald", "profile", "score", "robust")),
        ("villages", 1.5, ("wald", "robust", "villages")),
    ):
        for n in (60, 400):
            rng = np.random.default_rng([1965, n])
            surveys = [survey(rng, n, shared) for _ in range(SURVEYS)]
            for by in kinds:
                share = np.mean([read(*item, by).covers() for item in surveys])
                lines.append(f"{noise:<10}{n:>7}  {by:<10}{share:>7.3f}")
    return lines


if __name__ == "__main__":
    sys.stdout.write("\n".join([*table(), ""]))
