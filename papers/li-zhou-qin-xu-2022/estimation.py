"""Figures 2, 3 and 5, and one of ours: what the variance of the estimated share depends on.

Figure 2, trade-off in Shafer's semantics: variance against Shafer's loss, for several chances
c = p + q of naming an answer at all; c = 1 is Warner's design. Figure 3, impact of sample sizes:
the estimates of 1,000 simulated surveys of 10, 100, 500 and 1,000 people, "don't know" with chance
q₃ = .1, against the loss. Figure 5 shows the four corners of loss and variance when nobody knows
how "don't know" was resolved, and the curve of all Q_λ between two of them. `corollary-11` is not
in the paper: variance against the chance q of a lie at p = .6, for few reports, with the printed
Theorem 10 dashed and Grab and Savage's approximation dotted.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from remaking import Results, Run, logarithmic

import askance as ak
from askance.present.figures import LIGHT

SHARE = 0.3
TRUTH, LIE, REPORTS = "3/5", "1/10", 50
SIZES, SILENT, SURVEYS = (10, 100, 500, 1000), "1/10", 1000
LOSSES = np.linspace(0.25, 4, 16)


def printed_variance(lie: float, n: int, truth: float = 0.6) -> float:
    """Give Theorem 10's variance as printed: without the division by P(N > 0)."""
    named = 1 - (1 - truth - lie) ** n
    return ak.inference.truth_lie_variance(SHARE, truth, lie, n) * named


def approximate_variance(lie: float, n: int, truth: float = 0.6) -> float:
    """Give the variance by Grab and Savage's approximation."""
    exact = ak.inference.mean_inverse(n, truth + lie)
    return (
        ak.inference.truth_lie_variance(SHARE, truth, lie, n)
        * ak.inference.grab_savage(n, truth + lie)
        / exact
    )


def corollary_11(run: Run) -> None:
    """Draw the variance against the chance of a lie."""
    with run.figure(1.5, 1.2) as figure:
        _by_lies(figure.subplots())


def _by_lies(ax: Any) -> None:
    lies = np.linspace(0, 0.38, 77)
    for n, colour in ((1, LIGHT.accent), (2, LIGHT.mark), (10, LIGHT.ink)):
        for draw, style, name in (
            (lambda q, n=n: ak.inference.truth_lie_variance(SHARE, 0.6, q, n), "-", f"n = {n}"),
            (lambda q, n=n: printed_variance(q, n), "--", None),
            (lambda q, n=n: approximate_variance(q, n), ":", None),
        ):
            ax.plot(lies, [draw(float(q)) for q in lies], style, color=colour, label=name)
    ax.plot([], [], "--", color=LIGHT.quiet, label="Theorem 10 as printed")
    ax.plot([], [], ":", color=LIGHT.quiet, label="Grab and Savage")
    ax.set(xlabel="chance q of a lie, p = .6", ylabel="variance ν of the share")
    logarithmic(ax, (0.05, 0.1, 0.2, 0.5, 1, 2, 5))
    ax.legend(fontsize=11)


def figure_2(run: Run) -> None:
    """Draw the variance against the loss, by the chance of naming an answer."""
    with run.figure(1.5, 1.1) as figure:
        _by_loss(figure.subplots())


def _by_loss(ax: Any) -> None:
    epsilons = np.linspace(0.25, 4, 76).round(3)
    for answered, style in (("1/2", ":"), ("7/10", "-."), ("9/10", "--"), ("1", "-")):
        recipes = [ak.Abstain.at_epsilon(float(e), answered=answered) for e in epsilons]
        variances = [ak.design.shafer_price(recipe, SHARE, REPORTS).variance for recipe in recipes]
        warner = ": Warner" if answered == "1" else ""
        ax.plot(epsilons, variances, style, color=LIGHT.accent, label=f"c = {answered}{warner}")
    logarithmic(ax, (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1))
    ax.set(xlabel="Shafer's loss ε", ylabel=f"variance ν of the share, n = {REPORTS}")
    ax.legend(fontsize=11)


def recipe(epsilon: float) -> ak.Abstain:
    """Give the mechanism of figure 3: "don't know" with chance .1, and this loss."""
    level = ak.Abstain.at_epsilon(epsilon, answered=1 - Fraction(SILENT))
    return level.on(ak.Frame(["yes", "no"]))


