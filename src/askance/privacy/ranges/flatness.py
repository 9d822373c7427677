"""That ranges tell nothing inside them, and when figures derived from them do."""

from collections.abc import Callable, Hashable
from fractions import Fraction

from askance.arguments import checked
from askance.channels.line_channel import AbstractRangeChannel
from askance.errors import InputError
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.ranges.enumerated import worst_ratio
from askance.privacy.ranges.silence import silence


@checked
def flatness(channel: AbstractRangeChannel) -> Guarantee:
    """Give the worst ratio of a report's chances between two numbers that it leaves possible.

    It is 1 exactly when every posterior is the prior cut to the range: the definition of interval
    privacy. On a short line every draw is followed from every number, as a device follows it;
    where that is too long, the ratio is 1 because cuts are drawn before the answer is looked at.
    A range that is withheld is a report too: `silence` says what it tells, and with which blank.

    References
    ----------
    Ding & Ding (2022), Definition 1.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> flatness(RangeChannel(Line(0, 4, 1), [1, 2, 1], 2)).value
    Fraction(1, 1)
    """
    silent = silence(channel).ratio
    if silent > 1:
        return Guarantee(Notion.FLATNESS, silent, "where nothing is sent")
    worst = worst_ratio(channel)
    if worst is None:
        return Guarantee(Notion.FLATNESS, Fraction(1), "everywhere: cuts precede the answer")
    return Guarantee(Notion.FLATNESS, worst, "over every draw of the cuts, enumerated")


@checked
def derived_flatness(
    channel: AbstractRangeChannel, derive: Callable[[int, int], Hashable], *, alone: bool = False
) -> Guarantee:
    """Say whether a figure derived from each reported range may be passed on.

    Beside the range it tells nothing more: whoever has the range could derive it too. Alone it need
    not be a range of anything. Let Y and a cut U be even on (0, 1) and W say whether Y ≤ U: given
    W, Y has the density 2(1 − y), which excludes nothing and is not flat.

    Parameters
    ----------
    channel : RangeChannel, RingChannel or OpenCellChannel
    derive : callable
        Takes the ticks of a reported range ``(low, high]`` and gives the figure.
    alone : bool
        Whether the figure is passed on without its range.

    Raises
    ------
    InputError
        If the figure alone tells numbers apart that it leaves possible; the message says by what
        ratio of chances.

    References
    ----------
    Ding & Ding (2022), Theorem 6, which holds for the range and the figure together.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> cuts = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    >>> derived_flatness(cuts, lambda low, high: high - low).value
    Fraction(1, 1)
    >>> derived_flatness(cuts, lambda low, high: low == 0, alone=True)
    Traceback (most recent call last):
    ...
    askance.errors.InputError: derived_flatness.alone: got 'chances that differ by the ratio 3 ...
    """
    if not alone:
        return Guarantee(Notion.FLATNESS, Fraction(1), "everywhere: the range tells the figure")
    chances: dict[Hashable, list[Fraction]] = {}
    for low, high in channel.cells()[0].tolist():
        row = chances.setdefault(derive(low, high), [Fraction(0)] * channel.line.ticks)
        share = channel.cell_chance(low, high)
        for piece in channel.pieces(low, high):
            for step in range(*piece):
                row[step] += share
    worst = max(max(row) / min(one for one in row if one) for row in chances.values())
    if worst > 1:
        raise InputError(
            "derived_flatness.alone",
            got=f"chances that differ by the ratio {worst} between two numbers left possible",
            allowed="figures that are flat on what they leave possible",
            remedy="pass the range on beside the figure",
        )
    return Guarantee(Notion.FLATNESS, worst, "over every figure, enumerated")
