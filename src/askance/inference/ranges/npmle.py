"""The most likely distribution of an unseen number, whatever its shape (NPMLE)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import numpy as np

from askance.channels.identification import InclusionProbability, describe_piece, non_identified
from askance.channels.ranges import Ranges, refuse_truncation
from askance.inference.fit_result import Convergence
from askance.inference.ranges.distribution import Distribution, divided, null_directions, shared_out
from askance.inference.ranges.inclusion import (
    Steps,
    counted,
    masses_at_prices,
    steps,
)
from askance.inference.ranges.npmle_solver import (
    LARGE,
    SMALL,
    Fit,
    current_status,
    fit_on,
    most_likely,
    roughly,
)
from askance.inference.ranges.sampled import sampled_ranges
from askance.inference.ranges.support import (
    RangeRows,
    intersections,
    narrower,
    observed,
    ranks,
    tops,
)
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked, no_less
from askance_collect.errors import InputError, NotIdentified

Pieces = tuple[tuple[float, float], ...]
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
    sampling: AbstractSamplingDesign | None = None,
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

    Of truncated ranges, ``Ranges(entry=, exit=)``, Σ w_i log P(range_i)/P(entry_i < Y ≤ exit_i) is
    maximised: with exact and right-censored numbers and delayed entry that is the product limit
    with those at risk, who have entered. Masses lie between neighbours of all ends, entries and
    exits (Frydman, 1994); the distribution is that of numbers in some window. With entries alone,
    or exits alone, and ranges of one piece the likelihood is concave in the cumulative hazard, so
    that the top found is the only one.

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
    sampling : SamplingDesign or ReplicateWeights, optional
        How people were drawn, of ranges without weights: the likelihood is weighted, the curve that
        of the population. `estimate_line` and `cdf_intervals` have its errors.

    Returns
    -------
    Distribution
        Where inside an intersection its mass lies is not known; ``cdf_bounds`` shows it.

    Raises
    ------
    InputError
        If there is no range, one reaches beyond the support or cannot have been sent, one weighs
        next to nothing beside another, both inclusion and eligible sets are given, or either beside
        truncation, nulls are negative or without inclusion, or ranges have weights beside a
        sampling design.
    NotIdentified
        If the selection, or the eligible sets, leave the distribution open; or nobody at risk
        passes a number beyond which others enter.

    References
    ----------
    Ding & Ding (2022), whose own likelihood, equation (46), is `naive_npmle`. Of truncation
    Turnbull (1976); Frydman (1994); Alioum & Commenges (1996); Pan & Chappell (1998).

    >>> fit = npmle(Ranges([-np.inf, 1.5, 2.5], [0.5, np.inf, np.inf], counts=[1, 2, 1]))
    >>> fit.lower.tolist(), fit.upper.tolist(), fit.mass.tolist()
    ([-inf, 2.5], [0.5, inf], [0.25, 0.75])
    >>> late = npmle(Ranges([2, 3, 5], [2, 3, 5], closed="both", entry=[0, 0, 2.5]))
    >>> late.mass.round(9).tolist()  # at 3, two are at risk: one of them entered at 2.5
    [0.5, 0.25, 0.25]
    """
    ranges = ranges if sampling is None else sampled_ranges(ranges, sampling)
    if support is not None:
        _refuse_beyond(ranges, support)
    if tol < 0:
        raise InputError("npmle.tol", got=tol, allowed="a number in [0, ∞)")
    if nulls is None:
        fit, moves = _fit(ranges, inclusion, eligible, tol)
    else:
        fit, moves = _fit_with_nulls(ranges, inclusion, eligible, nulls, support, tol)
    is_only_top = eligible is None and _has_concave_likelihood(ranges)
    certain = Convergence.CONVERGED if is_only_top else Convergence.STATIONARY
    lower, upper = (fit.lower, fit.upper) if support is None else _clip_to_support(fit, support)
    return Distribution(
        lower=lower,
        upper=upper,
        mass=fit.mass / fit.mass.sum(),
        n=ranges.total,
        gap=max(fit.gap, 0.0),
        method=fit.method,
        convergence=certain if fit.gap <= tol else Convergence.STOPPED,
        zero_pieces=fit.zero_pieces,
        non_identified=_merge_unidentified(fit.non_identified, _list_traded(lower, upper, moves)),
        null_directions=moves,
    )


def _rescale_weights(ranges: Ranges) -> Ranges:
    """Scale weights so that the largest is near one; refuse those too small in comparison."""
    most, least = ranges.weights.max(initial=0.0), ranges.weights.min(initial=np.inf)
    if not least:
        least = ranges.weights.min(initial=most, where=ranges.weights > 0)
    if least < most * _FAINT:
        raise InputError(
            "Ranges.counts",
            got=f"counts from {least:g} to {most:g}",
            allowed=f"0, or at least {no_less(_FAINT)} of the largest",
            remedy="leave out ranges that hardly count",
        )
    if not most or SMALL < most < LARGE:
        return ranges
    return ranges.reweighed(np.ldexp(ranges.weights, -np.frexp(most)[1]))


