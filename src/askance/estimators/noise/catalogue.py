"""Noise by name."""

from collections.abc import Callable

from askance.errors import refuse_unknown
from askance.estimators.noise.gumbel import GumbelNoise
from askance.estimators.noise.laplace import LaplaceNoise
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.logistic import LogisticNoise
from askance.estimators.noise.normal import NormalNoise
from askance.estimators.noise.student import StudentNoise

NOISES: dict[str, Callable[[], AbstractNoise]] = {
    "normal": NormalNoise,
    "gaussian": NormalNoise,
    "logistic": LogisticNoise,
    "laplace": LaplaceNoise,
    "student": StudentNoise,
    "gumbel": GumbelNoise,
}


def noise_of(noise: AbstractNoise | str) -> AbstractNoise:
    """Give the noise of a name; a law that is given already stays as it is.

    Raises
    ------
    InputError
        If there is no noise of that name.

    >>> noise_of("gaussian").name, noise_of("student")
    ('normal', StudentNoise(df=4.0))
    """
    if isinstance(noise, AbstractNoise):
        return noise
    refuse_unknown("noise", noise, NOISES)
    return NOISES[noise]()
