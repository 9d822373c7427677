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
    """A factor of the guidelines that can go wrong; how they are divided and named is ours.

    >>> Hazard.UNIT_OF_PRIVACY.chapter
    2
    """

    PRIVACY_PARAMETER = "privacy parameter"
    VARIANT = "variant"
    UNIT_OF_PRIVACY = "unit of privacy"
    COMPOSITION = "composition"
    OTHER_RELEASES = "other releases"
    CORRECTNESS = "correctness"
    SMALL_GROUPS = "small groups"
    UNSTRUCTURED_DATA = "unstructured data"
    QUERY_MODEL = "query model"
    TRUST_MODEL = "trust model"
    FLOATING_POINT = "floating point"
    RANDOMNESS = "randomness"
    TIMING = "timing"
    TUNING = "tuning"
    ACCESS_CONTROL = "access control"
    COLLECTION_EXPOSURE = "collection exposure"

    @property
    def chapter(self) -> int:
        """The guidelines' chapter: 2 the guarantee, 3 algorithms, 4 deployment."""
        return next(chapter for chapter, hazards in _CHAPTERS.items() if self in hazards)


_CHAPTERS = {
    2: (
        Hazard.PRIVACY_PARAMETER,
        Hazard.VARIANT,
        Hazard.UNIT_OF_PRIVACY,
        Hazard.COMPOSITION,
        Hazard.OTHER_RELEASES,
    ),
    3: (Hazard.CORRECTNESS, Hazard.SMALL_GROUPS, Hazard.UNSTRUCTURED_DATA),
    4: (
        Hazard.QUERY_MODEL,
        Hazard.TRUST_MODEL,
        Hazard.FLOATING_POINT,
        Hazard.RANDOMNESS,
        Hazard.TIMING,
        Hazard.TUNING,
        Hazard.ACCESS_CONTROL,
        Hazard.COLLECTION_EXPOSURE,
    ),
}


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
    Near, Darais, Lefkovitz & Howarth (2025), NIST SP 800-226, chapters 2 to 4.

    >>> import askance as ak
    >>> from askance.present.board_facts import board_facts
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> answers = answer_hazards(board_facts(form, ak.check(form)))
    >>> len(answers) == len(Hazard), answers[2].standing.name
    (True, 'IN_PART')
    """
    return tuple(HazardAnswer(hazard, _stand(hazard, facts), facts) for hazard in Hazard)


def _stand(hazard: Hazard, facts: BoardFacts) -> Standing:
    if not facts.protected and hazard in _OF_PROTECTION:
        return Standing.OPEN
    if hazard in (Hazard.PRIVACY_PARAMETER, Hazard.COMPOSITION):
        return _stand_by_loss(hazard, facts)
    if hazard is Hazard.OTHER_RELEASES and (facts.crowd.is_too_small or facts.texts):
        return Standing.OPEN
    if hazard is Hazard.UNSTRUCTURED_DATA:
        return Standing.OPEN if facts.texts else Standing.MET
    remains = {
        Hazard.VARIANT: bool(facts.ranges or facts.sets) or not math.isfinite(facts.total_epsilon),
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


_OF_PROTECTION = (Hazard.PRIVACY_PARAMETER, Hazard.VARIANT, Hazard.COMPOSITION, Hazard.QUERY_MODEL)
"""Hazards that a form without any protected question leaves open."""


def _stand_by_loss(hazard: Hazard, facts: BoardFacts) -> Standing:
    if not facts.losses:
        return Standing.IN_PART
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
