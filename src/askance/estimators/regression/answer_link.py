"""How a linear predictor becomes a chance: the distribution function and its two derivatives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import numpy as np
from scipy.special import expit, log1p, logit, ndtr, ndtri

from askance.errors import refuse_unknown
from askance.typing import Floats

_LARGEST = 700.0  # whose exponential is a number still


@final
@dataclass(frozen=True, slots=True)
class AnswerLink:
    """A distribution function of the predictor.

    Attributes
    ----------
    name : str
    chances : callable
        Gives F, F′ and F″ at each predictor.
    inverse : callable
        Gives the predictor at which F takes a value.
    """

    name: str
    chances: Callable[[Floats], tuple[Floats, Floats, Floats]]
    inverse: Callable[[Floats], Floats]


def _logit(eta: Floats) -> tuple[Floats, Floats, Floats]:
    chance = expit(eta)
    slope = chance * (1 - chance)
    return chance, slope, slope * (1 - 2 * chance)


def _probit(eta: Floats) -> tuple[Floats, Floats, Floats]:
    slope = np.exp(-eta * eta / 2) / np.sqrt(2 * np.pi)
    return ndtr(eta), slope, -eta * slope


def _loglog(eta: Floats) -> tuple[Floats, Floats, Floats]:
    power = np.exp(np.clip(-eta, -_LARGEST, _LARGEST))
    chance = np.exp(-power)
    slope = chance * np.minimum(power, _LARGEST)
    return chance, slope, slope * np.minimum(power - 1, _LARGEST)


def _cloglog(eta: Floats) -> tuple[Floats, Floats, Floats]:
    chance, slope, bend = _loglog(-eta)
    power = np.exp(np.clip(eta, -_LARGEST, _LARGEST))
    return np.where(chance > 0.5, -np.expm1(-power), 1 - chance), slope, -bend


LINKS: Mapping[str, AnswerLink] = MappingProxyType(
    {
        link.name: link
        for link in (
            AnswerLink("logit", _logit, logit),
            AnswerLink("probit", _probit, ndtri),
            AnswerLink("loglog", _loglog, lambda share: -np.log(-np.log(share))),
            AnswerLink("cloglog", _cloglog, lambda share: np.log(-log1p(-share))),
        )
    }
)
"""Logistic, normal, and the two extreme-value laws."""


def answer_link(name: str) -> AnswerLink:
    """Find a link by its name.

    Raises
    ------
    InputError
        If there is no such link.

    >>> [one.tolist() for one in answer_link("logit").chances(np.zeros(1))]
    [[0.5], [0.25], [0.0]]
    """
    refuse_unknown("link", name, LINKS)
    return LINKS[name]
