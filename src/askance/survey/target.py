"""Recipes written with a target: cuts that are to have a coverage."""

from collections.abc import Mapping
from typing import Any

from askance.channels.tick_weights import EVEN
from askance.design.cuts_on_line import cuts_on_line
from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.mechanisms.base import AbstractRangeMechanism
from askance.mechanisms.catalogue import range_mechanism
from askance.mechanisms.cuts import Cuts
from askance.mechanisms.named_law import law_written, read_law


def on_target(
    name: str, parameters: Mapping[str, Any], line: Line
) -> tuple[AbstractRangeMechanism, dict[str, str]]:
    """Build the recipe, and say what was asked for; only cuts can be given a coverage.

    Raises
    ------
    InputError
        If the coverage cannot be had, or other parameters already say where the cuts fall.

    >>> recipe, told = on_target("cuts", {"coverage": "3/5"}, Line(0, 40, 1))
    >>> told
    {'number': '1', 'coverage': '3/5', 'prior': 'even'}
    """
    given = dict(parameters)
    if name != Cuts.name or "coverage" not in given:
        recipe = range_mechanism(name, given)
        return recipe, recipe.parameters()
    coverage, prior = given.pop("coverage"), read_law(given.pop("prior", EVEN), "Cuts.prior")
    number = given.pop("number", 1)
    if given:
        raise InputError(
            f"Cuts.{next(iter(given))}", got="a coverage too", allowed="coverage, number and prior"
        )
    recipe = Cuts(number=number, law=cuts_on_line(line, coverage, prior, number))
    told = {"coverage": str(ratio(coverage, "coverage")), "prior": law_written(prior)}
    return recipe, {"number": str(recipe.number), **told}
