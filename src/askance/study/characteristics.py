"""How far off estimates are, in many rehearsals whose truth is known."""

import math
from dataclasses import dataclass
from typing import final

from askance.channels.listing import Listing, listed, number
from askance.channels.readonly import json_of, plain_json
from askance.typing import Json


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """How one figure came out.

    Attributes
    ----------
    name : str
        An answer, whose share it is; or mean, median, and so on.
    truth, bias, rmse : float
        What is true; the mean error; the root of the mean squared error.
    covered : float
        How often the interval held what is true.
    half_width : float
        Of the interval, on average.
    """

    name: str
    truth: float
    bias: float
    rmse: float
    covered: float
    half_width: float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """One way to ask, and what came of it.

    Attributes
    ----------
    name : str
    accuracy : tuple of Accuracy
    energy : float or None
        For a number: energy distance (2 ∫ (F̂ − F)²)^½ from the estimated to the true distribution,
        both rounded up to the ticks of the line, on average; in the unit of √t.
    left : float or None
        For a protected number: the share of the people that a report leaves possible, on average.
    """

    name: str
    accuracy: tuple[Accuracy, ...]
    energy: float | None
    left: float | None


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OperatingCharacteristics:
    """How far off the estimates of one question will be, before anybody is asked.

    Attributes
    ----------
    question : str
    people, repetitions : int
    level : float
    collections : tuple of Collection
        As published; for a number that is asked step by step, round 1 and progressive.
    """

    question: str
    people: int
    repetitions: int
    level: float
    collections: tuple[Collection, ...]

    def to_dict(self) -> Json:
        """Write all of it for JSON."""
        asked = json_of(self, "question people repetitions level")
        return asked | {"collections": [_written(one) for one in self.collections]}

    def _table(self) -> Listing:
        asked = f"{self.people:,} people, {self.repetitions:,} times"
        head = ["", "truth", "bias", "rmse", "covered", "half-width"]
        rows = []
        places = _places([figure.rmse for one in self.collections for figure in one.accuracy])
        for one in self.collections:
            rows.append([one.name, *[""] * 5])
            rows += [_row(figure, places) for figure in one.accuracy]
        notes = [_note(one) for one in self.collections if one.energy is not None]
        notes.append(f"covered: how often an interval at {100 * self.level:g} % held the truth")
        return f"{self.question}: {asked}", head, rows, notes


def _places(errors: list[float]) -> int:
    """Say how many decimals show two figures of the smallest error."""
    known = [error for error in errors if error > 0]
    return min(max(1 - math.floor(math.log10(min(known))), 0), 6) if known else 2


def _row(figure: Accuracy, places: int) -> list[str]:
    values = (figure.truth, figure.bias, figure.rmse, figure.half_width)
    told = [f"{round(value, places) + 0.0:,.{places}f}" for value in values]
    return [f"  {figure.name}", *told[:3], f"{100 * figure.covered:.0f} %", told[3]]


def _note(one: Collection) -> str:
    left = f"; reports leave {100 * one.left:.0f} % possible" if one.left else ""
    return f"{one.name}: energy distance {number(one.energy or 0.0, 3)}{left}"


def _written(one: Collection) -> Json:
    return {
        "name": one.name,
        "accuracy": [json_of(figure) for figure in one.accuracy],
        "energy_distance": plain_json(one.energy),
        "left_possible": one.left,
    }
