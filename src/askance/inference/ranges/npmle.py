"""The most likely distribution of an unseen number, whatever its shape (NPMLE)."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from askance.channels.identification import InclusionProbability, describe_piece, non_identified
from askance.channels.ranges import Ranges, refuse_truncation
from askance.inference.fit_result import Convergence
from askance.inference.ranges.cumulative_hazard import HazardLikelihood
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
    gain,
    most_likely,
    roughly,
)
from askance.inference.ranges.sampled import sampled_ranges
from askance.inference.ranges.support import (
    RangeRows,
    RowGroup,
    intersections,
    narrower,
    observed,
    ranks,
)
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked, no_less
from askance_collect.errors import InputError, NotIdentified

Pieces = tuple[tuple[float, float], ...]
_Crowd = tuple[int, bool, float]  # up to a place, or from it on, and of how many people
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
    return _as_distribution(fit, moves, ranges.total, support, closeness=(tol, is_only_top))


def npmle_or_limit(
    ranges: Ranges, tol: float = 1e-10, inclusion: InclusionProbability | None = None
) -> Distribution:
    """NPMLE of ranges, or of truncated ones the limit in which their likelihood rises.

    There nothing is left of the shares that are not identified, beyond a point that nobody at risk
    passes: the distribution is that of the other numbers. With entries and exits, or with unions,
    there may be several limits, and the first is refused.

    >>> late = Ranges([1, 3, 4], [1, 3, 4], closed="both", entry=[0, 2, 2])
    >>> fit = npmle_or_limit(late)
    >>> fit.upper.tolist(), fit.mass.tolist(), fit.non_identified
    ([1.0], [1.0], ((1.0, inf),))
    """
    if ranges.entry is None or inclusion is not None:
        return npmle(ranges, tol=tol, inclusion=inclusion)
    cut, pieces, n = _rescale_weights(ranges), list[tuple[float, float]](), ranges.total
    while isinstance(fit := _maximise_truncated(cut, tol), _VanishingSide):
        if not _has_concave_likelihood(cut):
            raise fit.refusal()
        cut = fit.leave_out(cut)
        pieces.append(fit.piece)
    limit = replace(fit[0], non_identified=tuple(sorted(pieces)))
    closeness = tol, _has_concave_likelihood(cut)
    return _as_distribution(limit, fit[1], n, None, closeness=closeness)


def _as_distribution(
    fit: Fit,
    moves: Floats,
    n: float,
    support: tuple[float, float] | None,
    *,
    closeness: tuple[float, bool],
) -> Distribution:
    tol, is_only_top = closeness
    certain = Convergence.CONVERGED if is_only_top else Convergence.STATIONARY
    lower, upper = (fit.lower, fit.upper) if support is None else _clip_to_support(fit, support)
    return Distribution(
        lower=lower,
        upper=upper,
        mass=fit.mass / fit.mass.sum(),
        n=n,
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
    the cumulative hazard: concave in H. Exits alone are entries of the number's negative. An entry,
    or an exit, that all share truncates nothing.
    """
    if ranges.entry is None or ranges.exit is None:
        return True
    says_more = narrower(ranges) & (ranges.weights > 0)
    sides = (ranges.entry[says_more], ranges.exit[says_more])
    is_single_piece = ranges[says_more].is_single_piece
    return is_single_piece and any(len(np.unique(side)) < 2 for side in sides)


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
    return fit_on(cells.lower, cells.upper, mass, gap), moves


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
    remedy = "npmle allows for them; Ranges.untruncated() ignores them"
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
            got="ranges whose frequencies identify no share",
            allowed="a chain of ranges from one end of the line to the other, each beginning or "
            "ending where the last one did",
            remedy="let narrower ranges be sent, or the whole line where no cut falls inside it",
        )
    places = steps(ranges, inclusion)
    runs = places.runs(ranges)
    mass, gap = masses_at_prices(runs, places.price, places.start(*roughly(ranges)), tol)
    mass, moves = shared_at_prices(runs, places.price, mass)
    fit = replace(
        fit_on(places.lower, places.upper, mass, gap),
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
            got="ranges whose frequencies identify no share, nulls counted",
            allowed="ranges that distinguish parts of the line",
        )
    if nulls and inclusion.chance.min() > 1 - _ROUNDING:
        raise InputError("npmle.nulls", got=nulls, allowed="0, as every number is always observed")
    if not nulls:  # then it does not count how often a number is heard of
        inclusion = InclusionProbability(inclusion.ends, np.ceil(inclusion.chance))
    places = steps(ranges, inclusion, silent=True)
    runs, silent = places.runs(ranges), 1 - places.price
    mass, gap = counted(runs, silent, nulls, places.start(*roughly(ranges)), tol)
    mass, moves = shared_with_nulls(runs, silent, nulls, mass)
    fit = fit_on(places.lower, places.upper, mass, gap)
    method = "most likely distribution, nulls counted"
    return replace(fit, method=method, non_identified=traded), moves


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
    return fit_on(places.lower, places.upper, mass, gap), moves


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
    fit = _maximise_truncated(ranges, tol)
    if isinstance(fit, _VanishingSide):
        raise fit.refusal()
    return fit


