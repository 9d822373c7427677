"""Goodness of fit: whether reports can have been drawn by their channel at all.

Whoever sends reports that nobody drew leaves frequencies that no population can explain. Each test
here is exact or conservative for every n and every population, whether people are taken as sampled
or as they are: its chance to doubt honest reports is at most its level.
"""

from askance.channels.grouped_tally import GroupedTally, counts_by_group
from askance.channels.tally import Tally
from askance.inference.fit_result import (
    GoodnessOfFit,
)
from askance.inference.frequency_tests import fit_of_groups
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_ROUNDING = 1e-9  # of a chance
_CLOSE = 1e-12  # of the gap per report


@checked
def goodness_of_fit(tally: Tally | GroupedTally) -> GoodnessOfFit:
    r"""Test the goodness of fit of a channel: whether any shares explain the reports.

    Honest reports have chances πQ for some shares π: a mixture of the channel's rows. Two tests, as
    one family:

    1. Each report's count against a binomial law: whatever π, the chance of report j lies between
       its least and its largest in the rows. With two reports this is all there is, and exact. A
       report that says nothing has one chance for every answer, and an exact two-sided test; so do
       all of these together, where there are several.
    2. All frequencies f against the nearest mixture, by likelihood ratio. With t = n min_π D(f‖πQ)
       and m reports that can be sent,

       .. math:: p = \min\bigl(1, e^{-(t - m + 1)} (t / (m - 1))^{m - 1}\bigr)

       for t > m − 1, and else 1: Chernoff's bound of a gamma law of shape m − 1, which bounds the
       moments of nD.

    Everybody counts once, whatever their weights, strata and clusters: each coin is tossed by
    itself, by whoever is asked, so that both tests are as conservative of a complex sample.
    Villages whose people are alike make no honest report odd, and weights would only hide who
    invents. Whether *weighted* frequencies are those of some shares of the population tells
    `overidentification_test`, by design effects (Rao & Scott, 1984). Of groups that were asked
    through channels of their own each is tested by itself, and all are one family.

    Every estimate from such reports carries these tests as its ``goodness_of_fit``, and prints what
    fits worst where they are doubted.

    Parameters
    ----------
    tally : Tally or GroupedTally
        With weights or a sampling design too.

    Returns
    -------
    GoodnessOfFit

    Raises
    ------
    InputError
        If a report was received that no answer can send.

    References
    ----------
    Agrawal (2020), abstract; Hoeffding (1963), theorem 4, for people who are not sampled.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Warner
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> goodness_of_fit(Tally(q, {"yes": 700, "no": 300})).doubted
    False
    >>> goodness_of_fit(Tally(q, {"yes": 820, "no": 180})).findings
    ('“yes” is 82.0 % of the reports; of honest ones it is 25.0 to 75.0 % on average.',)
    """
    groups = counts_by_group(tally)
    if any(counts[matrix.max(axis=0) <= 0].any() for matrix, counts, _ in groups.values()):
        raise InputError(
            "Tally.counts",
            got="a report that no answer can send",
            allowed="reports of the channel",
            remedy="check that the reports belong to this form",
        )
    return fit_of_groups(groups)
