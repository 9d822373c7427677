"""The most likely distribution where some numbers are heard of more often than others."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.identification import InclusionProbability, non_identified, told
from askance.channels.ranges import Ranges
from askance.errors import InputError, NotIdentified
from askance.inference.climb import climb
from askance.inference.ranges.masses import Fit, bend, most_likely, tops
from askance.inference.ranges.support import Runs, intersections, runs_over
from askance.typing import Booleans, Floats, Integers

Pieces = tuple[tuple[float, float], ...]

_ROUNDING = 1e-12  # sums of chances miss one by less


def adjusted(ranges: Ranges, inclusion: InclusionProbability, tol: float) -> Fit:
    r"""Maximise the selection-adjusted likelihood.

    .. math:: \sum_i w_i \log F(R_i) - n \log \sum_k s_k f_k

    In g_k = s_k f_k / Σ s f, the shares among those who were heard of, this is concave.

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
    mass, gap = masses_at_prices(places.runs(ranges), places.price, places.start(ranges), tol)
    kept = mass > 0
    return Fit(
        lower=places.lower[kept],
        upper=places.upper[kept],
        mass=mass[kept],
        gap=gap,
        method="most likely distribution, adjusted for selection",
        unseen=inclusion.unseen,
        non_identified=inclusion.non_identified,
    )


def with_nulls(
    ranges: Ranges,
    inclusion: InclusionProbability,
    nulls: float,
    line: tuple[float, float],
    tol: float,
) -> tuple[Fit, Floats]:
    r"""Maximise the likelihood of what was sent and of how often nothing was.

    .. math:: \sum_i w_i \log F(R_i) + n_0 \log \sum_k (1 - s_k) f_k

    Concave in f. Shares are those of all, also where nobody is ever heard of; several such places
    are alike, and share alike what nulls leave them.

    Returns
    -------
    fit : Fit
    moves : array, shape (d, m)
        How masses of places that are alike can be traded.

    Raises
    ------
    InputError
        If a range cannot have been sent, or nothing is ever withheld.
    NotIdentified
        If what can be sent, and how often, settles no share.
    """
    inclusion = inclusion.over(*line)
    traded = () if inclusion.sent is None else non_identified(inclusion.sent, line)
    if _fills(traded, line):
        raise NotIdentified(
            "InclusionProbability",
            got="ranges whose frequencies settle no share, nulls counted",
            allowed="ranges that tell parts of the line apart",
        )
    if nulls and inclusion.chance.min() > 1 - _ROUNDING:
        raise InputError("npmle.nulls", got=nulls, allowed="0, as every number is always heard of")
    places = steps(ranges, inclusion, silent=True)
    silent = 1 - places.price
    mass, gap = counted(places.runs(ranges), silent, nulls, places.start(ranges), tol)
    alike = np.flatnonzero(~places.held)
    mass[alike] = mass[alike].sum() / max(len(alike), 1)
    kept = np.flatnonzero(mass)
    fit = Fit(
        lower=places.lower[kept],
        upper=places.upper[kept],
        mass=mass[kept],
        gap=gap,
        method="most likely distribution, nulls counted",
        non_identified=traded,
    )
    return fit, _moves(~places.held[kept])


def _fills(traded: Pieces, line: tuple[float, float]) -> bool:
    """Say whether pieces follow one another from end to end."""
    ends = [end for piece in traded for end in piece]
    return bool(ends) and (ends[0], ends[-1]) == line and ends[1:-1:2] == ends[2::2]


def _moves(alike: Booleans) -> Floats:
    """Trade the first of some places for each other one."""
    at = np.flatnonzero(alike)
    moves = np.zeros((max(len(at) - 1, 0), len(alike)))
    moves[:, at[:1]] = -1.0
    moves[np.arange(len(moves)), at[1:]] = 1.0
    return moves


