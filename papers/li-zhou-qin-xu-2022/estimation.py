"""Figures 2, 3 and 5: what the variance of the estimated share depends on.

Figure 2 goes with Corollary 11: variance against the chance q of a lie at p = .6, for few reports,
with the figure by the printed Theorem 10 dashed and by Grab and Savage's approximation dotted.
Figure 3 goes with Corollary 12: variance against Shafer's loss, for several chances c of naming an
answer at all. Figure 5 shows the four corners of loss and variance when nobody knows how "don't
know" was resolved, and the curve of all Q_λ between two of them.
"""

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

import askance as ak
from askance.present.svg import save

SHARE = 0.3
TRUTH, LIE, REPORTS = "3/5", "1/10", 50


def printed_variance(lie: float, n: int, truth: float = 0.6) -> float:
    """Give Theorem 10's variance as printed: without the division by P(N > 0)."""
    named = 1 - (1 - truth - lie) ** n
    return ak.truth_lie_variance(SHARE, truth, lie, n) * named


def approximate_variance(lie: float, n: int, truth: float = 0.6) -> float:
    """Give the variance by Grab and Savage's approximation."""
    exact = ak.mean_inverse(n, truth + lie)
    return ak.truth_lie_variance(SHARE, truth, lie, n) * ak.grab_savage(n, truth + lie) / exact


def figure_2(ax: Any) -> Any:
    """Draw the variance against the chance of a lie."""
    lies = np.linspace(0, 0.38, 77)
    for n, colour in ((1, "tab:blue"), (2, "tab:orange"), (10, "tab:green")):
        for draw, style, name in (
            (lambda q, n=n: ak.truth_lie_variance(SHARE, 0.6, q, n), "-", f"n = {n}"),
            (lambda q, n=n: printed_variance(q, n), "--", None),
            (lambda q, n=n: approximate_variance(q, n), ":", None),
        ):
            ax.plot(lies, [draw(float(q)) for q in lies], style, color=colour, label=name)
    ax.plot([], [], "--", color="0.5", label="Theorem 10 as printed")
    ax.plot([], [], ":", color="0.5", label="Grab and Savage")
    ax.set(yscale="log", xlabel="chance q of a lie, p = .6", ylabel="variance ν of the share")
    return _finished(ax)


def figure_3(ax: Any) -> Any:
    """Draw the variance against the loss, by the chance of naming an answer."""
    epsilons = np.linspace(0.25, 4, 76).round(3)
    for answered in ("1/2", "7/10", "9/10", "1"):
        recipes = [ak.Abstain.at_epsilon(float(e), answered=answered) for e in epsilons]
        variances = [ak.shafer_price(one, SHARE, REPORTS).variance for one in recipes]
        ax.plot(epsilons, variances, label=f"c = {answered}")
    ax.set(yscale="log", xlabel="Shafer's loss ε", ylabel=f"variance ν of the share, n = {REPORTS}")
    return _finished(ax)


def corners() -> dict[str, tuple[float, float]]:
    """Give loss and variance at the four corners of the printed rectangle."""
    mechanism = ak.Abstain(truth=TRUTH, lie=LIE)
    worst = ak.walley_price(mechanism, SHARE, REPORTS)
    best = ak.hopeful_price(mechanism, SHARE, REPORTS)
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
        made = ak.Redistribute(truth=TRUTH, lie=LIE, share=f"{at}/{steps}")
        price = ak.resolved_price(made, SHARE, REPORTS)
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
    """Write the three figures."""
    from matplotlib.figure import Figure

    for name, draw in (("figure-2", figure_2), ("figure-3", figure_3), ("figure-5", figure_5)):
        figure = Figure(figsize=(5, 4), layout="constrained")
        draw(figure.subplots())
        save(figure, folder / f"{name}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
