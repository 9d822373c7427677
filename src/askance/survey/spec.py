"""What an analyst writes in a survey file."""

from typing import Annotated, Any, final

import msgspec

from askance.survey.recipe_schema import recipe_schema

Wording = str | dict[str, str]
"""One text for every language, or one for each."""

Recipe = Annotated[dict[str, Any], msgspec.Meta(extra_json_schema=recipe_schema())]
"""A mechanism by name, with its parameters."""


@final
class LineSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number: bounds, step and unit."""

    lower: Any
    upper: Any
    step: Any = 1
    unit: Wording = ""


@final
class QuestionSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question: answers or a line, and a mechanism unless it is asked plainly."""

    name: str
    text: Wording
    answers: list[str | dict[str, str]] | None = None
    line: LineSpec | None = None
    mechanism: Recipe | None = None
    trait: str | None = None
    blank: Any = 0
    typed: bool = False


@final
class Survey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A questionnaire, version survey-1."""

    askance: str
    title: Wording
    consent: Wording
    question: list[QuestionSpec]
    contact: Wording = ""
    languages: list[str] = msgspec.field(default_factory=lambda: ["en"])
    collector: str = ""
    minimum: int = 50
