"""How wide the reported ranges are: the chance that they hold an unrelated person's number."""

from collections.abc import Sequence
from typing import Any

from askance.arguments import checked
from askance.channels.continuous import continuous_law
from askance.channels.cut_law import CutLaw
from askance.channels.line_channel import AbstractRangeChannel
from askance.errors import InputError
from askance.privacy.guarantee import AS_GIVEN, Guarantee, Notion
from askance.privacy.ranges.line_coverage import line_coverage
from askance.privacy.ranges.pair_mean import pair_mean


@checked
def coverage(
    channel: AbstractRangeChannel | CutLaw | Sequence[AbstractRangeChannel] | Sequence[CutLaw],
    distribution: Any = None,
) -> Guarantee:
    r"""Give the chance that an unrelated person's number lies in the range that one person reports.

    .. math:: \tau = E\bigl[(1 - |G(Y) - G(Y')|)^m\bigr]

    with G the law of one of m independent cuts and Y, Y' independent answers. 1 − τ is the leakage.
    Of several mechanisms that draw independently, it is the coverage of the range that all reports
    together leave: exact, where `compose` adds leakages up.

    Parameters
    ----------
    channel : RangeChannel, RingChannel, OpenCellChannel, CutLaw, or a sequence of channels or laws
        Several channels have one line. A report that is withheld leaves every number possible and
        counts as 1, though it may tell them apart. A number in the acceptable range leaves only
        itself possible: 0 under a law of cuts, the share of its step on a line.
    distribution : sequence of float, shape (ticks,), or distribution, optional
        Of the answers. For channels on a line: the chance that an answer falls in each step, an
        even spread if left out. For both: a frozen distribution of SciPy, or a cumulative function.

    Returns
    -------
    Guarantee
        A Fraction for an even spread on a short line; otherwise a lower bound, below by no more
        than the error that it names.

    Raises
    ------
    InputError
        If the distribution has another length, a negative or missing chance, or does not sum to 1;
        if a law of cuts is judged without one; or if channels have different lines.

    References
    ----------
    Ding & Ding (2022), Definition 1; for independent cuts by conditioning on the two answers.
    Several together: Theorem 4.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> coverage(RangeChannel(Line(0, 2, 1), [1], 1)).printed()
    '0.5000'
    >>> from scipy import stats
    >>> coverage(CutLaw(stats.uniform(0, 1)), stats.uniform(0, 1)).printed()  # 2/3
    '0.6666'
    """
    several = [channel] if isinstance(channel, AbstractRangeChannel | CutLaw) else list(channel)
    laws = [one for one in several if isinstance(one, CutLaw)]
    channels = [one for one in several if isinstance(one, AbstractRangeChannel)]
    if not several or (len(laws) != len(several) and len(channels) != len(several)):
        raise InputError(
            "coverage.channel",
            got=f"{len(laws)} laws of cuts, {len(channels)} channels of {len(several)}",
            allowed="one or more laws of cuts, or one or more channels on one line",
        )
    if channels:
        return line_coverage(channels, distribution)
    value, error = pair_mean(laws, continuous_law(distribution, "coverage.distribution"))
    attained = f"on average over answers and cuts, within {error:.0e}"
    return Guarantee(Notion.COVERAGE, max(value - error, 0.0), attained, spread=AS_GIVEN)
