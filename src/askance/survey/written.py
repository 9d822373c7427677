"""What every protected question writes into the form: its recipe, its blank and its trait."""

from collections.abc import Mapping
from typing import Any

from askance.channels.channel import Channel
from askance.channels.cut_variants import RingChannel
from askance.channels.range_channel import RangeChannel
from askance.survey.wording import locate_errors
from askance_collect.errors import SurveyError
from askance_collect.exact.ratio import LARGEST_TOTAL, chance

Document = dict[str, Any]

Written = tuple[Document, Channel | RangeChannel | RingChannel | None, Channel | None]
"""A question of the form, the channel that was written into it, and the one before rounding."""


def read_recipe(mechanism: Mapping[str, Any], where: str) -> tuple[str, dict[str, Any]]:
    """Read the name of a mechanism, and its parameters."""
    parameters = dict(mechanism)
    name = parameters.pop("name", None)
    if not isinstance(name, str):
        raise SurveyError(
            f"{where}.mechanism.name", got=name, allowed='the name of a mechanism, such as "warner"'
        )
    return name, parameters


def write_protection(
    trait: str, mechanism: Mapping[str, Any], where: str, blank: object
) -> Document:
    """Write the probability of a blank, and a protected question's mechanism and trait."""
    silent = locate_errors(where, lambda: chance(blank, "blank"))
    if silent == 1 or silent.denominator > LARGEST_TOTAL:
        raise SurveyError(f"{where}.blank", got=str(silent), allowed="a probability in [0, 1)")
    about = {"mechanism": dict(mechanism), "trait": trait}
    return {"blank": [silent.numerator, silent.denominator], "about": about}