def _maximise_truncated(ranges: Ranges, tol: float) -> "tuple[Fit, Floats] | _VanishingSide":
    """Maximise, or find the side that others need and whose share goes to nothing."""
    truncation = Truncation.of(ranges)
    plain, windows, places = truncation.ranges, truncation.windows, truncation.places
    truncation.spans.refuse_apart()
    empty = truncation.spans.find_empty_risk_set()
    if empty is not None:
        return empty
    even = np.full(places.m, 1 / places.m)
    starts = [truncation.begin(), even]
    if truncation.is_concave:
        hazard = truncation.maximise_hazards(tol)
        certain = truncation.find_certain(hazard)
        if certain is not None:
            return certain
        starts = [truncation.hazards().masses(hazard)]
    for rounds in (_ROUNDS_BEFORE_DOUBT, _ROUNDS):
        fits = [
            _maximise_conditional(places, plain, windows, start, tol, rounds=rounds)
            for start in starts
        ]
        masses = [places.start(fit.upper, fit.mass) for fit, _ in fits]
        best = int(np.argmax([truncation.rise(mass, even) for mass in masses]))
        fit, moves = fits[best]
        vanishing = None if fit.gap <= tol else truncation.find_vanishing(masses[best])
        if vanishing is not None:
            return vanishing
        if fit.gap <= tol:
            break
        starts = [masses[best]]
    method = "most likely distribution, conditional on entry and exit"
    return replace(fit, method=method, zero_pieces=truncation.zero_pieces), moves


