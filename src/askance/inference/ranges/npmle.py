"""The most likely distribution of an unseen number, whatever its shape (NPMLE)."""

from dataclasses import replace

import numpy as np

from askance.arguments import checked, no_less
from askance.channels.identification import InclusionProbability
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.inference.climb import Convergence
from askance.inference.ranges.distribution import Distribution, shared_out
from askance.inference.ranges.inclusion import adjusted, conditional, with_nulls
from askance.inference.ranges.masses import LARGE, SMALL, Fit, current_status, most_likely
from askance.inference.ranges.support import Intersections, intersections
from askance.typing import Floats

_FAINT = 1e-24  # of the largest weight: beside it the masses that smaller ones ask for are lost


@checked
def npmle(
    ranges: Ranges,
    support: tuple[float, float] | None = None,
    tol: float = 1e-10,
    *,
    inclusion: InclusionProbability | None = None,
    eligible: Ranges | None = None,
    nulls: float | None = None,
) -> Distribution:
    """Nonparametric maximum likelihood (NPMLE) of a distribution, from interval-censored numbers.

    Maximises Σ w_i log P(range_i) over all distributions F, where P is Σ F(upper) − F(lower) over
    the pieces of a range. Where every range is one-sided this is an isotonic regression (Ayer,
    Brunk, Ewing, Reid & Silverman, 1955); otherwise masses on the maximal intersections (Turnbull,
    1976) are fitted on a support that grows where the likelihood still rises (Wang, 2007).

    Where narrow ranges are withheld, those that are sent do not speak for all. With ``inclusion``
    Σ w_i log P(range_i) − n log Σ_k s_k f_k is maximised instead, s_k the known chance to be heard
    of; with ``eligible`` Σ w_i log P(range_i)/P(eligible_i), which needs no law of the cuts. Where
    the nulls, too, are all the mechanism's own, with ``nulls`` n₀ of them and s_k the chance itself
    Σ w_i log P(range_i) + n₀ log Σ_k (1 − s_k) f_k is.

    Parameters
    ----------
    ranges : Ranges
        Of any shape: intervals, one-sided, exact, rings, any unions, weighted.
    support : (float, float), optional
        Declared bounds of the number, both inside; they replace infinite ends and change nothing
        else.
    tol : float
        Stop when the gap, max_j (Σ_i w_i 1{j in i}/P_i)/n − 1, is at most this.
    inclusion : InclusionProbability, optional
        The inclusion probability of each number: how likely its range was to be sent at all.
    eligible : Ranges, optional
        For each range, all that could have been sent in its place under the same cuts, itself
        included. The conditional likelihood may have several tops; the gap then is that of one.
    nulls : float, optional
        Of how many people nothing was sent, beside ``inclusion``: by the mechanism alone, for one
        who chose not to answer is no null. Shares are then those of all on the support, or on the
        steps of the inclusion probability.

    Returns
    -------
    Distribution
        Where inside an intersection its mass lies is not known; ``cdf_bounds`` shows it.

    Raises
    ------
    InputError
        If there is no range, one reaches beyond the support or cannot have been sent, one weighs
        next to nothing beside another, both inclusion and eligible sets are given, or nulls are
        negative or without inclusion.
    NotIdentified
        If the selection, or the eligible sets, leave the distribution open.

    References
    ----------
    Ding & Ding (2022), whose own likelihood, equation (46), is `naive_npmle`.

    >>> fit = npmle(Ranges([-np.inf, 1.5, 2.5], [0.5, np.inf, np.inf], weights=[1, 2, 1]))
    >>> fit.lower.tolist(), fit.upper.tolist(), fit.mass.tolist()
    ([-inf, 2.5], [0.5, inf], [0.25, 0.75])
    """
    if support is not None:
        _refuse_beyond(ranges, support)
    if tol < 0:
        raise InputError("npmle.tol", got=tol, allowed="a number in [0, ∞)")
    if nulls is None:
        fit, moves = _fit(ranges, inclusion, eligible, tol)
    else:
        fit, moves = _with_nulls(ranges, inclusion, eligible, nulls, support, tol)
    certain = Convergence.CONVERGED if eligible is None else Convergence.STATIONARY
    lower, upper = (fit.lower, fit.upper) if support is None else _inside(fit, support)
    return Distribution(
        lower=lower,
        upper=upper,
        mass=fit.mass / fit.mass.sum(),
        n=ranges.total,
        gap=max(fit.gap, 0.0),
        method=fit.method,
        convergence=certain if fit.gap <= tol else Convergence.STOPPED,
        unseen=fit.unseen,
        non_identified=fit.non_identified or _traded(lower, upper, moves),
        null_directions=moves,
    )


def _in_a_unit(ranges: Ranges) -> Ranges:
    """Write weights so that the largest is near one; refuse those that vanish beside it."""
    most, least = ranges.weights.max(initial=0.0), ranges.weights.min(initial=np.inf)
    if not least:
        least = ranges.weights.min(initial=most, where=ranges.weights > 0)
    if least < most * _FAINT:
        raise InputError(
            "Ranges.weights",
            got=f"weights from {least:g} to {most:g}",
            allowed=f"0, or at least {no_less(_FAINT)} of the largest",
            remedy="leave out ranges that hardly count",
        )
    if not most or SMALL < most < LARGE:
        return ranges
    weights = np.ldexp(ranges.weights, -np.frexp(most)[1])
    return Ranges(ranges.lower, ranges.upper, weights, pieces=np.diff(ranges.starts))


