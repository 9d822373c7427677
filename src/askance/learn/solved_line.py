"""A line fitted to other numbers again: what the covariates alone decide is worked out once."""

from copy import copy
from dataclasses import dataclass
from numbers import Real
from typing import Any, final

import numpy as np
from scipy.sparse import issparse
from sklearn.linear_model import LinearRegression, Ridge

from askance.typing import Floats

_EXACT = ("auto", "svd", "cholesky")  # solvers of ridge that do not iterate


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SolvedLine:
    """The least squares of a fitted line, solved for any response.

    Attributes
    ----------
    line : LinearRegression or Ridge
        Fitted to some response.
    X : array, shape (n, p)
    share : array of shape (n,), or None
        Of each row in the weighted mean of the response; None if there is no intercept.
    centre : array, shape (p,)
        Weighted means of the covariates, or zeros.
    solution : array, shape (p, n)
        Coefficients are its product with the centred response.
    """

    line: Any
    X: Floats
    share: Floats | None
    centre: Floats
    solution: Floats

    def fitted(self, y: Floats) -> tuple[Any, Floats]:
        """Give the line fitted to another response, and its values."""
        level = 0.0 if self.share is None else float(self.share @ y)
        line = copy(self.line)
        line.coef_ = self.solution @ (y - level)
        line.intercept_ = level - float(self.centre @ line.coef_)
        return line, self.X @ line.coef_ + line.intercept_


def solved_line(line: Any, X: Any, weight: Floats | None) -> SolvedLine | None:
    """Solve the least squares of a line that was fitted to these rows; None of other learners.

    The singular values of the centred, weighted covariates serve both learners: s/(s² + α), with
    α = 0 for `LinearRegression` (Hastie, Tibshirani & Friedman, 2009, (3.47)); only those that
    the line itself took for more than rounding.

    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> once = solved_line(LinearRegression().fit(X, [0.0, 1.0, 3.0]), X, None)
    >>> once.fitted(np.array([1.0, 3.0, 7.0]))[1].round(12).tolist()
    [1.0, 3.0, 7.0]
    """
    penalty = _penalty(line)
    if penalty is None or issparse(X):
        return None
    rows = np.asarray(X)
    if rows.dtype.kind not in "iu" and rows.dtype != np.float64:
        return None
    rows = rows.astype(np.float64, copy=False)
    shares = np.full(len(rows), 1 / len(rows)) if weight is None else weight / weight.sum()
    mean = np.average(rows, axis=0, weights=weight)  # exact where a covariate is constant
    centre = mean if line.fit_intercept else np.zeros(rows.shape[1])
    root = np.ones(len(rows)) if weight is None else np.sqrt(weight)
    left, size, right = np.linalg.svd(root[:, None] * (rows - centre), full_matrices=False)
    told = np.arange(len(size)) < getattr(line, "rank_", np.count_nonzero(size))
    factor = np.divide(size, size**2 + penalty, out=np.zeros_like(size), where=told)
    return SolvedLine(
        line=line,
        X=rows,
        share=shares if line.fit_intercept else None,
        centre=centre,
        solution=(right.T * factor) @ (left * root[:, None]).T,
    )


def _penalty(line: Any) -> float | None:
    """Give the penalty on squares of coefficients; None where least squares alone do not decide."""
    if type(line) is LinearRegression and not line.positive:
        return 0.0
    plain = type(line) is Ridge and not line.positive and line.solver in _EXACT
    return float(line.alpha) if plain and isinstance(line.alpha, Real) else None
