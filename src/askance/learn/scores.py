"""How good predictions are of numbers known as ranges, and of answers known by reports alone."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel, listed_column
from askance.channels.ranges import Ranges, single_numbers
from askance.errors import InputError
from askance.learn.targets import range_target, told_columns, unbiased_weights
from askance.results import doubles, numbers
from askance.typing import Integers


@checked
def concordance(y: Any, predicted: Any) -> float:
    """Concordance (C-index): of pairs ordered beyond doubt, the share predicted in that order.

    A pair counts where one range ends before the other begins; equal predictions count half.

    Parameters
    ----------
    y : Ranges or array, shape (n,) or (n, 2)
    predicted : array_like of shape (n,)

    Raises
    ------
    InputError
        If lengths differ, a prediction is missing, or no pair of ranges is ordered.

    >>> concordance([[0, 1], [1, 3], [2, 5]], [0.2, 2.0, 1.0])
    1.0
    """
    guess = doubles(predicted, "predicted")
    if guess.ndim != 1 or np.isnan(guess).any():
        raise InputError("predicted", got=f"shape {guess.shape}", allowed="n numbers, none missing")
    ranges = _truths(y, len(guess))
    lowest, highest = ranges.lower[ranges.starts[:-1]], ranges.upper[ranges.starts[1:] - 1]
    ends = np.argsort(highest, kind="stable")
    before = np.searchsorted(highest[ends], lowest, side="right")  # ranges that end by its begin
    rank = np.unique(guess, return_inverse=True)[1].astype(np.int64)
    below = _below(rank[ends], before, rank)
    equal = _below(rank[ends], before, rank + 1) - below
    if not before.sum():
        raise InputError("y", got="no two ranges apart", allowed="a pair of which one ends first")
    return float((below.sum() + equal.sum() / 2) / before.sum())


@checked
def interval_score(y: Any, predicted: Any, coverage: float = 0.9) -> tuple[float, float]:
    r"""Bound the mean interval score of predicted intervals, where truths are known as ranges.

    .. math:: (u - l) + \frac{2}{\alpha} (l - y)_+ + \frac{2}{\alpha} (y - u)_+

    at the best and at the worst y that each range leaves possible; less is better. For exact
    numbers both are the score itself.

    Parameters
    ----------
    y : Ranges or array, shape (n,) or (n, 2)
    predicted : array_like of shape (n, 2)
        The predicted intervals, (l, u).
    coverage : float
        What they were meant to cover, 1 − α.

    Returns
    -------
    best, worst : float
        The worst is infinite where a range is unbounded.

    Raises
    ------
    InputError
        If shapes differ, an interval is reversed, or the coverage is not in (0, 1).

    References
    ----------
    Gneiting & Raftery (2007), equation 43.

    >>> interval_score([[2, 2], [4, 6]], [[1, 3], [5, 7]], coverage=0.5)  # worst: 2 + 4·(5 − 4)
    (2.0, 4.0)
    """
    ends = doubles(predicted, "predicted")
    if ends.ndim != 2 or ends.shape[1] != 2 or not (ends[:, 0] <= ends[:, 1]).all():
        raise InputError(
            "predicted", got=f"shape {ends.shape}", allowed="n intervals (l, u), l ≤ u"
        )
    if not 0 < coverage < 1:
        raise InputError("coverage", got=coverage, allowed="a number in (0, 1)")
    ranges = _truths(y, len(ends))
    row = np.repeat(np.arange(len(ranges)), np.diff(ranges.starts))
    low, high = ends[row].T
    nearest = np.maximum(low - ranges.upper, 0) + np.maximum(ranges.lower - high, 0)
    farthest = np.maximum(np.maximum(low - ranges.lower, ranges.upper - high), 0)
    exact = single_numbers(ranges.lower, ranges.upper)
    farthest[exact] = nearest[exact]
    starts, width = ranges.starts[:-1], ends[:, 1] - ends[:, 0]
    price = 2 / (1 - coverage)
    best = width + price * np.minimum.reduceat(nearest, starts)
    worst = width + price * np.maximum.reduceat(farthest, starts)
    return float(best.mean()), float(worst.mean())


def _truths(y: Any, n: int) -> Ranges:
    try:
        return range_target(y, n)
    except InputError:
        raise
    except (TypeError, ValueError) as error:
        allowed = "ranges, numbers, or two columns of ends"
        raise InputError("y", got=str(error), allowed=allowed) from error


def _below(ranks: Integers, first: Integers, bound: Integers) -> Integers:
    """Count, of the first so many ranks, those below each bound: a wavelet matrix, bit by bit."""
    at, start, count = first.astype(np.int64), np.zeros_like(first), np.zeros_like(first)
    values, top = ranks, int(max(ranks.max(initial=0), bound.max(initial=0))).bit_length()
    for bit in range(top - 1, -1, -1):
        zero = (values >> bit & 1) == 0
        zeros = np.concatenate([[0], np.cumsum(zero)])
        up = (bound >> bit & 1) == 1
        left, right = zeros[start], zeros[at]
        count = count + np.where(up, right - left, 0)
        start = np.where(up, zeros[-1] + start - left, left)
        at = np.where(up, zeros[-1] + at - right, right)
        values = np.concatenate([values[zero], values[~zero]])
    return count


Codes = Mapping[Any, str | None] | None


@checked
def corrected_accuracy(
    reports: Any, predicted: Any, *, channel: Channel, codes: Codes = None
) -> float:
    r"""Estimate the share of true answers that predictions hit; unbiased, so it can leave [0, 1].

    .. math:: \frac1n \sum_i G_{y_i, \hat a_i}, \qquad Q G = 1

    Parameters
    ----------
    reports : array_like of shape (n,)
        Names of reports, y.
    predicted : array_like of shape (n,)
        Predicted answers.
    channel : Channel
        Q, answers by reports.
    codes : mapping to str, optional
        What values stand for that are no names of reports, as ``{1: "yes", 0: "no"}``.

    Raises
    ------
    InputError
        If lengths differ or a report or answer is not the channel's.
    NotIdentified
        If the reports cannot tell some answers apart.

    References
    ----------
    Natarajan, Dhillon, Ravikumar & Tewari (2013), lemma 1, for any channel.

    >>> import askance as ak
    >>> q = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    >>> corrected_accuracy(["yes", "yes", "yes", "no"], ["yes"] * 4, channel=q)  # 3·1.5/4 − 0.5/4
    1.0
    """
    stands = unbiased_weights(channel)[told_columns(channel, reports, where="reports", codes=codes)]
    guesses = listed_column(predicted, "predicted")
    if len(guesses) != len(stands):
        raise InputError("predicted", got=f"{len(guesses)} rows", allowed=f"{len(stands)} rows")
    place = {answer: channel.frame.index(answer) for answer in dict.fromkeys(guesses)}
    chosen = [place[answer] for answer in guesses]
    return float(stands[np.arange(len(stands)), chosen].mean())


@checked
def corrected_brier(reports: Any, chances: Any, *, channel: Channel, codes: Codes = None) -> float:
    """Estimate the mean squared distance of predicted chances from the true answers, without bias.

    Parameters
    ----------
    reports : array_like of shape (n,)
    chances : array_like of shape (n, k)
        Predicted chances of the answers, in the order of the frame.
    channel : Channel
    codes : mapping to str, optional
        As in `corrected_accuracy`.

    Raises
    ------
    InputError
        If shapes differ or a report is not the channel's.
    NotIdentified
        If the reports cannot tell some answers apart.

    References
    ----------
    Gneiting & Raftery (2007), example 1, with the sign of a loss, for the score;
    Natarajan, Dhillon, Ravikumar & Tewari (2013), lemma 1, for the correction.

    >>> import askance as ak
    >>> q = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    >>> corrected_brier(["yes", "yes", "no", "no"], [[0.5, 0.5]] * 4, channel=q)
    0.5
    """
    stands = unbiased_weights(channel)[told_columns(channel, reports, where="reports", codes=codes)]
    given = numbers(chances, "chances")
    if given.shape != stands.shape:
        raise InputError("chances", got=f"shape {given.shape}", allowed=f"shape {stands.shape}")
    squared = (given**2).sum(axis=1, keepdims=True) - 2 * given + 1
    return float((stands * squared).sum(axis=1).mean())
