"""The most likely distribution where it is known how often each number is heard of."""

import numpy as np

from askance.channels.identification import Selection, confounded
from askance.channels.ranges import Ranges
from askance.errors import InputError, NotIdentified
from askance.estimators.ranges.current_status import Fit
from askance.estimators.ranges.steps import steps
from askance.estimators.ranges.weighed import counted, weighed
from askance.typing import Booleans, Floats

Pieces = tuple[tuple[float, float], ...]

_ROUNDING = 1e-12  # sums of chances miss one by less


def adjusted(ranges: Ranges, selection: Selection, tol: float) -> Fit:
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
    if len(selection.confounded) == np.count_nonzero(selection.chance):
        raise NotIdentified(
            "Selection",
            got="ranges whose frequencies settle no share",
            allowed="a chain of ranges from one end of the line to the other, each beginning or "
            "ending where the last one did",
            remedy="let narrower ranges be sent, or the whole line where no cut falls inside it",
        )
    places = steps(ranges, selection)
    mass, gap = weighed(places.runs(ranges), places.price, places.start(ranges), tol)
    kept = mass > 0
    return Fit(
        lower=places.lower[kept],
        upper=places.upper[kept],
        mass=mass[kept],
        gap=gap,
        method="most likely distribution, adjusted for selection",
        unseen=selection.unseen,
        confounded=selection.confounded,
    )


def with_nulls(
    ranges: Ranges,
    selection: Selection,
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
    selection = selection.over(*line)
    traded = () if selection.sent is None else confounded(selection.sent, line)
    if _fills(traded, line):
        raise NotIdentified(
            "Selection",
            got="ranges whose frequencies settle no share, nulls counted",
            allowed="ranges that tell parts of the line apart",
        )
    if nulls and selection.chance.min() > 1 - _ROUNDING:
        raise InputError("npmle.nulls", got=nulls, allowed="0, as every number is always heard of")
    places = steps(ranges, selection, silent=True)
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
        confounded=traded,
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
