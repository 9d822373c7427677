"""Recipes written with a target: cuts or a ring that are to have a coverage."""

from collections.abc import Callable, Mapping
from typing import Any

from askance.channels.cut_law import EVEN
from askance.design.cuts_on_line import cuts_on_line, ring_on_line
from askance.errors import InputError, nearest
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.mechanisms.catalogue import range_mechanism
from askance.mechanisms.cuts import Cuts, Ring
from askance.mechanisms.named_law import law_written, read_law
from askance.mechanisms.recipe import AbstractRangeMechanism

BESIDE_COVERAGE = {Cuts.name: ("number", "prior"), Ring.name: ("law", "sizes")}
"""The recipes that can be given a coverage, and what else they then take."""

Targeted = tuple[AbstractRangeMechanism, dict[str, str]]
"""A recipe, and the parameters as they were asked for."""


def on_target(name: str, parameters: Mapping[str, Any], line: Line) -> Targeted:
    """Build the recipe, and say what was asked for; cuts and rings can be given a coverage.

    Raises
    ------
    InputError
        If the coverage cannot be had, or other parameters already say where the cuts fall.

    >>> recipe, told = on_target("cuts", {"coverage": "3/5"}, Line(0, 40, 1))
    >>> told
    {'number': '1', 'coverage': '3/5', 'prior': 'even'}
    >>> on_target("ring", {"coverage": "3/5"}, Line(0, 40, 1))[1]
    {'floor': '1/8', 'law': 'even', 'sizes': 'even', 'coverage': '3/5'}
    """
    if "coverage" in parameters and name in _TARGETED:
        return _TARGETED[name](dict(parameters), line)
    for key in parameters if name in _TARGETED else ():
        if meant := nearest(key, ("coverage",)):
            raise InputError(f"{name}.{key}", got=key, allowed=_ALLOWED[name], remedy=meant)
    recipe = range_mechanism(name, dict(parameters))
    return recipe, recipe.parameters()


def _cuts(given: dict[str, Any], line: Line) -> Targeted:
    coverage, prior = given.pop("coverage"), read_law(given.pop("prior", EVEN), "Cuts.prior")
    number = given.pop("number", 1)
    _nothing_else(given, Cuts.name)
    recipe = Cuts(number=number, law=cuts_on_line(line, coverage, prior, number))
    told = {"coverage": str(ratio(coverage, "coverage")), "prior": law_written(prior)}
    return recipe, {"number": str(recipe.number), **told}


def _ring(given: dict[str, Any], line: Line) -> Targeted:
    coverage = given.pop("coverage")
    law, sizes = (read_law(given.pop(key, EVEN), f"Ring.{key}") for key in ("law", "sizes"))
    _nothing_else(given, Ring.name)
    recipe = ring_on_line(line, coverage, law, sizes)
    return recipe, {**recipe.parameters(), "coverage": str(ratio(coverage, "coverage"))}


def _nothing_else(given: Mapping[str, Any], name: str) -> None:
    for key in given:
        raise InputError(f"{name}.{key}", got="a coverage too", allowed=_ALLOWED[name])


_TARGETED: Mapping[str, Callable[[dict[str, Any], Line], Targeted]] = {
    Cuts.name: _cuts,
    Ring.name: _ring,
}
_ALLOWED = {name: "coverage, {} and {}".format(*keys) for name, keys in BESIDE_COVERAGE.items()}
