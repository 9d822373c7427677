"""The best tests between two laws: accuse on the outcomes that favour it most."""

from collections.abc import Sequence
from fractions import Fraction

from askance.privacy.curve import Curve

Law = Sequence[Fraction | int]


def ranking(first: Law, second: Law) -> list[int]:
    """Order outcomes by how much they favour the second law over the first.

    >>> ranking([3, 1, 0], [1, 3, 0])
    [1, 0]
    """
    possible = [at for at in range(len(first)) if first[at] or second[at]]
    return sorted(possible, key=lambda at: Fraction(-second[at], first[at] + second[at]))


def neyman_pearson(first: Law, second: Law) -> Curve:
    r"""Give the least type II error against the second law at each type I error of the first.

    .. math:: T(\alpha) = \inf\{1 - E_{p'} \varphi : E_p \varphi \le \alpha\}

    Parameters
    ----------
    first, second : sequence of Fraction or int, shape (m,)
        The two laws over the same outcomes, each up to a factor.

    Returns
    -------
    Curve
        Exact; its knots are the running sums in the order of the likelihood ratio.

    References
    ----------
    Neyman & Pearson (1933), section III.

    >>> neyman_pearson([6, 1, 3], [1, 6, 3]).exact[1:3]
    ((Fraction(1, 10), Fraction(2, 5)), (Fraction(2, 5), Fraction(1, 10)))
    """
    whole, beside = sum(first), sum(second)
    alarm, missed = Fraction(0), Fraction(beside)
    knots: list[tuple[Fraction, Fraction]] = [(alarm, missed)]
    for at in ranking(first, second):
        alarm, missed = alarm + first[at], missed - second[at]
        if alarm == knots[-1][0]:
            knots.pop()
        knots.append((alarm, missed))
    return Curve([(a / whole, b / beside) for a, b in knots])
