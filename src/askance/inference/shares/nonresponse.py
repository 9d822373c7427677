"""Shares among all who were asked, where some did not reply: bounds that assume nothing, or little.

Who does not reply may have any answer. What that leaves open does not shrink with more reports, and
is said as bounds rather than assumed away. To weight by who replies is the other way: it assumes
that within a cell of people replying does not depend on the answer.

Of a sample with weights those who do not reply have weights too. They are then counted as a report
of their own, which `with_no_reply` gives a channel.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from askance.channels.channel import Channel, fresh
from askance.channels.channel import meant as meanings_of
from askance.channels.frame import Frame
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally, of_arrays, sums_of
from askance.inference.goodness_of_fit import goodness_of_fit
from askance.inference.shares.partial import (
    PartialEstimate,
    TallyMaximum,
    Wanted,
    given_speaking,
    partial_estimates,
)
from askance.results import counted
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown
from askance_collect.exact.ratio import chance, read_integer

_NO_REPLY = "no reply"
_COUNT, _MOST = "a whole number of people, 0 or more", 10**15


@checked
def with_no_reply(channel: Channel, blank_chance: object = 0) -> Channel:
    """Give a channel the report “no reply”, as which a sample counts those who do not reply.

    Write it where a report is missing, and count with the sample's weights or sampling design: then
    `nonresponse_bounds` knows how many people each of them stands for, and where they were drawn.

    Parameters
    ----------
    channel : Channel
        Through which those who reply do.
    blank_chance : chance
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
    blank = _read_chance(blank_chance, "with_no_reply.blank_chance")
    if _NO_REPLY in channel.reports:
        raise InputError(
            "with_no_reply.channel", got=f"a report {_NO_REPLY!r}", allowed="a channel without it"
        )
    return _add_no_reply(channel, _NO_REPLY, blank)


