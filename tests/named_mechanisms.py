"""Every named design of randomised response, once: what tests of several rooms try them on."""

import json
from dataclasses import dataclass
from typing import Any, final

import askance as ak
from askance.mechanisms import (
    Christofides,
    Crosswise,
    Diagonal,
    ForcedResponse,
    HiddenSensitivity,
    Kuk,
    Mangat,
    OneSided,
    Triangular,
    UnrelatedQuestion,
)

YN = ak.Frame(["yes", "no"])
FOUR = ak.Frame(["both", "drugs", "theft", "neither"])


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMechanism:
    """A design, how a terminal spells it, whom a methods paragraph cites, and its answers."""

    recipe: Any
    typed: str
    cited: str
    frame: ak.Frame = YN

    @property
    def parameters(self) -> dict[str, Any]:
        """What the design is made of, as a survey file says it."""
        written = self.recipe.parameters().items()
        return {
            key: json.loads(value) if value[:1] in {"[", "{"} else value for key, value in written
        }


MECHANISMS = (
    NamedMechanism(
        recipe=ForcedResponse(forced={"yes": "1/6", "no": "1/12"}),
        typed="forced:yes=1/6,no=1/12",
        cited="Boruch, 1971",
    ),
    NamedMechanism(
        recipe=OneSided(forced_yes="1/5"),
        typed="one-sided:forced_yes=1/5",
        cited="Boudreau et al., 2023",
    ),
    NamedMechanism(
        recipe=Mangat(truth_if_no="2/3"),
        typed="mangat:truth_if_no=2/3",
        cited="Mangat, 1994",
    ),
    NamedMechanism(
        recipe=UnrelatedQuestion(sensitive_chance="7/10", harmless="1/6"),
        typed="unrelated:asked=7/10,harmless=1/6",
        cited="Greenberg et al., 1969",
    ),
    NamedMechanism(
        recipe=Kuk(red_if_yes="4/5", red_if_no="3/10", draws=3),
        typed="kuk:red_if_yes=4/5,red_if_no=3/10,draws=3",
        cited="Kuk, 1990",
    ),
    NamedMechanism(
        recipe=Crosswise(harmless="1/4"),
        typed="crosswise:harmless=.25",
        cited="Yu et al., 2008",
    ),
    NamedMechanism(
        recipe=Triangular(harmless="1/4"),
        typed="triangular:harmless=1/4",
        cited="Yu et al., 2008",
    ),
    NamedMechanism(
        recipe=Christofides(marks=["1/2", "1/3", "1/6"]),
        typed="christofides:marks=[1/2,1/3,1/6]",
        cited="Christofides, 2003",
    ),
    NamedMechanism(
        recipe=HiddenSensitivity(harmless=["1/4", "1/4", "1/5", "3/10"]),
        typed="hidden:harmless=[1/4,1/4,1/5,3/10]",
        cited="Tian et al., 2007",
        frame=FOUR,
    ),
    NamedMechanism(
        recipe=Diagonal(harmless=["1/2", "1/3", "1/6"]),
        typed="diagonal:harmless=[1/2,1/3,1/6]",
        cited="Groenitz, 2014",
        frame=ak.Frame(["a", "b", "c"]),
    ),
)
