"""Two answers whose best channel is known in closed form, deployed."""

import math
from fractions import Fraction

import numpy as np

from askance.channels.channel import Channel
from askance.channels.reading import Names
from askance.design.optimum.deploy import deployed, kept, with_silence
from askance.design.optimum.limits import Limits
from askance.design.optimum.utility import AbstractUtility, merit
from askance.design.pairs.joint import joint_rows
from askance.design.pairs.naming import fresh
from askance.design.pairs.pair import OptimalPair
from askance.design.pairs.yoshida import yoshida_pair
from askance.exact.ratio import just_below
from askance.exact.table import LARGEST_TOTAL, Table, tabulate, whole_parts
from askance.mechanisms.abstain import DONT_KNOW

_ONE = Fraction(1)


def closed_pair(limits: Limits, ratio: Fraction | float | None) -> OptimalPair | None:
    """Give the best pair in closed form, if there is one: one bound on ratios and one on distance.

    Parameters
    ----------
    limits : Limits
    ratio : Fraction or float, or None
        The common ratio, or what stands for it.
    """
    telling = limits.telling
    if len(limits.frame) > 2 or ratio is None or len(telling.caps) > 1:
        return None
    if not telling.caps and ratio == math.inf:
        return OptimalPair(first=(_ONE, 0 * _ONE), second=(0 * _ONE, _ONE))
    cap = telling.caps[0] if telling.caps else None
    weight = Fraction(1, 2) if cap is None else cap.first_weight
    first = weight if cap is None or cap.pair == (0, 1) else 1 - weight
    if isinstance(ratio, Fraction):
        return joint_rows(ratio, None if cap is None else cap.limit, first)
    assert cap is not None
    return yoshida_pair(cap.limit, first_weight=first)


def from_pair(limits: Limits, utility: AbstractUtility, best: OptimalPair) -> tuple[Channel, float]:
    """Deploy a pair in closed form: with a ratio just below the bound, exactly where possible."""
    bound = merit(beside_silence(best, limits), utility)
    ratio = limits.common_ratio
    below = just_below(ratio) if isinstance(ratio, Fraction) else ratio
    pair = closed_pair(limits, below) or best
    return as_deployed(pair, limits), bound


def as_deployed(pair: OptimalPair, limits: Limits) -> Channel:
    """Write a pair as integers: exactly where they are small enough, and keep the bounds."""
    channel = beside_silence(pair, limits)
    assert channel.table is not None
    if channel.table.total <= LARGEST_TOTAL and kept(channel, limits):
        return channel
    reports, columns = _reports_of(pair, limits)
    c = 1 - limits.silent
    unit = LARGEST_TOTAL // c.denominator
    found = whole_parts(
        tabulate(list(zip(*columns, strict=True))),
        lambda parts: kept(with_silence(parts, reports, limits), limits),
        unit * c.numerator,
    )
    if found is not None:
        return with_silence(found, reports, limits)
    doubles = np.array(columns, dtype=float)
    return deployed(doubles, np.ones(len(doubles)), limits)


def beside_silence(pair: OptimalPair, limits: Limits) -> Channel:
    """Let a share of reports say nothing; not yet in integers that can be deployed."""
    reports, columns = _reports_of(pair, limits)
    telling = tabulate(list(zip(*columns, strict=True)))
    c = 1 - limits.silent
    rows = tuple(tuple(c.numerator * units for units in row) for row in telling.rows)
    return with_silence(Table(c.numerator * telling.total, rows), reports, limits)


def says_nothing(pair: OptimalPair) -> bool:
    """Say whether some report is as likely from either answer."""
    return any(one == zero != 0 for one, zero in zip(pair.first, pair.second, strict=True))


def _reports_of(
    pair: OptimalPair, limits: Limits
) -> tuple[dict[str, Names], list[tuple[Fraction, Fraction]]]:
    """Name the reports that are sent: for the answer they make the likelier one, or both.

    Beside a share that says nothing, and where every report has to mean one answer, a report that
    leaves the odds even is named for the answer that it is likelier from.
    """
    w, frame = pair.first_weight, limits.frame
    reports: dict[str, Names] = {}
    columns = []
    for one, zero in zip(pair.first, pair.second, strict=True):
        told = w * one - (1 - w) * zero if one != zero else Fraction(0)
        if limits.silent or limits.precise:
            told = told or one - zero
        several = not told and not limits.precise
        names = frame.answers if several else (frame.answers[told < 0],)
        taken = dict.fromkeys(frame.answers, ()) | reports if several else reports
        if one or zero:
            reports[fresh(DONT_KNOW if several else names[0], taken)] = names
            columns.append((one, zero))
    return reports, columns
