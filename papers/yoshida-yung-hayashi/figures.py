"""Figures 2 and 3: the most information, and the fastest test, at a bounded advantage.

Figure 2 shows the largest Fisher information for two reports (both branches, with θ₀) and for three
and more, and what Warner's design reaches at the same advantage. Figure 3 shows the largest
Chernoff exponent between two prevalences, and those of rivals. Bounds and scales are ours.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

import askance as ak
from askance.present.svg import save

SHARES = np.linspace(0.01, 0.99, 99)
DELTA, WEIGHT = "1/4", "2/5"
FRAME = ak.Frame(["yes", "no"])


def figure_2(ax: Any) -> Any:
    """Draw the largest information by prevalence."""
    three = ak.yoshida_pair(DELTA, weight=WEIGHT)
    best = [float(three.information(share)) for share in SHARES]
    two = [
        float(ak.yoshida_pair(DELTA, weight=WEIGHT, prevalence=share, reports=2).information(share))
        for share in SHARES
    ]
    rival = ak.Warner(truth="5/8").channel(FRAME)  # ‖0.6 p₀ − 0.4 p₁‖ = 2 · 5/8 − 1
    ax.plot(SHARES, best, label="three reports and more")
    ax.plot(SHARES, two, label="two reports")
    ax.plot(SHARES, [ak.fisher_information(rival, share) for share in SHARES], label="Warner")
    switch = float(ak.switch_prevalence(DELTA, weight=WEIGHT))
    ax.axvline(switch, linestyle=":", color="0.5", label="θ₀")
    ax.set(yscale="log", xlabel="prevalence θ", ylabel="Fisher information of one report")
    ax.legend(fontsize="small")
    return ax


def figure_3(ax: Any, first: float = 0.2) -> Any:
    """Draw the largest exponent between a prevalence of one fifth and another."""
    rivals = {
        "truth or silence (the maximum)": ak.yoshida_pair(DELTA).channel(FRAME),
        "both bounds, ε = 1": ak.joint_pair(DELTA, 1).channel(FRAME),
        "Warner": ak.Warner(truth="5/8").channel(FRAME),
    }
    for name, channel in rivals.items():
        ax.plot(SHARES, [exponent(channel, first, share) for share in SHARES], label=name)
    ax.set(yscale="log", ylim=(1e-6, 1), xlabel="θ₂, against θ₁ = 0.2", ylabel="Chernoff exponent")
    ax.legend(fontsize="small")
    return ax


def exponent(channel: ak.Channel, first: float, second: float) -> float:
    """Give the Chernoff exponent between two prevalences."""
    laws = (np.array([share, 1 - share]) @ channel.matrix for share in (first, second))
    return max(ak.chernoff(*laws).exponent, 1e-12)


def main(folder: Path) -> None:
    """Write both figures."""
    from matplotlib.figure import Figure

    for name, draw in (("figure-2", figure_2), ("figure-3", figure_3)):
        figure = Figure(figsize=(6, 4), layout="constrained")
        draw(figure.subplots())
        save(figure, folder / f"{name}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
