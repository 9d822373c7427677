"""Table II: how far estimates of E[Y] and E[Y²] are from the truth, from one cut a person.

Y is normal with mean 1/2 and variance 1. The cut U is uniform on [-T, T] with T = 2 n^(1/3) where
E[Y] is sought; where E[Y²] is, the number asked about is Y² itself and U is uniform on [0, 2T].
Outliers replace that share of the numbers by 1000. The most likely distribution has its masses at
the middles of their intervals; an interval without an end is closed by the declared support, or by
±200, which is what the printed figures come nearest to.
"""

import numpy as np
from remaking import Results, Run

import askance as ak

TRUTH = {"E[Y]": 0.5, "E[Y²]": 1.25}
SIZES, SHARES = (100, 1000), (0.0, 0.01, 0.05)
CELLS = [(n, share) for n in SIZES for share in SHARES]
OUTLIER, SENTINEL = 1000.0, 200.0
PRINTED, SEED = 1000, 1


def support(n: int, of: str) -> tuple[float, float]:
    """Give where the cuts are drawn."""
    half = 2 * n ** (1 / 3)
    return (-half, half) if of == "E[Y]" else (0.0, 2 * half)


def numbers(n: int, of: str, share: float, rng: np.random.Generator) -> np.ndarray:
    """Draw what people would answer, the first few of them outliers."""
    values = rng.normal(0.5, 1, n)
    values = values if of == "E[Y]" else values**2
    values[: round(share * n)] = OUTLIER
    return values


def one_cut(values: np.ndarray, low: float, high: float, rng: np.random.Generator) -> ak.Ranges:
    """Ask each person about one uniform cut."""
    cut = rng.uniform(low, high, len(values))
    below = values <= cut
    return ak.Ranges(np.where(below, -np.inf, cut), np.where(below, cut, np.inf))


def middle(fit: ak.inference.Distribution, ends: tuple[float, float]) -> float:
    """Give the mean with each mass at the middle of its interval."""
    return sum(fit.mean_bounds(ends)) / 2


def estimates(n: int, of: str, share: float, rng: np.random.Generator) -> dict[str, float]:
    """Estimate once, by every method of the table."""
    values, ends = numbers(n, of, share, rng), support(n, of)
    ranges = one_cut(values, *ends, rng)
    fit = ak.npmle(ranges)
    return {
        "Example 2": ak.inference.unbiased_mean(ranges, ends, slope=2).value,
        "NPMLE, middles, declared support": middle(fit, ends),
        "NPMLE, middles, ±200 for no end": middle(fit, (-SENTINEL, SENTINEL)),
        "mean of the numbers": float(values.mean()),
        "median of the numbers": float(np.median(values)),
    }


def errors(repetitions: int, seed: int) -> dict[tuple[str, str], np.ndarray]:
    """Give absolute errors, by method and what is sought: arrays (cells, repetitions)."""
    rng = np.random.default_rng(seed)
    errors_by_method: dict[tuple[str, str], np.ndarray] = {}
    for i in range(repetitions):
        for of in TRUTH:
            for cell, (n, share) in enumerate(CELLS):
                for method, value in estimates(n, of, share, rng).items():
                    cells = errors_by_method.setdefault(
                        (method, of), np.empty((len(CELLS), repetitions))
                    )
                    cells[cell, i] = abs(value - TRUTH[of])
    return errors_by_method


def table_2(run: Run) -> Results:
    """Give the mean absolute errors."""
    errors_by_method = errors(run.times(PRINTED, 20), SEED)
    return {
        f"{of}, {method}": (
            cells.mean(axis=1).tolist(),
            (cells.std(axis=1, ddof=1) / cells.shape[1] ** 0.5).tolist(),
        )
        for (method, of), cells in errors_by_method.items()
    }
