"""What claims about privacy are computed with, where one call of the library is not enough.

Conditional means of noise are taken by quadrature here, apart from the library's own formulas.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.stats import logistic, norm

import askance as ak

LINE = ak.Line(0, 20, 1)
TRUE_SD, CUTS = 1.7, logistic(0, 5)


def refusal(call: Callable[[], object]) -> str:
    """Name the error with which a call is refused."""
    try:
        call()
    except ak.AskanceError as error:
        return type(error).__name__
    return "not refused"


def below(noise: Any, end: float) -> float:
    """Give G(s) = E[ε 1{ε ≤ s}] of a noise."""
    return float(quad(lambda e: e * noise.pdf(e), -60, end, limit=200)[0])


def entropy(share: float) -> float:
    """Give the entropy of a yes-or-no chance."""
    return -share * math.log(share) - (1 - share) * math.log(1 - share)


def fixed_scale(*, with_variance: bool) -> float:
    """Iterate the update of Remark 5 with endless data until the scale stays; the truth is 1.7.

    E[ε²| D] = E[ε | D]² + Var(ε | D), D being on which side of its cut the noise is.
    """
    cut = np.linspace(-150, 150, 60_001)
    told, weight = norm.cdf(cut / TRUE_SD), CUTS.pdf(cut) * (cut[1] - cut[0])
    sd, last = 1.0, 0.0
    while abs(sd - last) > 1e-9:
        z, last = cut / sd, sd
        low = -np.exp(norm.logpdf(z) - norm.logcdf(z))
        high = np.exp(norm.logpdf(z) - norm.logsf(z))
        first, second = (1 + z * low, 1 + z * high) if with_variance else (low**2, high**2)
        sd = float(sd * np.sqrt(weight @ (told * first + (1 - told) * second)))
    return sd
