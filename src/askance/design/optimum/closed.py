"""Two answers whose best channel is known in closed form, deployed."""

import math
from fractions import Fraction

import numpy as np

from askance.channels.algebra import meant
from askance.channels.channel import Channel
from askance.design.optimum.deploy import deployed, kept
from askance.design.optimum.limits import Limits
from askance.design.optimum.utility import AbstractUtility, merit
from askance.design.pairs.joint import joint_rows
from askance.design.pairs.pair import OptimalPair
from askance.design.pairs.yoshida import yoshida_pair
from askance.exact.ratio import just_below
from askance.exact.table import LARGEST_TOTAL, whole_parts
from askance.typing import Floats

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
    reports = meant(channel)
    found = whole_parts(
        channel.table, lambda parts: kept(Channel(limits.frame, reports, parts), limits)
    )
    if found is not None:
        return Channel(limits.frame, reports, found)
    columns = np.array([pair.first, pair.second], dtype=float).T
    return with_silence(columns, np.ones(len(columns)), limits)


def beside_silence(pair: OptimalPair, limits: Limits) -> Channel:
    """Let a share of reports say nothing; not yet in integers that can be deployed."""
    if not limits.silent:
        return pair.channel(limits.frame)
    w, c = pair.first_weight, 1 - limits.silent
    neutral = [
        (1 - w) * zero == w * one != 0 for one, zero in zip(pair.first, pair.second, strict=True)
    ]
    rows = [[c * chance for chance in row] for row in (pair.first, pair.second)]
    if w == Fraction(1, 2) and any(neutral):
        for row in rows:
            row[neutral.index(True)] += limits.silent
    else:
        for row in rows:
            row.append(limits.silent)
    first, second = map(tuple, rows)
    return OptimalPair(first=first, second=second, first_weight=w).channel(limits.frame)


def with_silence(columns: Floats, chances: Floats, limits: Limits) -> Channel:
    """Add silence to columns and their chances, and round."""
    if limits.silent:
        columns = np.vstack([columns, np.ones(columns.shape[1])])
        chances = np.append(chances * float(1 - limits.silent), float(limits.silent))
    return deployed(columns, chances, limits)
