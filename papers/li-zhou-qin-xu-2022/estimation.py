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
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import askance as ak
from askance.present.figures import save

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


def corollary_11(ax: Any) -> Any:
    """Draw the variance against the chance of a lie."""
    lies = np.linspace(0, 0.38, 77)
    for n, colour in ((1, "tab:blue"), (2, "tab:orange"), (10, "tab:green")):
        for draw, style, name in (
            (lambda q, n=n: ak.inference.truth_lie_variance(SHARE, 0.6, q, n), "-", f"n = {n}"),
            (lambda q, n=n: printed_variance(q, n), "--", None),
            (lambda q, n=n: approximate_variance(q, n), ":", None),
        ):
            ax.plot(lies, [draw(float(q)) for q in lies], style, color=colour, label=name)
    ax.plot([], [], "--", color="0.5", label="Theorem 10 as printed")
    ax.plot([], [], ":", color="0.5", label="Grab and Savage")
    ax.set(yscale="log", xlabel="chance q of a lie, p = .6", ylabel="variance ν of the share")
    return _finished(ax)


def figure_2(ax: Any) -> Any:
    """Draw the variance against the loss, by the chance of naming an answer."""
    epsilons = np.linspace(0.25, 4, 76).round(3)
    for answered in ("1/2", "7/10", "9/10", "1"):
        recipes = [ak.Abstain.at_epsilon(float(e), answered=answered) for e in epsilons]
        variances = [ak.design.shafer_price(one, SHARE, REPORTS).variance for one in recipes]
        warner = ": Warner" if answered == "1" else ""
        ax.plot(epsilons, variances, label=f"c = {answered}{warner}")
    ax.set(yscale="log", xlabel="Shafer's loss ε", ylabel=f"variance ν of the share, n = {REPORTS}")
    return _finished(ax)


def recipe(epsilon: float) -> ak.Abstain:
    """Give the mechanism of figure 3: "don't know" with chance .1, and this loss."""
    level = ak.Abstain.at_epsilon(epsilon, answered=1 - Fraction(SILENT))
    return level.on(ak.Frame(["yes", "no"]))


def estimates(epsilon: float, people: int, seed: int = 2022) -> Any:
    """Simulate surveys; give their unbiased estimates, of those that heard a yes or a no."""
    channel = recipe(epsilon).channel(ak.Frame(["yes", "no"]))
    yes, no = channel.matrix[:, 0]
    rng = np.random.default_rng([seed, people, round(1000 * epsilon)])
    chances = np.array([SHARE, 1 - SHARE]) @ channel.matrix
    said = rng.multinomial(people, chances, SURVEYS)[:, :2]
    said = said[said.sum(axis=1) > 0]
    return (said[:, 0] / said.sum(axis=1) * (yes + no) - no) / (yes - no)


def spread(epsilon: float, people: int) -> float:
    """Give the exact standard deviation of an estimate."""
    return math.sqrt(ak.design.shafer_price(recipe(epsilon), SHARE, people).variance)


def figure_3(axes: Any) -> Any:
    """Draw the estimates of simulated surveys against the loss, a panel for each size."""
    for ax, people in zip(axes, SIZES, strict=True):
        found = [estimates(float(epsilon), people) for epsilon in LOSSES]
        low, high = (np.array([np.quantile(one, q) for one in found]) for q in (0.05, 0.95))
        exact = np.array([spread(float(epsilon), people) for epsilon in LOSSES])
        ax.fill_between(LOSSES, low, high, alpha=0.25, label="nine in ten surveys")
        ax.plot(LOSSES, [one.mean() for one in found], label="average of 1,000")
        for side in (-exact, exact):
            name = "truth ± exact deviation" if side[0] > 0 else None
            ax.plot(LOSSES, SHARE + side, "--", color="0.3", lw=1, label=name)
        ax.set(title=f"N = {people:,}", xlabel="loss ε", ylim=(-2, 2.6))
    axes[0].set(ylabel="estimated share, truth .3")
    axes[-1].legend(fontsize="small")
    return axes


def corners() -> dict[str, tuple[float, float]]:
    """Give loss and variance at the four corners of the printed rectangle."""
    mechanism = ak.Abstain(truth=TRUTH, lie=LIE)
    worst = ak.design.walley_price(mechanism, SHARE, REPORTS)
    best = ak.design.hopeful_price(mechanism, SHARE, REPORTS)
    high, low = (math.log(one.loss.value) for one in (worst, best))
    return {
        "εᵂ, νᵂ": (high, worst.variance),
        "εᴼ, νᴼ": (low, best.variance),
        "εᵂ, νᴼ: λ = 1": (high, best.variance),
        "εᴼ, νᵂ: λ = 0": (low, worst.variance),
    }


def curve(steps: int = 100) -> list[tuple[float, float]]:
    """Give loss and variance of Q_λ, λ from 0 to 1."""
    points = []
    for at in range(steps + 1):
        made = ak.mechanisms.Redistribute(truth=TRUTH, lie=LIE, share=f"{at}/{steps}")
        price = ak.design.resolved_price(made, SHARE, REPORTS)
        points.append((math.log(price.loss.value), price.variance))
    return points


def figure_5(ax: Any) -> Any:
    """Draw the rectangle, its corners and the curve that is attained."""
    ax.plot(*np.array(curve()).T, color="tab:blue", label="all Q_λ")
    for (name, point), mark in zip(corners().items(), ("x", "+", "o", "s"), strict=True):
        ax.plot(*point, mark, color="0.3", label=name)
    (left, low), (right, high) = corners()["εᴼ, νᴼ"], corners()["εᵂ, νᵂ"]
    ax.fill([left, right, right, left], [low, low, high, high], color="0.93", zorder=0)
    ax.set(xlabel="loss ε", ylabel=f"variance ν of the share, n = {REPORTS}")
    return _finished(ax)


def _finished(ax: Any) -> Any:
    ax.legend(fontsize="small")
    return ax


def main(folder: Path) -> None:
    """Write the four figures."""
    from matplotlib.figure import Figure

    for draw in (figure_2, figure_3, figure_5, corollary_11):
        panels = len(SIZES) if draw is figure_3 else 1
        figure = Figure(figsize=(11, 3.2) if panels > 1 else (5, 4), layout="constrained")
        draw(figure.subplots(1, panels, sharey=True))
        save(figure, folder / f"{draw.__name__.replace('_', '-')}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
