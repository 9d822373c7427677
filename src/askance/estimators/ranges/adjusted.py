"""The most likely distribution where it is known how often each number is heard of."""

import numpy as np

from askance.channels.ranges import Ranges
from askance.channels.selection import Selection
from askance.errors import NotIdentified
from askance.estimators.ranges.current_status import Fit
from askance.estimators.ranges.steps import steps
from askance.estimators.ranges.weighed import weighed


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