@checked
def nonresponse_bounds(
    tally: Tally | GroupedTally,
    *,
    nonrespondents: int = 0,
    blank_chance: object = 0,
    monotone_selection: str | None = None,
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

    In groups that were asked in different ways people are alike, since who is in which was left to
    chance, but who replies may depend on how they are asked. With r_g and π_g of group g

    .. math:: \max_g r_g \pi_{gi} \le \theta_i
              \le 1 - \sum_{l \ne i} \max_g r_g \pi_{gl}

    which is sharp if each group's reports tell its π_g: people are of classes, by their answers and
    in which of the groups they would reply. The likelihood of all groups together is maximised, so
    that where everybody replies it is that of `estimate`. With monotone selection in every group
    the lower bound is the share among those who reply in any.

    Parameters
    ----------
    tally : Tally or GroupedTally
        Its blanks are people who did not reply. With sampling weights these are counted as a report
        of their own (`with_no_reply`).
    nonrespondents : int
        People who were asked and sent nothing at all, beside the blanks. Of groups they are counted
        among the blanks of each.
    blank_chance : chance
        With which the form itself sends a blank, whatever the answer: these say nothing of anyone.
    monotone_selection : str, optional
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
        answer can send, there are weights and some who did not reply have none, the level is not in
        (0, 1), there are too many groups, or these refute what is said of `monotone_selection`.

    References
    ----------
    Imbens & Manski (2004), whose example of bounds is a mean of which some outcomes are missing;
    Rao & Scott (1984), on likelihood ratios of complex samples.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> tally = ak.Tally(q, {"yes": 400, "no": 600}, blanks=250)
    >>> nonresponse_bounds(tally)
    share of each answer among all who were asked
         from    to  95 % from      to
    yes  0.24  0.44     0.1916   0.491
    no   0.56  0.76      0.509  0.8084
    1,250 people who were asked; the maximum of the likelihood, certified by its gap
    >>> nonresponse_bounds(tally, monotone_selection="yes").low.round(4).tolist()
    [0.3, 0.56]
    >>> tally = ak.Tally(with_no_reply(q), {"yes": 400, "no": 600, "no reply": 250})
    >>> nonresponse_bounds(tally, no_reply="no reply").high.round(4).tolist()
    [0.44, 0.76]
    """
    unseen = read_integer(nonrespondents, "nonresponse_bounds.nonrespondents", _COUNT, 0, _MOST)
    blank = _read_chance(blank_chance, "nonresponse_bounds.blank_chance")
    parts = tally.tallies if isinstance(tally, GroupedTally) else {"": tally}
    answers = next(iter(parts.values())).channel.frame.answers
    if monotone_selection is not None:
        refuse_unknown("nonresponse_bounds.monotone_selection", monotone_selection, answers)
    _refuse_groups(parts, unseen, len(answers))
    augmented: dict[str, Tally] = {}
    for group, (name, part) in enumerate(parts.items()):
        silence = unseen + part.blanks
        _refuse_unweighted(part, silence, no_reply)
        if no_reply is None:
            observed, none = _append_silence(part, blank, silence)
        else:
            _refuse_informative(part.channel, no_reply, blank_chance if blank else None)
            observed, none = _add_silent(part, no_reply, silence), no_reply
        channel = _channel_of_classes(observed.channel, none, group, len(parts))
        augmented[name] = of_arrays(channel, observed.counts, sums_of(observed), 0, observed.sample)
    classes: Tally | GroupedTally = next(iter(augmented.values()))
    if isinstance(tally, GroupedTally):
        classes = GroupedTally(augmented, sample=tally.sample)
    top, fit = TallyMaximum.of(given_speaking(classes)), goodness_of_fit(classes)
    everybody, among = partial_estimates(top, _wanted_shares(classes, answers), level, fit)
    everybody = replace(everybody, is_among_asked=True)
    return (
        everybody
        if monotone_selection is None
        else _raise_lower_bound(everybody, among, answers.index(monotone_selection))
    )


def _read_chance(blank_chance: object, where: str) -> float:
    blank = chance(blank_chance, where)
    if blank == 1:
        raise InputError(where, got=blank_chance, allowed="a chance below 1")
    return float(blank)


def _reply_subsets(groups: int) -> list[tuple[int, ...]]:
    """Non-empty subsets of groups in which a person would reply.

    >>> _reply_subsets(2)
    [(0,), (1,), (0, 1)]
    """
    return [subset for size in range(1, groups + 1) for subset in combinations(range(groups), size)]


def _channel_of_classes(channel: Channel, none: str, group: int, groups: int) -> Channel:
    """The channel of a group, of people by answer and by where they would reply; last, nowhere."""
    silent = np.zeros(len(channel.reports))
    silent[channel.reports.index(none)] = 1.0
    silences = np.tile(silent, (len(channel.frame), 1))
    named, rows = [], []
    for where in _reply_subsets(groups):
        named += [f"{answer}, and reply in {where}" for answer in channel.frame.answers]
        rows.append(channel.matrix if group in where else silences)
    reports = {name: channel.output.mask(meaning) for name, meaning in meanings_of(channel).items()}
    frame = Frame([*named, "reply nowhere"])
    return Channel(frame, reports, np.vstack([*rows, silent]), output=channel.output)


def _wanted_shares(
    classes: Tally | GroupedTally, answers: Sequence[str]
) -> dict[str, dict[str, Wanted]]:
    """Shares of answers among everybody, and among those who reply."""
    k, size = len(answers), [1.0]
    if isinstance(classes, GroupedTally):
        own = classes.stacked.channel.matrix[-1]
        size = np.bincount(classes.group, own, len(classes.tallies)).tolist()
    replied = [sum(size[group] for group in where) for where in _reply_subsets(len(size))]
    indicators = np.column_stack([np.tile(np.eye(k), len(replied)), np.zeros(k)])
    nowhere = np.eye(1, indicators.shape[1], indicators.shape[1] - 1)[0]
    among = np.append(np.repeat(replied, k), 0.0)
    return {
        "share of each answer among all who were asked": {
            name: Wanted(least=indicator, most=indicator + nowhere, among=np.ones(len(indicator)))
            for name, indicator in zip(answers, indicators, strict=True)
        },
        "share of each answer among those who reply": {
            name: Wanted(least=indicator * among, most=indicator * among, among=among)
            for name, indicator in zip(answers, indicators, strict=True)
        },
    }


def _refuse_groups(parts: Mapping[str, Tally], nonrespondents: int, answers: int) -> None:
    """Refuse nonrespondents without a group, and more groups than can be computed."""
    if len(parts) > 1 and nonrespondents:
        raise InputError(
            "nonresponse_bounds.nonrespondents",
            got=f"{nonrespondents:,} people of no group",
            allowed="0, where groups were asked in different ways",
            remedy="count them as blanks of the group that they were in",
        )
    most = max(int(np.log2(_MOST_PAIRS / answers**2) // 2), 1)
    if len(parts) > most:
        raise InputError(
            "nonresponse_bounds.tally",
            got=f"{len(parts)} groups that were asked in different ways",
            allowed=f"at most {counted(most, 'group')} where there are {answers} answers",
            remedy="bound each group by itself: its bounds hold for everybody",
        )


_MOST_PAIRS = 8192
"""Of classes of people, by answer and by the groups in which they would reply, for all answers."""


def _refuse_unweighted(tally: Tally, silence: int, no_reply: str | None) -> None:
    """Refuse nonrespondents without sampling weights in a weighted sample."""
    if tally.weighted and (silence or no_reply is None):
        raise InputError(
            "nonresponse_bounds.tally",
            got=f"{silence:,} who did not reply, without the weights that replies have",
            allowed="those who did not reply as rows with weights, counted as a report",
            remedy='give tally with_no_reply(channel), "no reply" where a report is missing, and '
            'this no_reply="no reply"',
        )


def _refuse_informative(channel: Channel, none: str, blank_chance: object) -> None:
    """Refuse a no-reply report that is informative, or whose chance is given twice."""
    refuse_unknown("nonresponse_bounds.no_reply", none, channel.reports)
    if np.ptp(channel.matrix[:, channel.reports.index(none)]) > _SAME:
        raise InputError(
            "nonresponse_bounds.no_reply",
            got=f"{none!r}, which some answers send oftener than others",
            allowed="a report that the form sends as often whatever the answer, or never",
        )
    if blank_chance is not None:
        raise InputError(
            "nonresponse_bounds.blank_chance", got=blank_chance, allowed="nothing, beside no_reply"
        )


_SAME = 1e-12  # chances that are equal but for rounding


def _append_silence(tally: Tally, blank: float, silence: int) -> tuple[Tally, str]:
    """Count those who did not reply as one more report, and name it."""
    none = fresh(_NO_REPLY, dict.fromkeys(tally.channel.reports, 0))
    counts = np.append(tally.counts, silence)
    return of_arrays(_add_no_reply(tally.channel, none, blank), counts, None, 0), none


def _add_silent(tally: Tally, none: str, silence: int) -> Tally:
    """Add further nonrespondents to the count of the no-reply report."""
    counts = tally.counts.copy()
    counts[tally.channel.reports.index(none)] += silence
    return of_arrays(tally.channel, counts, sums_of(tally), 0, tally.sample)


def _add_no_reply(channel: Channel, none: str, blank: float) -> Channel:
    """The channel with one more report, which the form sends by chance."""
    matrix = np.column_stack([(1 - blank) * channel.matrix, np.full(len(channel.frame), blank)])
    reports = {name: channel.output.mask(meaning) for name, meaning in meanings_of(channel).items()}
    reports[none] = channel.output.full_mask
    return Channel(channel.frame, reports, matrix, output=channel.output)


def _raise_lower_bound(
    everybody: PartialEstimate, among: PartialEstimate, answer: int
) -> PartialEstimate:
    """Raise the lower bound of one answer; of two answers, lower the other's upper bound too."""
    names = ("low", "high", "lower", "upper", "low_se", "high_se")
    arrays = {name: getattr(everybody, name) for name in names}
    ends: dict[str, Any] = {
        name: np.array(array) for name, array in arrays.items() if array is not None
    }
    for name in ends.keys() & {"low", "lower", "low_se"}:
        ends[name][answer] = getattr(among, name)[answer]
    if len(everybody.labels) == 2:
        for name in ends.keys() & {"high", "upper", "high_se"}:
            ends[name][1 - answer] = getattr(among, name)[1 - answer]
    if (ends["lower"] > ends["upper"]).any():
        raise InputError(
            "nonresponse_bounds.monotone_selection",
            got=f"{everybody.labels[answer]!r}, which those who reply in some groups say more "
            "often than all in others can",
            allowed="an answer at least as common among those who do not reply, in every group",
            remedy="leave it out, or bound each group by itself",
        )
    ends["low"] = np.minimum(ends["low"], everybody.high)
    ends["high"] = np.maximum(ends["high"], ends["low"])
    ends["lower"] = np.minimum(ends["lower"], ends["low"])
    ends["upper"] = np.maximum(ends["upper"], ends["high"])
    return replace(everybody, **ends)
