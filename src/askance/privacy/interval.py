"""Interval privacy: how wide the reported ranges are, and that nothing else is told."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product

import numpy as np

from askance.channels.range_channel import RangeChannel
from askance.errors import InputError
from askance.privacy.guarantee import Guarantee, Notion

_ENUMERABLE = 1_000_000
_ROUND_OFF = 1e-12


def coverage(channel: RangeChannel, distribution: Sequence[float] | None = None) -> Guarantee:
    r"""Give the chance that an unrelated person's number lies in the range that one person reports.

    .. math:: \tau = E\bigl[(1 - |G(Y) - G(Y')|)^m\bigr]

    with G the law of one of m independent cuts and Y, Y' independent answers. 1 − τ is the leakage.

    Parameters
    ----------
    channel : RangeChannel
    distribution : sequence of float, shape (ticks,), optional
        Chance that an answer falls in each step of the line; an even spread if left out.

    Raises
    ------
    InputError
        If the distribution has another length, a negative or missing chance, or does not sum to 1.

    References
    ----------
    Ding & Ding (2022), Definition 2; for independent cuts by conditioning on the two answers.

    >>> from askance.exact.line import Line
    >>> coverage(RangeChannel(Line(0, 2, 1), [1], 1)).printed()
    '0.5000'
    """
    attained = "on average over answers and cuts"
    n, m = channel.line.ticks, channel.number
    upto = list(accumulate(channel.weights, initial=0))
    if distribution is None and n * n <= _ENUMERABLE:
        units = sum((channel.total - abs(a - b)) ** m for a in upto for b in upto)
        return Guarantee(Notion.COVERAGE, Fraction(units, n * n * channel.total**m), attained)
    p = np.full(n, 1 / n) if distribution is None else np.asarray(distribution, dtype=float)
    if p.shape != (n,) or not (p >= 0).all() or not abs(p.sum() - 1) < 1e-9:
        raise InputError(
            "coverage.distribution",
            got=f"{p.shape[0] if p.ndim else 0} chances that sum to {p.sum()}",
            allowed=f"{n} chances in [0, 1] that sum to one",
        )
    law = np.array(upto) / channel.total
    mean = sum(
        float(p @ (1 - np.abs(law - at)) ** m) * share for at, share in zip(law, p, strict=True)
    )
    return Guarantee(Notion.COVERAGE, mean * (1 - _ROUND_OFF), attained)


def narrowest(channel: RangeChannel) -> int:
    """Give the width of the narrowest range that can be reported, in steps of the line.

    >>> from askance.exact.line import Line
    >>> narrowest(RangeChannel(Line(0, 4, 1), [0, 1, 0], 1))
    2
    """
    cuts = [tick for tick, weight in enumerate(channel.weights, start=1) if weight]
    outer = min(cuts[0], channel.line.ticks - cuts[-1])
    if channel.number == 1:
        return outer
    inner = (high - low for low, high in pairwise(cuts))
    return min(outer, *inner) if len(cuts) > 1 else outer


def flatness(channel: RangeChannel) -> Guarantee:
    """Give the worst ratio of a report's chances between two numbers inside the reported range.

    It is 1 exactly when every posterior is the prior cut to the range: the definition of interval
    privacy. Every draw of the cuts is enumerated in integers where there are at most a million
    pairs of draw and answer; beyond, the ratio is 1 because cuts are drawn before the answer is
    looked at.

    References
    ----------
    Ding & Ding (2022), Definition 1.

    >>> from askance.exact.line import Line
    >>> flatness(RangeChannel(Line(0, 4, 1), [1, 2, 1], 2)).value
    Fraction(1, 1)
    """
    n = channel.line.ticks
    ticks = [tick for tick, weight in enumerate(channel.weights, start=1) if weight]
    if len(ticks) ** channel.number * n > _ENUMERABLE:
        return Guarantee(Notion.FLATNESS, Fraction(1), "everywhere: cuts precede the answer")
    chances: dict[tuple[int, int], list[int]] = {}
    for cuts in product(ticks, repeat=channel.number):
        weight = math.prod(channel.weights[tick - 1] for tick in cuts)
        ends = [0, *sorted(set(cuts)), n]
        for step in range(n):
            at = bisect_left(ends, step + 1)
            cell = ends[at - 1], ends[at]
            chances.setdefault(cell, [0] * n)[step] += weight
    worst = max(
        (Fraction(max(inside), min(inside)) if min(inside) else math.inf)
        for (low, high), row in chances.items()
        for inside in [row[low:high]]
    )
    return Guarantee(Notion.FLATNESS, worst, "over every draw of the cuts, enumerated")