def estimates(epsilon: float, people: int, surveys: int = SURVEYS, seed: int = 2022) -> Any:
    """Simulate surveys; give their unbiased estimates, of those that heard a yes or a no."""
    channel = recipe(epsilon).channel(ak.Frame(["yes", "no"]))
    yes, no = channel.matrix[:, 0]
    rng = np.random.default_rng([seed, people, round(1000 * epsilon)])
    chances = np.array([SHARE, 1 - SHARE]) @ channel.matrix
    counts = rng.multinomial(people, chances, surveys)[:, :2]
    counts = counts[counts.sum(axis=1) > 0]
    return (counts[:, 0] / counts.sum(axis=1) * (yes + no) - no) / (yes - no)


def spread(epsilon: float, people: int) -> float:
    """Give the exact standard deviation of an estimate."""
    return math.sqrt(ak.design.shafer_price(recipe(epsilon), SHARE, people).variance)


def figure_3(run: Run) -> Results:
    """Draw the estimates of simulated surveys against the loss; give their means and deviations."""
    surveys = run.times(SURVEYS, 20)
    with run.figure(2, 1.5) as figure:
        _surveys(figure.subplots(2, 2).ravel(), surveys)
    rows = {}
    for people in SIZES:
        samples = [estimates(epsilon, people, surveys) for epsilon in (0.25, 1.0, 4.0)]
        moments = [(sample.mean(), sample.std(ddof=1) / len(sample) ** 0.5) for sample in samples]
        rows[f"N = {people:,}"] = (
            [float(mean) for mean, _ in moments],
            [float(se) for _, se in moments],
        )
    return rows


def _surveys(axes: Any, surveys: int) -> None:
    for ax, people in zip(axes, SIZES, strict=True):
        samples = [estimates(float(epsilon), people, surveys) for epsilon in LOSSES]
        low, high = (np.array([np.quantile(sample, q) for sample in samples]) for q in (0.05, 0.95))
        exact = np.array([spread(float(epsilon), people) for epsilon in LOSSES])
        ax.fill_between(LOSSES, low, high, alpha=0.25, label="nine in ten surveys")
        ax.plot(LOSSES, [sample.mean() for sample in samples], label="their average")
        for side in (-exact, exact):
            name = "truth ± exact deviation" if side[0] > 0 else None
            ax.plot(LOSSES, SHARE + side, "--", color=LIGHT.ink, lw=1.5, label=name)
        far = 2.2 * exact.max()
        ax.set(title=f"N = {people:,}", xlabel="loss ε", ylim=(SHARE - far, SHARE + far))
        ax.set(ylabel="estimated share, truth .3")
    axes[-1].legend(fontsize=11)


def corners() -> dict[str, tuple[float, float]]:
    """Give loss and variance at the four corners of the printed rectangle."""
    mechanism = ak.Abstain(truth=TRUTH, lie=LIE)
    worst = ak.design.walley_price(mechanism, SHARE, REPORTS)
    best = ak.design.hopeful_price(mechanism, SHARE, REPORTS)
    high, low = (math.log(corner.loss.value) for corner in (worst, best))
    return {
        "εᵂ, νᵂ": (high, worst.variance),
        "εᴼ, νᴼ": (low, best.variance),
        "εᵂ, νᴼ: λ = 1": (high, best.variance),
        "εᴼ, νᵂ: λ = 0": (low, worst.variance),
    }


def curve(steps: int = 100) -> list[tuple[float, float]]:
    """Give loss and variance of Q_λ, λ from 0 to 1."""
    points = []
    for i in range(steps + 1):
        mechanism = ak.mechanisms.Redistribute(truth=TRUTH, lie=LIE, share=f"{i}/{steps}")
        price = ak.design.resolved_price(mechanism, SHARE, REPORTS)
        points.append((math.log(price.loss.value), price.variance))
    return points


def figure_5(run: Run) -> None:
    """Draw the rectangle, its corners and the curve that is attained."""
    with run.figure(1.5, 1.2) as figure:
        _rectangle(figure.subplots())


def _rectangle(ax: Any) -> None:
    ax.plot(*np.array(curve()).T, color=LIGHT.accent, label="all Q_λ")
    for (name, point), mark in zip(corners().items(), ("x", "+", "o", "s"), strict=True):
        ax.plot(*point, mark, color=LIGHT.ink, label=name)
    (left_loss, low), (right, high) = corners()["εᴼ, νᴼ"], corners()["εᵂ, νᵂ"]
    ax.fill(
        [left_loss, right, right, left_loss], [low, low, high, high], color=LIGHT.panel, zorder=0
    )
    ax.set(xlabel="loss ε", ylabel=f"variance ν of the share, n = {REPORTS}")
    ax.legend(fontsize=11)