def _has_concave_likelihood(ranges: Ranges) -> bool:
    """Say whether a top of the likelihood is the only one, as without truncation.

    With entries alone log{P(l < Y ≤ r)/P(Y > e)} is H(e) − H(l) + log{1 − exp(H(l) − H(r))}, with H
    the cumulative hazard: concave in H. Exits alone are entries of the number's negative.
    """
    if ranges.entry is None or ranges.exit is None:
        return True
    one_side = np.isneginf(ranges.entry).all() or np.isposinf(ranges.exit).all()
    return bool(one_side) and ranges.is_single_piece


def _merge_unidentified(sample: Pieces, traded: Pieces) -> Pieces:
    """Join intervals not identified in this sample with those no sample identifies."""
    elsewhere = (
        piece
        for piece in sample
        if not any(piece[0] < high and low < piece[1] for low, high in traded)
    )
    return tuple(sorted([*traded, *elsewhere]))


def _list_traded(lower: Floats, upper: Floats, moves: Floats) -> Pieces:
    if not len(moves):
        return ()
    indices = np.flatnonzero(np.any(moves, axis=0))
    return tuple(zip(lower[indices].tolist(), upper[indices].tolist(), strict=True))


def _fit(
    ranges: Ranges, inclusion: InclusionProbability | None, eligible: Ranges | None, tol: float
) -> tuple[Fit, Floats]:
    """Fit, and say which shares can be traded."""
    if ranges.entry is not None:
        if inclusion is not None or eligible is not None:
            remedy = "join entries and exits to the eligible sets, each the common part of both"
            refuse_truncation(ranges, "npmle", remedy)
        return truncated(_rescale_weights(ranges), tol)
    if inclusion is not None and eligible is not None:
        raise InputError("npmle", got="inclusion and eligible sets", allowed="one of the two")
    if inclusion is not None:
        return adjusted(_rescale_weights(ranges), inclusion, tol)
    if eligible is not None:
        return conditional(_rescale_weights(ranges), eligible, tol)
    fit = current_status(ranges)
    if fit is None:
        return _fit_unselected(_rescale_weights(ranges), tol)
    return fit, np.zeros((0, len(fit.mass)))


def _fit_with_nulls(
    ranges: Ranges,
    inclusion: InclusionProbability | None,
    eligible: Ranges | None,
    nulls: float,
    support: tuple[float, float] | None,
    tol: float,
) -> tuple[Fit, Floats]:
    refuse_truncation(ranges, "npmle", "nulls come of ranges that were withheld, not of entries")
    if inclusion is None or eligible is not None:
        raise InputError("npmle.nulls", got=nulls, allowed="inclusion beside it, nothing else")
    if not 0 <= nulls < np.inf:
        raise InputError("npmle.nulls", got=nulls, allowed="a number of people in [0, ∞)")
    scaled, line = _rescale_weights(ranges), (float(inclusion.ends[0]), float(inclusion.ends[-1]))
    if support is not None:
        lower_ends = observed(ranges).lower
        first = lower_ends.min(where=lower_ends > -np.inf, initial=support[0])
        line = (float(first), float(support[1]))
    nulls_per_report = float(nulls) / ranges.total if ranges.total else 0.0
    return with_nulls(scaled, inclusion, nulls_per_report * scaled.total, line, tol)


def _fit_unselected(ranges: Ranges, tol: float) -> tuple[Fit, Floats]:
    cells = intersections(ranges)
    mass, gap = most_likely(cells.runs, tol)
    mass, moves = shared_out(cells.runs, mass)
    return fit_on(cells, mass, gap), moves


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


