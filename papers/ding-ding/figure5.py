"""Figure 5: what coverage costs, for the mean from one cut a person.

Y is normal with mean 1/2 and variance 1 as in Table II; the cut is uniform on [-T, T] and T varies.
Coverage τ = 1 - 2 E[F(U)(1 - F(U))] is exact, by quadrature. The error of Example 2 is that of a
normal estimator with its exact variance; the most likely distribution is simulated (with the
standard error of the simulation) beside the best that any regular estimator can do, n Var =
∫ F(1 - F)/g (Groeneboom and Wellner, 1992). The star is Theorem 2: the cuts that make this least.
The scales are ours; the shape and the order of the curves are what can be compared.

python papers/ding-ding/figure5.py [folder]
"""

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm, uniform

import askance as ak
from askance.present.svg import save

Y = norm(0.5, 1)
REPETITIONS, SEED, FAR = 400, 5, 80.0
HALVES = (3.5, 5.0, 8.0, 14.0, 25.0, 45.0)
COLOURS = {100: "tab:blue", 1000: "tab:orange"}
Law = Callable[[float], float]


def coverage(cut: Any, law: Any = Y) -> float:
    """Give τ of one cut, answers and cut having these laws: Ding & Ding (2022), Definition 1."""
    ends = max(law.ppf(1e-15), cut.ppf(1e-15)), min(law.isf(1e-15), cut.isf(1e-15))
    return 1 - 2 * _integral(lambda u: law.cdf(u) * law.sf(u) * cut.pdf(u), *ends)


def tau(half: float) -> float:
    """Give the coverage of a uniform cut on [-half, half]."""
    return coverage(uniform(-half, 2 * half))


def least_variance(law: Any = Y) -> float:
    """Give n times the least variance of a mean: (∫ √(F(1 - F)))², Theorem 2."""
    return _integral(lambda u: math.sqrt(law.cdf(u) * law.sf(u)), -FAR, FAR) ** 2


def best_coverage(law: Any = Y) -> float:
    """Give the coverage of the cuts that reach it: density in proportion to √(F(1 - F))."""
    scale = math.sqrt(least_variance(law))
    return 1 - 2 * _integral(lambda u: (law.cdf(u) * law.sf(u)) ** 1.5 / scale, -FAR, FAR)


def _integral(of: Law, low: float, high: float) -> float:
    return float(quad(of, low, high, limit=500, points=[0.5] if low < 0.5 < high else None)[0])


def error(variance: float) -> float:
    """Give the mean absolute error of a normal estimator."""
    return math.sqrt(2 / math.pi * variance)


def simulated(half: float, n: int, repetitions: int, rng: np.random.Generator) -> np.ndarray:
    """Give absolute errors of the most likely distribution's mean, masses at the middles."""
    found = np.empty(repetitions)
    for at in range(repetitions):
        cut, drawn = rng.uniform(-half, half, n), rng.normal(0.5, 1, n)
        below = drawn <= cut
        fit = ak.npmle(ak.Ranges(np.where(below, -np.inf, cut), np.where(below, cut, np.inf)))
        found[at] = abs(sum(fit.mean_bounds((-half, half))) / 2 - 0.5)
    return found


def figure_5(ax: Any, repetitions: int = REPETITIONS) -> Any:
    """Draw mean absolute error against coverage."""
    rng, fine = np.random.default_rng(SEED), np.geomspace(HALVES[0], HALVES[-1], 60)
    taus = [tau(half) for half in fine]
    for n, colour in COLOURS.items():
        plain = [ak.unbiased_mean_variance((-half, half), 0.5, 1, n, slope=2) for half in fine]
        style = {"color": colour, "linewidth": 1.2}
        ax.plot(taus, [error(one) for one in plain], "-", label=f"Example 2, n = {n:,}", **style)
        bound = [error(half * (1 - at) * 2 * half / n) for half, at in zip(fine, taus, strict=True)]
        ax.plot(taus, bound, "--", label=f"least possible, n = {n:,}", **style)
        for half in HALVES:
            made = simulated(half, n, repetitions, rng)
            told = {"label": f"most likely distribution, n = {n:,}"} if half == HALVES[0] else {}
            bar = made.std(ddof=1) / math.sqrt(repetitions)
            ax.errorbar(
                tau(half), made.mean(), 2 * bar, fmt="o", markersize=4, color=colour, **told
            )
        ax.plot(best_coverage(), error(least_variance() / n), "*", markersize=10, color=colour)
    ax.plot([], [], "*", color="0.4", markersize=10, label="Theorem 2's cuts")
    ax.set(yscale="log", xlabel="coverage τ", ylabel="mean absolute error of the mean")
    ax.legend(fontsize="x-small", ncols=2)
    return ax


def main(folder: Path, repetitions: int = REPETITIONS) -> None:
    """Write the figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4.5), layout="constrained")
    figure_5(figure.subplots(), repetitions)
    save(figure, folder / "figure-5.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
