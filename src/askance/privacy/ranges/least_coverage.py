"""How wide the ranges of any law are at least: the floor."""

from collections.abc import Sequence
from fractions import Fraction

from askance.arguments import checked
from askance.channels.line_channel import AbstractRangeChannel, range_written
from askance.errors import InputError
from askance.exact.floor import Floor
from askance.privacy.guarantee import AS_GIVEN, EVENLY, Guarantee, Notion


@checked
def least_coverage(channel: AbstractRangeChannel, sizes: Sequence[int] | None = None) -> Guarantee:
    """Give the least share of people whose answers a report leaves possible: the floor.

    An answer in the acceptable range leaves its step. A report that is withheld leaves all.

    Parameters
    ----------
    channel : AbstractRangeChannel
    sizes : sequence of int, shape (ticks,), optional
        How many people are thought to be in each step; equally many if left out.

    Raises
    ------
    InputError
        If there is not one whole, non-negative size for each step, not all zero.

    References
    ----------
    Ding & Ding (2022), equation (8), held by every range that is sent.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.floor import Floor
    >>> from askance.exact.line import Line
    >>> least_coverage(RangeChannel(Line(0, 9, 1), [1] * 8, 3, floor=Floor([1] * 9, 3))).value
    Fraction(1, 3)
    """
    counted = Floor([1] * channel.line.ticks if sizes is None else sizes, 1)
    if len(counted.sizes) != channel.line.ticks:
        raise InputError(
            "least_coverage.sizes",
            got=f"{len(counted.sizes)} sizes",
            allowed=f"{channel.line.ticks} sizes",
        )
    ends, _ = channel.cells()
    held = channel.inside(ends, counted.sizes)
    at = int(held.argmin())
    told = range_written(channel, *ends[at].tolist())
    spread = EVENLY if sizes is None else AS_GIVEN
    least = Fraction(int(held[at]), counted.total)
    return Guarantee(Notion.FLOOR, least, f"by {told}", spread=spread)
