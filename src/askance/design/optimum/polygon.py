"""Two answers told by two reports: the corners of a polygon hold the best."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from askance.design.optimum.limits import Limits

Half = tuple[Fraction, Fraction, Fraction]
"""α, β, γ for α a + β b ≤ γ."""

Corner = tuple[Fraction, Fraction]


def corners(limits: Limits) -> list[Corner]:
    r"""List the corners of what two telling reports may do, exactly.

    (a, b) are the chances of the first report given either answer; the second takes what is left to
    c, the chance that a report says anything. What is convex in them, such as the information, is
    largest at a corner.

    Returns
    -------
    list of pair of Fraction
        Empty if the bounds leave nothing.

    >>> from askance.channels.frame import Frame
    >>> alike = ((Fraction(1), Fraction(3)), (Fraction(3), Fraction(1)))
    >>> found = corners(Limits.free(Frame(["yes", "no"])).bounded(alike))
    >>> [(str(a), str(b)) for a, b in found]
    [('0', '0'), ('1/4', '3/4'), ('3/4', '1/4'), ('1', '1')]
    """
    halves = list(_halves(limits))
    found = set()
    for one, two in combinations(halves, 2):
        flat = one[0] * two[1] - two[0] * one[1]
        if flat:
            a = (one[2] * two[1] - two[2] * one[1]) / flat
            b = (one[0] * two[2] - two[0] * one[2]) / flat
            if all(left * a + right * b <= most for left, right, most in halves):
                found.add((a, b))
    return sorted(found)


def _halves(limits: Limits) -> Iterator[Half]:
    """State every bound, first of the first report and then of the second."""
    c = 1 - limits.silent
    yield from ((Fraction(-1), Fraction(0), Fraction(0)), (Fraction(0), Fraction(-1), Fraction(0)))
    yield from ((Fraction(1), Fraction(0), c), (Fraction(0), Fraction(1), c))
    for x in (0, 1):
        ratio = limits.ratios[x][1 - x]
        if isinstance(ratio, Fraction):
            yield from _both(x, ratio, Fraction(0), c)
        if limits.walley is not None:
            yield from _both(x, limits.walley, limits.silent, c)
    for cap in limits.caps:
        weights = [Fraction(0), Fraction(0)]
        weights[cap.pair[0]], weights[cap.pair[1]] = cap.first_weight, cap.first_weight - 1
        most = cap.limit - limits.silent * abs(1 - 2 * cap.first_weight)
        for one, two in product((1, -1), repeat=2):
            rest = two * c * (weights[0] + weights[1])
            yield (one - two) * weights[0], (one - two) * weights[1], most - rest


def _both(x: int, ratio: Fraction, more: Fraction, c: Fraction) -> Iterator[Half]:
    """Ask of both reports that their chance from x, and more, is at most so many times the other's.

    For x the first answer: a + more ≤ ratio b, and (c − a) + more ≤ ratio (c − b).
    """
    signs = (Fraction(1), -ratio) if x == 0 else (-ratio, Fraction(1))
    yield *signs, -more
    yield -signs[0], -signs[1], -more - c * (1 - ratio)
