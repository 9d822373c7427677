"""From a utility to what the programme maximises, and from its bound back to the utility."""

import math
from collections.abc import Callable

import numpy as np

from askance.design.optimum.candidates import Candidates
from askance.design.optimum.programme import Mixture, best_for_scores, best_for_terms
from askance.design.optimum.utility import (
    AbstractUtility,
    AOptimal,
    DOptimal,
    EOptimal,
    MeanSquaredError,
    MutualInformation,
    guesses,
    shared_nats,
)
from askance.design.solver.moment import Block
from askance.design.solver.smallest import Smallest
from askance.design.solver.spectral import LOGARITHM, VARIANCE, Spectral
from askance.design.solver.term import AbstractTerm
from askance.errors import InputError
from askance.typing import Floats


def best_mixture(
    candidates: Candidates, utility: AbstractUtility, answered: float
) -> tuple[Mixture, float]:
    """Choose the best mixture, of which the share answered is used; give a bound on the utility."""
    shares = guesses(utility.prior, len(candidates.groups))
    if isinstance(utility, MutualInformation):
        scores = answered * np.array([shared_nats(candidates.columns, guess) for guess in shares])
        alone = _alone(scores[0]) if candidates.alike else None
        found = alone or best_for_scores(candidates, scores)
        return found, found.bound
    make, back = _maker(utility)
    terms = [make(candidates, guess, answered) for guess in shares]
    if candidates.alike:
        found = _alone(candidates.blocks(shares[0])[0].features[:, 0] ** 2)
        return found, back(terms[0].level(found.chances))
    found = best_for_terms(candidates, terms)
    return found, back(found.bound)


def _alone(scores: Floats) -> Mixture:
    """Use the best class alone: where all answers are alike, it tells one number, the most.

    >>> _alone(np.array([0.1, 0.3, 0.2])).chances.tolist()
    [0.0, 1.0, 0.0]
    """
    best = int(np.argmax(scores))
    chances = np.zeros(len(scores))
    chances[best] = 1.0
    return Mixture(chances=chances, level=float(scores[best]), bound=float(scores[best]))


Maker = Callable[[Candidates, Floats, float], AbstractTerm]


def _maker(utility: AbstractUtility) -> tuple[Maker, Callable[[float], float]]:
    match utility:
        case AOptimal():
            return _variances, lambda level: -level
        case MeanSquaredError():
            return _errors, lambda level: -level
        case DOptimal():
            return _volume, lambda level: math.exp(-level)
        case EOptimal():
            return _smallest, lambda level: 1 / level
    raise InputError(
        "utility",
        got=type(utility).__name__,
        allowed="AOptimal, DOptimal, EOptimal, MeanSquaredError or MutualInformation",
    )


def _variances(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    return Spectral(blocks=candidates.blocks(guess), curve=VARIANCE, scale=1 / answered)


def _errors(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    drawn = 1 - float(guess @ guess)
    return Spectral(
        blocks=candidates.blocks(guess), curve=VARIANCE, scale=1 / answered, shift=drawn
    )


def _volume(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    axes = len(guess) - 1
    blocks = candidates.blocks(guess)
    return Spectral(blocks=blocks, curve=LOGARITHM, scale=1 / axes, shift=math.log(answered))


def _smallest(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    blocks = candidates.blocks(guess)
    return Smallest(blocks=[Block(features=math.sqrt(answered) * one.features) for one in blocks])
