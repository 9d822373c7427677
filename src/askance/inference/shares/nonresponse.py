"""Shares among all who were asked, where some did not reply: bounds that assume nothing, or little.

Who does not reply may have any answer. What that leaves open does not shrink with more reports, and
is said as bounds rather than assumed away. To weight by who replies is the other way: it assumes
that within a cell of people replying does not depend on the answer.
"""

from dataclasses import replace

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel, fresh
from askance.channels.channel import meant as meanings_of
from askance.channels.tally import Tally, refuse_weights
from askance.errors import InputError, refuse_unknown
from askance.exact.ratio import chance, whole
from askance.inference.shares.compliance import Noncompliers, with_noncompliers
from askance.inference.shares.partial import PartialEstimate, Top, Wanted, partial_estimates

_NO_REPLY = "no reply"
_COUNT, _MOST = "a whole number of people, 0 or more", 10**15


@checked
def nonresponse_bounds(
    tally: Tally,
    *,
    silent: int = 0,
    by_chance: object = 0,
    at_least: str | None = None,
    level: float = 0.95,
) -> PartialEstimate:
    r"""Nonresponse bounds: shares among all who were asked, whatever others would have answered.

    With r the share of people who reply and π the shares among these, the worst cases are sharp:

    .. math:: r \pi_i \le \theta_i \le r \pi_i + (1 - r)

    If an answer is at least as common among those who do not reply (monotone selection), its lower
    bound is :math:`\pi_i`. All are read from the likelihood of reports and blanks together, so that
    an interval holds the whole bounds and allows for both kinds of chance.

    Parameters
    ----------
    tally : Tally
        Without sampling weights. Its blanks are people who did not reply.
    silent : int
        People who were asked and sent nothing at all, beside the blanks.
    by_chance : chance
        With which the form itself sends a blank, whatever the answer: these say nothing of anyone.
    at_least : str, optional
        The answer that is at least as common among those who do not reply.
    level : float

    Returns
    -------
    PartialEstimate

    Raises
    ------
    InputError
        If a number means nothing, the answer is not the frame's, a report was received that no
        answer can send, there are sampling weights, or the level is not in (0, 1).

    References
    ----------
    Imbens & Manski (2004), whose example of bounds is a mean of which some outcomes are missing.

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
    """
    refuse_weights(tally)
    silence = whole(silent, "nonresponse_bounds.silent", _COUNT, 0, _MOST) + tally.blanks
    blank, answers = chance(by_chance, "nonresponse_bounds.by_chance"), tally.channel.frame.answers
    if blank == 1:
        raise InputError("nonresponse_bounds.by_chance", got=by_chance, allowed="a chance below 1")
    if at_least is not None:
        refuse_unknown("nonresponse_bounds.at_least", at_least, answers)
    k, none = len(answers), fresh(_NO_REPLY, dict.fromkeys(tally.channel.reports, 0))
    kind = Noncompliers(name="do not reply", says=none)
    classes = with_noncompliers(_replying(tally.channel, none, float(blank)), kind)
    counts = dict(zip(tally.channel.reports, tally.counts.tolist(), strict=True))
    top = Top.of(Tally(classes, {**counts, none: silence}))
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
