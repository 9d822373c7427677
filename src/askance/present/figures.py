"""Figures of what was learnt: shares with intervals, a cumulative curve, how much was revealed.

Each is the figure of the result's own ``plot``, in the house style and laid out for a narrow page.
"""

from collections.abc import Mapping
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np

from askance.estimators.line.line import LineEstimate
from askance.estimators.shares.estimate import Estimate
from askance.present.style import LIGHT, WIDTH
from askance.present.wording import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW, _FOOT, _HEIGHT = 46, 33, 0.24
_LONGEST = 44
_WIDE, _DIGIT = 340, 8


def shares_figure(estimate: Estimate, truth: Mapping[str, float] | None = None) -> "Figure":
    """Draw a share per answer as a bar with its interval, labels above so that long ones fit.

    Parameters
    ----------
    estimate : Estimate
    truth : mapping of str to float, optional
        Shares known from a rehearsal, drawn as a line across the bar.

    >>> import askance as ak
    >>> from askance.present.style import house_style
    >>> plain = ak.Warner(truth=1).channel(ak.Frame(["yes", "no"]))
    >>> with house_style():
    ...     figure = shares_figure(ak.estimate(ak.Tally(plain, {"yes": 20, "no": 80})))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['yes', '20.0 %', 'no', '80.0 %']
    """
    rows, known = len(estimate.labels), dict(truth or {})
    figure, ax = _sheet(rows * _ROW + _FOOT, left=9, bottom=_FOOT)
    estimate.plot(ax=ax)
    for row, bar in enumerate(ax.patches):
        bar.set(y=row - _HEIGHT / 2, height=_HEIGHT)
    widest = max(0.02, *np.nan_to_num(estimate.upper, nan=1.0), *known.values())
    ax.set(xlim=(0, min(1.0, 1.12 * widest)), ylim=(rows - 0.7, -0.72), ylabel="", xlabel="")
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.xaxis.set_major_formatter(_percent)
    ax.locator_params(axis="x", nbins=5)
    for row, label in enumerate(estimate.labels):
        _above(ax, row, 0, shorten(label, _LONGEST, placeholder=" …") or label[:_LONGEST])
        _above(ax, row, 1, share(float(estimate.value[row])))
        if label in known:
            ax.vlines(known[label], row - 0.2, row + 0.2, color=LIGHT.mark, lw=2.4, zorder=6)
    return figure


def curve_figure(estimate: LineEstimate, truth: Mapping[str, float] | None = None) -> "Figure":
    """Draw the share of people at or below each number, with its band.

    A rehearsal's true median is a line across the half.

    >>> import askance as ak
    >>> from askance.present.style import house_style
    >>> ages = ak.RangeChannel(ak.Line(17, 21, 1, "years"), [1, 1, 1])
    >>> sent = ak.Ranges([-np.inf, 19], [19, np.inf], weights=[60, 40])
    >>> with house_style():
    ...     curve_figure(ak.estimate_line(ages, sent)).axes[0].get_xlabel()
    'years'
    """
    figure, ax = _sheet(270, left=58, bottom=52)
    estimate.plot(ax=ax)
    for edge in (estimate.band_lower, estimate.band_upper):
        ax.plot(estimate.ticks, edge, color=LIGHT.accent, lw=0.8)
    ax.set(ylim=(0, 1.02), xlabel=estimate.unit, ylabel="")
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    ax.yaxis.set_major_formatter(_percent)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    longest = max(len(f"{end:,.10g}") for end in ax.get_xlim())
    ax.locator_params(axis="x", nbins=min(6, _WIDE // (_DIGIT * longest + 14)))
    ax.grid(axis="y")
    if truth and "median" in truth:
        ax.vlines(truth["median"], 0.44, 0.56, color=LIGHT.mark, lw=2.4, zorder=6)
    return figure


def coverage_figure(estimate: LineEstimate) -> "Figure":
    """Draw how many reports left how large a share of all people possible.

    A report far to the left says much about its sender; one far to the right says little.

    >>> import askance as ak
    >>> from askance.present.style import house_style
    >>> ages = ak.RangeChannel(ak.Line(17, 21, 1, "years"), [1, 1, 1])
    >>> sent = ak.Ranges([-np.inf, 19], [19, np.inf], weights=[60, 40])
    >>> with house_style():
    ...     bars = coverage_figure(ak.estimate_line(ages, sent)).axes[0].patches
    >>> [int(bar.get_height()) for bar in bars if bar.get_height()]
    [40, 60]
    """
    most = f"{estimate.coverage_counts.sum():,.0f}"
    figure, ax = _sheet(190, left=max(58, _DIGIT * len(most) + 10), bottom=52)
    estimate.plot_coverage(ax=ax)
    dress_histogram(ax)
    ax.set(xlabel="share of people the report leaves possible", ylabel="")
    ax.xaxis.set_major_formatter(_percent)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.locator_params(axis="y", nbins=4, integer=True)
    ax.grid(axis="y")
    return figure


def dress_histogram(ax: "Axes") -> None:
    """Give bars the tint of what was estimated, and the upright mean the colour of a mark."""
    for bar in ax.patches:
        bar.set(facecolor=LIGHT.tint, edgecolor=LIGHT.accent, linewidth=1)
    for line in ax.lines:
        line.set(color=LIGHT.mark, linewidth=2.4)


def _percent(value: float, _: object) -> str:
    return f"{round(100 * value, 6):g} %"


def _above(ax: "Axes", row: int, side: int, text: str) -> None:
    ax.annotate(
        text,
        (side, row - 0.24),
        xycoords=("axes fraction", "data"),
        ha="right" if side else "left",
        va="bottom",
        weight="bold" if side else "normal",
        annotation_clip=False,
    )


def _sheet(height: int, left: int, bottom: int) -> tuple["Figure", "Axes"]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH / 72, height / 72))
    figure.patch.set_visible(False)
    frame = (left / WIDTH, bottom / height, 1 - (left + 22) / WIDTH, 1 - (bottom + 8) / height)
    ax = figure.add_axes(frame)
    ax.patch.set_visible(False)
    ax.tick_params(length=0)
    return figure, ax
