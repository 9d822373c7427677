"""Scores of predictions against true answers, estimated from reports: losses behind a channel.

A report stands for each answer with a weight such that, averaged over what the channel could have
sent, the truth has weight one and every other answer none. A loss of each answer, so weighed, has
the mean of the loss against the truth. Numbers behind one uniform cut have a like inversion.
"""

from collections.abc import Callable
from itertools import permutations
from typing import Any, Literal

import numpy as np
from sklearn.metrics import make_scorer

from askance.channels.channel import Channel, listed_column
from askance.inference.intervals.functional_interval import read_single_cuts, read_support
from askance.learn.targets import (
    Codes,
    answer_labels,
    choice,
    complete_columns,
    read_truths,
    unbiased_weights,
)
from askance.results import numbers
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_SMALLEST = float(np.finfo(float).eps)  # a predicted chance below it counts as this, as elsewhere


@checked
def corrected_accuracy(
    reports: Any,
    predicted: Any,
    *,
    channel: Channel,
    codes: Codes = None,
    sample_weight: Any = None,
) -> float:
    r"""Estimate the share of true answers that predictions hit; unbiased, so it can leave [0, 1].

    .. math:: \frac1n \sum_i G_{y_i, \hat a_i}, \qquad Q G = 1

    Parameters
    ----------
    reports : array_like of shape (n,)
        Names of reports, y.
    predicted : array_like of shape (n,)
        Predicted answers, by their names or codes.
    channel : Channel
        Q, answers by reports.
    codes : mapping to str, optional
        What values stand for that are no names of reports, as ``{1: "yes", 0: "no"}``.
    sample_weight : array_like of shape (n,), optional

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
    weights = _answer_weights(reports, channel, codes)
    guesses = listed_column(predicted, "predicted")
    if len(guesses) != len(weights):
        raise InputError("predicted", got=f"{len(guesses)} rows", allowed=f"{len(weights)} rows")
    labels, order = answer_labels(channel, codes)
    column = {label: i for i, label in enumerate(labels.tolist())}
    for guess in dict.fromkeys(guesses):
        if guess not in column:
            column[guess] = order.tolist().index(channel.frame.index(guess))
    hits = weights[np.arange(len(weights)), [column[guess] for guess in guesses]]
    return float(np.average(hits, weights=_row_weights(sample_weight, len(hits))))


@checked
def corrected_brier(
    reports: Any,
    chances: Any,
    *,
    channel: Channel,
    codes: Codes = None,
    sample_weight: Any = None,
) -> float:
    r"""Estimate the Brier score against the true answers without bias.

    .. math:: \frac1n \sum_i \sum_a G_{y_i, a} \sum_b (p_{ib} - 1\{a = b\})^2, \qquad Q G = 1

    Summed over all answers, it is twice what scikit-learn gives for two.

    Parameters
    ----------
    reports : array_like of shape (n,)
    chances : array_like of shape (n, k), or (n,) for two answers
        Predicted chances p, answers sorted as in ``classes_``; in one column those of the last.
    channel : Channel
        Q.
    codes : mapping to str, optional
        As in `corrected_accuracy`.
    sample_weight : array_like of shape (n,), optional

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
    weights = _answer_weights(reports, channel, codes)
    predicted = _columns(chances, weights)
    squared = (predicted**2).sum(axis=1, keepdims=True) - 2 * predicted + 1
    return _mean_loss(weights * squared, sample_weight)


@checked
def corrected_log_loss(
    reports: Any,
    chances: Any,
    *,
    channel: Channel,
    codes: Codes = None,
    sample_weight: Any = None,
) -> float:
    r"""Estimate the log loss (cross-entropy) against the true answers without bias.

    .. math:: -\frac1n \sum_i \sum_a G_{y_i, a} \log p_{ia}, \qquad Q G = 1

    Chances below 2.2e-16 count as that, as in scikit-learn.

    Parameters
    ----------
    reports : array_like of shape (n,)
    chances : array_like of shape (n, k), or (n,) for two answers
        Predicted chances p, as in `corrected_brier`.
    channel : Channel
        Q.
    codes : mapping to str, optional
        As in `corrected_accuracy`.
    sample_weight : array_like of shape (n,), optional

    Raises
    ------
    InputError
        If shapes differ, a report is not the channel's, or a chance is outside [0, 1].
    NotIdentified
        If the reports cannot tell some answers apart.

    References
    ----------
    Natarajan, Dhillon, Ravikumar & Tewari (2013), lemma 1.

    >>> import askance as ak
    >>> q = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    >>> round(corrected_log_loss(["yes", "yes", "no"], [0.5, 0.5, 0.5], channel=q), 12)  # log 2
    0.69314718056
    """
    weights = _answer_weights(reports, channel, codes)
    predicted = _columns(chances, weights)
    if not ((predicted >= 0) & (predicted <= 1)).all():
        raise InputError(
            "chances", got=f"{predicted.min():g} to {predicted.max():g}", allowed="[0, 1]"
        )
    return _mean_loss(-weights * np.log(predicted.clip(_SMALLEST, None)), sample_weight)


