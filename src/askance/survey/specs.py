"""What a survey file may say: its keys, and what is meant where one is left out."""

from typing import Any, final

import msgspec

from askance.survey.wording import Wording
from askance_collect.wire.form import ORDERS

MOST_GROUPS = 16

FilePosition = tuple[str, str]
"""Where a question stands in a survey file, and where its groups do."""

Recipe = dict[str, Any]
"""A mechanism by name, with its parameters; `survey_schema` lists them."""


@final
class LineSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number: bounds, step, unit, and whether it takes whole values alone."""

    lower: Any
    upper: Any
    step: Any = 1
    unit: Wording = ""
    whole: bool = False


@final
class GroupSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of people: its share of all, unless invitations say, and its mechanism."""

    name: str
    mechanism: Recipe
    share: Any = None
    label: Wording | None = None


@final
class SectionSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section that begins at a question: its title, its text, the order of its questions."""

    title: Wording
    text: Wording = ""
    order: str = ORDERS[0]


@final
class SpanSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers from one to another, both among them; without an end where one is left out."""

    from_: Any = msgspec.field(default=None, name="from")
    to: Any = None


@final
class SkipSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skip rule: after which answers a question is skipped, and what is sent instead."""

    after: str
    answered: list[str] | SpanSpec
    send: Any = None


@final
class TextSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in one's own words: the most characters, and how many lines the place is high."""

    limit: int
    lines: int | None = None


@final
class CommentSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that may be added to the answer above it: what it is asked by, and as `TextSpec`."""

    limit: int
    lines: int | None = None
    text: Wording | None = None


@final
class ImageSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An image in a file next to the survey file, and the text read out in its place."""

    file: str
    alt: Wording | None = None


Answer = str | dict[str, str | ImageSpec]
"""An answer by its name, or as a table of its name, its wordings and an image."""


@final
class QuestionSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question: answers, a line or a text, and a mechanism or groups unless it is plain."""

    name: str
    text: Wording
    answers: list[Answer] | None = None
    line: LineSpec | None = None
    mechanism: Recipe | None = None
    trait: str | None = None
    blank: Any = 0
    typed: bool = False
    group: list[GroupSpec] | None = None
    assigned: str | None = None
    coin: Wording | None = None
    replies: list[Answer] | None = None
    items: list[Answer] | None = None
    choose: str | None = None
    protect: str | None = None
    none: Wording | None = None
    attention: str | None = None
    section: SectionSpec | None = None
    skip: SkipSpec | None = None
    free_text: TextSpec | None = None
    comment: CommentSpec | None = None
    required: bool = False
    image: ImageSpec | None = None
    innocent: Any = None
    expect: dict[str, Any] | None = None
    proves: str | None = None
    proves_reason: str | None = None

    @property
    def plain(self) -> bool:
        """Whether the report is the answer."""
        return self.mechanism is None and self.group is None

    @property
    def is_multi_select(self) -> bool:
        """Whether the question has a key of a list from which several answers are chosen."""
        return any(key is not None for key in (self.choose, self.protect, self.none))

    @property
    def has_image(self) -> bool:
        """Whether an image stands with the question, or with one of its labels."""
        labels = [*(self.answers or ()), *(self.replies or ()), *(self.items or ())]
        return self.image is not None or any(
            "image" in label for label in labels if not isinstance(label, str)
        )


@final
class EndingSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last screen: the survey's own thanks, a completion code, the way back to a panel."""

    thanks: Wording | None = None
    code: str | None = None
    url: str | None = None
    within: list[str] | None = None


@final
class LookSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the study looks: its colour, and its logo with what is read out in its place."""

    colour: str | dict[str, str] | None = None
    logo: str | None = None
    alt: Wording | None = None


@final
class QuotaSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many people at most are wanted who give an answer to a question that is asked plainly."""

    question: str
    answer: str
    most: int


@final
class KeySpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A public key of RSA as in a JWK (RFC 7517, RFC 7518 section 6.3); ``kid`` is its name.

    ``codes`` is how many invitation codes there are under it.
    """

    kid: str
    n: str
    codes: int
    e: str = "AQAB"
    kty: str = "RSA"


@final
class TokensSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One report from each invited person: who signs their tokens, and the file of public keys."""

    issuer: str
    keys: str | list[KeySpec]


@final
class OpenSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a report costs where everybody who has the address may send one."""

    work: int | None = None
    rate: int | None = None


@final
class CrowdSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of how many people those who answer come, and how many of them a row should fit at least."""

    people: int | None = None
    minimum: int = 10


MINIMUM = 50
"""With fewer reports no estimate is shown, and fewer codes no key has."""


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
    minimum: int = MINIMUM
    ending: EndingSpec | None = None
    review: str | None = None
    look: LookSpec | None = None
    words: str | dict[str, str | dict[str, Any]] | None = None
    quota: list[QuotaSpec] | None = None
    later: bool | int = False
    tablet: bool = False
    tokens: TokensSpec | None = None
    open: OpenSpec | None = None
    pin: bool = False
    saved: bool = False
    seal: str | None = None
    crowd: CrowdSpec | None = None


VERSION = "survey-1"
