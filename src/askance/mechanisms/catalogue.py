"""From a name and parameters in a survey file to the recipe."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, final

from askance.arguments import checked
from askance.channels.frame import Frame
from askance.errors import InputError, nearest
from askance.mechanisms.cuts import (
    AbstractRangeMechanism,
    Cuts,
    Progressive,
    Ring,
    Selective,
    TwoCuts,
)
from askance.mechanisms.partitions import Blocks, Partitions, Runs
from askance.mechanisms.randomised_response import (
    Abstain,
    AbstractMechanism,
    AtLevel,
    KAry,
    Redistribute,
    Warner,
    Written,
)


@final
@dataclass(frozen=True, slots=True)
class Way:
    """One way to write a recipe: what must be given, what may be, and how to build it."""

    needed: tuple[str, ...]
    build: Callable[..., Any]
    optional: tuple[str, ...] = ()

    def takes(self, given: Iterable[str]) -> bool:
        """Say whether these parameters are the ones."""
        return set(self.needed) <= set(given) <= {*self.needed, *self.optional}

    @property
    def told(self) -> str:
        """What can be written."""
        needed, optional = " and ".join(self.needed), ", ".join(self.optional)
        return f"{needed} (with {optional})" if needed and optional else needed or optional


Ways = tuple[Way, ...]
"""The ways in which a recipe can be written."""


def _plainly(recipe: Callable[..., Any]) -> Callable[..., Any]:
    """Build a recipe that does not depend on the answers."""
    return lambda _, **given: recipe(**given)


def _levels(at_epsilon: Callable[..., AtLevel[Any]], *beside: str) -> Ways:
    """Build a recipe at a privacy level, said by ε or by its ratio, for its answers."""

    def build(frame: Frame, **given: object) -> AbstractMechanism:
        made: AbstractMechanism = at_epsilon(**given).on(frame)
        return made

    return tuple(Way((level, *beside), build) for level in ("epsilon", "ratio"))


def _design(recipe: str) -> Callable[..., Any]:
    """Build a design by its name: its module is opened when one is asked for."""

    def build(_: Frame, **given: object) -> AbstractMechanism:
        made: AbstractMechanism = getattr(import_module(_DESIGNS), recipe)(**given)
        return made

    return build


def _design_levels(recipe: str) -> Ways:
    """Build a design at a privacy level, likewise."""

    def build(frame: Frame, **given: object) -> AbstractMechanism:
        level = getattr(import_module(_DESIGNS), recipe).at_epsilon(**given)
        made: AbstractMechanism = level.on(frame)
        return made

    return tuple(Way((level,), build) for level in ("epsilon", "ratio"))


_DESIGNS = "askance.mechanisms.named_designs"

ANSWERS: Mapping[str, Ways] = {
    Warner.name: (
        Way(("truth",), _plainly(Warner)),
        *_levels(Warner.at_epsilon),
    ),
    KAry.name: (
        Way(("truth",), _plainly(KAry)),
        *_levels(KAry.at_epsilon),
    ),
    Abstain.name: (
        Way(("truth", "lie"), _plainly(Abstain)),
        *_levels(Abstain.at_epsilon, "answered"),
    ),
    Redistribute.name: (Way(("truth", "lie", "share"), _plainly(Redistribute)),),
    Blocks.name: (Way((), _plainly(Blocks), ("number",)),),
    Runs.name: (Way((), _plainly(Runs), ("number",)),),
    Partitions.name: (Way(("partitions",), _plainly(Partitions), ("weights",)),),
    Written.name: (Way(("reports", "rows"), _plainly(Written)),),
    "forced": (
        Way(("forced",), _design("ForcedResponse")),
        Way(("truth",), _design("ForcedResponse"), ("if_forced",)),
        *_design_levels("ForcedResponse"),
    ),
    "one_sided": (Way(("forced_yes",), _design("OneSided")),),
    "mangat": (Way(("truth_if_no",), _design("Mangat")),),
    "unrelated": (Way(("asked", "harmless"), _design("UnrelatedQuestion")),),
    "kuk": (Way(("red_if_yes", "red_if_no"), _design("Kuk"), ("draws",)),),
    "crosswise": (
        Way(("harmless",), _design("Crosswise")),
        *_design_levels("Crosswise"),
    ),
    "triangular": (Way(("harmless",), _design("Triangular")),),
    "hidden": (Way(("harmless",), _design("HiddenSensitivity")),),
    "christofides": (Way(("marks",), _design("Christofides")),),
}
"""Recipes for questions with named answers."""

NUMBERS: Mapping[str, Ways] = {
    Cuts.name: (Way((), Cuts, ("number", "law", "between", "open")),),
    TwoCuts.name: (Way((), TwoCuts, ("number", "law", "sizes")),),
    Ring.name: (Way(("floor",), Ring, ("law", "sizes")),),
    Selective.name: (Way(("floor", "sent"), Selective, ("number", "law", "sizes", "open")),),
    Progressive.name: (
        Way(("number", "floor"), Progressive, ("law", "sizes", "open", "stopping")),
    ),
}
"""Recipes for numbers on a line."""

_FOR_COLUMNS = {
    *("unary", "subset", "hadamard", "projective", "hash"),
    *("rappor", "memoised_kary", "memoised_hash", "dbitflip"),
    "discrete_laplace",
}
"""Frequency oracles, noise, and what is kept for several rounds: a form asks by a table, once."""

_IN_PYTHON = {
    (Ring.name, "number"): "a form asks rings of two cuts; Ring(floor=…, number=…).channel(line) "
    "judges and rehearses more of them in Python",
    (Cuts.name, "open_cells"): "a form tells fixed stretches exactly, open = [[low, high]]; "
    "OpenCellChannel(Cuts(number=…).channel(line), cells) tells cells that are drawn, in Python",
}
"""What a recipe takes in Python and a form cannot express."""


@checked
def answer_mechanism(
    name: str, parameters: Mapping[str, object], frame: Frame
) -> AbstractMechanism:
    """Randomised response mechanism by its name and parameters, as a survey file writes them.

    Parameters
    ----------
    name : str
        Such as ``"kary"``.
    parameters : mapping of str to object
        Those of the recipe, or its privacy level: ``epsilon`` or ``ratio``.
    frame : Frame
        The answers; a level is resolved for them.

    Raises
    ------
    InputError
        If the name or the set of parameters is unknown, or a value is out of its range.

    >>> from askance.mechanisms import answer_mechanism
    >>> answer_mechanism("warner", {"truth": "3/4"}, Frame(["yes", "no"])).truth
    Fraction(3, 4)
    """
    build = _way(ANSWERS, NUMBERS, name, parameters, "a question with answers")
    made: AbstractMechanism = build(frame, **parameters)
    return made


@checked
def range_mechanism(name: str, parameters: Mapping[str, object]) -> AbstractRangeMechanism:
    """Interval censoring mechanism by its name and parameters, as a survey file writes them.

    Parameters and errors as of `answer_mechanism`, but for the answers.

    >>> from askance.mechanisms import range_mechanism
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
        kind = f"{name!r} is for columns, in Python" if name in _FOR_COLUMNS else kind
        raise InputError("name", got=name, allowed=", ".join(recipes), remedy=kind)
    for way in recipes[name]:
        if way.takes(parameters):
            return way.build
    known = [key for way in recipes[name] for key in (*way.needed, *way.optional)]
    strange = [key for key in parameters if key not in known]
    raise InputError(
        strange[0] if strange else "parameters",
        got=", ".join(map(str, parameters)) or "none",
        allowed=" or ".join(way.told for way in recipes[name]),
        remedy=_IN_PYTHON.get((name, strange[0]), nearest(strange[0], known)) if strange else "",
    )
