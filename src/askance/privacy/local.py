"""Local privacy: how far the chance of a report can depend on the answer."""

import math
from collections.abc import Sequence
from fractions import Fraction

from askance.channels.channel import Channel
from askance.privacy.guarantee import Guarantee, Notion

Ratio = Fraction | float
Rows = Sequence[Sequence[Fraction]]


def exact_rows(channel: Channel) -> Rows:
    """Give the channel's rows as fractions: the deployed integers, or the doubles as they are."""
    if channel.table is not None:
        return [channel.table.row(at) for at in range(len(channel.frame))]
    return [[Fraction(entry) for entry in row] for row in channel.matrix.tolist()]


def over(numerator: Fraction, denominator: Fraction) -> Ratio:
    """Divide with 0/0 = 1, which bounds nothing, and a/0 = ∞."""
    if denominator:
        return numerator / denominator
    return math.inf if numerator else Fraction(1)


def local_loss(channel: Channel) -> Guarantee:
    r"""Give the most that any report's chance can differ between two answers.

    .. math:: e^\varepsilon = \max_{y, x, x'} Q(y \mid x) / Q(y \mid x')

    Parameters
    ----------
    channel : Channel
        Computed exactly on its table where it has one.

    Returns
    -------
    Guarantee
        Of notion LOCAL; infinite where a report is possible for one answer and not for another.

    References
    ----------
    Kasiviswanathan, Lee, Nissim, Raskhodnikova & Smith (2011), Definition 2.4, applied to one
    person's answer.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.warner import Warner
    >>> local_loss(Warner(truth="3/4").channel(Frame(["yes", "no"]))).value
    Fraction(3, 1)
    """
    return worst_ratio(channel, exact_rows(channel), channel.reports, Notion.LOCAL)


def worst_ratio(channel: Channel, rows: Rows, reports: Sequence[str], notion: Notion) -> Guarantee:
    """Find the largest ratio within a column, and where it is attained."""
    worst: Ratio = Fraction(1)
    where = "by every report alike"
    for y, report in enumerate(reports):
        column = [row[y] for row in rows]
        high, low = (column.index(extreme(column)) for extreme in (max, min))
        ratio = over(column[high], column[low])
        if ratio > worst:
            answers = channel.frame.answers
            worst, where = ratio, f"by {report!r} between {answers[high]!r} and {answers[low]!r}"
    return Guarantee(notion, worst, where)