def _clip_to_support(fit: Fit, support: tuple[float, float]) -> tuple[Floats, Floats]:
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

    >>> wide = Ranges([0, 0, 1, 0], [2, 3, 3, 1], counts=[1, 1, 1, 0])  # the middle is in all
    >>> naive_npmle(wide).quantile(0.5)
    (1.0, 2.0)
    """
    remedy = "npmle allows for them; Ranges.untruncated() leaves them out of account"
    refuse_truncation(ranges, "naive_npmle", remedy)
    fit = npmle(ranges, support, tol)
    method = "naive: as though nothing had been withheld"
    return replace(fit, method=method, ignores_selection=True)


_ROUNDING = 1e-12  # sums of chances miss one by less


def adjusted(ranges: Ranges, inclusion: InclusionProbability, tol: float) -> tuple[Fit, Floats]:
    r"""Maximise the selection-adjusted likelihood.

    .. math:: \sum_i w_i \log F(R_i) - n \log \sum_k s_k f_k

    In g_k = s_k f_k / Σ s f, the shares among those who were heard of, this is concave.

    Returns
    -------
    fit : Fit
    moves : array, shape (d, m)
        How masses can be traded.

    Raises
    ------
    InputError
        If a range cannot have been sent.
    NotIdentified
        If the ranges that can be sent settle no share.
    """
    if len(inclusion.non_identified) == np.count_nonzero(inclusion.chance):
        raise NotIdentified(
            "InclusionProbability",
            got="ranges whose frequencies settle no share",
            allowed="a chain of ranges from one end of the line to the other, each beginning or "
            "ending where the last one did",
            remedy="let narrower ranges be sent, or the whole line where no cut falls inside it",
        )
    places = steps(ranges, inclusion)
    runs = places.runs(ranges)
    mass, gap = masses_at_prices(runs, places.price, places.start(*roughly(ranges)), tol)
    mass, moves = shared_at_prices(runs, places.price, mass)
    has_mass = mass > 0
    fit = Fit(
        lower=places.lower[has_mass],
        upper=places.upper[has_mass],
        mass=mass[has_mass],
        gap=gap,
        method="most likely distribution, adjusted for selection",
        zero_pieces=inclusion.zero_pieces,
        non_identified=inclusion.non_identified,
    )
    return fit, moves


def with_nulls(
    ranges: Ranges,
    inclusion: InclusionProbability,
    nulls: float,
    line: tuple[float, float],
    tol: float,
) -> tuple[Fit, Floats]:
    r"""Maximise the likelihood of what was sent and of how often nothing was.

    .. math:: \sum_i w_i \log F(R_i) + n_0 \log \sum_k (1 - s_k) f_k

    Concave in f. Shares are those of all, also where nobody is ever heard of; where several such
    places are alike they share alike what nulls leave them.

    Returns
    -------
    fit : Fit
    moves : array, shape (d, m)
        How masses can be traded.

    Raises
    ------
    InputError
        If a range cannot have been sent, or nothing is ever withheld.
    NotIdentified
        If what can be sent, and how often, settles no share.
    """
    inclusion = inclusion.restrict(*line)
    traded = () if inclusion.ranges is None else non_identified(inclusion.ranges, line)
    if _is_whole_line(traded, line):
        raise NotIdentified(
            "InclusionProbability",
            got="ranges whose frequencies settle no share, nulls counted",
            allowed="ranges that tell parts of the line apart",
        )
    if nulls and inclusion.chance.min() > 1 - _ROUNDING:
        raise InputError("npmle.nulls", got=nulls, allowed="0, as every number is always heard of")
    if not nulls:  # then it does not count how often a number is heard of
        inclusion = InclusionProbability(inclusion.ends, np.ceil(inclusion.chance))
    places = steps(ranges, inclusion, silent=True)
    runs, silent = places.runs(ranges), 1 - places.price
    mass, gap = counted(runs, silent, nulls, places.start(*roughly(ranges)), tol)
    mass, moves = shared_with_nulls(runs, silent, nulls, mass)
    with_mass = np.flatnonzero(mass)
    fit = Fit(
        lower=places.lower[with_mass],
        upper=places.upper[with_mass],
        mass=mass[with_mass],
        gap=gap,
        method="most likely distribution, nulls counted",
        non_identified=traded,
    )
    return fit, moves


def _is_whole_line(traded: Pieces, line: tuple[float, float]) -> bool:
    """Say whether pieces follow one another from end to end."""
    ends = [end for piece in traded for end in piece]
    return bool(ends) and (ends[0], ends[-1]) == line and ends[1:-1:2] == ends[2::2]


def shared_at_prices(runs: RangeRows, price: Floats, mass: Floats) -> tuple[Floats, Floats]:
    r"""Divide most likely masses h, Σ price h = 1, among all places that may have some.

    As likely are all h + d that give every row its chance, and so cost as much. Shares are h / Σ h:
    they move by d − f Σ d, the chances of rows by one factor. So all most likely shares are again a
    polytope; of them these are the analytic centre.

    Returns
    -------
    shares : array, shape (m,)
        f, which sum to one.
    moves : array, shape (d, places)
        The trades of the places that have a share now.

    >>> from askance.inference.ranges.support import runs_over
    >>> ranges = Ranges([0, 1], [2, 3])  # the ends can both gain what the middle loses
    >>> runs = runs_over(ranges, np.array([0, 1]), np.array([2, 3]), 4)
    >>> shares, moves = shared_at_prices(runs, np.array([1.0, 2, 1]) / 2, np.array([0, 1.0, 0]))
    >>> shares.round(6).tolist(), moves.shape
    ([0.333333, 0.333333, 0.333333], (1, 3))
    """
    behind = len(price)

    def trades(support: Integers, shares: Floats) -> Floats:
        free = null_directions(runs, np.append(support, behind))[:, :-1]
        free = _keep_moves(free, price[support])
        total = free.sum(axis=1)
        return free - np.multiply.outer(np.where(np.abs(total) > _NEGLIGIBLE, total, 0.0), shares)

    slope = runs.pull(runs.chances(np.append(mass, 0.0)))[:-1] / (price * runs.n)
    return divided(mass / mass.sum(), slope, trades)


def shared_with_nulls(
    runs: RangeRows, silent: Floats, nulls: float, mass: Floats
) -> tuple[Floats, Floats]:
    """Divide most likely masses so that every row, and the nulls, keep their chance.

    Returns
    -------
    shares : array, shape (m,)
    moves : array, shape (d, places)

    >>> from askance.inference.ranges.support import runs_over
    >>> runs = runs_over(Ranges([1], [2], [10]), np.array([1]), np.array([2]), 4)
    >>> silent, mass = np.array([1, 0.5, 1]), np.array([0.6, 0.4, 0])
    >>> shares, moves = shared_with_nulls(runs, silent, 40.0, mass)
    >>> shares.round(9).tolist(), np.sign(moves * moves[0, 0]).tolist()
    ([0.3, 0.4, 0.3], [[1.0, 0.0, -1.0]])
    """

    def trades(support: Integers, _: Floats) -> Floats:
        free = null_directions(runs, support)
        return _keep_moves(free, silent[support]) if nulls else free

    slope = runs.pull(runs.chances(np.append(mass, 0.0)))[:-1]
    if nulls:
        slope = slope + nulls / (silent @ mass) * silent
    return divided(mass, slope / (runs.n + nulls), trades)


_NEGLIGIBLE = 1e-9  # of the largest: so little of a sum of trades is rounding


def _keep_moves(moves: Floats, value: Floats) -> Floats:
    """Keep the moves that leave Σ mass · value alone."""
    change = moves @ (value / value.max())
    if not np.any(np.abs(change) > _NEGLIGIBLE):
        return moves
    turned: Floats = np.linalg.qr(change[:, None], mode="complete")[0][:, 1:].T @ moves
    return np.where(np.abs(turned) > _NEGLIGIBLE, turned, 0.0)


_CENTRES = 5
_STILL = 1e-12  # of a squared length: what rounding leaves of a direction that changes nothing


def conditional(ranges: Ranges, eligible: Ranges, tol: float) -> tuple[Fit, Floats]:
    r"""Maximise the conditional likelihood.

    .. math:: \sum_i w_i \{\log F(R_i) - \log F(T_i)\}

    T_i is what could have been sent in place of R_i by others with the same cuts: a truncation set
    (Turnbull, 1976). The second logarithm is replaced by its tangent, which leaves the adjusted
    likelihood with s_k = Σ w_i 1{k in T_i}/F(T_i)/n; that is solved and the tangent laid anew, so
    that the likelihood never falls (Lange, Hunter & Yang, 2000). As likely is all that keeps every
    F(R_i)/F(T_i); as not all of it need be a top, the search goes on from the centre.

    Returns
    -------
    fit : Fit
    moves : array, shape (d, m)
        How masses can be traded.

    Raises
    ------
    InputError
        If a range reaches beyond its eligible set.
    NotIdentified
        If no report could have been another, or parts of the line are never compared.
    """
    ranges, eligible, all_eligible = _select_compared(ranges, eligible)
    line = _compared_line(all_eligible, eligible)
    places = steps(_combine(ranges, eligible, by_row=False), line)
    _refuse_apart(places, eligible)
    start = places.start(*roughly(ranges))
    fit, moves = _maximise_conditional(places, ranges, eligible, start, tol)
    method = "most likely distribution, conditional on what could be sent"
    return replace(fit, method=method, zero_pieces=line.zero_pieces), moves


def _maximise_conditional(
    places: Steps,
    ranges: Ranges,
    eligible: Ranges,
    mass: Floats,
    tol: float,
    *,
    rounds: int = 500,
) -> tuple[Fit, Floats]:
    """Maximise the conditional likelihood over the places, from masses to begin with."""
    runs = (places.runs(ranges), places.runs(eligible))
    compared = _Compared.over(places, ranges, eligible)
    for _ in range(_CENTRES):
        mass, mass_gap = _iterate_tangents(*runs, mass, tol, rounds)
        mass, moves = divided(mass / mass.sum(), _gain_ratio(*runs, mass), compared.trades)
        gap = _gap(*runs, mass) if len(moves) else mass_gap
        if gap <= tol or mass_gap > tol:
            break
    has_mass = mass > 0
    fit = Fit(
        lower=places.lower[has_mass],
        upper=places.upper[has_mass],
        mass=mass[has_mass],
        gap=gap,
        method="",
    )
    return fit, moves


def truncated(ranges: Ranges, tol: float) -> tuple[Fit, Floats]:
    r"""Maximise the likelihood of truncated ranges, conditional on their windows.

    .. math:: \sum_i w_i \{\log F(R_i) - \log F(T_i)\}

    As `conditional`, with windows as the eligible sets. Where only entries or only exits truncate,
    it is maximised in the cumulative hazard first, in which it is concave.

    Returns
    -------
    fit : Fit
        With every part of the line that no window holds.
    moves : array, shape (d, m)
        How masses can be traded.

    Raises
    ------
    InputError
        If there is no range.
    NotIdentified
        If no range says more than its window, windows do not hang together, or a risk set is empty.
    """
    ranges = observed(ranges)
    windows = ranges.windows
    if windows is None or not len(ranges):
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    plain = ranges.untruncated()
    if not narrower(ranges).any():
        raise NotIdentified(
            "Ranges.entry",
            got="ranges that say no more than their entry and exit do",
            allowed="at least one range that is narrower than what could be observed of its number",
        )
    plain, windows, every = _select_compared(plain, windows)
    places = steps(_combine(plain, windows, by_row=False), _compared_line(every, windows))
    spans = _Spans.over(places, plain, windows)
    spans.refuse_apart()
    spans.refuse_empty_risk_sets()
    starts = [places.start(*roughly(plain))]
    if _has_concave_likelihood(ranges):
        starts = [_fit_hazards(places, plain, windows, spans, starts[0], tol)]
    else:
        starts.append(np.full(len(starts[0]), 1 / len(starts[0])))
    for rounds in (_ROUNDS_BEFORE_DOUBT, _ROUNDS):
        fits = [
            _maximise_conditional(places, plain, windows, start, tol, rounds=rounds)
            for start in starts
        ]
        fit, moves = max(
            fits, key=lambda pair: _log_likelihood(pair[0], plain, windows, pair[0].mass)
        )
        if fit.gap <= tol:
            break
        spans.refuse_vanishing(fit, partial(_log_likelihood, fit, plain, windows))
        starts = [places.start(fit.upper, fit.mass)]
    method = "most likely distribution, conditional on entry and exit"
    return replace(fit, method=method, zero_pieces=_list_unseen(every)), moves


def _log_likelihood(fit: Fit, ranges: Ranges, windows: Ranges, mass: Floats) -> float:
    """The conditional log-likelihood, where the places of a fit have other masses."""
    upto, sums = np.append(0.0, np.cumsum(mass)), []
    for sets in (ranges, windows):
        first = np.searchsorted(fit.lower, sets.lower)
        past = np.searchsorted(fit.upper, sets.upper, side="right")
        chance = np.add.reduceat(upto[np.maximum(past, first)] - upto[first], sets.starts[:-1])
        sums.append(float(sets.weights @ np.log(np.maximum(chance, np.finfo(float).tiny))))
    return sums[0] - sums[1]


def _list_unseen(windows: Ranges) -> Pieces:
    """List the parts of the line that no window holds."""
    order = np.argsort(windows.lower)
    reach = np.append(-np.inf, np.maximum.accumulate(windows.upper[order]))
    begin = np.append(windows.lower[order], np.inf)
    gaps = np.flatnonzero(begin > reach)
    return tuple(zip(reach[gaps].tolist(), begin[gaps].tolist(), strict=True))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Spans:
    """Which windows reach over each point between two places, and on which side their ranges lie.

    Attributes
    ----------
    points : array, shape (m − 1,)
    spanning : array, shape (m − 1,)
        How many windows hold numbers on both sides.
    passing, staying : array, shape (m − 1,)
        How many of their ranges hold numbers beyond the point, and up to it.
    later, earlier : array, shape (m − 1,)
        How many windows lie beyond the point, and up to it.
    """

    points: Floats
    spanning: Integers
    passing: Integers
    staying: Integers
    later: Integers
    earlier: Integers

    @classmethod
    def over(cls, places: Steps, ranges: Ranges, windows: Ranges) -> "_Spans":
        """Count rows at each point."""
        m = len(places.price)
        first, past = places.reach(windows)
        range_first, range_past = places.reach(ranges)
        begun, ended = range_first[ranges.starts[:-1]], range_past[ranges.starts[1:] - 1]

        def between(low: Integers, high: Integers) -> Integers:
            """How many rows have low < point ≤ high, by points 1 … m − 1."""
            size = m + 2
            change = np.bincount(low + 1, minlength=size) - np.bincount(high + 1, minlength=size)
            return np.asarray(np.cumsum(change)[1:m], dtype=np.int64)

        none = np.zeros_like(first)
        return cls(
            points=places.upper[:-1],
            spanning=between(first, past - 1),
            passing=between(first, np.maximum(ended - 1, first)),
            staying=between(np.minimum(begun, past - 1), past - 1),
            later=between(none - 1, first),
            earlier=between(past - 1, none + m),
        )

    def refuse_apart(self) -> None:
        """Refuse windows whose union has a gap."""
        gaps = np.flatnonzero(self.spanning == 0)
        if len(gaps):
            point = float(self.points[gaps[0]])
            raise NotIdentified(
                "Ranges.entry",
                got=f"no range that is observable on both sides of {point:g}",
                allowed="windows (entry, exit] that hang together",
                remedy=f"the distributions up to {point:g} and beyond it are identified, not how "
                f"they compare: fit ranges with exit up to {point:g} and with a later entry apart",
            )

    def refuse_empty_risk_sets(self) -> None:
        """Refuse empty risk sets: points that no observable range lies beyond, or none before.

        The likelihood then rises as all share moves to one side, and has no top (Woodroofe, 1985).
        """
        beyond = np.flatnonzero((self.passing == 0) & (self.later > 0))
        before = np.flatnonzero((self.staying == 0) & (self.earlier > 0))
        for indices, side in ((beyond, "beyond"), (before, "up to")):
            if len(indices):
                index = int(indices[0])
                others = counted_ranges(int((self.later + self.earlier)[index]))
                problem = (
                    f"an empty risk set: of {counted_ranges(int(self.spanning[index]))} observable "
                    f"on both sides of {self.points[index]:g} none lies {side} it, but {others} "
                    "could be observed on one side alone"
                )
                raise _one_side_alone(problem, float(self.points[index]), side)

    def refuse_certain(self, hazard: Floats, *, backwards: bool) -> None:
        """Refuse hazards without bound, from which nobody is left for others who come later."""
        others = self.earlier if backwards else self.later
        certain = np.flatnonzero((hazard >= _CERTAIN) & (others > 0))
        if len(certain):
            point = float(self.points[certain[-1 if backwards else 0]])
            side = "up to" if backwards else "beyond"
            problem = f"a likelihood that rises as the share {side} {point:g} goes to nothing"
            raise _one_side_alone(problem, point, side)

    def refuse_vanishing(self, fit: Fit, log_likelihood: Callable[[Floats], float]) -> None:
        """Refuse likelihoods that rise as the share of a side that others need vanishes."""
        upto = np.append(0.0, np.cumsum(fit.mass))
        past = np.searchsorted(fit.upper, self.points, side="right")
        now = log_likelihood(fit.mass)
        for others, share, side in (
            (self.later, 1 - upto[past] / upto[-1], "beyond"),
            (self.earlier, upto[past] / upto[-1], "up to"),
        ):
            candidates = np.flatnonzero((others > 0) & (share > 0))
            for index in candidates[np.argsort(share[candidates])[:_MOST_SIDES]]:
                is_side = (np.arange(len(fit.mass)) >= past[index]) == (side == "beyond")
                if log_likelihood(np.where(is_side, _VANISHING, 1.0) * fit.mass) > now:
                    point = float(self.points[index])
                    problem = (
                        f"a likelihood that rises as the share {side} {point:g} goes to nothing"
                    )
                    raise _one_side_alone(problem, point, side)


_MOST_SIDES, _VANISHING = 20, 1e-6


def _one_side_alone(problem: str, point: float, side: str) -> NotIdentified:
    other = "up to" if side == "beyond" else "beyond"
    return NotIdentified(
        "Ranges.entry" if side == "beyond" else "Ranges.exit",
        got=problem,
        allowed="at every point somebody at risk on the side where others are observed",
        remedy=f"the distribution {other} {point:g} is identified, and that {side} it among "
        f"numbers there, not what share these are: fit the ranges observable only {side} "
        f"{point:g} apart, or a family by fit_family",
    )


def counted_ranges(n: int) -> str:
    """Count ranges in words.

    >>> counted_ranges(1), counted_ranges(2)
    ('1 range', '2 ranges')
    """
    return f"{n} range{'s' * (n != 1)}"


_ROUNDS_BEFORE_DOUBT, _ROUNDS = 100, 400  # of tangents
_NEWTON_STEPS, _HALVINGS = 200, 40
_SURE = 40.0  # a hazard after which nobody is left but for rounding
_CERTAIN = 25.0  # one that was on the way there
_RIDGE = 1e-12  # of the largest curvature


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Hazards:
    r"""The likelihood of ranges of one piece with delayed entry, concave in the hazard's sum H.

    .. math:: \sum_i w_i [H(e_i) - H(l_i) + \log\{1 - e^{H(l_i) - H(r_i)}\}]

    Behind the last place nobody is left, so that ranges up to it have no second term.

    Attributes
    ----------
    m : int
        How many places there are.
    first, past : array of int
        What each range holds that ends before the last place.
    weights : array
        Those of these ranges.
    exposure : array, shape (m - 1,)
        How many people, entered, pass each place before their range begins.
    """

    m: int
    first: Integers
    past: Integers
    weights: Floats
    exposure: Floats

    @classmethod
    def over(
        cls, m: int, first: Integers, past: Integers, entry: Integers, weights: Floats
    ) -> "_Hazards":
        """Write ranges over places."""
        is_closed = past < m
        change = np.bincount(entry, weights, m + 1) - np.bincount(first, weights, m + 1)
        passing = np.cumsum(change)[: m - 1]
        return cls(
            m=m,
            first=first[is_closed],
            past=past[is_closed],
            weights=weights[is_closed],
            exposure=np.where(passing > _RIDGE * weights.sum(), passing, 0.0),
        )

    def product_limit(self, hazard: Floats) -> Floats:
        """Put in the hazards of places that are ranges of their own, as though all were such."""
        single = self.past - self.first == 1
        events = np.bincount(self.first[single], self.weights[single], self.m)[: self.m - 1]
        with np.errstate(divide="ignore"):
            alone = np.minimum(
                np.log1p(
                    np.divide(
                        events,
                        self.exposure,
                        out=np.full(self.m - 1, np.inf),
                        where=self.exposure > 0,
                    )
                ),
                _SURE,
            )
        return np.where(events > 0, alone, hazard)

    def total(self, hazard: Floats) -> float:
        """The log-likelihood of hazards by place."""
        rise = self._rise(hazard)
        if not (rise > 0).all():
            return -np.inf
        return float(self.weights @ np.log(-np.expm1(-rise)) - self.exposure @ hazard)

    def slope(self, hazard: Floats) -> Floats:
        """Its derivative by the hazard of each place."""
        pull, size = self.weights / np.expm1(self._rise(hazard)), self.m + 1
        change = np.bincount(self.first, pull, size) - np.bincount(self.past, pull, size)
        return np.asarray(np.cumsum(change)[: self.m - 1] - self.exposure, dtype=np.float64)

    def curvature(self, hazard: Floats, support: Integers) -> Floats:
        """Its negative second derivative by the hazards of some places."""
        rise, rank = self._rise(hazard), ranks(self.m, support)
        bend = self.weights / (4 * np.sinh(rise / 2) ** 2)
        sums = np.zeros((len(support) + 1, len(support) + 1))
        np.add.at(sums, (rank[self.first], rank[self.past]), bend)
        begun = np.cumsum(sums, axis=0)
        bends: Floats = np.triu(np.cumsum(begun[:, ::-1], axis=1)[:, ::-1][:-1, 1:])
        return np.asarray(bends + np.triu(bends, 1).T, dtype=np.float64)

    def _rise(self, hazard: Floats) -> Floats:
        upto = np.append(0.0, np.cumsum(hazard))
        return np.asarray(upto[self.past] - upto[self.first], dtype=np.float64)


def _maximise_hazards(problem: _Hazards, hazard: Floats, tol: float) -> Floats:
    """Maximise by Newton's method among hazards from 0 to a bound (Bertsekas, 1982)."""
    n = float(problem.weights.sum()) or 1.0
    hazard = problem.product_limit(hazard)
    hazard = np.where((problem.exposure == 0) & (hazard > 0), _SURE, hazard)
    for _ in range(_NEWTON_STEPS):
        slope, total = problem.slope(hazard), problem.total(hazard)
        moving = np.flatnonzero((hazard > 0) & ~((hazard >= _SURE) & (slope >= 0)))
        support = np.union1d(moving, tops(slope, np.flatnonzero(hazard), tol * n))
        step = _newton_step(problem, hazard, slope, support)
        following = next(
            (
                trial
                for halving in range(_HALVINGS)
                for trial in [np.clip(hazard + 0.5**halving * step, 0, _SURE)]
                if problem.total(trial) > total
            ),
            None,
        )
        if following is None:
            break
        hazard = following
    return hazard


