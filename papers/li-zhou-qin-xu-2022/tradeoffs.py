"""Figures 1 and 4: what a test of two answers can do, and what bounds it.

Figure 1, for Shafer's loss, shows the region between u and U for one report and between u² and U²
for two, at ε = 1. Figure 4, for Walley's, shows the 2 × 3 mechanism with p = .6 and q = .1, whose
loss is ln 9: what the pessimist, the optimist and the attacker make of one reply and the pessimist
of two, between the bounds of Theorem 18 and Corollary 19. The printed constant of U² is dashed.
"""

import math
from typing import Any

import numpy as np
from remaking import Run

import askance as ak
from askance.present.figures import LIGHT

ALPHAS = np.linspace(0, 1, 501)


def printed_ceiling(epsilon: float) -> Any:
    """Give U² with the constant as printed, (3 − e^(−2ε)) / (1 + e^ε)."""
    e = math.exp(epsilon)
    middle = (3 - math.exp(-2 * epsilon)) / (1 + e) - ALPHAS
    return np.clip(
        np.minimum(ak.privacy.error_ceiling(epsilon, times=2).beta(ALPHAS), middle), 0, 1
    )


def from_warner(channel: ak.Channel) -> ak.Channel:
    """Make a channel for two answers of Warner's reply at the same loss, changed as a message.

    The chances of each new message given a reply solve two equations; they are not negative
    exactly where no ratio of the channel's chances exceeds Warner's.
    """
    ratio = ak.privacy.shafer_loss(channel).value
    truth = ratio / (ratio + 1)
    warner = ak.Warner(truth=truth).channel(channel.frame)
    first, other = (channel.table.row(x) for x in (0, 1))
    kernel = {
        reply: {
            name: (truth * same - (1 - truth) * cross) / (2 * truth - 1)
            for name, same, cross in zip(channel.reports, *rows, strict=True)
        }
        for reply, rows in zip(warner.reports, ((first, other), (other, first)), strict=True)
    }
    meant = {
        name: channel.output.names(mask)
        for name, mask in zip(channel.reports, channel.meanings, strict=True)
    }
    shafer = ak.channels.Reading.SHAFER
    return ak.channels.post_process(warner, kernel, meant, reading=shafer, output=channel.output)


def figure_1(run: Run) -> None:
    """Draw the bounds for one report and for two."""
    with run.figure(1.5, 1.3) as figure:
        _shafer(figure.subplots())


def _shafer(ax: Any, epsilon: float = 1.0) -> None:
    for times, colour in ((1, LIGHT.accent), (2, LIGHT.mark)):
        floor, ceiling = (
            ak.privacy.error_floor(epsilon, times),
            ak.privacy.error_ceiling(epsilon, times),
        )
        for curve, name in ((floor, "u"), (ceiling, "U")):
            label = name if times == 1 else f"{name}²"
            style = "-" if name == "u" else "-."
            _plot(curve, ax, style, colour, label)
    ax.plot(ALPHAS, printed_ceiling(epsilon), ":", color=LIGHT.ink, label="U² as printed")
    ax.legend(fontsize=11)


def _plot(
    curve: ak.privacy.TradeoffFunction, ax: Any, style: Any, colour: str, label: str = ""
) -> None:
    """Draw a curve in a style of its own."""
    before = len(ax.lines)
    curve.plot(ax, color=colour, label=label)
    for line in ax.lines[before:]:
        line.set(linestyle=style, label=label or "_hidden")


def figure_4(run: Run) -> None:
    """Draw replies in the views of Walley's loss, and the bounds for it."""
    with run.figure(1.5, 1.5) as figure:
        _walley(figure.subplots())


def _walley(ax: Any) -> None:
    q = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
    for view in (ak.privacy.View.PESSIMISTIC, ak.privacy.View.OPTIMISTIC, ak.privacy.View.ATTACKER):
        ak.privacy.tradeoff(q, "yes", "no", view=view).plot(ax, label=view.name.lower())
    two = ak.privacy.tradeoff(
        ak.channels.two_reports(q, q), "yes", "no", view=ak.privacy.View.PESSIMISTIC
    )
    _plot(two, ax, "-.", LIGHT.accent, "pessimistic, two")
    epsilon = ak.privacy.walley_loss(q).epsilon
    for times, style, label in ((1, ":", "u and U"), (2, (0, (6, 2)), "u² and U²")):
        _plot(ak.privacy.error_floor(epsilon, times), ax, style, LIGHT.ink, label)
        _plot(ak.privacy.error_ceiling(epsilon, times), ax, style, LIGHT.ink)
    ax.plot(ALPHAS, printed_ceiling(epsilon), "--", color=LIGHT.mark, label="U² as printed")
    ax.legend(fontsize=11, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1))
