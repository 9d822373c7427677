"""Weights made to agree with totals that are known of the population: calibration.

A calibrated sampling design knows it: its variance is that of what the known variables leave
unexplained.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from askance.inference.replicate_weights import ReplicateWeights, reweight
from askance.inference.sampling_design import (
    Calibration,
    SamplingDesign,
    score_table,
    with_weights,
)
from askance.results import is_missing, numbers
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown

Sample = SamplingDesign | ReplicateWeights
_STEPS, _CLOSE = 200, 1e-11


@overload
def poststratify(
    sampling: SamplingDesign, groups: Sequence[Any], totals: Mapping[Any, float]
) -> SamplingDesign: ...
@overload
def poststratify(
    sampling: ReplicateWeights, groups: Sequence[Any], totals: Mapping[Any, float]
) -> ReplicateWeights: ...
@checked
def poststratify(
    sampling: Sample,
    groups: Sequence[Any],
    totals: Mapping[Any, float],
) -> Sample:
    """Poststratification: weights of each group sum to the group's known size.

    Variances are those of what the groups leave unexplained: a group's share is then known.

    Parameters
    ----------
    sampling : SamplingDesign or ReplicateWeights
        Of replicates each is poststratified by itself.
    groups : sequence, length n
    totals : mapping of group to float
        How many of the population are in each.

    Returns
    -------
    SamplingDesign or ReplicateWeights, as was given

    Raises
    ------
    InputError
        If a group of the sample has no total, or one of the population is not in the sample.

    References
    ----------
    Särndal, Swensson & Wretman (1992).

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(weights=[10.0] * 5)
    >>> calibrated = ak.inference.poststratify(sampling, list("aabbb"), {"a": 40, "b": 30})
    >>> calibrated.weights.tolist()
    [20.0, 20.0, 10.0, 10.0, 10.0]
    >>> calibrated.covariance([[1], [1], [0], [0], [0]]).round(9).tolist()  # that size is known
    [[0.0]]
    """
    basis, sizes = _indicator_columns("poststratify", sampling, groups, totals)
    return _calibrate_sampling(
        sampling, partial(_solve_factors, basis, sizes, "linear", None), basis
    )


@overload
def rake(
    sampling: SamplingDesign,
    margins: Mapping[str, Sequence[Any]],
    totals: Mapping[str, Mapping[Any, float]],
) -> SamplingDesign: ...
@overload
def rake(
    sampling: ReplicateWeights,
    margins: Mapping[str, Sequence[Any]],
    totals: Mapping[str, Mapping[Any, float]],
) -> ReplicateWeights: ...
@checked
def rake(
    sampling: Sample,
    margins: Mapping[str, Sequence[Any]],
    totals: Mapping[str, Mapping[Any, float]],
) -> Sample:
    """Raking: weights agree with the known sizes of the groups of several variables, one by one.

    Weights are multiplied by a factor for each group (Deming & Stephan, 1940), solved by Newton's
    method. The variance is that of what the groups of all variables leave unexplained together.

    Parameters
    ----------
    sampling : SamplingDesign or ReplicateWeights
    margins : mapping of str to sequence, each of length n
        For each variable everybody's group.
    totals : mapping of str to mapping of group to float
        For the same variables. Each adds up to the same population.

    Raises
    ------
    InputError
        If a group of the sample has no total, or one of the population is not in the sample; if the
        variables add up to different populations, or no weights agree.

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(weights=[1.0] * 4)
    >>> margins = {"sex": list("ffmm"), "place": list("tctc")}
    >>> calibrated = ak.inference.rake(
    ...     sampling, margins, {"sex": {"f": 60, "m": 40}, "place": {"t": 70, "c": 30}}
    ... )
    >>> calibrated.weights.round(6).tolist()
    [42.0, 18.0, 28.0, 12.0]
    """
    if not margins or set(margins) != set(totals):
        raise InputError(
            "rake.totals", got=", ".join(totals), allowed=f"{', '.join(margins)}: the margins"
        )
    tables = [
        _indicator_columns(f"rake, {name}", sampling, margins[name], totals[name])
        for name in margins
    ]
    populations = [float(sizes.sum()) for _, sizes in tables]
    if max(populations) - min(populations) > _AGREED * max(populations):
        sums = ", ".join(
            f"{name} {size:g}" for name, size in zip(margins, populations, strict=True)
        )
        raise InputError("rake.totals", got=sums, allowed="one population for all variables")
    basis = np.hstack([part for part, _ in tables])
    sizes = np.concatenate([part for _, part in tables])
    return _calibrate_sampling(
        sampling, partial(_solve_factors, basis, sizes, "raking", None), basis
    )


_AGREED = 1e-9


@overload
def calibrate(
    sampling: SamplingDesign,
    auxiliary: npt.ArrayLike,
    totals: npt.ArrayLike,
    method: Literal["linear", "raking"] = "linear",
    *,
    bounds: tuple[float, float] | None = None,
) -> SamplingDesign: ...
@overload
def calibrate(
    sampling: ReplicateWeights,
    auxiliary: npt.ArrayLike,
    totals: npt.ArrayLike,
    method: Literal["linear", "raking"] = "linear",
    *,
    bounds: tuple[float, float] | None = None,
) -> ReplicateWeights: ...
@checked
def calibrate(
    sampling: Sample,
    auxiliary: npt.ArrayLike,
    totals: npt.ArrayLike,
    method: Literal["linear", "raking"] = "linear",
    *,
    bounds: tuple[float, float] | None = None,
) -> Sample:
    r"""Calibrate weights, changed as little as can be, to known totals of auxiliary variables.

    .. math:: \sum_i w_i g(x_i b)\, x_i = t

    with g(u) = 1 + u (linear, the generalised regression estimator) or exp u (raking), cut to the
    bounds. The variance is that of the residuals of a regression on x, weighted by w.

    Parameters
    ----------
    sampling : SamplingDesign or ReplicateWeights
        Of replicates each is calibrated by itself.
    auxiliary : array_like, shape (n, q)
        x; a column of ones if the size of the population is known.
    totals : array_like, shape (q,)
        t, their totals in the population.
    method : {"linear", "raking"}
    bounds : (float, float), optional
        Between which the factor g stays; below 1, and above it.

    Raises
    ------
    InputError
        If shapes differ, no weights agree with the totals within the bounds, or the linear method
        would make a weight negative.

    References
    ----------
    Deville & Särndal (1992).

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(weights=[10.0] * 4)
    >>> x = [[1, 1.0], [1, 2.0], [1, 3.0], [1, 4.0]]
    >>> ak.inference.calibrate(sampling, x, [40, 110]).weights.round(9).tolist()
    [7.0, 9.0, 11.0, 13.0]
    """
    table = score_table(auxiliary, sampling.n)
    known_totals = numbers(totals, "calibrate.totals")
    if known_totals.shape != (table.shape[1],) or not np.isfinite(known_totals).all():
        raise InputError(
            "calibrate.totals",
            got=f"shape {known_totals.shape}",
            allowed=f"{table.shape[1]} finite totals: one for each column",
        )
    refuse_unknown("calibrate.method", method, ("linear", "raking"))
    if bounds is not None and not 0 < bounds[0] < 1 < bounds[1]:
        raise InputError("calibrate.bounds", got=bounds, allowed="0 < lower < 1 < upper")
    return _calibrate_sampling(
        sampling, partial(_solve_factors, table, known_totals, method, bounds), table
    )


def _indicator_columns(
    where: str, sampling: Sample, groups: Any, totals: Mapping[Any, float]
) -> tuple[Floats, Floats]:
    """A column of ones and zeros for each group, and the groups' sizes."""
    listed_groups = groups.tolist() if hasattr(groups, "tolist") else list(groups)
    if len(listed_groups) != sampling.n:
        raise InputError(f"{where}, groups", got=len(listed_groups), allowed=f"{sampling.n} rows")
    columns = {group: column for column, group in enumerate(totals)}
    for row, group in enumerate(listed_groups):
        if is_missing(group) or not isinstance(group, Hashable) or group not in columns:
            raise InputError(
                f"{where}, groups[{row}]",
                got="nothing" if is_missing(group) else group,
                allowed=", ".join(map(str, columns)),
                remedy="give the total of every group, one of the missing too",
            )
    indicators = np.zeros((sampling.n, len(columns)))
    indicators[np.arange(sampling.n), [columns[group] for group in listed_groups]] = 1.0
    sizes = numbers(list(totals.values()), f"{where}, totals")
    empty = (sampling.weights @ indicators == 0) | ~(np.isfinite(sizes) & (sizes > 0))
    if empty.any():
        raise InputError(
            f"{where}, totals[{list(columns)[int(np.argmax(empty))]!r}]",
            got="a group without people, or without a positive total",
            allowed="groups that are in the sample and in the population",
            remedy="join it with another group",
        )
    return indicators, sizes


