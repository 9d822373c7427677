"""Figure 5 at its printed settings; and what coverage costs, for the mean from one cut a person.

Figure 5: 1,000 logistic numbers, one logistic cut of scale 2 for each; the distribution by maximum
likelihood, with and without the family; and the densities of Theorem 2's cuts for E[Y] and E[Y²].

What coverage costs, `mean-error.svg`, is not in the paper: Y is normal with mean 1/2 and variance 1
as in Table II; the cut is uniform on [-T, T] and T varies. Coverage τ = 1 - 2 E[F(U)(1 - F(U))] is
exact, by quadrature. The error of Example 2 is that of a normal estimator with its exact variance;
the most likely distribution is simulated (with the standard error of the simulation) beside the
best that any regular estimator can do, n Var = ∫ F(1 - F)/g (Groeneboom and Wellner, 1992). The
star is Theorem 2: the cuts that make this least.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from remaking import Run, logarithmic
from scipy.integrate import quad
from scipy.stats import logistic, norm, uniform

import askance as ak
from askance.present.figures import LIGHT

Y = norm(0.5, 1)
REPETITIONS, SEED, FAR = 400, 5, 80.0
HALVES = (3.5, 5.0, 8.0, 14.0, 25.0, 45.0)
COLOURS = {100: LIGHT.accent, 1000: LIGHT.mark}
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
    errors = np.empty(repetitions)
    for i in range(repetitions):
        cut, values = rng.uniform(-half, half, n), rng.normal(0.5, 1, n)
        below = values <= cut
        fit = ak.npmle(ak.Ranges(np.where(below, -np.inf, cut), np.where(below, cut, np.inf)))
        errors[i] = abs(sum(fit.mean_bounds((-half, half))) / 2 - 0.5)
    return errors


def reports(n: int, rng: np.random.Generator) -> ak.Ranges:
    """Ask n people with standard logistic numbers about one logistic cut of scale 2 each."""
    values, cut = rng.logistic(size=n), rng.logistic(0, 2, n)
    below = values <= cut
    return ak.Ranges(np.where(below, -np.inf, cut), np.where(below, cut, np.inf))


def fits(n: int, rng: np.random.Generator) -> tuple[ak.inference.Distribution, Any]:
    """Fit the most likely distribution, and the most likely logistic one."""
    ranges = reports(n, rng)
    family = ak.censored_regression(ranges, np.empty((n, 0)), "logistic")
    return ak.npmle(ranges), logistic(float(family.value[0]), family.scale)


def figure_5(run: Run) -> None:
    """Draw the fitted distributions, and the densities of the best cuts."""
    with run.figure(2, 1) as figure:
        _fits_and_cuts(figure)


def _fits_and_cuts(figure: Any, n: int = 1000) -> None:
    fit, family = fits(n, np.random.default_rng(SEED))
    left_axes, right = figure.subplots(1, 2)
    fine = np.linspace(-8, 8, 1601)
    left_axes.plot(fine, logistic.cdf(fine), ":", color=LIGHT.quiet, label="truth")
    left_axes.plot(fine, family.cdf(fine), "--", color=LIGHT.mark, label="logistic family")
    left_axes.plot(fine, fit.cdf(fine), color=LIGHT.accent, linewidth=1.2, label="any distribution")
    left_axes.set(xlabel="y", ylabel="F(y)", xlim=(-8, 8))
    right.plot(fine, logistic.pdf(fine), ":", color=LIGHT.quiet, label="Y")
    slopes = (("--", "cuts for E[Y]", None), ("-", "cuts for E[Y²]", lambda y: 2 * y))
    for style, name, slope in slopes:
        best = ak.design.optimal_cuts(logistic(), slope).cuts
        right.plot(fine, best.law.pdf(fine), style, label=name)
    right.set(xlabel="u", ylabel="density", xlim=(-8, 8))
    for ax in (left_axes, right):
        ax.legend(fontsize=11)


def mean_error(run: Run) -> None:
    """Draw mean absolute error against coverage."""
    with run.figure(1.5, 1) as figure:
        _errors(figure, run.times(REPETITIONS, 10))


def _errors(figure: Any, repetitions: int) -> None:
    ax = figure.subplots()
    rng, fine = np.random.default_rng(SEED), np.geomspace(HALVES[0], HALVES[-1], 60)
    taus = [tau(half) for half in fine]
    for n, colour in COLOURS.items():
        plain = [
            ak.inference.unbiased_mean_variance((-half, half), 0.5, 1, n, slope=2) for half in fine
        ]
        style = {"color": colour, "linewidth": 1.2}
        ax.plot(taus, [error(tau) for tau in plain], "-", label=f"Example 2, n = {n:,}", **style)
        bound = [
            error(half * (1 - tau) * 2 * half / n) for half, tau in zip(fine, taus, strict=True)
        ]
        ax.plot(taus, bound, "--", label=f"least possible, n = {n:,}", **style)
        for half in HALVES:
            errors_by_width = simulated(half, n, repetitions, rng)
            label = {"label": f"most likely distribution, n = {n:,}"} if half == HALVES[0] else {}
            bar = errors_by_width.std(ddof=1) / math.sqrt(repetitions)
            ax.errorbar(
                tau(half),
                errors_by_width.mean(),
                2 * bar,
                fmt="o",
                markersize=4,
                color=colour,
                **label,
            )
        ax.plot(best_coverage(), error(least_variance() / n), "*", markersize=10, color=colour)
    ax.plot([], [], "*", color=LIGHT.quiet, markersize=10, label="Theorem 2's cuts")
    ax.set(xlabel="coverage τ", ylabel="mean absolute error of the mean")
    logarithmic(ax, (0.05, 0.1, 0.2, 0.5, 1))
    figure.legend(fontsize=10, ncols=2, loc="outside lower center")
