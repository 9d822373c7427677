"""Reports that never lie: sets of answers, of which the one that holds the truth is sent."""

from fractions import Fraction

from askance.channels.channel import Channel, senders
from askance.privacy.guarantee import EVENLY, Guarantee, Notion
from askance.privacy.ranges.interval_differential import interval_differential


def set_guarantees(channel: Channel) -> tuple[Guarantee, ...]:
    """Give coverage, floor and flatness of a channel that only rules answers out, or nothing.

    It only rules out if each report is possible for exactly the answers that it means, and some
    report does not mean all of them. The answers are taken as equally common.

    References
    ----------
    Ding & Ding (2022), Definitions 1 and 2, with named answers in the place of numbers.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> some = Abstain(truth="1/4", lie=0).channel(Frame(["yes", "no"]))  # or "don't know"
    >>> [(one.notion.label, str(one.value)) for one in set_guarantees(some)]
    [('coverage', '7/8'), ('least coverage', '1/2'), ('worst density ratio inside a report', '1')]
    """
    k, support = len(channel.frame), senders(channel)
    sent = {report: mask for report, mask in zip(channel.reports, support, strict=True) if mask}
    honest = all(mask in (0, meant) for mask, meant in zip(support, channel.meanings, strict=True))
    if not honest or all(mask == (1 << k) - 1 for mask in sent.values()):
        return ()
    coverage, flatness = interval_differential(channel)
    report = min(sent, key=lambda one: sent[one].bit_count())
    least = Fraction(sent[report].bit_count(), k)
    floor = Guarantee(Notion.FLOOR, least, f"by '{report}'", spread=EVENLY)
    return coverage, floor, flatness