def _list_unseen(windows: Ranges) -> Pieces:
    """List the parts of the line that no window holds."""
    order = np.argsort(windows.lower)
    reach = np.append(-np.inf, np.maximum.accumulate(windows.upper[order]))
    begin = np.append(windows.lower[order], np.inf)
    gaps = np.flatnonzero(begin > reach)
    return tuple(zip(reach[gaps].tolist(), begin[gaps].tolist(), strict=True))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Truncation:
    """Truncated ranges that say more than their windows, over the places of their masses.

    Attributes
    ----------
    places : Steps
    ranges, windows : Ranges
    spans : _Spans
    is_concave : bool
        Whether the likelihood is, in the cumulative hazard.
    zero_pieces : tuple of (float, float)
        The parts of the line that no such window holds.
    """

    places: Steps
    ranges: Ranges
    windows: Ranges
    spans: "_Spans"
    is_concave: bool
    zero_pieces: Pieces

    @classmethod
    def of(cls, ranges: Ranges) -> "Truncation":
        """Write ranges and windows over places.

        Raises
        ------
        InputError
            If there is no range.
        NotIdentified
            If no range says more than its window.
        """
        ranges = observed(ranges)
        windows = ranges.windows
        if windows is None or not len(ranges):
            raise InputError(
                "Ranges", got="no range", allowed="at least one with a positive weight"
            )
        if not narrower(ranges).any():
            raise NotIdentified(
                "Ranges.entry",
                got="ranges that say no more than their entry and exit do",
                allowed="at least one range that is narrower than what could be observed of its "
                "number",
            )
        plain, windows, every = _select_compared(ranges.untruncated(), windows)
        line = _compared_line(every, windows)
        places = steps(_combine(plain, windows, by_row=False), line)
        return cls(
            places=places,
            ranges=plain,
            windows=windows,
            spans=_Spans.over(places, plain, windows),
            is_concave=_has_concave_likelihood(ranges),
            zero_pieces=_list_unseen(windows),
        )

    def hazards(self) -> HazardLikelihood:
        """The likelihood by hazards, of ranges of one piece that are truncated on one side."""
        places, weights = self.places, self.ranges.weights
        reach, windows = places.reach(self.ranges), places.reach(self.windows)
        return HazardLikelihood.over(places.m, reach, windows, weights)

    def begin(self) -> Floats:
        """The masses to begin with: the most likely ones without truncation."""
        return self.places.start(*roughly(self.ranges))

    def maximise_hazards(self, tol: float) -> Floats:
        """Maximise over hazards, forwards where entries truncate, backwards where exits do."""
        likelihood = self.hazards()
        hazard = likelihood.product_limit(likelihood.hazards(self.begin()))
        return likelihood.maximise(hazard, tol)

    def find_certain(self, hazard: Floats) -> "_VanishingSide | None":
        """Find a hazard without bound, from which nobody is left for others who come later."""
        backwards, spans = self.hazards().backwards, self.spans
        others = spans.earlier if backwards else spans.later
        certain = self.hazards().certain(hazard)
        certain = certain[others[certain] > 0]
        if not len(certain):
            return None
        return _VanishingSide(point=float(spans.points[certain[0]]), beyond=not backwards)

    def rise(self, new: Floats, old: Floats) -> float:
        """How much log-likelihood a change of the masses gains."""
        sides = [self.places.runs(side) for side in (self.ranges, self.windows)]
        return _conditional_gain(sides[0], sides[1], new, old)

    def find_vanishing(self, mass: Floats) -> "_VanishingSide | None":
        """Find a tail inside some windows whose share the likelihood drives to zero."""
        places, spans = np.arange(len(mass)), self.spans
        for others, share, beyond in (
            (spans.later, np.cumsum(mass[::-1])[-2::-1], True),
            (spans.earlier, np.cumsum(mass)[:-1], False),
        ):
            candidates = np.flatnonzero((others > 0) & (share > 0))
            for index in candidates[np.argsort(share[candidates])[:_MOST_SIDES]].tolist():
                is_side = (places > index) == beyond
                if self.rise(np.where(is_side, _VANISHING, 1.0) * mass, mass) > 0:
                    return _VanishingSide(point=float(spans.points[index]), beyond=beyond)
        return None

    def maximise(self, mass: Floats, tol: float, crowd: _Crowd | None = None) -> Floats:
        """Maximise the likelihood, with a crowd of binary observations if one is given.

        From masses that are nearly right. Where the likelihood rises as a share vanishes, that
        share is next to nothing.
        """
        reports, possible = (self.places.runs(side) for side in (self.ranges, self.windows))
        if crowd is not None:
            mass = _share_with(reports, possible, mass, crowd[:2])
            reports, possible = _with_crowd(reports, possible, crowd)
        gap = _gap(reports, possible, mass)
        for _ in range(_ROUNDS):
            if gap <= tol:
                break
            price = _slope(possible, mass) / reports.n
            following, _ = masses_at_prices(reports, price, mass, max(tol / 2, gap / 10))
            mass = _go_on(reports, possible, mass, following)
            gap = _gap(reports, possible, mass)
        return mass

    def level(self, point: float, *, up: bool) -> int:
        """Count the places up to a point, with the place around it if F is to rise."""
        if up:
            return int(np.searchsorted(self.places.lower, point))
        return int(np.searchsorted(self.places.upper, point, side="right"))


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
        m = places.m
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
                allowed="connected windows (entry, exit]",
                remedy=f"the distributions up to {point:g} and beyond it are identified, not how "
                f"they compare: fit ranges with exit up to {point:g} and with a later entry apart",
            )

    def find_empty_risk_set(self) -> "_VanishingSide | None":
        """Find an empty risk set: a point that no observable range lies beyond, or none before.

        The likelihood then rises as all share moves to one side, and has no top (Woodroofe, 1985).
        """
        beyond = np.flatnonzero((self.passing == 0) & (self.later > 0))
        before = np.flatnonzero((self.staying == 0) & (self.earlier > 0))
        for indices, is_beyond in ((beyond, True), (before[::-1], False)):
            if len(indices):
                index = int(indices[0])
                others = int((self.later + self.earlier)[index])
                return _VanishingSide(
                    point=float(self.points[index]),
                    beyond=is_beyond,
                    nobody_of=(int(self.spanning[index]), others),
                )
        return None


