"""What is learnt from: ranges, numbers, or two columns of ends, with weights."""

from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_array, column_or_1d

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.typing import Floats


def range_target(y: Any, n: int, sample_weight: Any = None) -> Ranges:
    """Take a target of any kind as ranges of which the weights count the rows.

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
    ranges = y if isinstance(y, Ranges) else _ranges(y)
    if len(ranges) != n:
        raise InputError("y", got=f"{len(ranges)} rows", allowed=f"{n} rows, as X has")
    if sample_weight is None:
        return ranges
    weights = _check_sample_weight(sample_weight, np.empty((n, 0)), dtype=float)
    return reweighed(ranges, ranges.weights * weights)


def reweighed(ranges: Ranges, weights: Floats) -> Ranges:
    """Give the same ranges other weights.

    >>> reweighed(Ranges([0.0], [1.0]), np.array([3.0])).total
    3.0
    """
    pieces = np.diff(ranges.starts)
    return Ranges(ranges.lower, ranges.upper, weights, pieces=pieces)


def _ranges(y: Any) -> Ranges:
    ends = np.asarray(y)
    if ends.ndim == 2 and ends.shape[1] == 2:
        return Ranges(ends, closed="survival")
    if ends.dtype.kind == "O" and any(hasattr(one, "closed") for one in ends.ravel()):
        return Ranges(y)
    exact = column_or_1d(
        check_array(y, ensure_2d=False, dtype="numeric", input_name="y"), warn=True
    ).astype(float)
    return Ranges(exact, exact, closed="both")
