"""What a survey file may say: its keys, and what is meant where one is left out."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any, TypeVar, final

import msgspec

from askance_collect.errors import AskanceError, SurveyError, nearest
from askance_collect.respond.words import spoken_in, words_of
from askance_collect.wire.form import ORDERS
from askance_collect.wire.form_schema import is_language

Wording = str | dict[str, str]
"""One text for every language, or one for each."""

Plurals = dict[str, str | dict[str, str]]
"""A unit by plural, ``other`` among them; or by language, each one text or one for each plural."""

Result = TypeVar("Result")

_NOT_KEYS = {"channel", "parameters"}
_LONGEST = 20_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
Names = Mapping[str, Mapping[str, Any]]
"""What a survey leaves Askance to name, by language and by the word's key."""

_OF_MECHANISMS = {
    ("crosswise", "both or neither"): "nameBothOrNeither",
    ("crosswise", "just one"): "nameJustOne",
    ("triangular", "one or both"): "nameOneOrBoth",
    ("triangular", "neither"): "nameNeither",
    ("kuk", "red"): "nameRed",
    ("kuk", "black"): "nameBlack",
}
"""Under which word a report stands that a mechanism of survey methodology names."""


def locate_errors(path: str, make: Callable[[], Result]) -> Result:
    """Make something, so that an error names its place in the survey file."""
    try:
        return make()
    except AskanceError as error:
        owner, _, key = error.where.rpartition(".")
        where = f"{path}.{key}" if key not in _NOT_KEYS and (owner or key.islower()) else path
        received = str(error.got) if isinstance(error.got, Decimal) else error.got
        raise SurveyError(
            where, got=received, allowed=error.allowed, remedy=error.remedy
        ) from error


def check_languages(tags: Sequence[str]) -> tuple[str, ...]:
    """Check the language tags of a survey.

    >>> check_languages(["en", "de-AT"])
    ('en', 'de-AT')
    """
    for index, tag in enumerate(tags):
        if not is_language(tag) or tag in tags[:index]:
            raise SurveyError(
                f"languages[{index}]", got=tag, allowed='different language tags such as "en"'
            )
    if not tags:
        raise SurveyError("languages", got="none", allowed='at least one, such as "en"')
    return tuple(tags)


def write_wording(
    wording: Wording, languages: Collection[str], where: str, *, empty: bool = False
) -> dict[str, str]:
    """One text for each language.

    >>> write_wording("Hello", ("en", "de"), "title")
    {'en': 'Hello', 'de': 'Hello'}
    """
    texts = wording if isinstance(wording, Mapping) else dict.fromkeys(languages, wording)
    for language in texts:
        if language not in languages:
            raise SurveyError(
                f"{where}.{language}",
                got=language,
                allowed=", ".join(languages),
                remedy=nearest(language, tuple(languages)),
            )
    missing = [language for language in languages if language not in texts]
    if missing:
        remedy = f'add {missing[0]} = "…" there, or take {missing[0]} out of languages'
        allowed = "a text in that language"
        raise SurveyError(f"{where}.{missing[0]}", got="nothing", allowed=allowed, remedy=remedy)
    for language, text in texts.items():
        if not empty and not text.strip():
            raise SurveyError(f"{where}.{language}", got="an empty text", allowed="a text")
        if len(text) > _LONGEST or _CONTROL.search(text):
            raise SurveyError(
                f"{where}.{language}",
                got=f"{len(text)} characters",
                allowed=f"at most {_LONGEST} characters, none of them a control character",
            )
    return {language: texts[language].strip() for language in languages}


def read_label(
    answer: str | Mapping[str, Any], languages: Collection[str], where: str
) -> dict[str, Any]:
    """Read an answer: its name, which stands in the data, and its wording in each language.

    An image beside it is no part of its words.

    >>> read_label("yes", ["en"], "answers[0]")
    {'name': 'yes', 'label': {'en': 'yes'}}
    """
    if isinstance(answer, str):
        return {"name": answer.strip(), "label": write_wording(answer, languages, where)}
    for key, part in answer.items():
        if isinstance(part, str) == (key == "image"):
            problem, allowed = f"text: {part!r}", '{ file = "…", alt = "…" }'
            if key != "image":
                problem, allowed = "a table { … }", "text in quotes"
            raise SurveyError(f"{where}.{key}", got=problem, allowed=allowed)
    if "name" not in answer:
        raise SurveyError(
            f"{where}.name", got="nothing", allowed='a name, as in { name = "yes", en = "Yes" }'
        )
    texts = {key: text for key, text in answer.items() if key not in {"name", "image"}}
    label = write_wording(texts or answer["name"], languages, where)
    return {"name": write_wording(answer["name"], ["name"], where)["name"], "label": label}


