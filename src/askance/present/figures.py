"""Figures of what was learnt: shares with intervals, a cumulative curve, how much was revealed.

Each is the figure of the result's own ``plot``, in the house style and laid out for a narrow page.
An upright mark is the truth in the data and nothing else; an average is a triangle on the axis.
"""

from collections.abc import Mapping
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from askance.estimators.line.band import SHARES
from askance.estimators.line.line import LineEstimate
from askance.estimators.shares.estimate import Estimate
from askance.present.style import LIGHT, WIDTH
from askance.present.wording import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TRUTH = "the truth in the data"
"""What an upright mark is, in every figure."""

_ROW, _FOOT, _HEIGHT, _KEY = 46, 33, 0.24, 26
_TRIANGLE = 9
_TRUE: Mapping[str, Any] = {"color": LIGHT.mark, "lw": 2.4, "zorder": 6}
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
    figure, ax = _sheet(rows * _ROW + _FOOT, left=9, bottom=_FOOT, key=TRUTH if known else "")
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
            ax.vlines(known[label], row - 0.2, row + 0.2, **_TRUE)
    return figure


def curve_figure(estimate: LineEstimate, truth: Mapping[str, float] | None = None) -> "Figure":
    """Draw the share of people at or below each number, with its band.

    The true quantiles of a rehearsal are lines across the curve.

    >>> import askance as ak
    >>> from askance.present.style import house_style
    >>> ages = ak.RangeChannel(ak.Line(17, 21, 1, "years"), [1, 1, 1])
    >>> sent = ak.Ranges([-np.inf, 19], [19, np.inf], weights=[60, 40])
    >>> with house_style():
    ...     curve_figure(ak.estimate_line(ages, sent)).axes[0].get_xlabel()
    'years'
    """
    known = {p: truth[name] for p, name in SHARES.items() if truth and name in truth}
    figure, ax = _sheet(270, left=58, bottom=52, key=TRUTH if known else "")
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
    for p, value in known.items():
        ax.vlines(value, p - 0.06, p + 0.06, **_TRUE)
    return figure


def coverage_figure(estimate: LineEstimate) -> "Figure":
    """Draw how many reports left how large a share of all people possible.

    A report far to the left says much about its sender; one far to the right says little. The
    triangle is the average.

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
    average = f"average: {share(estimate.average_coverage)}"
    left = max(58, _DIGIT * len(most) + 10)
    figure, ax = _sheet(190, left=left, bottom=52, key=average, marker="^")
    estimate.plot_coverage(ax=ax)
    dress_histogram(ax)
    ax.set(xlabel="share of people the report leaves possible", ylabel="")
    ax.xaxis.set_major_formatter(_percent)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.locator_params(axis="y", nbins=4, integer=True)
    ax.grid(axis="y")
    return figure


def dress_histogram(ax: "Axes") -> None:
    """Give bars the tint of what was estimated, and the average the colour of ink."""
    for bar in ax.patches:
        bar.set(facecolor=LIGHT.tint, edgecolor=LIGHT.accent, linewidth=1)
    for line in ax.lines:
        line.set(color=LIGHT.ink, markersize=_TRIANGLE)


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


def _sheet(
    height: int, left: int, bottom: int, *, key: str = "", marker: str = "|"
) -> tuple["Figure", "Axes"]:
    """Lay out a figure: the axes, and above them what its mark means."""
    from matplotlib.figure import Figure

    whole = height + _KEY * bool(key)
    figure = Figure(figsize=(WIDTH / 72, whole / 72))
    figure.patch.set_visible(False)
    ax = figure.add_axes(
        (left / WIDTH, bottom / whole, 1 - (left + 22) / WIDTH, (height - bottom - 8) / whole)
    )
    ax.patch.set_visible(False)
    ax.tick_params(length=0)
    if key:
        _explain(figure, key, marker, left / WIDTH, 1 - _KEY / 2 / whole)
    return figure, ax


def _explain(figure: "Figure", key: str, marker: str, x: float, y: float) -> None:
    from matplotlib.lines import Line2D

    mark = Line2D([x + 6 / WIDTH], [y], marker=marker, color=LIGHT.ink, markersize=_TRIANGLE)
    if marker == "|":
        mark.set(color=LIGHT.mark, markersize=15, markeredgewidth=2.4)
    figure.add_artist(mark)
    figure.text(x + 18 / WIDTH, y, key, va="center_baseline", color=LIGHT.quiet)