_ROUGH = 1e-6  # the gap of a start


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Steps:
    """Places where mass can lie, in ascending order.

    Between two neighbouring ends of the data every number lies in the same ranges, so the
    likelihood rises where a number is least often heard of: the place is the hull of those steps.

    Attributes
    ----------
    lower, upper : array, shape (m,)
    price : array, shape (m,)
        How likely a number there is to be heard of; positive where a range holds it.
    held : array of bool, shape (m,)
        Whether a range holds it.
    upto : array of int
        How many of the places end by each of the ``breaks``.
    breaks : array
        Every end of the data and of the steps of s.
    """

    lower: Floats
    upper: Floats
    price: Floats
    held: Booleans
    upto: Integers
    breaks: Floats

    def runs(self, ranges: Ranges) -> Runs:
        """Write ranges over the places, and over one more behind the last that no range holds."""
        low, high = _on_line(ranges, self.breaks[0], self.breaks[-1])
        first = self.upto[np.searchsorted(self.breaks, low)]
        past = self.upto[np.searchsorted(self.breaks, high)]
        return runs_over(ranges, first, past, len(self.price) + 1)

    def start(self, ranges: Ranges) -> Floats:
        """The most likely masses if all were equally often heard of."""
        cells = intersections(ranges)
        upper = np.minimum(cells.upper, self.breaks[-1])
        mass = np.zeros(len(self.price))
        found, _ = most_likely(cells.runs, _ROUGH)
        mass[self.upto[np.searchsorted(self.breaks, upper)] - 1] = found
        return mass


def steps(ranges: Ranges, inclusion: InclusionProbability, *, silent: bool = False) -> Steps:
    """Find the places, and refuse ranges that cannot have been sent.

    Parameters
    ----------
    ranges : Ranges
    inclusion : InclusionProbability
    silent : bool
        Whether places count that no range holds, because nulls can come from there: those of them
        from which they come most often.

    Raises
    ------
    InputError
        If there is no range, or one reaches beyond the line or holds numbers that are never heard
        of.
    """
    if not ranges.weights.any():
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    ranges = ranges[ranges.weights > 0]
    low, high = _on_line(ranges, inclusion.ends[0], inclusion.ends[-1])
    _refuse_impossible(ranges, inclusion, low, high)
    breaks = np.unique(np.concatenate([inclusion.ends, low, high]))
    chance = inclusion.chance[np.searchsorted(inclusion.ends, breaks[1:]) - 1]
    low_at, high_at = np.searchsorted(breaks, low), np.searchsorted(breaks, high)
    k = len(breaks)
    begun, ended = np.bincount(low_at, minlength=k), np.bincount(high_at, minlength=k)
    atom = np.cumsum((begun + ended)[:-1] > 0)
    least = np.full(atom[-1] + 1, np.inf)
    np.minimum.at(least, atom, chance)
    held = np.cumsum(begun - ended)[:-1] > 0
    rarest = chance.min(where=~held, initial=np.inf)
    kept = np.flatnonzero((held & (chance == least[atom])) | (silent & ~held & (chance == rarest)))
    start = np.flatnonzero(np.diff(atom[kept], prepend=-1))
    stop = np.append(start[1:], len(kept)) - 1
    return Steps(
        lower=breaks[kept[start]],
        upper=breaks[kept[stop] + 1],
        price=chance[kept[start]],
        held=held[kept[start]],
        upto=np.searchsorted(kept[stop], np.arange(k)),
        breaks=breaks,
    )


def _on_line(ranges: Ranges, first: float, last: float) -> tuple[Floats, Floats]:
    """Bring infinite ends onto the line; leave the others, which must lie on it already."""
    low = np.where(np.isneginf(ranges.lower), first, ranges.lower)
    high = np.where(np.isposinf(ranges.upper), last, ranges.upper)
    return low, high


def _refuse_impossible(
    ranges: Ranges, inclusion: InclusionProbability, low: Floats, high: Floats
) -> None:
    first, last = inclusion.ends[0], inclusion.ends[-1]
    wrong = (low < first) | (high > last) | (low >= high)
    for begin, end in inclusion.unseen:
        wrong |= (low < end) & (high > begin)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(
            f"Ranges[{int(np.searchsorted(ranges.starts, at, side='right')) - 1}]",
            got=f"({ranges.lower[at]}, {ranges.upper[at]}]",
            allowed=f"ranges in ({first}, {last}] that hold nobody whose report is never sent",
            remedy="check that the reports belong to this inclusion probability",
        )