def _calibrate_sampling(
    sampling: Sample, change: Callable[[Floats], Floats], auxiliary: Floats
) -> Sample:
    if isinstance(sampling, ReplicateWeights):
        return reweight(sampling, change)
    before, after = sampling.weights, change(sampling.weights)
    root = np.sqrt(before)
    scale = np.divide(after, root, out=np.ones(len(root)), where=(root > 0) & (after > 0))
    left_vectors, sizes, _ = np.linalg.svd(auxiliary * root[:, None], full_matrices=False)
    basis = left_vectors[:, sizes > _RANK * sizes.max()]
    return with_weights(sampling, after, Calibration(basis=basis, scale=scale))


_RANK = 1e-10


def _solve_factors(
    auxiliary: Floats,
    totals: Floats,
    method: str,
    bounds: tuple[float, float] | None,
    weights: Floats,
) -> Floats:
    """Find the factors by Newton's method, which halves a step that leads away."""
    size = np.abs(auxiliary).max(axis=0)
    size = np.where(size > 0, size, 1.0)
    x, wanted = auxiliary / size, totals / size
    multipliers = np.zeros(x.shape[1])
    factor, slope = _factors(x @ multipliers, method, bounds)
    missing = wanted - (weights * factor) @ x
    for _ in range(_STEPS):
        if np.abs(missing).max() <= _CLOSE * (1 + np.abs(wanted).max()):
            return _refuse_negative(weights * factor)
        bend = (x * (weights * slope)[:, None]).T @ x
        step = np.linalg.lstsq(bend, missing, rcond=1e-13)[0]
        far = np.abs(missing).max()
        for _ in range(_HALVINGS):
            factor, slope = _factors(x @ (multipliers + step), method, bounds)
            missing = wanted - (weights * factor) @ x
            if np.isfinite(missing).all() and np.abs(missing).max() < far:
                break
            step = step / 2
        else:
            break
        multipliers = multipliers + step
    raise InputError(
        "calibrate.totals",
        got=f"totals that no weights reach: {np.abs(missing * size).max():.4g} is missing",
        allowed="totals that some positive weights give",
        remedy="widen the bounds, join small groups, or check the totals",
    )


_HALVINGS = 40


def _factors(
    along: Floats, method: str, bounds: tuple[float, float] | None
) -> tuple[Floats, Floats]:
    """The factors g and their slopes."""
    with np.errstate(over="ignore"):
        factor = 1 + along if method == "linear" else np.exp(along)
    slope = np.ones(len(along)) if method == "linear" else factor
    if bounds is None:
        return factor, slope
    low, high = bounds
    inside = (factor > low) & (factor < high)
    return factor.clip(low, high), np.where(inside, slope, 0.0)


def _refuse_negative(weights: Floats) -> Floats:
    if (weights < 0).any():
        raise InputError(
            "calibrate.method",
            got=f"{int((weights < 0).sum())} negative weights by the linear method",
            allowed="totals near those of the sample",
            remedy='use method="raking", or bounds',
        )
    return weights
