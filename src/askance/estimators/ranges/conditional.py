"""The most likely distribution, given for each report what else could have been sent instead."""

import numpy as np

from askance.channels.identification import Selection, told
from askance.channels.ranges import Ranges
from askance.errors import InputError, NotIdentified
from askance.estimators.ranges.current_status import Fit
from askance.estimators.ranges.runs import Runs
from askance.estimators.ranges.steps import Steps, steps
from askance.estimators.ranges.weighed import weighed
from askance.typing import Booleans, Floats, Integers

_ROUNDS = 500


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
    for _ in range(_ROUNDS):
        spread = np.append(mass, 0.0)
        price = possible.pull(possible.chances(spread))[:-1] / seen.n
        slope = seen.pull(seen.chances(spread))[:-1] / seen.n
        gap = float((slope / price).max() - 1)
        if gap <= tol:
            break
        mass, _ = weighed(seen, price, mass, max(tol / 2, gap / 10))
    return mass, gap


def _line(all_eligible: Ranges, told_apart: Ranges) -> Selection:
    """Tell the part of the line on which reports compare numbers from the rest."""
    ends = np.unique(np.concatenate([all_eligible.lower, all_eligible.upper]))
    change = np.bincount(np.searchsorted(ends, told_apart.lower), minlength=len(ends))
    change -= np.bincount(np.searchsorted(ends, told_apart.upper), minlength=len(ends))
    return Selection(ends, (np.cumsum(change)[:-1] > 0).astype(float))


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
            remedy="where the law of the cuts is known, give the selection instead",
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
