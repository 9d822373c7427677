"""The attacker's trade-off curve: every vague report resolved in favour of the one who tests.

Both errors are concave in the test, so mixing tests does not help and the curve need not be convex.
An optimal test accuses for sure on a set A, by chance on a set around it, and never outside: the
curve is the lowest of the chords between the points of nested sets.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from askance.privacy.tradeoffs.curve import Curve
from askance.privacy.tradeoffs.events import Events
from askance.privacy.tradeoffs.piecewise import ascending
from askance.typing import Floats

Chord = tuple[int, int, int, int]
Line = tuple[Fraction, Fraction]

MOST_NESTED = 10
"""Of so many answers at the most: there are 3^l nested pairs of sets."""

_SHORT = 1e-5  # in type I error
_TOLERANCE = 1e-9  # chords so near the lowest in doubles are compared exactly


def attack_curve(read: Events) -> Curve:
    """Give the lowest chord between nested sets at each type I error.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Theorem 18, as corrected: at the vertices of the comonotone tests.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> from askance.privacy.tradeoffs.events import events
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> attack_curve(events(q, 0, 1)).exact[1]
    (Fraction(1, 10), Fraction(1, 10))
    """
    corners = read.bold()
    inner, outer = nested(read.size)
    chords = sorted({corners[a] + corners[b] for a, b in zip(inner, outer, strict=True)})
    wholes = read.totals * 2
    values = np.array(
        [[entry / whole for entry, whole in zip(chord, wholes, strict=True)] for chord in chords]
    )
    levels = sorted(set(read.low[0]))
    places = {level: at for at, level in enumerate(levels)}
    starts, ends = (np.array([places[chord[end]] for chord in chords]) for end in (0, 2))
    knots: list[tuple[Fraction, Fraction]] = []
    for step, (start, end) in enumerate(pairwise(levels)):
        over = np.flatnonzero((starts <= step) & (ends > step))
        near = _near_lowest(values, over, start / read.totals[0], end / read.totals[0])
        lines = {(_height(chords[at], start), _height(chords[at], end)) for at in near.tolist()}
        knots += [(start + part * (end - start), beta) for part, beta in _envelope(lines)]
    scaled = [(alpha / read.totals[0], beta / read.totals[1]) for alpha, beta in knots]
    return Curve(ascending(scaled))


def nested(size: int) -> tuple[list[int], list[int]]:
    """List all pairs of sets of which the first is inside the second.

    >>> len(nested(3)[0]) == 3**3
    True
    """
    masks = np.arange(1 << size)
    inner, outer = np.nonzero((masks[:, None] & ~masks[None, :]) == 0)
    return inner.tolist(), outer.tolist()


def _near_lowest(
    values: Floats, over: npt.NDArray[np.intp], start: float, end: float
) -> npt.NDArray[np.intp]:
    """Find, in doubles, which of the chords over a step may be lowest somewhere in it.

    Of chords so short that doubles do not tell their slope, none is left out.
    """
    long = values[over, 2] - values[over, 0] > _SHORT
    short, over = over[~long], over[long]
    a0, b0, a1, b1 = values[over].T
    slope = (b1 - b0) / (a1 - a0)
    left, right = b0 + slope * (start - a0), b0 + slope * (end - a0)
    order = np.lexsort((right, left))
    lowest = np.minimum.accumulate(right[order])
    before = np.concatenate([[np.inf], lowest])[: len(order)]
    kept = over[order[right[order] <= before + _TOLERANCE]]
    return np.concatenate([short, kept])


def _height(chord: Chord, at: int) -> Fraction:
    a0, b0, a1, b1 = chord
    return b0 + Fraction((b1 - b0) * (at - a0), a1 - a0)


def _envelope(lines: Iterable[Line]) -> list[tuple[Fraction, Fraction]]:
    """Follow the lowest of the lines given by their heights at 0 and 1."""
    left, right = min(lines)
    found, part = [(Fraction(0), left)], Fraction(0)
    while True:
        steeper = [
            ((one[0] - left) / (right - left - one[1] + one[0]), one[1] - one[0], one)
            for one in lines
            if one[1] - one[0] < right - left
        ]
        crossing = min((cross for cross in steeper if part <= cross[0] < 1), default=None)
        if crossing is None:
            return [*found, (Fraction(1), right)]
        part, _, (left, right) = crossing
        found.append((part, left + part * (right - left)))
