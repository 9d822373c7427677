"""Shares among all who were asked, where some did not reply: bounds that assume nothing, or little.

Who does not reply may have any answer. What that leaves open does not shrink with more reports, and
is said as bounds rather than assumed away. To weight by who replies is the other way: it assumes
that within a cell of people replying does not depend on the answer.

Of a sample with weights those who do not reply have weights too. They are then counted as a report
of their own, which `with_no_reply` gives a channel.
"""

from dataclasses import replace

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel, fresh
from askance.channels.channel import meant as meanings_of
from askance.channels.tally import Tally, of_arrays, sums_of
from askance.errors import InputError, refuse_unknown
from askance.exact.ratio import chance, whole
from askance.inference.shares.compliance import Noncompliers, with_noncompliers
from askance.inference.shares.partial import PartialEstimate, Top, Wanted, partial_estimates

_NO_REPLY = "no reply"
_COUNT, _MOST = "a whole number of people, 0 or more", 10**15


@checked
def with_no_reply(channel: Channel, by_chance: object = 0) -> Channel:
    """Give a channel the report “no reply”, as which a sample counts those who do not reply.

    Write it where a report is missing, and count with the sample's weights or design: then
    `nonresponse_bounds` knows how many people each of them stands for, and where they were drawn.

    Parameters
    ----------
    channel : Channel
        Through which those who reply do.
    by_chance : chance
        With which the form itself sends a blank, whatever the answer.

    Raises
    ------
    InputError
        If the chance is not in [0, 1), or the channel has such a report already.

    >>> import askance as ak
    >>> q = ak.inference.with_no_reply(ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"])))
    >>> q.reports, q.matrix.tolist()
    (('yes', 'no', 'no reply'), [[0.75, 0.25, 0.0], [0.25, 0.75, 0.0]])
    """
    blank = _chance(by_chance, "with_no_reply.by_chance")
    if _NO_REPLY in channel.reports:
        raise InputError(
            "with_no_reply.channel", got=f"a report {_NO_REPLY!r}", allowed="a channel without it"
        )
    return _replying(channel, _NO_REPLY, blank)


@checked
def nonresponse_bounds(
    tally: Tally,
    *,
    silent: int = 0,
    by_chance: object = 0,
    at_least: str | None = None,
    no_reply: str | None = None,
    level: float = 0.95,
) -> PartialEstimate:
    r"""Nonresponse bounds: shares among all who were asked, whatever others would have answered.

    With r the share of people who reply and π the shares among these, the worst cases are sharp:

    .. math:: r \pi_i \le \theta_i \le r \pi_i + (1 - r)

    If an answer is at least as common among those who do not reply (monotone selection), its lower
    bound is :math:`\pi_i`. All are read from the likelihood of reports and blanks together, so that
    an interval holds the whole bounds and allows for both kinds of chance. With sampling weights,
    or of a complex sample, each end has its linearised error and design effect, as in
    `estimate_sets`.

    Parameters
    ----------
    tally : Tally
        Its blanks are people who did not reply. With sampling weights these are counted as a report
        of their own (`with_no_reply`).
    silent : int
        People who were asked and sent nothing at all, beside the blanks.
    by_chance : chance
        With which the form itself sends a blank, whatever the answer: these say nothing of anyone.
    at_least : str, optional
        The answer that is at least as common among those who do not reply.
    no_reply : str, optional
        The report as which those who did not reply are counted, if they are. The form sends it by
        chance as often as the channel says.
    level : float

    Returns
    -------
    PartialEstimate

    Raises
    ------
    InputError
        If a number means nothing, the answer is not the frame's, a report was received that no
        answer can send, there are weights and some who did not reply have none, or the level is not
        in (0, 1).

    References
    ----------
    Imbens & Manski (2004), whose example of bounds is a mean of which some outcomes are missing;
    Rao & Scott (1984), on likelihood ratios of complex samples.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> asked = ak.Tally(q, {"yes": 400, "no": 600}, blanks=250)
    >>> nonresponse_bounds(asked)
    share of each answer among all who were asked
         from    to  95 % from      to
    yes  0.24  0.44     0.1916   0.491
    no   0.56  0.76      0.509  0.8084
    1,250 reports; the maximum of the likelihood, certified by its gap
    >>> nonresponse_bounds(asked, at_least="yes").low.round(4).tolist()
    [0.3, 0.56]
    >>> asked = ak.Tally(with_no_reply(q), {"yes": 400, "no": 600, "no reply": 250})
    >>> nonresponse_bounds(asked, no_reply="no reply").high.round(4).tolist()
    [0.44, 0.76]
    """
    silence = whole(silent, "nonresponse_bounds.silent", _COUNT, 0, _MOST) + tally.blanks
    blank, answers = _chance(by_chance, "nonresponse_bounds.by_chance"), tally.channel.frame.answers
    if at_least is not None:
        refuse_unknown("nonresponse_bounds.at_least", at_least, answers)
    _refuse_unweighted(tally, silence, no_reply)
    if no_reply is None:
        counted, none = _with_silence(tally, blank, silence)
    else:
        _refuse_telling(tally.channel, no_reply, by_chance if blank else None)
        counted, none = _more(tally, no_reply, silence), no_reply
    k, kind = len(answers), Noncompliers(name="do not reply", says=none)
    classes = with_noncompliers(counted.channel, kind)
    top = Top.of(of_arrays(classes, counted.counts, sums_of(counted), 0, counted.design))
    own = np.eye(k + 1)
    replied = np.append(np.ones(k), 0.0)
    wanted = {
        "share of each answer among all who were asked": {
            name: Wanted(least=own[at], most=own[at] + own[k], among=np.ones(k + 1))
            for at, name in enumerate(answers)
        },
        "share of each answer among those who reply": {
            name: Wanted(least=own[at], most=own[at], among=replied)
            for at, name in enumerate(answers)
        },
    }
    everybody, among = partial_estimates(top, wanted, level)
    return everybody if at_least is None else _no_less(everybody, among, answers.index(at_least))


