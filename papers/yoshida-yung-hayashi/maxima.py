"""Figures 1 to 3, and one of ours: the most information, and the fastest test, under a bound.

Figure 1 shows how the share is estimated, with the chances of the best pair at δ = 1/4.
Figure 2 shows the largest Fisher information for three reports and more (solid) and for two
(dashed) at δ = 1/4, for the weights w = 1/2 and 2/5, and what Warner's design reaches there.
Figure 3 shows the largest relative entropy between two prevalences (Corollary 1, s = 0) at the same
bounds, its surface by lines of equal height. `chernoff` is not in the paper: the largest Chernoff
exponent from a prevalence of one fifth, and those of rivals.
"""

from typing import Any

import numpy as np
from remaking import Run, flow, logarithmic

import askance as ak
from askance.present.figures import LIGHT

SHARES = np.linspace(0.01, 0.99, 99)
DELTA, WEIGHTS = "1/4", ("1/2", "2/5")
FRAME = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="5/8").channel(FRAME)  # at both weights its advantage is 2 · 5/8 − 1 = δ


def figure_1(run: Run) -> None:
    """Draw how the share is estimated, with the best pair at w = 1/2."""
    rows = (", ".join(f"{chance:g}" for chance in row) for row in best("1/2").matrix)
    chances = "\n".join(f"p{index}: {row}" for index, row in zip("₀₁", rows, strict=True))
    with run.figure(2, 0.42) as figure:
        flow(
            figure.subplots(),
            ("share θ", "X, one\nor the other", "Y, by p₀\nor by p₁", "θ̂, the\nmost likely"),
            ("of all people", "each has one", chances, "variance 1/(n J)"),
        )


def figure_2(run: Run) -> None:
    """Draw the largest information by prevalence, a panel for each weight."""
    with run.figure(2, 0.95) as figure:
        _information(figure.subplots(1, 2))


def _information(axes: Any) -> None:
    for ax, weight in zip(axes, WEIGHTS, strict=True):
        three = ak.design.yoshida_pair(DELTA, first_weight=weight)
        two = [
            ak.design.yoshida_pair(
                DELTA, first_weight=weight, prevalence=share, reports=2
            ).information(share)
            for share in SHARES
        ]
        ax.plot(
            SHARES, [float(three.information(share)) for share in SHARES], label="three reports"
        )
        ax.plot(SHARES, np.array(two, dtype=float), "--", color=LIGHT.mark, label="two reports")
        warner = [ak.inference.fisher_information(WARNER, share) for share in SHARES]
        ax.plot(SHARES, warner, ":", color=LIGHT.quiet, label="Warner")
        switch = float(ak.design.switch_prevalence(DELTA, first_weight=weight))
        ax.axvline(switch, linestyle="-.", color=LIGHT.tint, label="θ₀")
        ax.set(title=f"δ = {DELTA}, w = {weight}", xlabel="prevalence θ")
        logarithmic(ax, (0.2, 0.5, 1, 2, 5, 10, 20))
    axes[0].set(ylabel="Fisher information of one report")
    axes[0].legend(fontsize=11)


def entropy(first: float, second: float, weight: str) -> float:
    """Give the largest relative entropy between two prevalences."""
    return ak.inference.relative_entropy(*laws(best(weight), first, second))


def best(weight: str) -> ak.Channel:
    """Give the channel of Theorem 3."""
    return ak.design.yoshida_pair(DELTA, first_weight=weight).channel(FRAME)


def laws(channel: ak.Channel, first: float, second: float) -> list[Any]:
    """Give the laws of a report at two prevalences."""
    return [np.array([share, 1 - share]) @ channel.matrix for share in (first, second)]


def figure_3(run: Run) -> None:
    """Draw the largest relative entropy over both prevalences, a panel for each weight."""
    with run.figure(2, 1.15) as figure:
        _entropies(figure.subplots(1, 2))


def _entropies(axes: Any) -> None:
    heights = [0.001, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1]
    shares = SHARES[::2]
    for ax, weight in zip(axes, WEIGHTS, strict=True):
        channel = best(weight)
        divergences = [
            [ak.inference.relative_entropy(*laws(channel, x, y)) for x in shares] for y in shares
        ]
        ax.contourf(shares, shares, divergences, levels=[0, *heights, 3], cmap="Blues", vmax=1.2)
        lines = ax.contour(
            shares, shares, divergences, levels=heights, colors="0.2", linewidths=0.7
        )
        ax.clabel(lines, fontsize="x-small", fmt="%g")
        ax.set(title=f"δ = {DELTA}, w = {weight}", xlabel="θ₁", ylabel="θ₂", aspect="equal")


def chernoff(run: Run) -> None:
    """Draw the largest exponent between a prevalence of one fifth and another."""
    with run.figure(1.5, 1) as figure:
        _exponents(figure.subplots())


def _exponents(ax: Any, first: float = 0.2) -> None:
    rivals = {
        "truth or silence (the maximum)": best("1/2"),
        "both bounds, ε = 1": ak.design.joint_pair(DELTA, 1).channel(FRAME),
        "Warner": WARNER,
    }
    for name, channel in rivals.items():
        ax.plot(SHARES, [exponent(channel, first, share) for share in SHARES], label=name)
    ax.set(xlabel="θ₂, against θ₁ = 0.2", ylabel="Chernoff exponent")
    logarithmic(ax, (0.0001, 0.001, 0.01, 0.1, 1))
    ax.set(ylim=(0.0001, 1))
    ax.legend(fontsize=11)


def exponent(channel: ak.Channel, first: float, second: float) -> float:
    """Give the Chernoff exponent between two prevalences."""
    return max(ak.inference.chernoff(*laws(channel, first, second)).exponent, 1e-12)
