"""What is known of each respondent, checked and brought to one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.errors import InputError, NotIdentified
from askance.estimators.regression.gram import gram
from askance.results import doubles, read_only
from askance.typing import Floats

_DEPENDENT = 1e-10  # smallest eigenvalue of correlations
_LISTED = 5  # names in a message


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Covariates:
    """Covariates after a column of ones, with the weights of their rows.

    Attributes
    ----------
    terms : tuple of str
        The c covariates.
    design : array, shape (n, c + 1)
    weights : array, shape (n,)
    mean, spread : array, shape (c,)
        Of each covariate.
    """

    terms: tuple[str, ...]
    design: Floats
    weights: Floats
    mean: Floats
    spread: Floats

    def standard(self) -> Floats:
        """Give the design with covariates of mean 0 and spread 1."""
        held: Floats = self.design - np.append(0.0, self.mean)
        held *= np.append(1.0, 1 / self.spread)
        return held


def covariates_of(
    given: Any, n: int, terms: Sequence[str] | None = None, weights: Any = None
) -> Covariates:
    """Check covariates, of which there may be none, and weights.

    Raises
    ------
    InputError
        If their shape does not fit the reports, or something is missing or constant.
    NotIdentified
        If some covariates determine another one.

    >>> covariates_of([[1.0], [3.0]], 2).standard().tolist()
    [[1.0, -1.0], [1.0, 1.0]]
    """
    design = design_of(np.empty((n, 0)) if given is None else given, terms)
    names = tuple(terms) if terms is not None else names_of(design.shape[1] - 1)
    if len(design) != n:
        raise InputError("covariates", got=f"{len(design)} rows", allowed=f"{n}: one per report")
    held = _weights(weights, n)
    total = held.sum()
    mean = held @ design[:, 1:] / total
    moments = gram(design[:, 1:] - mean, held) / total
    spread = np.sqrt(np.diag(moments))
    constant = spread <= 1e-12 * (np.abs(mean) + np.finfo(float).tiny)
    if constant.any():
        raise InputError(
            "covariates",
            got=f"no variation in {_some(names, constant)}",
            allowed="covariates that vary; an intercept is there already",
        )
    _refuse_dependent(names, moments / np.outer(spread, spread))
    return Covariates(terms=names, design=design, weights=held, mean=mean, spread=spread)


def names_of(c: int) -> tuple[str, ...]:
    """Name covariates that have no names.

    >>> names_of(2)
    ('x1', 'x2')
    """
    return tuple(f"x{at + 1}" for at in range(c))


def design_of(given: Any, terms: Sequence[str] | None = None) -> Floats:
    """Put a column of ones before covariates that are all there.

    Raises
    ------
    InputError
        If they are no table of finite numbers with one name per column.

    >>> design_of([[2.0]]).tolist(), design_of([2.0, 3.0]).tolist()
    ([[1.0, 2.0]], [[1.0, 2.0], [1.0, 3.0]])
    """
    array = doubles(given, "covariates")
    array = array[:, None] if array.ndim == 1 else array
    if terms is not None and not all(isinstance(term, str) for term in terms):
        raise InputError("terms", got=terms, allowed="names of the covariates")
    width = array.shape[1] if array.ndim == 2 else -1
    if width < 0 or (terms is not None and len(terms) != width):
        raise InputError(
            "covariates",
            got=f"shape {array.shape}",
            allowed="a table, one row per respondent, or one covariate"
            + (f" and one column for each of {len(terms)} terms" if terms is not None else ""),
        )
    if not np.isfinite(array).all():
        missing = ~np.isfinite(array)
        names = tuple(terms) if terms is not None else names_of(width)
        rows = np.flatnonzero(missing.any(axis=1))
        raise InputError(
            "covariates",
            got=f"{_some(names, missing.any(axis=0))} missing or infinite in row "
            f"{', '.join(map(str, rows[:_LISTED]))}{' …' if len(rows) > _LISTED else ''}",
            allowed="finite numbers",
            remedy="leave these rows out, or fill them in",
        )
    design = np.empty((len(array), width + 1), order="F")
    design[:, 0], design[:, 1:] = 1.0, array
    design.setflags(write=False)
    return design


def _weights(weights: Any, n: int) -> Floats:
    held = read_only(np.ones(n) if weights is None else doubles(weights, "weights"))
    if held.shape != (n,):
        raise InputError("weights", got=f"shape {held.shape}", allowed=f"{n}: one per report")
    wrong = np.flatnonzero(~(np.isfinite(held) & (held >= 0)))
    if len(wrong):
        told = f"{held[wrong[0]]:g} in row {wrong[0]}"
        raise InputError("weights", got=told, allowed="finite numbers of at least 0")
    if not held.any():
        got = "weights that are all 0" if n else "no rows"
        raise InputError("weights" if n else "reports", got=got, allowed="a row that counts")
    return held


def _refuse_dependent(names: Sequence[str], correlation: Floats) -> None:
    values, axes = np.linalg.eigh(correlation)
    if len(values) == 0 or values[0] > _DEPENDENT:
        return
    part = np.abs(axes[:, 0])
    raise NotIdentified(
        "covariates",
        got=f"{_some(names, part > 0.05)} of which each is determined by the others",
        allowed="covariates that vary on their own, fewer than there are rows",
        remedy="leave one of them out",
    )


def _some(names: Sequence[str], chosen: Any) -> str:
    held = [name for name, one in zip(names, chosen, strict=True) if one]
    return ", ".join(held[:_LISTED]) + (" …" if len(held) > _LISTED else "")
