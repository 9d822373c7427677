"""Coverage of boxes: several numbers of one person, each reported as a range of its own."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.readonly import doubles
from askance.errors import InputError
from askance.privacy.guarantee import AS_GIVEN, Guarantee, Notion
from askance.privacy.ranges.left_possible import left_possible

_ROUND_OFF = 1e-12  # taken off: what sums of products of doubles may overstate
_SUM = 1e-9  # by so much may chances miss one


@checked
def box_coverage(
    channels: Sequence[AbstractRangeChannel], distribution: npt.ArrayLike
) -> Guarantee:
    r"""Give the chance that an unrelated person's numbers all lie in the box that one reports.

    .. math:: \tau = \sum_{y, y'} P(y)\,P(y') \prod_d K_d(y_d, y'_d)

    K_d is the chance that the range of one number in step y_d leaves step y'_d possible. Where the
    numbers have nothing to do with each other, it is the product of their coverages; numbers that
    go together give a box more.

    Parameters
    ----------
    channels : sequence of RangeChannel, RingChannel or OpenCellChannel
        One for each number, drawing independently.
    distribution : array_like, shape (ticks₁, ticks₂, …)
        Chance of each combination of steps.

    Raises
    ------
    InputError
        If the distribution has another shape, a negative chance, or does not sum to 1.

    References
    ----------
    Ding & Ding (2022), Definition 1, for partitions of the plane into boxes.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> two = RangeChannel(Line(0, 2, 1), [1])
    >>> box_coverage([two, two], [[0.25, 0.25], [0.25, 0.25]])
    Guarantee(COVERAGE, 0.2499, attained on average over answers and cuts)
    >>> box_coverage([two, two], [[0.5, 0], [0, 0.5]])  # 1/2, printed from below
    Guarantee(COVERAGE, 0.4999, attained on average over answers and cuts)
    """
    p = doubles(distribution, "box_coverage.distribution")
    shape = tuple(one.line.ticks for one in channels)
    if not shape or p.shape != shape or not (p >= 0).all() or abs(p.sum() - 1) > _SUM:
        raise InputError(
            "box_coverage.distribution",
            got=f"shape {p.shape} with sum {p.sum():g}",
            allowed=f"chances of shape {shape} that sum to one",
        )
    held = p
    for axis, channel in enumerate(channels):
        held = np.moveaxis(np.tensordot(left_possible(channel), held, axes=(1, axis)), 0, axis)
    value = float((p * held).sum()) * (1 - _ROUND_OFF)
    attained = "on average over answers and cuts"
    return Guarantee(Notion.COVERAGE, value, attained, spread=AS_GIVEN)