_CONDITIONAL_ROUNDS = 500


def conditional(ranges: Ranges, eligible: Ranges, tol: float) -> Fit:
    r"""Climb the conditional likelihood.

    .. math:: \sum_i w_i \{\log F(R_i) - \log F(T_i)\}

    T_i is what could have been sent in place of R_i by others with the same cuts: a truncation set
    (Turnbull, 1976). The second logarithm is replaced by its tangent, which leaves the adjusted
    likelihood with s_k = Σ w_i 1{k in T_i}/F(T_i)/n; that is solved and the tangent laid anew, so
    that the likelihood never falls (Lange, Hunter & Yang, 2000).

    Raises
    ------
    InputError
        If a range reaches beyond its eligible set.
    NotIdentified
        If no report could have been another, or parts of the line are never compared.
    """
    all_eligible = eligible
    ranges, eligible = _compared(ranges, eligible)
    line = _line(all_eligible, eligible)
    places = steps(_joined(ranges, eligible, beside=False), line)
    _refuse_apart(places, eligible)
    mass, gap = _climbed(places.runs(ranges), places.runs(eligible), places.start(ranges), tol)
    kept = mass > 0
    return Fit(
        lower=places.lower[kept],
        upper=places.upper[kept],
        mass=mass[kept],
        gap=gap,
        method="most likely distribution, conditional on what could be sent",
        unseen=line.unseen,
    )


def _climbed(seen: Runs, possible: Runs, mass: Floats, tol: float) -> tuple[Floats, float]:
    """Lay tangents anew; where the likelihood has no top the gap shrinks ever more slowly."""
    gap = np.inf
    for _ in range(_CONDITIONAL_ROUNDS):
        spread = np.append(mass, 0.0)
        price = possible.pull(possible.chances(spread))[:-1] / seen.n
        slope = seen.pull(seen.chances(spread))[:-1] / seen.n
        gap = float((slope / price).max() - 1)
        if gap <= tol:
            break
        mass, _ = masses_at_prices(seen, price, mass, max(tol / 2, gap / 10))
    return mass, gap


def _line(all_eligible: Ranges, told_apart: Ranges) -> InclusionProbability:
    """Tell the part of the line on which reports compare numbers from the rest."""
    ends = np.unique(np.concatenate([all_eligible.lower, all_eligible.upper]))
    change = np.bincount(np.searchsorted(ends, told_apart.lower), minlength=len(ends))
    change -= np.bincount(np.searchsorted(ends, told_apart.upper), minlength=len(ends))
    return InclusionProbability(ends, (np.cumsum(change)[:-1] > 0).astype(float))


def _compared(ranges: Ranges, eligible: Ranges) -> tuple[Ranges, Ranges]:
    """Keep the reports in whose place another could have come, the weights on both sides."""
    if len(ranges) != len(eligible):
        raise InputError(
            "eligible", got=f"{len(eligible)} sets", allowed=f"one for each of {len(ranges)} ranges"
        )
    ends = np.unique(np.concatenate([eligible.lower, eligible.upper, ranges.lower, ranges.upper]))
    size = _sizes(eligible, ends)
    beyond = _sizes(_joined(ranges, eligible, beside=True), ends) > size
    if beyond.any():
        raise InputError(
            f"Ranges[{int(np.argmax(beyond))}]",
            got="a range outside its eligible set",
            allowed="a range within its eligible set",
            remedy="the range that was sent is itself one of those that could have been",
        )
    told_apart = np.flatnonzero((_sizes(ranges, ends) < size) & (ranges.weights > 0))
    if not len(told_apart):
        raise NotIdentified(
            "eligible",
            got="reports each of which was the only one that could have been sent",
            allowed="cuts that leave at least two ranges wide enough to be sent",
            remedy="where the law of the cuts is known, give the inclusion probability instead",
        )
    ranges, eligible = ranges[told_apart], eligible[told_apart]
    pieces = np.diff(eligible.starts)
    return ranges, Ranges(eligible.lower, eligible.upper, ranges.weights, pieces=pieces)


