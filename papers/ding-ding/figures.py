"""Figures 3 and 14 at their printed settings, and what coverage costs at its best.

Ding & Ding (2022). Figure 3: Y is standard normal; a report is the side of a standard logistic
cut, or Y cut off at ±3 plus Laplace noise of scale 3, which has ε = 2. Below it stands what is
known of Y from the range (−1, 2], and from a noisy 2. One cut never gives (−1, 2]: that takes two.

Figure 14: Y is even on [0, 1], cuts are even on [−b, 1 + b], and Example 2 gives the mean; beside
it the mean of Y with Laplace noise. The printed pairs of b and α are shown with the α that are as
precise, by exact variances.
"""

from typing import Any

import numpy as np
from remaking import Run, logarithmic
from scipy.stats import laplace, logistic, norm, uniform

import askance as ak
from askance.present.figures import LIGHT

END, EPSILON, NOISY, COUNT = 3.0, 2.0, 2.0, 40
NOISE = laplace(0, 2 * END / EPSILON)
RANGE = (-1.0, 2.0)
PAIRS = {22: 0.2, 8: 0.5, 5: 0.8, 4: 1.0, 2: 2.0, 1.5: 2.5, 1: 3.0}
ANSWERS = {"normal": norm(), "logistic": logistic(0, 3**0.5 / np.pi)}
TAUS = np.linspace(0.61, 0.97, 19)
PEOPLE = 1000


def in_range(y: np.ndarray) -> np.ndarray:
    """Give the density of Y, known to be in the range."""
    chance_of_range = norm.cdf(RANGE[1]) - norm.cdf(RANGE[0])
    return norm.pdf(y) * ((y > RANGE[0]) & (y <= RANGE[1])) / chance_of_range


def given_noisy(y: np.ndarray) -> np.ndarray:
    """Give the density of Y, of which a noisy 2 was seen."""
    fine = np.linspace(-8, 8, 4001)
    weight = norm.pdf(fine) * NOISE.pdf(NOISY - np.clip(fine, -END, END))
    chance_of_range = weight.sum() * (fine[1] - fine[0])
    return norm.pdf(y) * NOISE.pdf(NOISY - np.clip(y, -END, END)) / chance_of_range


def shift(density: Any, y: np.ndarray) -> float:
    """Give by how much odds between possible numbers change at the most."""
    ratio = density(y) / norm.pdf(y)
    return float(ratio[ratio > 0].max() / ratio[ratio > 0].min())


def figure_3(run: Run) -> None:
    """Draw ranges and noisy numbers, and what each tells."""
    with run.figure(2, 1.4) as figure:
        _reports(figure)


def _reports(figure: Any) -> None:
    rng, axes = np.random.default_rng(3), figure.subplots(2, 2, sharex="col")
    y, positions = rng.standard_normal(COUNT), np.arange(COUNT)
    cut = rng.logistic(size=COUNT)
    noisy = np.clip(y, -END, END) + NOISE.rvs(COUNT, random_state=rng)
    ends = np.where(y <= cut, -5, cut), np.where(y <= cut, cut, 5)
    axes[0, 0].hlines(positions, *ends, color=LIGHT.mark, linewidth=1, label="ranges")
    axes[0, 1].plot(noisy, positions, "x", color=LIGHT.mark, markersize=5, label="noisy numbers")
    for ax, name, limit in zip(
        axes[0], ("interval privacy", "local privacy"), (5, 12), strict=True
    ):
        ax.plot(y, positions, ".", color=LIGHT.accent, markersize=5, label="numbers")
        ax.set(title=name, ylabel="person", xlim=(-limit, limit), ylim=(-1, COUNT + 8))
        ax.legend(fontsize=11, ncols=2, loc="upper center")
    curves = ((in_range, "given (−1, 2]"), (given_noisy, "given a noisy 2"))
    for ax, (density, name), limit in zip(axes[1], curves, (5, 12), strict=True):
        fine = np.linspace(-limit, limit, 2001)
        ax.plot(fine, norm.pdf(fine), ":", color=LIGHT.quiet, label="before")
        ax.plot(fine, density(fine), color=LIGHT.mark, label=name)
        ax.set(xlabel="y", ylabel="density", ylim=(0, 0.75))
        ax.legend(fontsize=11)


def width_coverage(half: float) -> float:
    """Give the coverage of a cut even on [−b, 1 + b], for Y even on [0, 1]."""
    cuts = ak.channels.CutLaw(uniform(-half, 1 + 2 * half))
    return float(ak.privacy.coverage(cuts, uniform()).value)


def as_precise(half: float) -> float:
    """Give the α of Laplace noise of scale 1/α with which a mean errs as Example 2 does."""
    variance = ak.inference.unbiased_mean_variance((-half, 1 + half), 0.5, 1 / 12, 1, slope=2)
    return float((2 / (variance - 1 / 12)) ** 0.5)


def figure_14(run: Run) -> None:
    """Draw the printed pairs, and those that are as precise."""
    fine = np.geomspace(0.75, 24, 60)
    taus = [width_coverage(half) for half in fine]
    with run.figure(1.5, 0.9) as figure:
        ax = figure.subplots()
        ax.plot([width_coverage(b) for b in PAIRS], list(PAIRS.values()), "o", label="printed")
        ax.plot(taus, [2 * as_precise(half) for half in fine], ":", label="noise of scale 2/α")
        ax.plot(taus, [as_precise(half) for half in fine], "-", label="noise of scale 1/α")
        ax.set(xlabel="coverage τ", ylabel="α of local privacy", ylim=(0, None))
        ax.legend()


def coverage_cost(run: Run) -> None:
    """Draw the standard error of the mean and of E[Y²] at each coverage: not in the paper."""
    with run.figure(1.5, 0.9) as figure:
        _costs(figure.subplots())


def _costs(ax: Any) -> None:
    styles = iter(("-", "--", ":", "-."))
    for name, law in ANSWERS.items():
        for quantity, slope in (("E[Y]", None), ("E[Y²]", lambda y: 2 * y)):
            curve = ak.design.coverage_tradeoff(law, TAUS, slope)
            is_finite = np.isfinite(curve.variance)
            style = {"linestyle": next(styles), "label": f"{quantity}, {name}"}
            (line,) = ax.plot(curve.coverage[is_finite], curve.se(PEOPLE)[is_finite], **style)
            coverage, variance = curve.best
            ax.plot(
                coverage, (variance / PEOPLE) ** 0.5, "*", markersize=11, color=line.get_color()
            )
    ax.plot([], [], "*", color=LIGHT.quiet, markersize=11, label="Theorem 2's cuts")
    ax.set(xlabel="coverage τ", ylabel=f"standard error, {PEOPLE:,} people")
    logarithmic(ax, (0.05, 0.1, 0.2, 0.5))
    ax.legend(fontsize=11)
