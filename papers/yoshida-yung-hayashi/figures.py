"""Figures 2 and 3, and one of ours: the most information, and the fastest test, under a bound.

Figure 2 shows the largest Fisher information for three reports and more (solid) and for two
(dashed) at δ = 1/4, for the weights w = 1/2 and 2/5, and what Warner's design reaches there.
Figure 3 shows the largest relative entropy between two prevalences (Corollary 1, s = 0) at the same
bounds, its surface by lines of equal height. `chernoff` is not in the paper: the largest Chernoff
exponent from a prevalence of one fifth, and those of rivals.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

import askance as ak
from askance.present.figures import save

SHARES = np.linspace(0.01, 0.99, 99)
DELTA, WEIGHTS = "1/4", ("1/2", "2/5")
FRAME = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="5/8").channel(FRAME)  # at both weights its advantage is 2 · 5/8 − 1 = δ


def figure_2(axes: Any) -> Any:
    """Draw the largest information by prevalence, a panel for each weight."""
    for ax, weight in zip(axes, WEIGHTS, strict=True):
        three = ak.design.yoshida_pair(DELTA, first_weight=weight)
        two = [
            ak.design.yoshida_pair(
                DELTA, first_weight=weight, prevalence=share, reports=2
            ).information(share)
            for share in SHARES
        ]
        ax.plot(SHARES, [float(three.information(at)) for at in SHARES], label="three reports")
        ax.plot(SHARES, np.array(two, dtype=float), "--", color="tab:red", label="two reports")
        warner = [ak.inference.fisher_information(WARNER, at) for at in SHARES]
        ax.plot(SHARES, warner, ":", color="0.4", label="Warner")
        switch = float(ak.design.switch_prevalence(DELTA, first_weight=weight))
        ax.axvline(switch, linestyle=":", color="0.7", label="θ₀")
        ax.set(title=f"δ = {DELTA}, w = {weight}", yscale="log", xlabel="prevalence θ")
    axes[0].set(ylabel="Fisher information of one report")
    axes[0].legend(fontsize="small")
    return axes


def entropy(first: float, second: float, weight: str) -> float:
    """Give the largest relative entropy between two prevalences."""
    return ak.inference.relative_entropy(*laws(best(weight), first, second))


def best(weight: str) -> ak.Channel:
    """Give the channel of Theorem 3."""
    return ak.design.yoshida_pair(DELTA, first_weight=weight).channel(FRAME)


def laws(channel: ak.Channel, first: float, second: float) -> list[Any]:
    """Give the laws of a report at two prevalences."""
    return [np.array([share, 1 - share]) @ channel.matrix for share in (first, second)]


def figure_3(axes: Any) -> Any:
    """Draw the largest relative entropy over both prevalences, a panel for each weight."""
    heights = [0.001, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1]
    at = SHARES[::2]
    for ax, weight in zip(axes, WEIGHTS, strict=True):
        channel = best(weight)
        drawn = [[ak.inference.relative_entropy(*laws(channel, x, y)) for x in at] for y in at]
        ax.contourf(at, at, drawn, levels=[0, *heights, 3], cmap="Blues", vmax=1.2)
        lines = ax.contour(at, at, drawn, levels=heights, colors="0.2", linewidths=0.7)
        ax.clabel(lines, fontsize="x-small", fmt="%g")
        ax.set(title=f"δ = {DELTA}, w = {weight}", xlabel="θ₁", ylabel="θ₂", aspect="equal")
    return axes


def chernoff(axes: Any, first: float = 0.2) -> Any:
    """Draw the largest exponent between a prevalence of one fifth and another."""
    (ax,) = axes
    rivals = {
        "truth or silence (the maximum)": best("1/2"),
        "both bounds, ε = 1": ak.design.joint_pair(DELTA, 1).channel(FRAME),
        "Warner": WARNER,
    }
    for name, channel in rivals.items():
        ax.plot(SHARES, [exponent(channel, first, share) for share in SHARES], label=name)
    ax.set(yscale="log", ylim=(1e-6, 1), xlabel="θ₂, against θ₁ = 0.2", ylabel="Chernoff exponent")
    ax.legend(fontsize="small")
    return axes


def exponent(channel: ak.Channel, first: float, second: float) -> float:
    """Give the Chernoff exponent between two prevalences."""
    return max(ak.inference.chernoff(*laws(channel, first, second)).exponent, 1e-12)


def main(folder: Path) -> None:
    """Write the three figures."""
    from matplotlib.figure import Figure

    for draw, panels in ((figure_2, 2), (figure_3, 2), (chernoff, 1)):
        figure = Figure(figsize=(9, 4) if panels > 1 else (6, 4), layout="constrained")
        draw(figure.subplots(1, panels, squeeze=False)[0])
        save(figure, folder / f"{draw.__name__.replace('_', '-')}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