def _sizes(ranges: Ranges, ends: Floats) -> Integers:
    """Count the steps between ends that each range holds."""
    steps_held = np.searchsorted(ends, ranges.upper) - np.searchsorted(ends, ranges.lower)
    return np.add.reduceat(steps_held, ranges.starts[:-1])


def _joined(one: Ranges, two: Ranges, *, beside: bool) -> Ranges:
    """Unite the ranges row by row, or list one after the other."""
    lower, upper = np.append(one.lower, two.lower), np.append(one.upper, two.upper)
    pieces = np.append(np.diff(one.starts), np.diff(two.starts))
    if not beside:
        return Ranges(lower, upper, pieces=pieces)
    rows = np.repeat(np.tile(np.arange(len(one)), 2), pieces)
    order = np.argsort(rows, kind="stable")
    return Ranges(lower[order], upper[order], pieces=np.bincount(rows))


def _refuse_apart(places: Steps, eligible: Ranges) -> None:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    m, at = len(places.price), places.upto
    first = at[np.searchsorted(places.breaks, eligible.lower)]
    last = at[np.searchsorted(places.breaks, eligible.upper)] - 1
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
            remedy=f"how {_told(places, label == 0)} compares with {_told(places, label == 1)} "
            "is not known",
        )


def _told(places: Steps, chosen: Booleans) -> str:
    at = np.flatnonzero(chosen)
    return told((float(places.lower[at[0]]), float(places.upper[at[-1]])))


_FEW = 100  # places that need no growing
_ROUNDS = 200


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighed:
    """Maximise Σ w_i log P_i over masses whose prices sum to one: a `MixtureLike` of what is paid.

    Attributes
    ----------
    runs : Runs
        Over m places and one more behind them, which no row holds.
    price : array, shape (m,)
        Positive.
    """

    runs: Runs
    price: Floats

    def on(self, support: Integers) -> "Weighed":
        """Keep these places alone."""
        return Weighed(runs=_onto(self.runs, support), price=self.price[support])

    @property
    def weights(self) -> Floats:
        """How often each row was seen."""
        return np.concatenate(self.runs.weights())

    @property
    def total(self) -> float:
        """What is paid for all masses together."""
        return 1.0

    def chance(self, shares: Floats) -> Floats:
        """The mass of each row, where place j has shares_j / price_j."""
        return np.concatenate(self.runs.chances(np.append(shares / self.price, 0.0)))

    def slope(self, chance: Floats) -> Floats:
        """The derivative of the log-likelihood by each share."""
        slope: Floats = self.runs.pull(_by_part(self.runs, chance))[:-1] / self.price
        return slope

    def curvature(self, chance: Floats) -> Floats:
        """Its negative second derivative by each pair of shares."""
        by_mass = _curvature(self.runs, _by_part(self.runs, chance))
        curvature: Floats = by_mass / np.multiply.outer(self.price, self.price)
        return curvature


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counted:
    """Maximise Σ w_i log P_i + n₀ log Σ c_j f_j: one row more, to which places add parts.

    Attributes
    ----------
    runs : Runs
        Over m places and one more behind them, which no row holds.
    silent : array, shape (m,)
        c, the chance that nobody is heard of from a place.
    nulls : float
        n₀, how many were not; positive.
    """

    runs: Runs
    silent: Floats
    nulls: float

    def on(self, support: Integers) -> "Counted":
        """Keep these places alone."""
        runs = _onto(self.runs, support)
        return Counted(runs=runs, silent=self.silent[support], nulls=self.nulls)

    @property
    def weights(self) -> Floats:
        """How often each row was seen."""
        return np.append(np.concatenate(self.runs.weights()), self.nulls)

    @property
    def total(self) -> float:
        """What all masses sum to."""
        return 1.0

    def chance(self, shares: Floats) -> Floats:
        """The chance of each row."""
        held = self.runs.chances(np.append(shares, 0.0))
        return np.concatenate([*held, [self.silent @ shares]])

    def slope(self, chance: Floats) -> Floats:
        """The derivative of the log-likelihood by each share."""
        heard = self.runs.pull(_by_part(self.runs, chance[:-1]))[:-1]
        slope: Floats = heard + self.nulls / chance[-1] * self.silent
        return slope

    def curvature(self, chance: Floats) -> Floats:
        """Its negative second derivative by each pair of shares."""
        heard = _curvature(self.runs, _by_part(self.runs, chance[:-1]))
        part = self.silent / chance[-1]
        curvature: Floats = heard + self.nulls * np.multiply.outer(part, part)
        return curvature