@checked
def corrected_auc(
    reports: Any,
    chances: Any,
    *,
    channel: Channel,
    codes: Codes = None,
    sample_weight: Any = None,
) -> float:
    r"""Estimate the area under the ROC curve (AUC) against the true answers.

    .. math:: \frac{\sum_{i \ne j} w_i w_j G_{y_i, 1} G_{y_j, 0}
              (1\{s_i > s_j\} + \tfrac12 1\{s_i = s_j\})}
              {\sum_{i \ne j} w_i w_j G_{y_i, 1} G_{y_j, 0}}, \qquad Q G = 1

    Numerator and denominator are unbiased, so the ratio is consistent, and can leave [0, 1]. For
    two reports it is ½ + (A − ½)/(1 − α − β) with A the AUC against reports and 1 − α − β
    estimated. With more than two answers it is the mean over ordered pairs of answers.

    Parameters
    ----------
    reports : array_like of shape (n,)
    chances : array_like of shape (n, k), or (n,) for two answers
        Predicted chances or scores s, answers sorted as in ``classes_``; in one column those of
        the last, the positive one.
    channel : Channel
        Q.
    codes : mapping to str, optional
        As in `corrected_accuracy`.
    sample_weight : array_like of shape (n,), optional
        w; ones if left out.

    Raises
    ------
    InputError
        If shapes differ, a report is not the channel's, or the reports are compatible with no pair
        of people with different answers.
    NotIdentified
        If the reports cannot tell some answers apart.

    References
    ----------
    Menon, van Rooyen, Ong & Williamson (2015) for two reports; Hand & Till (2001) for several
    answers.

    >>> import askance as ak
    >>> q = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    >>> reports = ["no"] * 3 + ["yes"] + ["no"] + ["yes"] * 3
    >>> round(corrected_auc(reports, [0.2] * 4 + [0.8] * 4, channel=q), 4)  # 19/22
    0.8636
    """
    weights = _answer_weights(reports, channel, codes)
    weights *= _row_weights(sample_weight, len(weights))[:, None]
    predicted = _columns(chances, weights)
    pairs = [(1, 0)] if weights.shape[1] == 2 else permutations(range(weights.shape[1]), 2)
    areas = [
        _ordered_share(predicted[:, high], weights[:, high], weights[:, low]) for high, low in pairs
    ]
    if np.isnan(areas).any() or not areas:
        raise InputError(
            "reports",
            got="an estimated number of pairs with different answers that is not positive",
            allowed="reports of a sample in which each answer occurs",
            remedy="take more rows, or fewer folds",
        )
    return float(np.mean(areas))


Scoring = Literal["accuracy", "auc", "brier", "log_loss"]


@checked
def corrected_scorer(scoring: Scoring, *, channel: Channel, codes: Codes = None) -> Any:
    """Make a scorer against the true answers, for cross-validation and searches.

    Parameters
    ----------
    scoring : {"accuracy", "auc", "brier", "log_loss"}
        Losses get a minus sign, so that more is better.
    channel : Channel
        What made the reports of the answers.
    codes : mapping to str, optional
        As in `corrected_accuracy`.

    Returns
    -------
    callable
        ``scorer(model, X, reports)``, as `sklearn.metrics.make_scorer` makes.

    >>> import askance as ak
    >>> from askance.learn import ChannelClassifier
    >>> q = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    >>> X, reports = [[0.0]] * 4 + [[1.0]] * 4, ["no"] * 3 + ["yes"] + ["no"] + ["yes"] * 3
    >>> model = ChannelClassifier(channel=q).fit(X, reports)
    >>> round(corrected_scorer("auc", channel=q)(model, X, reports), 4)
    0.8636
    """
    choice(scoring, "scoring", *_SCORES)
    complete_columns(channel, [], codes=codes)  # refuses codes of other channels
    score, response, more_is_better = _SCORES[scoring]
    return make_scorer(
        score,
        response_method=response,
        greater_is_better=more_is_better,
        channel=channel,
        codes=codes,
    )


_SCORES: dict[str, tuple[Callable[..., float], Any, bool]] = {
    "accuracy": (corrected_accuracy, "predict", True),
    "auc": (corrected_auc, ("decision_function", "predict_proba"), True),
    "brier": (corrected_brier, "predict_proba", False),
    "log_loss": (corrected_log_loss, "predict_proba", False),
}


