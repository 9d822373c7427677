"""The names that calls of this paper's claims use."""

import math
from fractions import Fraction

from remaking import Scope, script

import askance as ak

maxima = script("yoshida-yung-hayashi", "maxima")
YN = maxima.FRAME


def printed_maximum(
    share: str, reports: int, delta: Fraction = Fraction(1, 4), w: Fraction = Fraction(2, 5)
) -> Fraction:
    """Give equation (2) as printed."""
    theta, a = Fraction(share), (1 - delta) / 2
    if reports == 3:
        return (1 - a / (w * (1 - theta) + (1 - w) * theta)) / (theta * (1 - theta))
    if theta <= (w - a) / delta:
        return (w - a) / (theta * (w * (1 - theta) + a * theta))
    return (1 - w - a) / ((1 - theta) * (a * (1 - theta) + (1 - w) * theta))


SCOPE = Scope(
    ak=ak,
    Fraction=Fraction,
    yn=YN,
    silent=ak.design.yoshida_pair("1/4"),
    doubtful=ak.design.yoshida_pair("1/4", first_weight="2/5"),
    few=lambda share: ak.design.yoshida_pair(
        "1/4", first_weight="2/5", prevalence=share, reports=2
    ),
    exponent=lambda channel: ak.inference.chernoff(*maxima.laws(channel, 0.2, 0.6)).exponent,
    laws=maxima.laws(maxima.best("1/2"), 0.2, 0.6),
    entropy=maxima.entropy,
    printed_maximum=printed_maximum,
    lying=ak.design.joint_pair("1/4", 2, first_weight="2/5"),
    weights=["3/8", "2/5", "1/2", "3/5", "5/8"],
    pair_at=maxima.best,
    optimal=lambda channel, w: ak.design.is_yoshida_optimal(channel, "1/4", first_weight=w),
    EPSILON=math.log(5 / 3) + 1e-7,
)
