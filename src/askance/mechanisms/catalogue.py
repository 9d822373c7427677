"""From a name and parameters in a survey file to the recipe."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, final

from askance.channels.frame import Frame
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
    TableMechanism,
    Warner,
)
from askance_collect.arguments import checked
from askance_collect.errors import InputError, nearest, restate


@final
@dataclass(frozen=True, slots=True)
class ParameterSet:
    """A set of parameters of a recipe: required names, optional names, and a builder."""

    needed: tuple[str, ...]
    build: Callable[..., Any]
    optional: tuple[str, ...] = ()

    def takes(self, names: Iterable[str]) -> bool:
        """Say whether these names are all that is needed and nothing unknown."""
        return set(self.needed) <= set(names) <= {*self.needed, *self.optional}

    @property
    def description(self) -> str:
        """The names of the parameters, the optional ones in brackets."""
        needed, optional = " and ".join(self.needed), ", ".join(self.optional)
        return f"{needed} (with {optional})" if needed and optional else needed or optional


ParameterSets = tuple[ParameterSet, ...]
"""The sets of parameters with which a recipe can be built."""


def _ignore_frame(recipe: Callable[..., Any]) -> Callable[..., Any]:
    """Build a recipe that does not depend on the answers."""
    return lambda _, **parameters: recipe(**parameters)


def _at_level(at_epsilon: Callable[..., AtLevel[Any]], *others: str) -> ParameterSets:
    """Build a recipe at a privacy level, said by ε or by its ratio, for its answers."""

    def build(frame: Frame, **parameters: object) -> AbstractMechanism:
        mechanism: AbstractMechanism = at_epsilon(**parameters).on(frame)
        return mechanism

    return tuple(ParameterSet((level, *others), build) for level in ("epsilon", "ratio"))


def _with_keys(build: Callable[..., Any], **attributes: str) -> Callable[..., Any]:
    """Build a recipe some of whose attributes have another key in survey files and forms."""
    keys = {attribute: key for key, attribute in attributes.items()}

    def build_from_keys(*frame: Frame, **parameters: object) -> Any:
        named = {attributes.get(key, key): value for key, value in parameters.items()}
        try:
            return build(*frame, **named)
        except InputError as error:
            owner, _, attribute = error.where.rpartition(".")
            if attribute not in keys:
                raise
            raise restate(error, f"{owner}.{keys[attribute]}", InputError) from error

    return build_from_keys


def _named_mechanism(recipe: str) -> Callable[..., Any]:
    """Build a mechanism by its name: its module is opened when one is asked for."""

    def build(_: Frame, **parameters: object) -> AbstractMechanism:
        mechanism: AbstractMechanism = getattr(import_module(_MODULE), recipe)(**parameters)
        return mechanism

    return build


def _named_mechanism_at_level(recipe: str) -> ParameterSets:
    """Build a mechanism at a privacy level, likewise."""

    def build(frame: Frame, **parameters: object) -> AbstractMechanism:
        level = getattr(import_module(_MODULE), recipe).at_epsilon(**parameters)
        mechanism: AbstractMechanism = level.on(frame)
        return mechanism

    return tuple(ParameterSet((level,), build) for level in ("epsilon", "ratio"))


_MODULE = "askance.mechanisms.named_mechanisms"

_AT_HAND = frozenset(
    recipe.name
    for recipe in (Warner, KAry, Abstain, Redistribute, Blocks, Runs, Partitions, TableMechanism)
)
"""Recipes whose module is open already."""

ANSWERS: Mapping[str, ParameterSets] = {
    Warner.name: (
        ParameterSet(("truth",), _ignore_frame(Warner)),
        *_at_level(Warner.at_epsilon),
    ),
    KAry.name: (
        ParameterSet(("truth",), _ignore_frame(KAry)),
        *_at_level(KAry.at_epsilon),
    ),
    Abstain.name: (
        ParameterSet(("truth", "lie"), _ignore_frame(Abstain)),
        *_at_level(Abstain.at_epsilon, "answered"),
    ),
    Redistribute.name: (ParameterSet(("truth", "lie", "share"), _ignore_frame(Redistribute)),),
    Blocks.name: (ParameterSet((), _ignore_frame(Blocks), ("number",)),),
    Runs.name: (ParameterSet((), _ignore_frame(Runs), ("number",)),),
    Partitions.name: (ParameterSet(("partitions",), _ignore_frame(Partitions), ("weights",)),),
    TableMechanism.name: (ParameterSet(("reports", "rows"), _ignore_frame(TableMechanism)),),
    "forced": (
        ParameterSet(("forced",), _named_mechanism("ForcedResponse")),
        ParameterSet(("truth",), _named_mechanism("ForcedResponse"), ("if_forced",)),
        *_named_mechanism_at_level("ForcedResponse"),
    ),
    "one_sided": (ParameterSet(("forced_yes",), _named_mechanism("OneSided")),),
    "mangat": (ParameterSet(("truth_if_no",), _named_mechanism("Mangat")),),
    "unrelated": (
        ParameterSet(
            ("asked", "harmless"),
            _with_keys(_named_mechanism("UnrelatedQuestion"), asked="sensitive_chance"),
        ),
    ),
    "kuk": (ParameterSet(("red_if_yes", "red_if_no"), _named_mechanism("Kuk"), ("draws",)),),
    "crosswise": (
        ParameterSet(("harmless",), _named_mechanism("Crosswise")),
        *_named_mechanism_at_level("Crosswise"),
    ),
    "triangular": (ParameterSet(("harmless",), _named_mechanism("Triangular")),),
    "hidden": (ParameterSet(("harmless",), _named_mechanism("HiddenSensitivity")),),
    "christofides": (ParameterSet(("marks",), _named_mechanism("Christofides")),),
    "diagonal": (ParameterSet(("harmless",), _named_mechanism("Diagonal")),),
}
"""Recipes for questions with named answers."""

NUMBERS: Mapping[str, ParameterSets] = {
    Cuts.name: (ParameterSet((), Cuts, ("number", "law", "between", "open")),),
    TwoCuts.name: (ParameterSet((), TwoCuts, ("number", "law", "sizes")),),
    Ring.name: (ParameterSet(("floor",), Ring, ("law", "sizes")),),
    Selective.name: (
        ParameterSet(
            ("floor", "sent"),
            _with_keys(Selective, sent="send_chance"),
            ("number", "law", "sizes", "open"),
        ),
    ),
    Progressive.name: (
        ParameterSet(("number", "floor"), Progressive, ("law", "sizes", "open", "stopping")),
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
    build = _find_builder(ANSWERS, NUMBERS, name, parameters, "a question with answers")
    mechanism: AbstractMechanism = build(frame, **parameters)
    return mechanism


@checked
def range_mechanism(name: str, parameters: Mapping[str, object]) -> AbstractRangeMechanism:
    """Interval censoring mechanism by its name and parameters, as a survey file writes them.

    Parameters and errors as of `answer_mechanism`, but for the answers.

    >>> from askance.mechanisms import range_mechanism
    >>> range_mechanism("cuts", {"number": 2}).number
    2
    """
    mechanism: AbstractRangeMechanism = _find_builder(NUMBERS, ANSWERS, name, parameters, "a line")(
        **parameters
    )
    return mechanism


def _find_builder(
    recipes: Mapping[str, ParameterSets],
    others: Mapping[str, ParameterSets],
    name: str,
    parameters: Mapping[str, object],
    target: str,
) -> Callable[..., Any]:
    if name not in recipes:
        kind = f"{name!r} is not for {target}" if name in others else nearest(name, tuple(recipes))
        kind = f"{name!r} is for columns, in Python" if name in _FOR_COLUMNS else kind
        raise InputError("name", got=name, allowed=", ".join(recipes), remedy=kind)
    for parameter_set in recipes[name]:
        if parameter_set.takes(parameters):
            return parameter_set.build
    known_names = [
        key
        for parameter_set in recipes[name]
        for key in (*parameter_set.needed, *parameter_set.optional)
    ]
    strange = [key for key in parameters if key not in known_names]
    raise InputError(
        strange[0] if strange else "parameters",
        got=", ".join(map(str, parameters)) or "none",
        allowed=" or ".join(parameter_set.description for parameter_set in recipes[name]),
        remedy=_IN_PYTHON.get((name, strange[0]), nearest(strange[0], known_names))
        if strange
        else "",
    )


def has_innocent_last(name: str) -> bool:
    """Say whether a mechanism's last answer is the one that harms nobody, by its definition.

    >>> has_innocent_last("one_sided"), has_innocent_last("warner")
    (True, False)
    """
    if name not in ANSWERS or name in _AT_HAND:
        return False
    recipes = vars(import_module(_MODULE)).values()
    return any(
        recipe.has_innocent_last
        for recipe in recipes
        if isinstance(recipe, type)
        and issubclass(recipe, AbstractMechanism)
        and getattr(recipe, "name", "") == name
    )


def flat_numbers(parameters: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each parameter of a mechanism by its name, or by two names where it stands in a mapping.

    >>> dict(flat_numbers({"forced": {"yes": "1/6", "no": "1/6"}}))
    {('forced', 'yes'): '1/6', ('forced', 'no'): '1/6'}
    """
    for key, parameter in parameters.items():
        if isinstance(parameter, Mapping):
            yield from (((key, name), inner) for name, inner in parameter.items())
        else:
            yield (key,), parameter


def nested_numbers(flat: Iterable[tuple[tuple[str, ...], Any]]) -> dict[str, Any]:
    """Put parameters by their names together again.

    >>> nested_numbers([(("forced", "yes"), "1/6"), (("truth",), "3/4")])
    {'forced': {'yes': '1/6'}, 'truth': '3/4'}
    """
    nested: dict[str, Any] = {}
    for (key, *inner), parameter in flat:
        if inner:
            nested.setdefault(key, {})[inner[0]] = parameter
        else:
            nested[key] = parameter
    return nested
