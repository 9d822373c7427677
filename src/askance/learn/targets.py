"""Targets known in part, as ranges or by reports: read, weighted and scored."""

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import (
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.metrics import r2_score
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_array, column_or_1d, has_fit_parameter

from askance.channels.channel import Channel, report_columns
from askance.channels.ranges import Ranges, refuse_truncation, single_numbers
from askance.inference.regression.censored_likelihood import parts
from askance.inference.regression.error_laws import AbstractNoise
from askance.inference.shares.information import identify, right_inverse
from askance.results import doubles
from askance.typing import Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError

Codes = Mapping[Any, str | None] | None


def range_target(y: Any, n: int, sample_weight: Any = None) -> Ranges:
    """Read a target of any kind as ranges, one for each row, with sampling weights.

    Parameters
    ----------
    y : Ranges, array of shape (n, 2) or array of shape (n,)
        Two columns hold ends, equal where the number is exact, infinite or missing where there is
        none; one column holds exact numbers, or intervals of pandas.
    n : int
        Rows of the covariates.
    sample_weight : array_like of shape (n,), optional
        Multiplied by the weights of the ranges.

    Raises
    ------
    InputError
        If the lengths differ, a weight is negative, or the ends are no ranges.

    >>> range_target([[1, 1], [2, np.inf]], 2)
    Ranges({1}, (2, inf])
    """
    if y is None:
        raise InputError("y", allowed="ranges; requires y to be passed, but the target y is None")
    ranges = y if isinstance(y, Ranges) else _read_ranges(y)
    refuse_truncation(ranges, "y", "askance.censored_regression takes entry= and exit=")
    if len(ranges) != n:
        raise InputError("y", got=f"{len(ranges)} rows", allowed=f"{n} rows, as X has")
    if sample_weight is None:
        return ranges
    return ranges.reweighed(ranges.weights * row_weights(sample_weight, n))


def _read_ranges(y: Any) -> Ranges:
    ends = np.asarray(y)
    if ends.ndim == 2 and ends.shape[1] == 2:
        return Ranges(ends, closed="survival")
    if ends.dtype.kind == "O" and any(hasattr(entry, "closed") for entry in ends.ravel()):
        return Ranges(y)
    exact = column_or_1d(
        check_array(y, ensure_2d=False, dtype="numeric", input_name="y"), warn=True
    ).astype(float)
    return Ranges(exact, exact, closed="both")


def count_rows(X: Any) -> int:
    """Count the rows of covariates, of any kind of table.

    >>> count_rows([[0.0], [1.0]]), count_rows(np.ones((3, 2)))
    (2, 3)
    """
    shape = getattr(X, "shape", None)
    return len(X) if shape is None else int(shape[0])


def rows_of(X: Any, rows: Integers) -> Any:
    """Take rows by their places, in a table of the same kind.

    >>> rows_of([[0.0], [1.0], [2.0]], np.array([2, 0]))
    [[2.0], [0.0]]
    """
    if hasattr(X, "iloc"):  # pandas
        return X.iloc[rows]
    return X[rows] if hasattr(X, "shape") else [X[row] for row in rows]


def row_weights(sample_weight: Any, n: int) -> Floats:
    """Read a weight for each row; 1 each by default, and one number is for all.

    Raises
    ------
    InputError
        If there are not so many, one is negative, or all are 0.

    >>> row_weights(None, 2).tolist(), row_weights([0.5, 2], 2).tolist()
    ([1.0, 1.0], [0.5, 2.0])
    """
    if sample_weight is None or isinstance(sample_weight, Real):
        sample_weight = np.full(n, 1.0 if sample_weight is None else float(sample_weight))
    weights: Floats = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    if weights.shape != (n,):
        raise InputError("sample_weight", got=f"shape {weights.shape}", allowed=f"1D, {n} weights")
    if (weights < 0).any():
        row = int(np.argmin(weights))
        raise InputError(
            f"sample_weight[{row}]", got=f"weight {weights[row]:g}", allowed="0 or more"
        )
    if not weights.any():
        raise InputError("sample_weight", got="zero for every row", allowed="a non-zero weight")
    return weights


def complete_columns(
    channel: Channel,
    y: Any,
    n: int | None = None,
    where: str = "y",
    codes: Codes = None,
) -> Integers:
    """Find the column of each report; a missing report is refused.

    Parameters
    ----------
    channel : Channel
    y : array_like of shape (n,)
        Names of the channel's reports.
    n : int, optional
        Rows of the covariates.
    where : str
        For messages.
    codes : mapping to str, optional
        What values stand for that are no names of reports.

    Raises
    ------
    InputError
        If the lengths differ, a report is missing or not the channel's, or no answer can send it.

    >>> import askance as ak
    >>> q = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    >>> complete_columns(q, ["yes", "no"], 2).tolist()
    [1, 0]
    """
    columns = report_columns(channel, _flatten_column(y), where, codes, blanks=False)
    if n is not None and len(columns) != n:
        allowed = f"{n} reports, one for each row"
        raise InputError(where, got=f"{len(columns)} reports", allowed=allowed)
    possible = channel.matrix.max(axis=0) > 0
    if not possible[columns].all():
        row = int(np.argmin(possible[columns]))
        raise InputError(
            f"{where}[{row}]",
            got=channel.reports[columns[row]],
            allowed="a report that some answer can send",
        )
    return columns


def _flatten_column(y: Any) -> Any:
    """Read what is an array to NumPy alone, or a single column of two dimensions, as one column."""
    if hasattr(y, "__array__") and not hasattr(y, "__len__"):
        y = np.asarray(y)
    shape = getattr(y, "shape", ())
    return column_or_1d(np.asarray(y), warn=True) if shape[1:] == (1,) else y


def answer_labels(channel: Channel, codes: Codes = None) -> tuple[Any, Integers]:
    """List the answers as they are written in a target, sorted as scikit-learn sorts classes.

    They are codes where each answer is also a report that just one code stands for, and all codes
    are numbers or all are text; names otherwise.

    Returns
    -------
    labels : array of shape (k,)
    positions : array of int, shape (k,)
        Where the frame has each.

    >>> import askance as ak
    >>> q = ak.Abstain(truth=0.6, lie=0.1).channel(ak.Frame(["yes", "no"]))
    >>> [part.tolist() for part in answer_labels(q)]
    [['no', 'yes'], [1, 0]]
    >>> answer_labels(q, {1: "yes", 2: "no", 8: "don't know"})[0].tolist()
    [1, 2]
    """
    codes_of: dict[str, list[Any]] = {answer: [] for answer in channel.frame.answers}
    for code, report in codes.items() if isinstance(codes, Mapping) else ():
        if isinstance(report, str) and report in codes_of:
            codes_of[report].append(code)
    labels = [code for standing in codes_of.values() for code in standing]
    same_kind = any(
        all(isinstance(code, kind) for code in labels) for kind in (str, Real | np.bool_)
    )
    if not same_kind or any(len(standing) != 1 for standing in codes_of.values()):
        labels = list(channel.frame.answers)
    return np.unique(np.array(labels), return_index=True)


def unbiased_weights(channel: Channel) -> Floats:
    """Say how much each report stands for each answer, so that the truth comes out on average.

    Returns
    -------
    array of shape (m, k)
        A right inverse of the channel; rows sum to one, and can be negative in part.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.

    >>> import askance as ak
    >>> unbiased_weights(ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))).round(9).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    identify(channel)
    possible = channel.matrix.max(axis=0) > 0
    weights = np.zeros(channel.matrix.T.shape)
    weights[possible] = right_inverse(channel.matrix[:, possible])
    return weights


def likely_ranges(noise: AbstractNoise, mean: Floats, scale: float, coverage: float) -> Floats:
    """The central interval of the noise about each mean.

    Raises
    ------
    InputError
        If the coverage is not in (0, 1).

    >>> from askance.inference.regression.error_laws import NormalNoise
    >>> likely_ranges(NormalNoise(), np.zeros(1), 2.0, 0.95).round(2).tolist()
    [[-3.92, 3.92]]
    """
    if not 0 < coverage < 1:
        raise InputError("coverage", got=coverage, allowed="a number in (0, 1)")
    ends = noise.quantile(np.array([1 - coverage, 1 + coverage]) / 2) - noise.mean
    return np.asarray(mean[:, None] + scale * ends)


def log_chances(noise: AbstractNoise, mean: Floats, scale: float, ranges: Ranges) -> Floats:
    """The log-chance of each range about its mean.

    >>> from askance.inference.regression.error_laws import NormalNoise
    >>> log_chances(NormalNoise(), np.zeros(1), 1.0, Ranges([0.0], [np.inf])).round(3).tolist()
    [-0.693]
    """
    pieces = parts(noise, ranges, mean - scale * noise.mean, scale)
    return np.concatenate([part.total for part in pieces])


def score(model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """R² where numbers are known, and the mean log-chance of ranges.

    >>> from askance.learn import IntervalRegressor
    >>> model = IntervalRegressor().fit([[0.0], [1.0], [2.0]], [0.0, 1.5, 2.0])
    >>> round(score(model, [[0.0], [1.0]], [0.0, 1.5]), 3)
    0.877
    """
    if not isinstance(y, Ranges) and np.asarray(y).ndim == 1:
        return float(r2_score(y, model.predict(X), sample_weight=sample_weight))
    chances = model.log_chance(X, y)
    weights = range_target(y, len(chances), sample_weight).weights
    return float(np.average(chances, weights=weights))


def weighted_fit(
    learner: Any,
    X: Any,
    y: Any,
    weight: Floats | None,
    *,
    again: bool = False,
    remedy: str = "choose another learner: rows are weighed here by what is known of them",
) -> Any:
    """Fit a copy of a learner, or the learner again from where it stands.

    Raises
    ------
    InputError
        If there are weights and the learner takes none.

    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> X, y = [[0.0], [0.0]], [1.0, 4.0]
    >>> line = weighted_fit(make_pipeline(LinearRegression()), X, y, np.array([2.0, 1.0]))
    >>> line.predict([[0.0]]).tolist()
    [2.0]
    """
    fresh = learner if again else clone(learner)
    if weight is None:
        return fresh.fit(X, y)
    name = _weight_name(fresh)
    if name is None:
        raise InputError(
            "sample_weight",
            got=type(fresh).__name__,
            allowed="a learner whose fit takes sample_weight",
            remedy=remedy,
        )
    return fresh.fit(X, y, **{name: weight})


_OF_SEVERAL = (StackingClassifier, StackingRegressor, VotingClassifier, VotingRegressor)


def _weight_name(learner: Any) -> str | None:
    """The name under which the fit of a learner takes weights, if it does."""
    if isinstance(learner, Pipeline):
        step, last = learner.steps[-1]
        inner = _weight_name(last)
        return inner and f"{step}__{inner}"
    if has_fit_parameter(learner, "sample_weight"):
        return "sample_weight"
    inside = getattr(learner, "estimator", None) or getattr(learner, "regressor", None)
    if inside is None and isinstance(learner, _OF_SEVERAL):
        members = [member for _, member in learner.estimators if member != "drop"]
        members += [getattr(learner, "final_estimator", None) or members[0]]
        all_weighted = all(_weight_name(member) == "sample_weight" for member in members)
        return "sample_weight" if all_weighted else None
    return _weight_name(inside) if inside is not None else None


def choice(value: Any, where: str, *words: str) -> None:
    """Refuse a word that is not one of the allowed words.

    >>> choice("median", "response", "mean", "score")
    Traceback (most recent call last):
    askance_collect.errors.InputError: response: got 'median'; allowed: "mean" or "score"
    """
    if value not in words:
        allowed = " or ".join(f'"{word}"' for word in words)
        raise InputError(where, got=value, allowed=allowed)


def number(value: Any) -> float:
    """Read a number; NaN for anything else.

    >>> number(2), number("2")
    (2.0, nan)
    """
    return float(value) if isinstance(value, Real) else math.nan


def tolerance(tol: Any) -> float:
    """Read how little may move at the end.

    >>> tolerance(1e-4)
    0.0001
    """
    read = number(tol)
    if not read >= 0:
        raise InputError("tol", got=tol, allowed="a number in [0, ∞)")
    return read


def known_scale(scale: Any, *words: str) -> float | None:
    """Read a scale that is known; None where a word says how it is found.

    >>> known_scale(2, "held-out"), known_scale("held-out", "held-out")
    (2.0, None)
    """
    if isinstance(scale, str) and scale in words:
        return None
    read = number(scale)
    if not 0 < read < math.inf:
        named = ", ".join(f'"{word}"' for word in words)
        raise InputError("scale", got=scale, allowed=f"{named}, or a number in (0, ∞)")
    return read


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
    ranges = read_truths(y, len(guess))
    lowest, highest = ranges.lower[ranges.starts[:-1]], ranges.upper[ranges.starts[1:] - 1]
    ends = np.argsort(highest, kind="stable")
    before = np.searchsorted(highest[ends], lowest, side="right")  # ranges that end by its begin
    rank = np.unique(guess, return_inverse=True)[1].astype(np.int64)
    below = _count_below(rank[ends], before, rank)
    equal = _count_below(rank[ends], before, rank + 1) - below
    if not before.sum():
        raise InputError("y", got="no two ranges apart", allowed="a pair in which one ends first")
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
    ranges = read_truths(y, len(ends))
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


def read_truths(y: Any, n: int) -> Ranges:
    """Take what predictions are scored against as ranges.

    Raises
    ------
    InputError
        If it is neither, or of another length.

    >>> read_truths([1.0, 2.0], 2)
    Ranges({1}, {2})
    """
    try:
        return range_target(y, n)
    except InputError:
        raise
    except (TypeError, ValueError) as error:
        allowed = "ranges, numbers, or two columns of ends"
        raise InputError("y", got=str(error), allowed=allowed) from error


def _count_below(ranks: Integers, first: Integers, bound: Integers) -> Integers:
    """Count, of the first so many ranks, those below each bound: a wavelet matrix, bit by bit."""
    stop, start, count = first.astype(np.int64), np.zeros_like(first), np.zeros_like(first)
    values, top = ranks, int(max(ranks.max(initial=0), bound.max(initial=0))).bit_length()
    for bit in range(top - 1, -1, -1):
        zero = (values >> bit & 1) == 0
        zeros = np.concatenate([[0], np.cumsum(zero)])
        up = (bound >> bit & 1) == 1
        start_zeros, stop_zeros = zeros[start], zeros[stop]
        count = count + np.where(up, stop_zeros - start_zeros, 0)
        start = np.where(up, zeros[-1] + start - start_zeros, start_zeros)
        stop = np.where(up, zeros[-1] + stop - stop_zeros, stop_zeros)
        values = np.concatenate([values[zero], values[~zero]])
    return count
