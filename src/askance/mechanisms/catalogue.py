"""From a name and parameters in a survey file to the recipe."""

from collections.abc import Callable, Mapping
from typing import Any

from askance.channels.frame import Frame
from askance.errors import InputError, nearest
from askance.mechanisms.abstain import Abstain
from askance.mechanisms.base import AbstractMechanism, AbstractRangeMechanism
from askance.mechanisms.cuts import Cuts
from askance.mechanisms.kary import KAry
from askance.mechanisms.redistribute import Redistribute
from askance.mechanisms.table import Written
from askance.mechanisms.warner import Warner

Ways = Mapping[tuple[str, ...], Callable[..., Any]]
"""For each set of parameters that a recipe accepts, how to build it."""

ANSWERS: Mapping[str, Ways] = {
    Warner.name: {
        ("truth",): lambda _, **given: Warner(**given),
        ("epsilon",): lambda _, epsilon: Warner.at_epsilon(epsilon),
    },
    KAry.name: {
        ("truth",): lambda _, **given: KAry(**given),
        ("epsilon",): lambda k, epsilon: KAry.at_epsilon(epsilon, answers=k),
    },
    Abstain.name: {
        ("truth", "lie"): lambda _, **given: Abstain(**given),
        ("epsilon", "answered"): lambda k, epsilon, answered: Abstain.at_epsilon(
            epsilon, answered=answered, answers=k
        ),
    },
    Redistribute.name: {
        ("truth", "lie", "share"): lambda _, **given: Redistribute(**given),
    },
    Written.name: {
        ("reports", "rows"): lambda _, **given: Written(**given),
    },
}
"""Recipes for questions with named answers."""

NUMBERS: Mapping[str, Ways] = {
    Cuts.name: {
        (): Cuts,
        ("number",): Cuts,
        ("between",): Cuts,
        ("number", "between"): Cuts,
    }
}
"""Recipes for numbers on a line."""


def answer_mechanism(
    name: str, parameters: Mapping[str, object], frame: Frame
) -> AbstractMechanism:
    """Build the recipe of that name for these answers.

    Raises
    ------
    InputError
        If the name or the set of parameters is unknown, or a value is out of its range.

    >>> answer_mechanism("warner", {"truth": "3/4"}, Frame(["yes", "no"])).truth
    Fraction(3, 4)
    """
    build = _way(ANSWERS, NUMBERS, name, parameters, "a question with answers")
    made: AbstractMechanism = build(len(frame), **parameters)
    return made


def range_mechanism(name: str, parameters: Mapping[str, object]) -> AbstractRangeMechanism:
    """Build the recipe of that name for a number on a line.

    >>> range_mechanism("cuts", {"number": 2}).number
    2
    """
    made: AbstractRangeMechanism = _way(NUMBERS, ANSWERS, name, parameters, "a line")(**parameters)
    return made


def _way(
    recipes: Mapping[str, Ways],
    others: Mapping[str, Ways],
    name: str,
    parameters: Mapping[str, object],
    asked: str,
) -> Callable[..., Any]:
    if name not in recipes:
        kind = f"{name!r} is not for {asked}" if name in others else nearest(name, tuple(recipes))
        raise InputError("name", got=name, allowed=", ".join(recipes), remedy=kind)
    for accepted, build in recipes[name].items():
        if set(accepted) == set(parameters):
            return build
    known = tuple({key for accepted in recipes[name] for key in accepted})
    strange = [key for key in parameters if key not in known]
    raise InputError(
        strange[0] if strange else "parameters",
        got=", ".join(map(str, parameters)) or "none",
        allowed=" or ".join(" and ".join(accepted) or "none" for accepted in recipes[name]),
        remedy=nearest(strange[0], known) if strange else "",
    )
