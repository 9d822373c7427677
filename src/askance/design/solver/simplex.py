"""Linear programmes with few equations in many columns: the revised simplex method, dense."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.errors import InputError
from askance.typing import Floats, Integers

_ENOUGH = 1e-12  # of the largest gain; less is rounding
_FITS = 1e-9  # how far off the equations may be
_PIVOT = 1e-9  # the least that is divided by
_FRESH = 24  # exchanges after which the inverse is taken anew
_MOST = 100_000  # exchanges


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Corner:
    """The best corner.

    Attributes
    ----------
    z : array, shape (n,)
    price : array, shape (r,)
        Of the equations: no column gains more than it costs.
    """

    z: Floats
    price: Floats


def best_corner(gain: Floats, left: Floats, right: Floats) -> Corner:
    """Maximise gain · z over z ≥ 0 with left z = right.

    Starts from the columns with the largest entry in each row, if these make a mixture, and
    otherwise from what lacks to the equations. The column that gains most enters; where that gains
    nothing for long, the first that gains, so that it ends.

    Parameters
    ----------
    gain : array, shape (n,)
    left : array, shape (r, n)
    right : array, shape (r,)

    Raises
    ------
    InputError
        If no z fits, or there is no end to the gain.

    References
    ----------
    Dantzig (1963), chapter 9; Bland (1977).

    >>> best_corner(np.array([1.0, 3.0, 1.0]), np.array([[1.0, 2.0, 0.5]]), np.ones(1)).z.tolist()
    [0.0, 0.0, 2.0]
    """
    n, r = len(gain), len(right)
    whole = np.hstack([left, np.diag(np.where(right < 0, -1.0, 1.0))])
    basis = left.argmax(axis=1)
    if not _makes(left, basis, right):
        basis = _climbed(np.append(np.zeros(n), -np.ones(r)), whole, right, n + np.arange(r), n)
        amounts = np.linalg.solve(whole[:, basis], right)
        if amounts[basis >= n].sum() > _FITS * max(1.0, float(np.abs(right).max())):
            raise InputError(
                "optimal_channel", got="equations that nothing fits", allowed="wider bounds"
            )
        basis = _without_lacks(whole, basis, n)
    padded = np.append(gain, np.zeros(r))
    basis = _climbed(padded, whole, right, basis, n)
    z = np.zeros(n + r)
    z[basis] = np.maximum(np.linalg.solve(whole[:, basis], right), 0.0)
    price: Floats = np.asarray(np.linalg.solve(whole[:, basis].T, padded[basis]), dtype=float)
    return Corner(z=z[:n], price=price)


def _makes(left: Floats, basis: Integers, right: Floats) -> bool:
    """Say whether these columns alone fulfil the equations."""
    square = left[:, basis]
    if np.linalg.cond(square) > 1 / _PIVOT:
        return False
    return bool(np.linalg.solve(square, right).min() >= 0)


def _without_lacks(whole: Floats, basis: Integers, n: int) -> Integers:
    """Exchange what lacks nothing for columns; where there is none, the equation follows."""
    for at in np.flatnonzero(basis >= n):
        row = np.linalg.inv(whole[:, basis])[at] @ whole[:, :n]
        row[basis[basis < n]] = 0.0
        best = int(np.argmax(np.abs(row)))
        if abs(row[best]) > _PIVOT:
            basis[at] = best
    return basis


def _climbed(gain: Floats, left: Floats, right: Floats, basis: Integers, n: int) -> Integers:
    """Exchange columns, of the first n, while that gains."""
    basis, stuck = basis.copy(), 0
    enough = _ENOUGH * max(float(np.abs(gain).max()), np.finfo(float).tiny)
    for turn in range(_MOST):
        if turn % _FRESH == 0:
            inverse = np.linalg.inv(left[:, basis])
            z = np.maximum(inverse @ right, 0.0)
        gains = gain[:n] - (gain[basis] @ inverse) @ left[:, :n]
        gains[basis[basis < n]] = 0.0
        careful = stuck > len(right)
        enters = int(np.argmax(gains > enough) if careful else np.argmax(gains))
        if gains[enters] <= enough:
            break
        along = inverse @ left[:, enters]
        leaves = _leaving(z, along, basis, careful)
        length = float(z[leaves] / along[leaves])
        stuck = stuck + 1 if length <= _ENOUGH else 0
        z = np.maximum(z - length * along, 0.0)
        z[leaves], basis[leaves] = length, enters
        row = inverse[leaves] / along[leaves]
        inverse = inverse - np.outer(along, row)
        inverse[leaves] = row
    return basis


def _leaving(z: Floats, along: Floats, basis: Integers, careful: bool) -> int:
    """Say which column is used up first; of several, the safest to divide by, or the first."""
    falls = np.flatnonzero(along > _PIVOT)
    if not len(falls):
        raise InputError("optimal_channel", got="a gain without end", allowed="a bounded one")
    ratios = z[falls] / along[falls]
    first = falls[ratios <= ratios.min() + _ENOUGH]
    return int(first[np.argmin(basis[first]) if careful else np.argmax(along[first])])