def _newton_step(problem: _Hazards, hazard: Floats, slope: Floats, support: Integers) -> Floats:
    """Newton's step on a support, without places at 0 that it would move below."""
    step = np.zeros(len(hazard))
    while len(support):
        matrix = problem.curvature(hazard, support)
        ridge = _RIDGE * max(float(np.diag(matrix).max()), 1.0)
        move = np.linalg.solve(matrix + ridge * np.eye(len(support)), slope[support])
        is_kept = (hazard[support] > 0) | (move > 0)
        if is_kept.all():
            step[support] = move
            break
        support = support[is_kept]
    return step


def _fit_hazards(
    places: Steps, ranges: Ranges, windows: Ranges, spans: _Spans, mass: Floats, tol: float
) -> Floats:
    """Maximise over hazards, forwards where entries truncate, backwards where exits do."""
    m, backwards = len(mass), not np.isposinf(windows.upper).all()
    (first, past), (entry, end) = places.reach(ranges), places.reach(windows)
    if backwards:
        first, past, entry, mass = m - past, m - first, m - end, mass[::-1]
    beyond = np.cumsum(mass[::-1])[::-1]
    part = np.divide(mass, beyond, out=np.zeros(m), where=beyond > 0)[:-1]
    with np.errstate(divide="ignore"):
        hazard = np.minimum(-np.log1p(-np.minimum(part, 1.0)), _SURE)
    problem = _Hazards.over(m, first, past, entry, ranges.weights)
    hazard = _maximise_hazards(problem, hazard, tol)
    spans.refuse_certain(hazard[::-1] if backwards else hazard, backwards=backwards)
    nobody = np.logical_or.accumulate(np.append(False, hazard >= _CERTAIN))
    survival = np.where(nobody, 0.0, np.exp(-np.append(0.0, np.cumsum(hazard))))
    fitted = np.append(-np.diff(survival), survival[-1]).clip(0)
    return fitted[::-1] if backwards else fitted