def _onto(runs: Runs, support: Integers) -> Runs:
    return runs.onto(np.append(support, runs.m - 1))


def _by_part(runs: Runs, chance: Floats) -> list[Floats]:
    return np.split(chance, np.cumsum([len(one) for one in runs.weights()])[:-1])


def _curvature(runs: Runs, chance: list[Floats]) -> Floats:
    levels = np.arange(runs.m + 1)
    above = bend(runs, runs.curves(chance), levels)[1:-1, 1:-1]
    by_level = above + np.triu(above, 1).T
    by_mass: Floats = by_level[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]
    return by_mass


def masses_at_prices(runs: Runs, price: Floats, mass: Floats, tol: float) -> tuple[Floats, float]:
    r"""Find h ≥ 0 with Σ price h = 1 that maximises the likelihood.

    With g = price h this is a concave problem on a simplex; it is climbed on the places with mass
    and the tops of the slope between them (Wang, 2007), until no place promises more.

    Parameters
    ----------
    runs : Runs
        Over m places and one more behind them, which no row holds.
    price : array, shape (m,)
    mass : array, shape (m,)
        A start, up to a factor, that gives every row a positive chance.
    tol : float

    Returns
    -------
    mass : array, shape (m,)
    gap : float
        The largest slope for its price, over n, minus 1: at most this much mean log-likelihood is
        missing.
    """
    whole = Weighed(runs=runs, price=price)
    shares, gap = _grown(whole, mass * price / (mass @ price), runs.n, tol)
    return shares / price, gap


def counted(
    runs: Runs, silent: Floats, nulls: float, mass: Floats, tol: float
) -> tuple[Floats, float]:
    r"""Find f ≥ 0 with Σ f = 1 that makes what was sent, and so many nulls, most likely.

    Parameters
    ----------
    runs : Runs
        Over m places and one more behind them, which no row holds.
    silent : array, shape (m,)
        The chance of a null from each place, not all zero where there are nulls.
    nulls : float
    mass : array, shape (m,)
        A start that gives every row, but that of the nulls, a positive chance.
    tol : float

    Returns
    -------
    mass : array, shape (m,)
    gap : float
        The largest slope over all that were asked, minus 1.
    """
    if not nulls:
        return masses_at_prices(runs, np.ones(len(mass)), mass, tol)
    start = 0.9 * mass / mass.sum()
    start[np.argmax(silent)] += 0.1  # nulls must have a chance
    whole = Counted(runs=runs, silent=silent, nulls=nulls)
    return _grown(whole, start, runs.n + nulls, tol)


def _grown(whole: Weighed | Counted, shares: Floats, n: float, tol: float) -> tuple[Floats, float]:
    """Climb on the places with mass and the tops between them, until no place promises more."""
    support = np.zeros(0, dtype=np.int64)
    for _ in range(_ROUNDS):
        slope = whole.slope(whole.chance(shares))
        gap = float(slope.max() / n - 1)
        before, support = support, _support(shares, slope, n)
        if gap <= tol or np.array_equal(before, support):
            break
        part = whole.on(support)
        found, _ = climb(part, shares[support] / shares[support].sum(), tol / 2)
        shares = np.zeros(len(shares))
        shares[support] = found
    return shares, gap


def _support(shares: Floats, slope: Floats, n: float) -> Integers:
    if len(shares) <= _FEW:
        return np.arange(len(shares))
    kept = np.flatnonzero(shares)
    return np.union1d(kept, tops(slope, kept, n))