_MOST_SIDES, _VANISHING = 20, 1e-6


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _VanishingSide:
    """A side of a point on which others are observed, whose share goes to nothing.

    Attributes
    ----------
    point : float
    beyond : bool
        Whether it lies beyond the point.
    nobody_of : (int, int), optional
        Of an empty risk set, how many are observable on both sides, and on one alone.
    """

    point: float
    beyond: bool
    nobody_of: tuple[int, int] | None = None

    @property
    def piece(self) -> tuple[float, float]:
        """The interval of numbers on the side."""
        return (self.point, np.inf) if self.beyond else (-np.inf, self.point)

    def leave_out(self, ranges: Ranges) -> Ranges:
        """Cut truncated ranges to the other side; leave out who is not observable there."""
        entry, exit_ = ranges.entry, ranges.exit
        if entry is None or exit_ is None:
            return ranges
        rows = entry < self.point if self.beyond else exit_ > self.point
        ranges, entry, exit_ = ranges[rows], entry[rows], exit_[rows]
        pieces = None if ranges.is_single_piece else np.diff(ranges.starts)
        ends = (entry, np.minimum(exit_, self.point))
        if not self.beyond:
            ends = (np.maximum(entry, self.point), exit_)
        return Ranges(
            ranges.lower, ranges.upper, ranges.weights, pieces=pieces, entry=ends[0], exit=ends[1]
        )

    def refusal(self) -> NotIdentified:
        """Build the error that names the share which is not identified."""
        side, other = ("beyond", "up to") if self.beyond else ("up to", "beyond")
        problem = f"a likelihood that rises as the share {side} {self.point:g} goes to nothing"
        if self.nobody_of is not None:
            spanning, others = map(counted_ranges, self.nobody_of)
            problem = (
                f"an empty risk set: of {spanning} observable on both sides of {self.point:g} none "
                f"lies {side} it, but {others} could be observed on one side alone"
            )
        return NotIdentified(
            "Ranges.entry" if self.beyond else "Ranges.exit",
            got=problem,
            allowed="at every point somebody at risk on the side where others are observed",
            remedy=f"the distribution {other} {self.point:g} is identified, and that {side} it "
            f"among numbers there, not what share these are: fit the ranges observable only {side} "
            f"{self.point:g} apart, or a family by fit_family",
        )


def counted_ranges(n: int) -> str:
    """Count ranges in words.

    >>> counted_ranges(1), counted_ranges(2)
    ('1 range', '2 ranges')
    """
    return f"{n} range{'s' * (n != 1)}"


_ROUNDS_BEFORE_DOUBT, _ROUNDS = 100, 400  # of tangents
_FURTHEST = 1 << 14  # times a step by tangents
_LEAST_MASS = 1e-30  # of a mass that vanishes
_NO_SHARE = 1e-9  # what a side without mass begins with


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


def _conditional_gain(reports: RangeRows, possible: RangeRows, new: Floats, old: Floats) -> float:
    """How much Σ w log{P(range)/P(window)} a change of the masses gains."""
    with_none = [np.append(mass, 0.0) for mass in (new, old)]
    sides = [[rows.chances(mass) for mass in with_none] for rows in (reports, possible)]
    return gain(reports, *sides[0]) - gain(possible, *sides[1])


def _go_on(reports: RangeRows, possible: RangeRows, mass: Floats, following: Floats) -> Floats:
    """Go on from masses to those that follow, in their logarithms, as long as that gains.

    Twice as far each time: a mass that vanishes does so slowly by tangents.
    """
    change = np.divide(following, mass, out=np.zeros_like(mass), where=mass > 0)
    best: Floats = following / following.sum()
    risen, power = -np.inf, 1
    while power <= _FURTHEST:
        with np.errstate(over="ignore", under="ignore"):
            further = np.maximum(mass * change**power, _LEAST_MASS * (following > 0))
        further = np.where(mass > 0, further, following)
        further = further / further.sum()
        gained = _conditional_gain(reports, possible, further, mass)
        if not gained > risen:
            break
        best, risen, power = further, gained, 2 * power
    return best


def _with_crowd(
    reports: RangeRows, possible: RangeRows, crowd: _Crowd
) -> tuple[RangeRows, RangeRows]:
    """Add a crowd of binary observations: on which side of a place each person is."""
    level, up, people = crowd
    m, weights = np.array([reports.m - 1]), np.array([people])
    ends = (np.array([level]),) if up else (np.array([level]), m)

    def added(rows: RangeRows, ends: tuple[Integers, ...]) -> RangeRows:
        part = RowGroup(ends=ends, reach=False, weights=weights)
        return replace(rows, parts=(*rows.parts, part), n=rows.n + people)

    return added(reports, ends), added(possible, (m,))


def _share_with(
    reports: RangeRows, possible: RangeRows, mass: Floats, side: tuple[int, bool]
) -> Floats:
    """Give a side without mass some, where that costs least."""
    level, up = side
    is_side = (np.arange(len(mass)) < level) == up
    if mass[is_side].sum() > _NO_SHARE * mass.sum():
        return mass
    ratio = np.where(is_side, _gain_ratio(reports, possible, mass), -np.inf)
    shared: Floats = mass / mass.sum()
    shared[int(np.argmax(ratio))] += _NO_SHARE
    return shared


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
            got="reports that were each the only one that could have been sent",
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
            allowed="connected eligible sets",
            remedy=f"how {_describe_part(places, label == 0)} compares with "
            f"{_describe_part(places, label == 1)} is not known",
        )


def _describe_part(places: Steps, chosen: Booleans) -> str:
    indices = np.flatnonzero(chosen)
    return describe_piece((float(places.lower[indices[0]]), float(places.upper[indices[-1]])))