def _iterate_tangents(
    reports: RangeRows, possible: RangeRows, mass: Floats, tol: float, rounds: int
) -> tuple[Floats, float]:
    """Repeat the tangent step; without a maximum the gap shrinks ever more slowly."""
    gap = np.inf
    for _ in range(rounds):
        gap = _gap(reports, possible, mass)
        if gap <= tol:
            break
        price = _slope(possible, mass) / reports.n
        mass, _ = masses_at_prices(reports, price, mass, max(tol / 2, gap / 10))
    return mass, gap


def _slope(runs: RangeRows, mass: Floats) -> Floats:
    """The derivative of Σ w log P by each mass but that of the place behind them."""
    return runs.pull(runs.chances(np.append(mass, 0.0)))[:-1]


def _gain_ratio(reports: RangeRows, possible: RangeRows, mass: Floats) -> Floats:
    """Slope of the reports over that of their alternatives, by mass; at most 1 at the best."""
    return _slope(reports, mass) / _slope(possible, mass)


def _gap(reports: RangeRows, possible: RangeRows, mass: Floats) -> float:
    return float(_gain_ratio(reports, possible, mass).max() - 1)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Compared:
    """Each report, and what could have come in its place, as sums of differences of levels."""

    reports: Any
    possible: Any

    @classmethod
    def over(cls, places: Steps, ranges: Ranges, eligible: Ranges) -> "_Compared":
        return cls(reports=_write_signs(places, ranges), possible=_write_signs(places, eligible))

    def trades(self, support: Integers, shares: Floats) -> Floats:
        """Find how these shares can move so that every F(R_i)/F(T_i) stays."""
        from scipy.linalg import LinAlgError, cholesky, eigh
        from scipy.sparse import csr_array, diags_array

        m, s = self.reports.shape[1] - 1, len(support)
        if s < 2:
            return np.zeros((0, s))
        onto = csr_array(
            (np.ones(m + 1), (np.arange(m + 1), ranks(m, support))), shape=(m + 1, s + 1)
        )
        reports = self.reports @ onto
        possible = self.possible @ onto
        upto = np.append(0, np.cumsum(shares))
        change = (reports - diags_array((reports @ upto) / (possible @ upto)) @ possible)[:, 1:-1]
        squares, still = (change.T @ change).toarray(), _STILL * self.reports.shape[0]
        try:  # much quicker, and enough where nothing moves
            cholesky(squares - still * np.eye(len(squares)), overwrite_a=True, check_finite=False)
            return np.zeros((0, s))
        except LinAlgError:
            values, vectors = eigh(squares)
        free = vectors[:, values < still]
        moves = np.diff(np.pad(free, ((1, 1), (0, 0))), axis=0).T
        return np.where(np.abs(moves) > _STILL, moves, 0.0)


