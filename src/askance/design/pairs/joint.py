"""The best two rows under a bounded loss and a bounded advantage together."""

import math
from fractions import Fraction

from askance.arguments import checked
from askance.design.pairs.pair import OptimalPair, advantage_limit
from askance.design.pairs.yoshida import yoshida_pair
from askance.errors import InputError
from askance.exact.level import loss_bound
from askance.exact.ratio import just_below
from askance.privacy.guessing import prior_weight


@checked
def joint_pair(
    advantage: object | None = None,
    epsilon: object | None = None,
    *,
    ratio: object | None = None,
    first_weight: object = "1/2",
) -> OptimalPair:
    r"""Give the two rows that tell most where the loss ε and the advantage δ are both bounded.

    A report counts by the ratio p₁/p₀ alone, and what it tells is convex in its two chances, while
    both bounds are piecewise linear in the ratio. So some optimum uses no other ratios than e^−ε,
    (1 − w)/w and e^ε: three reports suffice, at every prevalence and for every f-divergence. For
    w = ½ and δ < tanh(ε/2),

    .. math::
        p = \frac{\delta e^\varepsilon}{e^\varepsilon - 1}, \qquad
        q = \frac{\delta}{e^\varepsilon - 1}, \qquad
        r = 1 - \delta \coth(\varepsilon / 2)

    are the chances of the truth, a lie and "don't know". Without the bound on ε this is Yoshida's
    pair, which never lies; without the bound on δ, or where it does not bind, Warner's design,
    which is never silent.

    Parameters
    ----------
    advantage : probability, optional
        δ, the bound on ‖(1 − w)p₀ − w p₁‖₁.
    epsilon : number, optional
        ε in (0, 12]. It enters as a fraction just below e^ε, so that the bound is kept exactly.
    ratio : number, optional
        e^ε instead, exactly.
    first_weight : probability
        w in (0, 1), the chance that a guesser gives the first answer beforehand.

    Raises
    ------
    InputError
        If nothing is bounded, or a bound is out of its range.

    References
    ----------
    Extends Yoshida, Yung & Hayashi (2019), Theorem 1, and the staircase mechanisms of Kairouz, Oh &
    Viswanath (2016); Li, Zhou, Qin & Xu (2022) use the same 2 × 3 mechanism.

    >>> pair = joint_pair("3/10", 1.2)
    >>> [round(float(chance), 6) for chance in pair.first]
    [0.429304, 0.129304, 0.441392]
    """
    w = prior_weight(first_weight)
    delta = None if advantage is None else advantage_limit(advantage, w)
    if ratio is None and (epsilon is None or (isinstance(epsilon, float) and epsilon == math.inf)):
        if delta is None:
            raise InputError(
                "joint_pair", got="no bound", allowed="a bound on the advantage, on ε, or both"
            )
        return yoshida_pair(delta, first_weight=w)
    bound = loss_bound(epsilon, ratio)
    return joint_rows(just_below(bound) if ratio is None else bound, delta, w)


def joint_rows(ratio: Fraction, delta: Fraction | None, w: Fraction) -> OptimalPair:
    """Give the two rows for a bound on the ratio itself; see `joint_pair`.

    >>> joint_rows(Fraction(3), Fraction(1, 4), Fraction(1, 2)).first
    (Fraction(3, 8), Fraction(1, 8), Fraction(1, 2))
    """
    warner = _warner(ratio, w)
    return warner if delta is None or warner.advantage <= delta else _three(ratio, delta, w)


def _warner(e: Fraction, w: Fraction) -> OptimalPair:
    truth, lie = e / (e + 1), 1 / (e + 1)
    return OptimalPair(first=(truth, lie), second=(lie, truth), first_weight=w)


def _three(e: Fraction, delta: Fraction, w: Fraction) -> OptimalPair:
    """Solve for p₀ on the ratios e, 1/e and c: it sums to one, as does p₁, and δ is met.

    z + x + y = 1, e z + x/e + c y = 1, (w e − (1 − w)) z + ((1 − w) − w/e) x = δ.
    """
    c = (1 - w) / w
    up, down = w * e - (1 - w), (1 - w) - w / e
    a, b = e - c, 1 / e - c
    z = ((1 - c) * down - b * delta) / (a * down - b * up)
    x = (delta - up * z) / down
    y = 1 - x - z
    return OptimalPair(first=(e * z, x / e, c * y), second=(z, x, y), first_weight=w)