def _chance(by_chance: object, where: str) -> float:
    blank = chance(by_chance, where)
    if blank == 1:
        raise InputError(where, got=by_chance, allowed="a chance below 1")
    return float(blank)


def _refuse_unweighted(tally: Tally, silence: int, no_reply: str | None) -> None:
    """Refuse people who did not reply of whom it is not known for how many they stand."""
    if tally.weighted and (silence or no_reply is None):
        raise InputError(
            "nonresponse_bounds.tally",
            got=f"{silence:,} who did not reply, without the weights that replies have",
            allowed="those who did not reply as rows with weights, counted as a report",
            remedy='give tally with_no_reply(channel), "no reply" where a report is missing, and '
            'this no_reply="no reply"',
        )


def _refuse_telling(channel: Channel, none: str, by_chance: object) -> None:
    """Refuse a report of no reply that tells something, or whose chance is told twice."""
    refuse_unknown("nonresponse_bounds.no_reply", none, channel.reports)
    if np.ptp(channel.matrix[:, channel.reports.index(none)]) > _SAME:
        raise InputError(
            "nonresponse_bounds.no_reply",
            got=f"{none!r}, which some answers send oftener than others",
            allowed="a report that the form sends as often whatever the answer, or never",
        )
    if by_chance is not None:
        raise InputError(
            "nonresponse_bounds.by_chance", got=by_chance, allowed="nothing, beside no_reply"
        )


_SAME = 1e-12  # chances that are equal but for rounding


def _with_silence(tally: Tally, blank: float, silence: int) -> tuple[Tally, str]:
    """Count those who did not reply as one more report, and name it."""
    none = fresh(_NO_REPLY, dict.fromkeys(tally.channel.reports, 0))
    counts = np.append(tally.counts, silence)
    return of_arrays(_replying(tally.channel, none, blank), counts, None, 0), none


def _more(tally: Tally, none: str, silence: int) -> Tally:
    """Count some more who did not reply beside those who are counted as such a report."""
    counts = tally.counts.copy()
    counts[tally.channel.reports.index(none)] += silence
    return of_arrays(tally.channel, counts, sums_of(tally), 0, tally.design)


def _replying(channel: Channel, none: str, blank: float) -> Channel:
    """The channel with one more report, which the form sends by chance."""
    matrix = np.column_stack([(1 - blank) * channel.matrix, np.full(len(channel.frame), blank)])
    reports = {name: channel.output.mask(one) for name, one in meanings_of(channel).items()}
    reports[none] = channel.output.everything
    return Channel(channel.frame, reports, matrix, output=channel.output)


def _no_less(everybody: PartialEstimate, among: PartialEstimate, at: int) -> PartialEstimate:
    """Raise the lower bound of one answer; of two answers, lower the other's upper bound too."""
    low, high, lower, upper = (
        np.array(one) for one in (everybody.low, everybody.high, everybody.lower, everybody.upper)
    )
    low[at], lower[at] = among.low[at], among.lower[at]
    if len(low) == 2:
        high[1 - at], upper[1 - at] = among.high[1 - at], among.upper[1 - at]
    return replace(everybody, low=low, high=high, lower=lower, upper=upper)