@checked
def corrected_squared_error(
    y: Any, predicted: Any, *, support: tuple[float, float], sample_weight: Any = None
) -> float:
    r"""Estimate the mean squared error against numbers reported by one uniform cut each.

    .. math:: \frac1n \sum_i \Bigl[\tfrac12 \ell_i(a) + \tfrac12 \ell_i(b) +
              (b - a)\, \ell_i'(U_i)\, (1\{Y_i > U_i\} - \tfrac12)\Bigr],
              \qquad \ell_i(y) = (y - f_i)^2

    Unbiased for every Y in [a, b], so it can fall below 0.

    Parameters
    ----------
    y : Ranges, or array of shape (n, 2)
        One-sided: up to the cut U, or above it. Weights count rows.
    predicted : array_like of shape (n,)
        f.
    support : (float, float)
        Where the cuts were drawn: a and b.
    sample_weight : array_like of shape (n,), optional

    Raises
    ------
    InputError
        If lengths differ, a range has two ends inside the support, or a cut is outside.

    References
    ----------
    Ding & Ding (2022), Proposition 1, for a loss in place of the number.

    >>> corrected_squared_error([[4, np.inf], [-np.inf, 6]], [5, 5], support=(0, 10))
    15.0
    """
    return _cut_loss(y, predicted, support, sample_weight, lambda z: z**2, lambda z: 2 * z)


@checked
def corrected_absolute_error(
    y: Any, predicted: Any, *, support: tuple[float, float], sample_weight: Any = None
) -> float:
    r"""Estimate the mean absolute error against numbers reported by one uniform cut each.

    As `corrected_squared_error`, with the loss \|y − f\|.

    Parameters
    ----------
    y : Ranges, or array of shape (n, 2)
        One-sided: up to the cut U, or above it. Weights count rows.
    predicted : array_like of shape (n,)
        f.
    support : (float, float)
        Where the cuts were drawn.
    sample_weight : array_like of shape (n,), optional

    Raises
    ------
    InputError
        If lengths differ, a range has two ends inside the support, or a cut is outside.

    References
    ----------
    Ding & Ding (2022), Proposition 1, for a loss in place of the number.

    >>> corrected_absolute_error([[4, np.inf], [-np.inf, 6]], [5, 5], support=(0, 10))
    0.0
    """
    return _cut_loss(y, predicted, support, sample_weight, np.abs, np.sign)


def _answer_weights(reports: Any, channel: Channel, codes: Codes) -> Floats:
    """Say how much each row stands for each answer, answers sorted."""
    columns = complete_columns(channel, reports, where="reports", codes=codes)
    if not len(columns):
        raise InputError("reports", got="no row", allowed="at least one")
    return unbiased_weights(channel)[columns][:, answer_labels(channel, codes)[1]]


def _row_weights(sample_weight: Any, n: int) -> Floats:
    """Read a weight for each row; 1 each without weights."""
    if sample_weight is None:
        return np.ones(n)
    weights = numbers(sample_weight, "sample_weight")
    if weights.shape != (n,):
        raise InputError("sample_weight", got=f"shape {weights.shape}", allowed=f"{n} weights")
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        raise InputError(
            "sample_weight",
            got=f"{weights.min()} to {weights.max()}",
            allowed="finite numbers, none below 0 and one above",
        )
    return weights


def _columns(chances: Any, weights: Floats) -> Floats:
    """Read what was predicted of each answer; of two, that of the last may stand alone."""
    predicted = numbers(chances, "chances")
    n, k = weights.shape
    if predicted.shape == (n,) and k == 2:
        predicted = np.column_stack([1 - predicted, predicted])
    if predicted.shape != weights.shape:
        alone = f", or ({n},)" if k == 2 else ""
        raise InputError(
            "chances", got=f"shape {predicted.shape}", allowed=f"shape ({n}, {k}){alone}"
        )
    return predicted


def _mean_loss(losses: Floats, sample_weight: Any) -> float:
    weights = _row_weights(sample_weight, len(losses))
    return float(np.average(losses.sum(axis=1), weights=weights))


def _ordered_share(score: Floats, high: Floats, low: Floats) -> float:
    """Of pairs of two rows, weighed high and low, the share in which the high one scores more."""
    rank = np.unique(score, return_inverse=True)[1]
    mass = np.bincount(rank, low)
    itself = float(high @ low)
    ordered = float(high @ (np.cumsum(mass) - mass / 2)[rank]) - itself / 2
    pairs = float(high.sum() * low.sum()) - itself
    return ordered / pairs if pairs > 0 else float("nan")


def _cut_loss(
    y: Any,
    predicted: Any,
    support: tuple[float, float],
    sample_weight: Any,
    loss: Callable[[Floats], Floats],
    slope: Callable[[Floats], Floats],
) -> float:
    fitted = numbers(predicted, "predicted")
    if fitted.ndim != 1:
        raise InputError("predicted", got=f"shape {fitted.shape}", allowed="one column")
    low, high = read_support("support", support)
    ranges = read_truths(y, len(fitted))
    cut, above = read_single_cuts(ranges, low, high)
    losses = (loss(low - fitted) + loss(high - fitted)) / 2
    losses += (high - low) * slope(cut - fitted) * (above - 0.5)
    weights = ranges.weights * _row_weights(sample_weight, len(losses))
    if not weights.any():
        raise InputError("y", got="no row", allowed="at least one with a positive weight")
    return float(np.average(losses, weights=weights))
