"""The noises by their names, and what share of each lies below a number."""

import numpy as np

from askance.errors import InputError, nearest
from askance.estimators.noise import AbstractNoise
from askance.estimators.noise_gumbel import GumbelNoise
from askance.estimators.noise_laplace import LaplaceNoise
from askance.estimators.noise_logistic import LogisticNoise
from askance.estimators.noise_normal import NormalNoise
from askance.estimators.noise_student import StudentNoise

_NAMED: dict[str, AbstractNoise] = {
    noise.name: noise
    for noise in (NormalNoise(), LogisticNoise(), StudentNoise(), GumbelNoise(), LaplaceNoise())
}
_ALIASES = {"gaussian": "normal"}
_FARTHEST = 1e12


def noise_of(noise: str | AbstractNoise) -> AbstractNoise:
    """Find a noise by its name; a noise is its own.

    Raises
    ------
    InputError
        If there is no such noise.

    >>> noise_of("gaussian")
    NormalNoise()
    >>> noise_of("student").df
    4.0
    """
    if isinstance(noise, AbstractNoise):
        return noise
    name = _ALIASES.get(noise, noise)
    if name not in _NAMED:
        raise InputError(
            "noise",
            got=noise,
            allowed=", ".join((*_NAMED, *_ALIASES)),
            remedy=nearest(noise, (*_NAMED, *_ALIASES)),
        )
    return _NAMED[name]


def noise_quantile(noise: AbstractNoise, share: float) -> float:
    """Give the number below which a share of the noise lies.

    Raises
    ------
    InputError
        If the share is not strictly between 0 and 1.

    >>> round(noise_quantile(noise_of("normal"), 0.975), 6)
    1.959964
    >>> round(noise_quantile(noise_of("gumbel"), 0.5), 6)  # log log 2
    -0.366513
    """
    from scipy.optimize import brentq

    if not 0 < share < 1:
        raise InputError("share", got=share, allowed="a probability strictly between 0 and 1")
    below = float(noise.log_beyond(np.zeros(1), -1)[0])
    side = 1 if np.log(share) > below else -1
    wanted = float(np.log1p(-share) if side > 0 else np.log(share))

    def beyond(t: float) -> float:
        return max(float(noise.log_beyond(np.array([t]), side)[0]), -1e300) - wanted

    if beyond(0.0) <= 0:
        return 0.0
    far = 1.0
    while beyond(far) > 0 and far < _FARTHEST:
        far *= 2
    return float(side * brentq(beyond, 0.0, far, xtol=1e-15, rtol=1e-14))
