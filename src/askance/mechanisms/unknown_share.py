"""Unrelated question design with an unknown harmless share, as a channel of pairs of answers.

Where nobody knows how common a harmless trait is, two groups that are asked about it unequally
often tell. Which pairs are common stays open; the share of each answer to either question does not.
"""

from itertools import product

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance_collect.arguments import checked
from askance_collect.exact.ratio import chance


@checked
def unknown_harmless_share(sensitive_chance: object, frame: Frame) -> Channel:
    r"""Unrelated question design whose harmless share is unknown: a channel of pairs of answers.

    .. math:: Q(y \mid x, u) = p\,[y = x] + (1 - p)\,[y = u]

    The pair is of the answers to the sensitive question, x, and to the harmless one, u. One group
    cannot tell their shares apart; two groups with different p can, put together as
    `askance.channels.GroupedTally`. How the two hang together stays open, so that `estimate`, which
    asks for the share of every pair, refuses: identified are the shares of each x and of each u,
    which `askance.inference.estimate_sets` estimates.

    Parameters
    ----------
    sensitive_chance : probability
        p, the chance that the sensitive question is the one to answer, in one group.
    frame : Frame
        The answers to either question.

    Returns
    -------
    Channel
        From pairs, named such as "yes, yes", to answers.

    References
    ----------
    Greenberg, Abul-Ela, Simmons & Horvitz (1969), the two-sample design.

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> q = ak.mechanisms.unknown_harmless_share("7/10", yn)
    >>> q.frame.answers, q.table.rows
    (('yes, yes', 'yes, no', 'no, yes', 'no, no'), ((10, 0), (7, 3), (3, 7), (0, 10)))
    """
    p = chance(sensitive_chance, "unknown_harmless_share.sensitive_chance")
    pairs = list(product(frame.answers, repeat=2))
    rows = [
        [p * (x == report) + (1 - p) * (u == report) for report in frame.answers] for x, u in pairs
    ]
    meanings = {
        report: [f"{x}, {u}" for x, u in pairs if report in {x, u}] for report in frame.answers
    }
    return Channel(Frame([f"{x}, {u}" for x, u in pairs]), meanings, rows)