def list_default_labels(languages: Iterable[str], brought: Names = MappingProxyType({})) -> Names:
    """Texts of default labels: from the survey, else from the page's languages, else English.

    >>> said = list_default_labels(["de-AT", "nl"], {"nl": {"nameSilent": "Weet niet"}})
    >>> [said[tag]["nameSilent"] for tag in said], said["nl"]["nameComment"]
    (['Weiß nicht', 'Weet niet'], 'Comment')
    """
    english = words_of("en")
    return {
        tag: {**english, **words_of(spoken_in(tag)), **brought.get(tag, {})} for tag in languages
    }


def word_label(names: Names, key: str) -> dict[str, str]:
    """The text of a default label in each language.

    >>> word_label(list_default_labels(["de-AT"]), "nameSilent")
    {'de-AT': 'Weiß nicht'}
    """
    return {tag: words[key] for tag, words in names.items()}


def word_report(mechanism: str, report: str, names: Names) -> dict[str, str]:
    """Word a report in each language as its mechanism names it; else by its own name.

    >>> word_report("crosswise", "just one", list_default_labels(["en", "de-AT", "nl"]))
    {'en': 'just one', 'de-AT': 'nur eines', 'nl': 'just one'}
    >>> word_report("kuk", "2 red", list_default_labels(["en", "fr"]))
    {'en': '2 red', 'fr': '2 × rouge'}
    """
    count, _, sort = report.rpartition(" ") if mechanism == "kuk" else ("", "", report)
    if (key := _OF_MECHANISMS.get((mechanism, sort))) is None:
        return dict.fromkeys(names, report)
    before = f"{count} × " if count else ""
    return {
        tag: report if word == sort else before + word
        for tag, word in word_label(names, key).items()
    }


def word_draw(report: Mapping[str, str], answer: Mapping[str, str], names: Names) -> dict[str, str]:
    """Describe in each language the own answer and the drawn trait that a report compares.

    >>> report, names = {"en": "just one"}, list_default_labels(["en"])
    >>> word_draw(report, {"en": "Yes"}, names)
    {'en': 'just one, of “Yes” and a chance draw'}
    """
    words = word_label(names, "nameOfDraw")
    return {tag: words[tag].format(said=said, answer=answer[tag]) for tag, said in report.items()}


OF_TWO_THINGS = frozenset({"crosswise", "triangular"})
"""Mechanisms whose reports speak of the own answer and of a harmless trait together."""


def join_alternatives(labels: Sequence[Mapping[str, str]], names: Names) -> dict[str, str]:
    """Join several answers by “or” in each language.

    >>> labels = list_default_labels(["en"])
    >>> join_alternatives([{"en": "Never"}, {"en": "Seldom"}, {"en": "Often"}], labels)
    {'en': 'Never, Seldom or Often'}
    """
    wordings = {}
    for tag, word in word_label(names, "nameOr").items():
        *others, last = [label[tag] for label in labels]
        wordings[tag] = f"{', '.join(others)} {word} {last}" if others else last
    return wordings


def refuse_duplicates(names: Sequence[str], where: str | Sequence[str]) -> None:
    """Refuse a duplicate name, with the path of its second occurrence."""
    previous: set[str] = set()
    for index, name in enumerate(names):
        if name in previous:
            path = f"{where}[{index}]" if isinstance(where, str) else where[index]
            raise SurveyError(path, got=f"{name!r} again", allowed="different names")
        previous.add(name)


def read_labels(
    answers: Sequence[str | Mapping[str, Any]], languages: Collection[str], where: str
) -> list[dict[str, Any]]:
    """Read answers, whose names differ.

    >>> [label["name"] for label in read_labels(["yes", "no"], ["en"], "answers")]
    ['yes', 'no']
    """
    labels = [read_label(answer, languages, f"{where}[{i}]") for i, answer in enumerate(answers)]
    refuse_duplicates([label["name"] for label in labels], where)
    return labels


MOST_GROUPS = 16

FilePosition = tuple[str, str]
"""Where a question stands in a survey file, and where its groups do."""

Recipe = dict[str, Any]
"""A mechanism by name, with its parameters; `survey_schema` lists them."""


@final
class EndsSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ranges call the lowest and the highest answer on a line, such as nothing."""

    lower: Wording | None = None
    upper: Wording | None = None


@final
class LineSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number: bounds, step, unit, names of its ends, and whether it takes whole values alone."""

    lower: Any
    upper: Any
    step: Any = 1
    unit: str | Plurals = ""
    whole: bool = False
    ends: EndsSpec = EndsSpec()


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
    """A text in one's own words: the most characters, how high its place is, who can read it."""

    limit: int
    lines: int | None = None
    sealed: bool = False


