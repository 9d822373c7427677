"""Who could do what to those who answer a form, and what remains: only what concerns that form.

The short form of `docs/explanation/threats.md` and `docs/explanation/weaknesses.md`. Each attacker
and each weakness there has its row in `templates/risks.toml`; a test compares.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, final

from askance.analysis import Check
from askance.privacy.guarantee import Notion
from askance_collect.wire.form import Form, may_be_untrue
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    FreeText,
    RingQuestion,
    TableQuestion,
)
from askance_collect.wire.toml_text import packaged_toml


@final
class Part(Enum):
    """What a form may have that brings a risk with it."""

    PLAIN = "answers that are stored as given"
    TEXT = "texts that are stored as written"
    LOCKED = "texts that the device encrypts"
    ROW = "plain answers in one row with all others"
    APART = "protected and plain answers in two stores"
    PROTECTED = "protected answers"
    UNTRUE = "what is sent may be untrue"
    RANGE = "numbers as ranges"
    STEP = "ranges that are narrowed step by step"
    BLANK = "protected answers that a person may leave blank"
    COIN = "a coin in the world"
    SEVERAL = "several protected answers"
    QUOTA = "quotas"
    LATER = "going on later"
    TABLET = "a tablet"
    TOKEN = "tokens"  # noqa: S105  no password
    OPEN = "no tokens: the link is open"
    AROUND = "another page around it"
    SEALED = "reports sealed for the study's key"
    INSIDE = "another page around it, or around a question whose reports are sealed"
    INVITED = "links that choose how people are asked"
    BACK = "a way back to who sent people"
    TURNED = "a way back of people who are turned away"


@final
@dataclass(frozen=True, slots=True)
class Weakness:
    """A weakness that remains.

    Attributes
    ----------
    anchor : str
        Its heading in `docs/explanation/weaknesses.md`, as links name it.
    title, sentence : str
    part : Part, optional
        What a form must have for it to apply; None where it applies to all.
    """

    anchor: str
    title: str
    sentence: str
    part: Part | None = None


@final
@dataclass(frozen=True, slots=True)
class Attacker:
    """Somebody who could harm those who answer.

    Attributes
    ----------
    name : str
        The heading in `docs/explanation/threats.md`.
    who, access : str
        Who that is and what they see; what stands in their way.
    remaining : tuple of str
        The weaknesses that remain, by their anchors.
    part : Part, optional
        As of a weakness.
    """

    name: str
    who: str
    access: str
    remaining: tuple[str, ...]
    part: Part | None = None


def parts_of(form: Form, check: Check) -> frozenset[Part]:
    """Find what of a form brings a risk with it.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sorted(part.name for part in parts_of(form, ak.check(form)))
    ['BLANK', 'OPEN', 'PLAIN', 'PROTECTED', 'RANGE', 'ROW', 'SEVERAL', 'UNTRUE']
    """
    protected = [question for question in check.questions if question.guarantees]
    questions, needed = form.questions, form.required_questions
    ranges = [
        question for question in questions if isinstance(question, CutsQuestion | RingQuestion)
    ]
    within = form.ending is not None and bool(form.ending.framing_origins)
    has_part = {
        Part.PLAIN: len(protected) < len(check.questions)
        or any(question.open for question in ranges),
        Part.ROW: len(protected) < len(check.questions) and not form.keeps_apart,
        Part.APART: form.keeps_apart,
        Part.TEXT: any(isinstance(text, FreeText) and not text.is_sealed for text in questions),
        Part.LOCKED: any(isinstance(text, FreeText) and text.is_sealed for text in questions),
        Part.PROTECTED: bool(protected),
        Part.UNTRUE: may_be_untrue(questions),
        Part.RANGE: bool(ranges) or _broad(check),
        Part.STEP: any(question.progressive for question in ranges),
        Part.BLANK: any(question.name not in needed for question in protected),
        Part.COIN: any(
            isinstance(question, Choice) and question.coin is not None for question in questions
        ),
        Part.SEVERAL: len(protected) > 1,
        Part.QUOTA: bool(form.quotas),
        Part.LATER: form.resume_days is not None,
        Part.TABLET: form.for_tablet,
        Part.TOKEN: form.tokens is not None,
        Part.OPEN: form.tokens is None,
        Part.AROUND: within,
        Part.SEALED: form.seal_key is not None,
        Part.INSIDE: within or form.seal_key is not None,
        Part.BACK: form.ending is not None and form.ending.url is not None,
        Part.TURNED: form.ending is not None and bool(form.ending.urls.keys() - {"ending.url"}),
        Part.INVITED: any(
            isinstance(question, TableQuestion) and question.invited for question in questions
        ),
    }
    return frozenset(part for part, is_there in has_part.items() if is_there)


def _broad(check: Check) -> bool:
    return any(
        guarantee.notion is Notion.COVERAGE
        for question in check.questions
        for guarantee in question.guarantees
    )


def attackers_of(parts: frozenset[Part]) -> tuple[Attacker, ...]:
    """List those who could harm people under a form that has these parts, with what remains.

    >>> any("row" in " ".join(attacker.remaining) for attacker in attackers_of(frozenset()))
    False
    >>> "An interviewer" in [attacker.name for attacker in attackers_of(frozenset({Part.TABLET}))]
    True
    """
    applies = {weakness.anchor for weakness in weaknesses_of(parts)}
    return tuple(
        replace(
            attacker,
            remaining=tuple(anchor for anchor in attacker.remaining if anchor in applies),
        )
        for attacker in ATTACKERS
        if attacker.part is None or attacker.part in parts
    )


def weaknesses_of(parts: frozenset[Part]) -> tuple[Weakness, ...]:
    """List what remains under a form that has these parts.

    >>> len(weaknesses_of(frozenset())) < len(weaknesses_of(frozenset(Part))) == len(WEAKNESSES)
    True
    """
    return tuple(
        weakness for weakness in WEAKNESSES if weakness.part is None or weakness.part in parts
    )


def _read_part(row: dict[str, Any]) -> Part | None:
    return Part[row["part"]] if "part" in row else None


_RISKS = packaged_toml("askance.present", "templates/risks.toml")

PART_FACTS = {Part[name]: fact for name, fact in _RISKS["facts"].items()}
"""What a survey has that others have not, in the order in which the page tells it."""

WEAKNESSES = tuple(Weakness(**row | {"part": _read_part(row)}) for row in _RISKS["weakness"])
"""In the order of `docs/explanation/weaknesses.md`."""

ATTACKERS = tuple(
    Attacker(**row | {"part": _read_part(row), "remaining": tuple(row["remaining"])})
    for row in _RISKS["attacker"]
)
"""In the order of `docs/explanation/threats.md`."""