def _write_signs(places: Steps, ranges: Ranges) -> Any:
    """Write each range as the levels that its chance adds and takes away."""
    from scipy.sparse import csr_array

    ends, n = np.concatenate(places.reach(ranges)), len(ranges)
    row = np.tile(np.repeat(np.arange(n), np.diff(ranges.starts)), 2)
    sign = np.repeat([-1.0, 1.0], len(row) // 2)
    return csr_array((sign, (row, ends)), shape=(n, len(places.price) + 1))


def _compared_line(all_eligible: Ranges, told_apart: Ranges) -> InclusionProbability:
    """Mark the parts of the line on which reports compare numbers."""
    ends = np.unique(np.concatenate([all_eligible.lower, all_eligible.upper]))
    change = np.bincount(np.searchsorted(ends, told_apart.lower), minlength=len(ends))
    change -= np.bincount(np.searchsorted(ends, told_apart.upper), minlength=len(ends))
    return InclusionProbability(ends, (np.cumsum(change)[:-1] > 0).astype(float))


def _select_compared(ranges: Ranges, eligible: Ranges) -> tuple[Ranges, Ranges, Ranges]:
    """Keep the reports in whose place another could have come, the weights on both sides.

    The third is the eligible sets of all reports that were observed.
    """
    if len(ranges) != len(eligible):
        raise InputError(
            "eligible", got=f"{len(eligible)} sets", allowed=f"one for each of {len(ranges)} ranges"
        )
    ends = np.unique(np.concatenate([eligible.lower, eligible.upper, ranges.lower, ranges.upper]))
    size = _count_steps(eligible, ends)
    beyond = _count_steps(_combine(ranges, eligible, by_row=True), ends) > size
    if beyond.any():
        raise InputError(
            f"Ranges[{int(np.argmax(beyond))}]",
            got="a range outside its eligible set",
            allowed="a range within its eligible set",
            remedy="the range that was sent is itself one of those that could have been",
        )
    told_apart = np.flatnonzero((_count_steps(ranges, ends) < size) & (ranges.weights > 0))
    if not len(told_apart):
        raise NotIdentified(
            "eligible",
            got="reports each of which was the only one that could have been sent",
            allowed="cuts that leave at least two ranges wide enough to be sent",
            remedy="where the law of the cuts is known, give the inclusion probability instead",
        )
    every = eligible[ranges.weights > 0]
    ranges, eligible = ranges[told_apart], eligible[told_apart]
    return ranges, eligible.reweighed(ranges.weights), every


def _count_steps(ranges: Ranges, ends: Floats) -> Integers:
    """Count the steps between ends that each range holds."""
    steps_held = np.searchsorted(ends, ranges.upper) - np.searchsorted(ends, ranges.lower)
    return np.add.reduceat(steps_held, ranges.starts[:-1])


def _combine(first: Ranges, second: Ranges, *, by_row: bool) -> Ranges:
    """Unite the ranges row by row, or list one after the other."""
    lower, upper = np.append(first.lower, second.lower), np.append(first.upper, second.upper)
    pieces = np.append(np.diff(first.starts), np.diff(second.starts))
    if not by_row:
        return Ranges(lower, upper, pieces=pieces)
    rows = np.repeat(np.tile(np.arange(len(first)), 2), pieces)
    order = np.argsort(rows, kind="stable")
    return Ranges(lower[order], upper[order], pieces=np.bincount(rows))


def _refuse_apart(places: Steps, eligible: Ranges) -> None:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    m, upto = len(places.price), places.upto
    first = upto[np.searchsorted(places.breaks, eligible.lower)]
    last = upto[np.searchsorted(places.breaks, eligible.upper)] - 1
    tied = np.cumsum(np.bincount(first, minlength=m) - np.bincount(last, minlength=m)) > 0
    near = np.flatnonzero(tied)
    far = np.repeat(first[eligible.starts[:-1]], np.diff(eligible.starts))
    links = (np.append(near, first), np.append(near + 1, far))
    graph = csr_array((np.ones(len(links[0])), links), shape=(m, m))
    parts, label = connected_components(graph, directed=False)
    if parts > 1:
        raise NotIdentified(
            "eligible",
            got=f"{parts} parts of the line that no report compares",
            allowed="eligible sets that hang together",
            remedy=f"how {_describe_part(places, label == 0)} compares with "
            f"{_describe_part(places, label == 1)} is not known",
        )


def _describe_part(places: Steps, chosen: Booleans) -> str:
    indices = np.flatnonzero(chosen)
    return describe_piece((float(places.lower[indices[0]]), float(places.upper[indices[-1]])))
