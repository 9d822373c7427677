"""The law of the likelihood ratio of F(t) when many were asked."""

import numpy as np
from scipy.special import gammaincinv

from askance.errors import InputError
from askance.typing import Floats

LOWEST, HIGHEST = 0.5, 0.999
"""The levels at which the law is tabled."""

_QUANTILES = {
    0.5: 0.2809,
    0.6: 0.4321,
    0.7: 0.6492,
    0.75: 0.7947,
    0.8: 0.9813,
    0.85: 1.2306,
    0.9: 1.5997,
    0.925: 1.8691,
    0.95: 2.2580,
    0.975: 2.9468,
    0.98: 3.1660,
    0.99: 3.8838,
    0.995: 4.6148,
    0.999: 6.3765,
}
"""From ``papers/banerjee-wellner-2001/limit.py``: a million paths, steps of 0.00125. The standard
error at 0.95 is 0.005; four times coarser steps lower the figure by 0.003."""


_RISES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
_WAY = (0.0, 0.05, 0.08, 0.13, 0.21, 0.28, 0.41, 0.51, 0.61, 0.72, 0.87, 0.97, 1.0)
"""How far the 0.95 quantile lies on the way from 𝔻 to χ², from
``papers/tang-banerjee-kosorok-2012/limit.py``: 200,000 paths; at 0.8 and 0.99 within 0.06."""


def way_to_chi_square(rise: Floats) -> Floats:
    """Say how far the law of the ratio is from that of 𝔻, at 0, to χ², at 1.

    Parameters
    ----------
    rise : array
        How much F rises from one cut to the next, in standard errors of the share up to a cut that
        only those asked there tell.

    >>> way_to_chi_square(np.array([0.0, 1, 9])).tolist()
    [0.0, 0.61, 1.0]
    """
    found: Floats = np.interp(rise, _RISES, _WAY)
    return found


def critical_value(level: float, way: float) -> float:
    """Give what twice the fall of the log-likelihood stays below this often.

    Parameters
    ----------
    level : float
        In [0.5, 0.999].
    way : float
        0 where cuts hardly ever tie: the law of 𝔻 (Banerjee & Wellner, 2001), simulated and
        interpolated. 1 where many people share each cut: χ² with one degree of freedom (Tang,
        Banerjee & Kosorok, 2012). In between and beyond, that far from the first to the second.

    Raises
    ------
    InputError
        If the level is outside the table.

    >>> round(critical_value(0.95, 1), 4)
    3.8415
    >>> round(critical_value(0.95, 0), 2)
    2.26
    """
    levels = np.array(list(_QUANTILES))
    if not LOWEST <= level <= HIGHEST:
        raise InputError("level", got=level, allowed=f"a level in [{LOWEST}, {HIGHEST}]")
    own = np.interp(-np.log1p(-level), -np.log1p(-levels), list(_QUANTILES.values()))
    return float(own + way * (2 * gammaincinv(0.5, level) - own))
