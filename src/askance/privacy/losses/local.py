"""Local privacy: how far the chance of a report can depend on the answer."""

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.losses.messages import units
from askance.privacy.losses.ratios import between_rows, worst_pair


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
