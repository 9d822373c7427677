"""Figures 1, 2, 4 and 6 to 9: how ranges are asked for, and from which of them F can be learnt.

The paper draws them without numbers. Here the ranges are real reports: people with fixed numbers
answer through the library's channels, with a fixed seed.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from remaking import Run, flow
from scipy.linalg import null_space

import askance as ak
from askance.present.figures import LIGHT

SALARY = ak.Line(0, 100, 5)
PEOPLE = (8.0, 27.0, 52.0)
TIMES, SEED = 6, 6
TEN = ak.Line(0, 10, 1)
FLOOR = "3/10"
Y1, Y2, Y3 = 1.0, 2.0, 3.0
UNION = ak.Ranges.unions([((-np.inf, Y2),), ((-np.inf, Y1), (Y3, np.inf))])
"""The two ranges of figure 8."""


def figure_1(run: Run) -> None:
    """Draw how a number becomes a range that is collected."""
    with run.figure(2, 0.42) as figure:
        flow(
            figure.subplots(),
            (
                "people,\na number each",
                "the device\ndraws cuts",
                "a range,\nand it is true",
                "estimates",
            ),
            ("stays there", "for each anew", "is all that is sent", "of F, means, lines"),
        )


def figure_2(run: Run) -> None:
    """Draw how everybody is asked in another way."""
    with run.figure(2, 0.42) as figure:
        flow(
            figure.subplots(),
            (
                "a survey",
                "cuts of her own",
                "choices\non her screen",
                "the range,\nor further cuts",
            ),
            ("one for all", "by chance", "another for each", "as far as she likes"),
        )


def _choices(ax: Any, title: str, question: str, choices: Sequence[str]) -> None:
    """Draw a question as a respondent sees it."""
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.axis("off")
    ax.set_title(title, fontsize=14)
    ax.text(0.02, 0.86, question, fontsize=13.5, va="center")
    for row, choice in enumerate(choices):
        high = 0.64 - 0.2 * row
        ax.plot(0.08, high, "o", markersize=9, fillstyle="none", color=LIGHT.accent)
        ax.text(0.16, high, choice, fontsize=13.5, va="center", color=LIGHT.ink)


def figure_4(run: Run) -> None:
    """Draw three ways to ask about a salary, with cuts that were drawn."""
    first, second, third = np.random.default_rng(SEED).choice(
        np.arange(20, 90, 5), 3, replace=False
    )
    low, high = sorted((int(first), int(third)))
    with run.figure(2.1, 0.6) as figure:
        axes = figure.subplots(1, 3)
        text = f"Is your salary above {first} k?"
        _choices(axes[0], "a) mandatory", text, ("yes", "no"))
        text = f"Is your salary above {second} k?"
        _choices(axes[1], "b) opt-in", text, ("yes", "no", "I do not say"))
        further = f"up to {low} k, or between {low} and {high} k"
        text = f"It is up to {high} k. Further?"
        _choices(axes[2], "c) progressive opt-in", text, (*further.split(", or "), "stop here"))


def _draw_reports(ax: Any, channel: Any) -> None:
    """Draw the ranges that three people send, six times each, and their numbers."""
    numbers = np.repeat(PEOPLE, TIMES)
    reports = ak.privatise(channel, numbers, rng=SEED, name="salary")
    of = np.repeat(np.arange(len(reports)), np.diff(reports.starts))
    ends = np.clip([reports.lower, reports.upper], SALARY.lower, SALARY.upper)
    ax.hlines(of, *ends, color=LIGHT.mark, linewidth=2.5, label="what is sent")
    ax.plot(numbers, np.arange(len(numbers)), ".", color=LIGHT.accent, label="the number")
    ax.set(xlabel="thousand", ylim=(len(numbers) + 3.5, -1), xlim=(0, 100))
    ax.set_yticks([])
    ax.legend(fontsize=11, ncols=2, loc="lower center")


def figure_6(run: Run) -> None:
    """Draw the ranges of two cuts, and the choices that one draw puts on a screen."""
    with run.figure(2, 0.9) as figure:
        left_axes, right = figure.subplots(1, 2)
        _draw_reports(left_axes, ak.Cuts(number=2).channel(SALARY))
        left_axes.set_title("a) ranges between cuts", fontsize=14)
        choices = ("up to 41 k", "41 k to 85 k", "above 85 k", "exactly: ______")
        _choices(right, "b) on a screen", "What is your salary?", choices)


def figure_7(run: Run) -> None:
    """Draw the same of a ring, where the outer two ranges are one."""
    with run.figure(2, 0.9) as figure:
        left_axes, right = figure.subplots(1, 2)
        _draw_reports(left_axes, ak.Ring(floor=FLOOR, number=2).channel(SALARY))
        left_axes.set_title("a) ranges on a ring", fontsize=14)
        choices = ("41 k to 85 k", "up to 41 k, or above 85 k")
        _choices(right, "b) on a screen", "What is your salary?", choices)


def figure_8(run: Run) -> None:
    """Draw two ranges, and where the most likely distribution puts its mass."""
    fit = ak.npmle(UNION)
    with run.figure(1.5, 0.7) as figure:
        ax = figure.subplots()
        for row, pieces in enumerate((((0, Y2),), ((0, Y1), (Y3, 4)))):
            for low, high in pieces:
                ax.hlines(1 - row, low, high, color=LIGHT.mark, linewidth=3)
        for low, high in zip(fit.lower, fit.upper, strict=True):
            ax.axvspan(max(low, 0), min(high, 4), color=LIGHT.tint, zorder=0)
        ax.set_yticks([1, 0], ["first range", "second range"])
        ax.set_xticks([Y1, Y2, Y3], ["y₁", "y₂", "y₃"])
        ax.set(xlim=(0, 4), ylim=(-0.7, 1.7))


def designs() -> dict[str, Any]:
    """Give the two designs of figure 9, both with a floor of .3."""
    return {
        "a) cuts with a floor": ak.Progressive(number=3, floor=FLOOR).channel(TEN),
        "b) a ring with a floor": ak.Ring(floor=FLOOR, number=2).channel(TEN),
    }


def unidentified_steps(channel: Any) -> list[tuple[int, int]]:
    """Give runs of steps whose own shares no number of reports tells: those of a null vector."""
    ends = channel.cells()[0]
    steps = np.arange(TEN.ticks)
    inside = np.array(
        [channel.range_probabilities(ends, (steps == step).astype(float)) for step in steps]
    ).T
    vectors = null_space(inside)
    within = np.abs(vectors).max(axis=1, initial=0) > 1e-9
    edges = np.flatnonzero(np.diff(np.concatenate([[False], within, [False]]).astype(int)))
    return [(int(low), int(high)) for low, high in edges.reshape(-1, 2)]


def figure_9(run: Run) -> None:
    """Draw where F can be learnt, and where it stays open."""
    with run.figure(2, 0.6) as figure:
        for ax, (title, channel) in zip(figure.subplots(1, 2), designs().items(), strict=True):
            ax.hlines(0, 0, 10, color=LIGHT.accent, linewidth=5)
            for low, high in unidentified_steps(channel):
                ax.hlines(0, low, high, color=LIGHT.mark, linewidth=5)
                ax.text((low + high) / 2, 0.25, "open", ha="center", fontsize=11)
            ax.set_title(title, fontsize=14)
            ax.set(xlim=(0, 10), ylim=(-0.6, 0.8), xlabel="y")
            ax.set_yticks([])
