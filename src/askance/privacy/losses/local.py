"""Local privacy: how far the chance of a report can depend on the answer."""

from collections.abc import Sequence
from fractions import Fraction

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.losses.messages import units
from askance.privacy.losses.ratios import between_rows, worst_pair

Rows = Sequence[Sequence[Fraction]]


def exact_rows(channel: Channel) -> Rows:
    """Give the channel's rows as fractions: the deployed integers, or the doubles as they are."""
    if channel.table is not None:
        return [channel.table.row(at) for at in range(len(channel.frame))]
    return [[Fraction(entry) for entry in row] for row in channel.matrix.tolist()]


@checked
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
    rows, exact = units(channel)
    return worst_pair(
        Notion.LOCAL,
        channel.frame.answers,
        between_rows(rows, exact=exact),
        lambda column: f"by {channel.reports[column]!r}",
    )