def _traded(lower: Floats, upper: Floats, moves: Floats) -> tuple[tuple[float, float], ...]:
    if not len(moves):
        return ()
    at = np.flatnonzero(np.any(moves, axis=0))
    return tuple(zip(lower[at].tolist(), upper[at].tolist(), strict=True))


def _fit(
    ranges: Ranges, inclusion: InclusionProbability | None, eligible: Ranges | None, tol: float
) -> tuple[Fit, Floats]:
    """Fit, and say which shares can be traded: none where it is not asked."""
    if inclusion is not None and eligible is not None:
        raise InputError("npmle", got="inclusion and eligible sets", allowed="one of the two")
    if inclusion is not None:
        fit: Fit | None = adjusted(_in_a_unit(ranges), inclusion, tol)
    elif eligible is not None:
        fit = conditional(_in_a_unit(ranges), eligible, tol)
    else:
        fit = current_status(ranges)
    if fit is None:
        return _unselected(_in_a_unit(ranges), tol)
    return fit, np.zeros((0, len(fit.mass)))


def _with_nulls(
    ranges: Ranges,
    inclusion: InclusionProbability | None,
    eligible: Ranges | None,
    nulls: float,
    support: tuple[float, float] | None,
    tol: float,
) -> tuple[Fit, Floats]:
    if inclusion is None or eligible is not None:
        raise InputError("npmle.nulls", got=nulls, allowed="inclusion beside it, nothing else")
    if not 0 <= nulls < np.inf:
        raise InputError("npmle.nulls", got=nulls, allowed="a number of people in [0, ∞)")
    scaled, line = _in_a_unit(ranges), (float(inclusion.ends[0]), float(inclusion.ends[-1]))
    if support is not None:
        first = ranges.lower.min(where=ranges.lower > -np.inf, initial=support[0])
        line = (float(first), float(support[1]))
    each = float(nulls) / ranges.total if ranges.total else 0.0
    return with_nulls(scaled, inclusion, each * scaled.total, line, tol)


def _unselected(ranges: Ranges, tol: float) -> tuple[Fit, Floats]:
    cells = intersections(ranges)
    mass, gap = most_likely(cells.runs, tol)
    mass, moves = shared_out(cells.runs, mass)
    return _on(cells, mass, gap), moves


def one_fit(ranges: Ranges, tol: float) -> Fit:
    """Fit quickly: where shares can be traded, with one division of them, whichever."""
    found = current_status(ranges)
    if found is not None:
        return found
    cells = intersections(ranges)
    return _on(cells, *most_likely(cells.runs, tol))


def _on(cells: Intersections, mass: Floats, gap: float) -> Fit:
    kept = mass > 0
    return Fit(
        lower=cells.lower[kept],
        upper=cells.upper[kept],
        mass=mass[kept],
        gap=gap,
        method="most likely distribution, growing support",
    )


def _refuse_beyond(ranges: Ranges, support: tuple[float, float]) -> None:
    low, high = support
    inner = ranges.lower != np.nextafter(low, -np.inf)  # the others hold the lower bound itself
    begun, ended = ranges.lower[inner], ranges.upper[inner]
    beyond = np.any((begun < low) & np.isfinite(begun)) or np.any(begun >= high)
    beyond |= np.any(ended <= low) or np.any((ranges.upper > high) & np.isfinite(ranges.upper))
    if not low < high or beyond:
        raise InputError(
            "npmle.support", got=support, allowed="(low, high) that holds every finite end"
        )


def _inside(fit: Fit, support: tuple[float, float]) -> tuple[Floats, Floats]:
    low, high = support
    lower = np.maximum(fit.lower, low)
    return np.where(lower < fit.upper, lower, fit.lower), np.minimum(fit.upper, high)


@checked
def naive_npmle(
    ranges: Ranges, support: tuple[float, float] | None = None, tol: float = 1e-10
) -> Distribution:
    """Fit selected ranges as though all had been sent: inconsistent, kept to compare with.

    Maximises Σ w_i log P(range_i) over the ranges that were sent. However many there are it misses
    the distribution, unless every number is equally likely to be heard of. Use `npmle` with its
    ``inclusion``, or with the ``eligible`` sets.

    Parameters
    ----------
    ranges : Ranges
    support : (float, float), optional
        Declared bounds of the number.
    tol : float
        Stop when the gap is at most this.

    Raises
    ------
    InputError
        If there is no range, or one reaches beyond the support.

    References
    ----------
    Ding & Ding (2022), equation (46), whose proof of consistency (their Proposition 4) leaves out
    that a range is sent by those whose number lies in a wide one.

    >>> wide = Ranges([0, 0, 1, 0], [2, 3, 3, 1], weights=[1, 1, 1, 0])  # the middle is in all
    >>> naive_npmle(wide).quantile(0.5)
    (1.0, 2.0)
    """
    fit = npmle(ranges, support, tol)
    return replace(fit, method="naive: as though nothing had been withheld")
