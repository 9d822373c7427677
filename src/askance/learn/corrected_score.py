"""How good predictions of answers are that nobody saw, without bias, from reports alone."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.readonly import numbers
from askance.channels.tally import listed_column
from askance.errors import InputError
from askance.learn.report_target import told_columns, unbiased_weights

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