@final
class CommentSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that may be added to the answer above it: what it is asked by, and as `TextSpec`."""

    limit: int
    lines: int | None = None
    text: Wording | None = None
    sealed: bool = False


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
    sensitive: Wording | None = None
    treatment: Any = None
    grid: bool | None = None
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
    right: str | None = None

    @property
    def plain(self) -> bool:
        """Whether the report is the answer."""
        return self.mechanism is None and self.group is None and self.sensitive is None

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
class RedirectSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last screen of people who are turned away: thanks, a code, the way back to a panel."""

    thanks: Wording | None = None
    code: str | None = None
    url: str | None = None


@final
class EndingSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last screen: the survey's own thanks, a completion code, the way back to a panel."""

    thanks: Wording | None = None
    code: str | None = None
    url: str | None = None
    within: list[str] | None = None
    full: RedirectSpec | None = None
    screened: RedirectSpec | None = None


@final
class LookSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the study looks: its colour, and its logo with what is read out in its place."""

    colour: str | dict[str, str] | None = None
    logo: str | None = None
    alt: Wording | None = None


@final
class QuotaSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many people at most are wanted who give an answer to a question that is asked plainly.

    With ``most = 0`` the answer screens people out.
    """

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
    """The cost of a report where everybody with the address may send one."""

    work: int | None = None
    rate: int | None = None


@final
class CrowdSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of people who could answer, and the least number that should fit a row."""

    people: int | None = None
    minimum: int = 10


@final
class EvidenceGroupSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of a study of explanations: the screen that it sees first, and what it reads there.

    ``first`` is ``"card"``, which says what is sent, or ``"picture"``, the practice question.
    """

    name: str
    first: str = "picture"
    text: Wording | None = None
    label: Wording | None = None


@final
class TeachBackSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A teach-back: four answers with one right; whether the answer was right is randomised.

    ``truth`` is the chance that it is sent as it is.
    """

    text: Wording
    answers: list[Answer]
    right: str
    truth: Any = "3/4"


@final
class AnchorSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An anchor: a question like the sensitive one, with a known share of an answer."""

    text: Wording
    share: Any = None
    answer: str | None = None
    coin: Wording | None = None


@final
class ShamSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sham: a question like the sensitive one with a single true answer."""

    text: Wording
    innocent: str | None = None
    coin: Wording | None = None


@final
class EvidenceSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Evidence on one sensitive question: who understood, who was careless, what was false."""

    question: str
    teach_back: TeachBackSpec | None = None
    group: list[EvidenceGroupSpec] | None = None
    anchor: AnchorSpec | None = None
    sham: ShamSpec | None = None


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
    apart: bool = False
    seal: str | None = None
    crowd: CrowdSpec | None = None
    evidence: EvidenceSpec | None = None


VERSION = "survey-1"


FEWEST_ITEMS, MOST_ITEMS = 2, 20
"""How many harmless items a list has."""

_BESIDE_LISTS = (
    *("answers", "line", "free_text", "mechanism", "group", "coin", "replies", "choose"),
    *("protect", "none", "right", "grid", "typed", "comment", "assigned", "attention", "image"),
)
"""What does not go with a list to count."""


def refuse_beside_list(spec: QuestionSpec, where: str) -> None:
    """Refuse a list experiment that is asked in another way too, or has no list.

    Raises
    ------
    SurveyError
        With the path of the first key that does not go with it.

    >>> spec = QuestionSpec("q", "How many?", items=["a", "b"], sensitive="c", answers=["yes"])
    >>> refuse_beside_list(spec, "question[0]")
    Traceback (most recent call last):
    askance_collect.errors.SurveyError: question[0].answers: got 'a list to count too'; allowed: ...
    """
    if spec.sensitive is None:
        if spec.treatment is not None:
            allowed = "beside sensitive, the item that one of two groups counts too"
            raise SurveyError(f"{where}.treatment", got=spec.treatment, allowed=allowed)
        return
    for key in _BESIDE_LISTS:
        if getattr(spec, key):
            allowed = "items and sensitive alone: people say how many are true"
            raise SurveyError(f"{where}.{key}", got="a list to count too", allowed=allowed)
    count = len(spec.items or ())
    if not FEWEST_ITEMS <= count <= MOST_ITEMS:
        raise SurveyError(
            f"{where}.items",
            got=f"{count} item" if count == 1 else f"{count} items",
            allowed=f"{FEWEST_ITEMS} to {MOST_ITEMS} harmless items",
            remedy="the count of a single item shows whether it is true: add others",
        )
