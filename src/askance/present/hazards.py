"""The privacy hazards of NIST SP 800-226, each answered from the facts of a form."""

import math
from dataclasses import dataclass
from enum import Enum
from typing import final

from askance.present.board_facts import BoardFacts
from askance.present.sentences import Writer, load_sentences
from askance_collect.arguments import checked

_MODERATE, _LARGE = 1.0, 10.0
"""Losses up to the one are called strong by the guidelines, from the other on hardly meaningful."""


@final
class Hazard(Enum):
    """A factor of the guidelines, with the section that treats it; the rest of the name is ours.

    >>> Hazard.UNIT_OF_PRIVACY.value
    '2.4'
    """

    PRIVACY_PARAMETER = "2.2"
    VARIANT = "2.3"
    UNIT_OF_PRIVACY = "2.4"
    COMPOSITION = "2.2, 2.4"
    OTHER_RELEASES = "2.6"
    CORRECTNESS = "3"
    SMALL_GROUPS = "3, bias"
    UNSTRUCTURED_DATA = "3, unstructured data"
    QUERY_MODEL = "4.1"
    TRUST_MODEL = "4.2"
    FLOATING_POINT = "4.3, floating point"
    RANDOMNESS = "4.3, randomness"
    TIMING = "4.3, timing"
    TUNING = "4.3, tuning"
    ACCESS_CONTROL = "4.4"
    COLLECTION_EXPOSURE = "4.5"


@final
class Standing(Enum):
    """How a form stands to a hazard.

    >>> [standing.name for standing in Standing]
    ['MET', 'IN_PART', 'OPEN']
    """

    MET = "met by how the form works"
    IN_PART = "met in part"
    OPEN = "for the applicant to settle"


@final
@dataclass(frozen=True, slots=True)
class HazardAnswer:
    """How a form stands to one hazard; `facts` fill its sentence.

    Attributes
    ----------
    hazard : Hazard
    standing : Standing
    facts : BoardFacts

    >>> import askance as ak
    >>> from askance.present.board_facts import board_facts
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> first: HazardAnswer = answer_hazards(board_facts(form, ak.check(form)))[0]
    >>> first.title, first.standing.name
    ('The privacy parameter ε', 'IN_PART')
    """

    hazard: Hazard
    standing: Standing
    facts: BoardFacts

    @property
    def title(self) -> str:
        """What the hazard is called."""
        return str(_TEMPLATES["titles"][self.hazard.name])

    @property
    def sentence(self) -> str:
        """The answer in words."""
        return _WRITER.write(f"{self.hazard.name}_{self.standing.name}", self.facts)


@checked
def answer_hazards(facts: BoardFacts) -> tuple[HazardAnswer, ...]:
    """Answer each privacy hazard of the guidelines from the facts of a form.

    Parameters
    ----------
    facts : BoardFacts

    References
    ----------
    Near, Darais, Lefkovitz & Howarth (2025), NIST SP 800-226, Figure 1 and sections 2 to 4.

    >>> import askance as ak
    >>> from askance.present.board_facts import board_facts
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> answers = answer_hazards(board_facts(form, ak.check(form)))
    >>> len(answers) == len(Hazard), answers[2].standing.name
    (True, 'IN_PART')
    """
    return tuple(HazardAnswer(hazard, _stand(hazard, facts), facts) for hazard in Hazard)


def _stand(hazard: Hazard, facts: BoardFacts) -> Standing:
    if hazard in (Hazard.PRIVACY_PARAMETER, Hazard.COMPOSITION):
        return _stand_by_loss(hazard, facts)
    if hazard is Hazard.OTHER_RELEASES and (facts.crowd.is_too_small or facts.texts):
        return Standing.OPEN
    if hazard is Hazard.UNSTRUCTURED_DATA:
        return Standing.OPEN if facts.texts else Standing.MET
    remains = {
        Hazard.VARIANT: bool(facts.ranges) or not math.isfinite(facts.total_epsilon),
        Hazard.UNIT_OF_PRIVACY: not facts.uses_tokens,
        Hazard.OTHER_RELEASES: bool(facts.plain),
        Hazard.RANDOMNESS: facts.has_coin,
        Hazard.COLLECTION_EXPOSURE: bool(facts.plain or facts.texts),
    }
    return _part_if(remains[hazard]) if hazard in remains else _ALWAYS[hazard]


_ALWAYS = {
    Hazard.CORRECTNESS: Standing.MET,
    Hazard.SMALL_GROUPS: Standing.IN_PART,
    Hazard.QUERY_MODEL: Standing.MET,
    Hazard.TRUST_MODEL: Standing.IN_PART,
    Hazard.FLOATING_POINT: Standing.MET,
    Hazard.TIMING: Standing.IN_PART,
    Hazard.TUNING: Standing.MET,
    Hazard.ACCESS_CONTROL: Standing.OPEN,
}
"""How every form stands to hazards that follow from how forms are asked and kept."""


def _stand_by_loss(hazard: Hazard, facts: BoardFacts) -> Standing:
    largest = facts.largest.epsilon if facts.largest is not None else 0.0
    loss = facts.total_epsilon if hazard is Hazard.COMPOSITION else largest
    if loss >= _LARGE:
        return Standing.OPEN
    return _part_if(loss > _MODERATE)


def _part_if(holds: bool) -> Standing:
    return Standing.IN_PART if holds else Standing.MET


def _largest_loss(facts: BoardFacts) -> str:
    return _write_loss(facts.largest.epsilon if facts.largest is not None else 0.0)


def _write_loss(loss: float) -> str:
    return f"{math.ceil(100 * loss) / 100:g}" if math.isfinite(loss) else "∞"


_TEMPLATES = load_sentences("hazards.toml")
_WRITER = Writer(
    tables=_TEMPLATES,
    cite=", ".join,
    facts={
        "largest_loss": _largest_loss,
        "total_loss": lambda facts: _write_loss(facts.total_epsilon),
        "crowd_mean": lambda facts: f"{math.floor(10 * facts.crowd.mean) / 10:g}",
        "total_questions": lambda facts: len(facts.protected) + len(facts.plain) + len(facts.texts),
    },
)
