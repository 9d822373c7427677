"""How a number is written into the form: plainly, or by the law of its ranges."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from askance.channels.cut_law import EVEN, law_written, read_law
from askance.design.cuts_on_line import cuts_on_line, ring_on_line, two_cuts_on_line
from askance.mechanisms.catalogue import range_mechanism
from askance.mechanisms.cuts import (
    AbstractRangeMechanism,
    Cuts,
    Ring,
    Selective,
    TwoCuts,
)
from askance.survey.random_ranges import write_law
from askance.survey.specs import FilePosition, QuestionSpec
from askance.survey.wording import locate_errors, write_wording
from askance.survey.written import Document, Written, read_recipe, write_protection
from askance_collect.errors import InputError, SurveyError, nearest
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import ratio
from askance_collect.wire.question import MOST_NUMBERS

BESIDE_COVERAGE = {
    Cuts.name: ("number", "prior"),
    TwoCuts.name: ("prior",),
    Ring.name: ("law", "sizes"),
}
"""The recipes that can be given a coverage, and what else they then take."""

_MOST_STEPS = 1_000
"""The most steps of a line that chance cuts."""


def write_number(spec: QuestionSpec, languages: Collection[str], location: FilePosition) -> Written:
    """Write a question about a number."""
    assert spec.line is not None
    raw, (where, _) = spec.line, location
    unit = write_wording(raw.unit, languages, f"{where}.line.unit", empty=True)
    first = next(iter(unit.values()))
    line = locate_errors(
        f"{where}.line",
        lambda: Line(raw.lower, raw.upper, raw.step, first, whole=raw.whole),
    )
    max_steps = MOST_NUMBERS if spec.mechanism is None else _MOST_STEPS
    if line.ticks > max_steps:
        raise SurveyError(
            f"{where}.line",
            got=f"{line.ticks:,} steps",
            allowed=f"at most {max_steps:,} steps",
            remedy="choose a wider step",
        )
    written = _write_line(line, unit)
    if spec.mechanism is None:
        if line.whole and line.step > 1:
            raise SurveyError(
                f"{where}.line.step",
                got=str(line.step),
                allowed="1, where whole numbers are asked for as they are",
                remedy="leave step out, or whole",
            )
        return {"kind": "number", "line": written}, None, None
    path, (name, parameters) = f"{where}.mechanism", read_recipe(spec.mechanism, where)
    recipe, stated = locate_errors(path, lambda: _build_on_target(name, parameters, line))
    channel = locate_errors(path, lambda: recipe.channel(line))
    blank = _find_blank(spec, recipe, where)
    document = {
        "line": written,
        **write_law(channel),
        "ask": "narrow" if recipe.narrow else "cells",
        "typed": spec.typed,
        **write_protection(spec.trait or spec.name, {"name": name, **stated}, where, blank),
    }
    return document, channel, None


def _write_line(line: Line, unit: dict[str, str]) -> Document:
    """Write a line; that it has whole numbers alone is a key only where it is so."""
    written = {"lower": str(line.at(0)), "step": str(line.step), "ticks": line.ticks, "unit": unit}
    return written | ({"whole": True} if line.whole else {})


def _find_blank(spec: QuestionSpec, recipe: AbstractRangeMechanism, where: str) -> object:
    """The chance that nothing is sent, which a selective mechanism brings with it."""
    if not isinstance(recipe, Selective):
        return spec.blank
    if spec.blank:
        raise SurveyError(
            f"{where}.blank",
            got=str(spec.blank),
            allowed="nothing beside a selective mechanism",
            remedy="what sent leaves to 1 is the chance that nothing is sent",
        )
    return 1 - recipe.sent


Targeted = tuple[AbstractRangeMechanism, dict[str, str]]
"""A recipe, and the parameters as they were asked for."""


def _build_on_target(name: str, parameters: Mapping[str, Any], line: Line) -> Targeted:
    """Build the recipe, and say what was asked for; cuts and rings can be given a coverage.

    Raises
    ------
    InputError
        If the coverage cannot be had, or other parameters already say where the cuts fall.

    >>> recipe, stated = _build_on_target("cuts", {"coverage": "3/5"}, Line(0, 40, 1))
    >>> stated
    {'number': '1', 'coverage': '3/5', 'prior': 'even'}
    >>> _build_on_target("ring", {"coverage": "3/5"}, Line(0, 40, 1))[1]
    {'floor': '1/8', 'law': 'even', 'sizes': 'even', 'coverage': '3/5'}
    """
    if "coverage" in parameters and name in _TARGETED:
        return _TARGETED[name](dict(parameters), line)
    try:
        recipe = range_mechanism(name, dict(parameters))
    except InputError:
        for key in parameters if name in _TARGETED else ():
            if meant := nearest(key, ("coverage",)):
                allowed = _ALLOWED[name]
                raise InputError(f"{name}.{key}", got=key, allowed=allowed, remedy=meant) from None
        raise
    return recipe, recipe.parameters()


def _build_cuts(parameters: dict[str, Any], line: Line) -> Targeted:
    coverage, prior = (
        parameters.pop("coverage"),
        read_law(parameters.pop("prior", EVEN), "Cuts.prior"),
    )
    number = parameters.pop("number", 1)
    _refuse_rest(parameters, Cuts.name)
    recipe = Cuts(number=number, law=cuts_on_line(line, coverage, prior, number))
    stated = {"coverage": str(ratio(coverage, "coverage")), "prior": law_written(prior)}
    return recipe, {"number": str(recipe.number), **stated}


def _build_two_cuts(parameters: dict[str, Any], line: Line) -> Targeted:
    coverage, prior = (
        parameters.pop("coverage"),
        read_law(parameters.pop("prior", EVEN), "TwoCuts.prior"),
    )
    _refuse_rest(parameters, TwoCuts.name)
    recipe = two_cuts_on_line(line, coverage, prior)
    stated = {"coverage": str(ratio(coverage, "coverage")), "prior": law_written(prior)}
    return recipe, {"number": str(recipe.number), **stated}


def _build_ring(parameters: dict[str, Any], line: Line) -> Targeted:
    coverage = parameters.pop("coverage")
    law, sizes = (read_law(parameters.pop(key, EVEN), f"Ring.{key}") for key in ("law", "sizes"))
    _refuse_rest(parameters, Ring.name)
    recipe = ring_on_line(line, coverage, law, sizes)
    return recipe, {**recipe.parameters(), "coverage": str(ratio(coverage, "coverage"))}


def _refuse_rest(parameters: Mapping[str, Any], name: str) -> None:
    for key in parameters:
        raise InputError(f"{name}.{key}", got="a coverage too", allowed=_ALLOWED[name])


_TARGETED: Mapping[str, Callable[[dict[str, Any], Line], Targeted]] = {
    Cuts.name: _build_cuts,
    TwoCuts.name: _build_two_cuts,
    Ring.name: _build_ring,
}


_ALLOWED = {
    name: " and ".join([", ".join(["coverage", *keys[:-1]]), keys[-1]])
    for name, keys in BESIDE_COVERAGE.items()
}
