"""The published form: everything a respondent's device must know, and nothing more.

Every document has one spelling (`canonical`), so that equal documents have equal bytes.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, final

from askance_collect.arguments import checked
from askance_collect.errors import FormError
from askance_collect.wire.answer_question import Choice, TableQuestion
from askance_collect.wire.branding import Branding, Picture, read_branding, read_pictures
from askance_collect.wire.canonical_json import canonical, fingerprint, unique_members
from askance_collect.wire.checklist import Checklist, read_checklists
from askance_collect.wire.ending import Ending, is_host, need_elsewhere, read_ending
from askance_collect.wire.label import (
    is_index,
    is_language,
    need_wording,
    read_own_words,
    read_wording,
)
from askance_collect.wire.open_link import OpenLink, read_open_link
from askance_collect.wire.pipes import read_pipes
from askance_collect.wire.question import MOST_TICKS, Number, Question, read_question
from askance_collect.wire.skips import Skip, may_come_later, read_skips
from askance_collect.wire.text_question import FreeText
from askance_collect.wire.token import Tokens, read_tokens

VERSIONS = "form-1", "form-2"
"""Every version that is read: the second says what the first has no words for."""

_OF_ONE_KIND = {
    "groups": "table",
    "assigned": "table",
    "ticks": "table",
    "coin": "choice",
    "beside": "text",
}
"""What form-2 brings, and the one kind of question that has it."""

_NEWER = {"ending", "review", "look", "words", "quotas", "later", "images", "tablet"}
_NEWER |= {"tokens", "open", "pin", "saved", "seal"}
"""What it brings beside questions, sections, skips and lists."""

ORDERS = "as written", "random"
"""The orders in which a section's questions are asked; the first is the default."""

MOST_DAYS = 90
"""For how many days at most a device keeps what somebody goes on with later."""

REVIEWS = "on request", "open"
"""Whether what is sent is shown to everybody who sends it; the first is the default."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_COLLECTOR = re.compile(
    r"https?://(?P<host>[a-z0-9.-]+|\[[0-9a-f:]+\])(:(?P<port>\d{1,5}))?/([\w.~-]+/)*", re.ASCII
)
_SEAL = re.compile(r"[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]", re.ASCII)
"""97 bytes in URL-safe base64: a public key of X25519, and one of P-256, which begins with a 4."""
_DEEPEST = 64
_LARGEST_INTEGER = (1 << 53) - 1
_BLOCK = 256
_SPELLING = (
    f"a JSON object in UTF-8, at most {_DEEPEST} levels deep: no key twice, no fraction, "
    "no integer beyond 2^53"
)
_ENVELOPE = len('{"answers":{},"form":"","id":""}') + 64 + 32


@final
@dataclass(frozen=True, slots=True)
class Quota:
    """How many people at most are wanted who give one answer to a question that is asked plainly.

    ``question`` is the position of the question, ``answer`` that of the answer.
    """

    question: int
    answer: int
    maximum: int


@final
@dataclass(frozen=True, slots=True)
class Form:
    """A published questionnaire, known by the SHA-256 of its canonical bytes.

    Attributes
    ----------
    languages : tuple of str
        BCP 47 tags; the first is shown first.
    questions : tuple of Question
        In the order in which they are asked and drawn.
    fingerprint : str
        64 hexadecimal digits, of the bytes that were read.
    size : int
        The length in bytes of every report body under this form.
    ending : Ending, optional
        What the last screen says beside the receipt.
    skips : tuple of Skip
        In the order of the questions that are skipped.
    checklists : tuple of Checklist
        In the order of their questions.
    branding : Branding, optional
        The study's own colours, and its logo.
    translations : Mapping of str to Mapping
        By language, the words that the page says itself and has none of.
    quotas : tuple of Quota
    resume_days : int, optional
        For how many days people may go on later on the same device; None where they may not.
    images : tuple of Picture
        Beside questions and their answers.
    for_tablet : bool
        Whether an interviewer carries the page from one person to the next.
    tokens : Tokens, optional
        Who signs the tokens that reports need; None where they need none.
    open_link : OpenLink, optional
        What a report costs where everybody may send one; None where it costs nothing.
    pins_page : bool
        Whether a browser keeps the page that it opened first, until the visit has ended.
    allows_saved_pages : bool
        Whether reports are also taken from saved pages, and so from frames without an origin.
    seal_key : str, optional
        The study's public key, for which reports are sealed that leave a frame in another page.
    """

    languages: tuple[str, ...]
    questions: tuple[Question, ...]
    fingerprint: str
    _spelling: bytes = field(repr=False)
    ending: Ending | None = None
    skips: tuple[Skip, ...] = ()
    checklists: tuple[Checklist, ...] = ()
    branding: Branding | None = None
    translations: Mapping[str, Any] = field(default_factory=dict)
    quotas: tuple[Quota, ...] = ()
    resume_days: int | None = None
    images: tuple[Picture, ...] = ()
    for_tablet: bool = False
    tokens: Tokens | None = None
    open_link: OpenLink | None = None
    pins_page: bool = False
    allows_saved_pages: bool = False
    seal_key: str | None = None
    size: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", body_size(self.questions))

    @classmethod
    def read(cls, raw: bytes | str | dict[str, Any]) -> "Form":
        """Read a form, refusing whatever is not exactly a form of this version.

        Raises
        ------
        FormError
            With the path of the first thing that is wrong.

        >>> Form.read(b"{}")
        Traceback (most recent call last):
        askance_collect.errors.FormError: askance: allowed: 'form-1' or 'form-2'; ...
        """
        document = _parse(raw)
        if document.get("askance") not in VERSIONS:
            raise FormError(
                "askance",
                got=document.get("askance"),
                allowed=" or ".join(map(repr, VERSIONS)),
                remedy="publish the survey again with this version",
            )
        languages, collector = _head(document)
        questions = _questions(document.get("questions"), languages)
        _need("size", document.get("size"), body_size(questions))
        sections = _sections(document, languages)
        skips = read_skips(document, questions) if "skips" in document else ()
        ending = read_ending(document["ending"], languages) if "ending" in document else None
        _need_unlike_coins(questions)
        if ending is not None:
            need_elsewhere(ending, collector)
        if document.get("review", REVIEWS[1]) != REVIEWS[1]:
            raise FormError("review", got=document["review"], allowed=f"{REVIEWS[1]!r} or no key")
        has_lists = "checklists" in document
        lists = read_checklists(document, languages, questions) if has_lists else ()
        look = read_branding(document["look"], languages) if "look" in document else None
        words, piped = _words(document, languages), _pipes(document, questions)
        needed = any("needed" in entry for entry in document["questions"])
        newer = sections or needed or piped or bool(skips or lists or _NEWER & document.keys())
        _need("askance", document["askance"], version_of(questions, newer=newer))
        spelling = canonical(document)
        tokens = _tokens(document, collector)
        later, images = _later(document), _images(document, languages, questions, lists)
        quotas, tablet = _quotas(document, questions), _tablet(document)
        parts = ending, skips, lists, look, words, quotas, later, images, tablet
        page_parts = _pin(document), _saved(document), _seal(document)
        read = *parts, tokens, _open(document), *page_parts
        return cls(languages, questions, fingerprint(spelling), spelling, *read)

    @property
    def document(self) -> dict[str, Any]:
        """The JSON object as published: a copy each time, so that the form stays what it was.

        >>> import askance as ak
        >>> form = ak.publish(ak.parse_survey(b'''
        ... askance = "survey-1"
        ... title = "Tea"
        ... consent = "Say it or leave."
        ... [[question]]
        ... name = "tea"
        ... text = "Do you drink tea?"
        ... answers = ["yes", "no"]
        ... mechanism = { name = "warner", truth = "3/4" }
        ... '''))
        >>> form.document["title"]["en"] = "Coffee"
        >>> form.document["title"]["en"]
        'Tea'
        """
        document: dict[str, Any] = json.loads(self._spelling)
        return document

    @property
    def posted_size(self) -> int:
        """The length in bytes of what is posted: a report, with its token or stamp if any."""
        permit = self.tokens or self.open_link
        return self.size + (permit.size if permit is not None else 0)

    @property
    def shown_on_request(self) -> bool:
        """Whether only those who ask are shown what is sent, since some of it may be untrue."""
        return "review" not in self.document and may_be_untrue(self.questions)

    @property
    def required_questions(self) -> tuple[str, ...]:
        """The names of the questions that a respondent's page lets nobody leave out."""
        return tuple(entry["name"] for entry in self.document["questions"] if "needed" in entry)

    @property
    def bytes(self) -> bytes:
        """The canonical spelling that the fingerprint is taken of."""
        return self._spelling

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a form cross processes as what was published, which is read again there."""
        return Form.read, (self._spelling,)

    def question(self, name: str) -> Question:
        """The question of that name."""
        for question in self.questions:
            if question.name == name:
                return question
        allowed = ", ".join(question.name for question in self.questions)
        raise FormError("question", got=name, allowed=allowed)


@checked
def body_size(questions: Sequence[Question]) -> int:
    """The one length, in bytes, to which every report on these questions is padded.

    Sorted keys, no spaces, each value at its widest, rounded up to a multiple of 256: a body's
    length says nothing about the answers in it.

    Raises
    ------
    InputError
        If there is something else than questions, as `Form` holds them.

    >>> from askance_collect.wire import Choice, Label
    >>> body_size([Choice("tea", {}, (Label("yes", {}), Label("no", {})))])
    256
    """
    longest = _ENVELOPE + sum(
        len(f'"{question.name}":,') + question.max_encoded_length for question in questions
    )
    return -(-longest // _BLOCK) * _BLOCK


def version_of(questions: Sequence[Question], *, newer: bool = False) -> str:
    """The version that a form on these questions has: the first that has words for it all.

    Sections and lists of them, rules by which some are skipped, quotas, an ending, a review by
    everybody, a look, images, words, tokens, what a report costs, days to go on, a tablet, a pin
    and saved pages are of the second (``newer``).

    >>> from askance_collect.wire import Choice, Label
    >>> version_of([Choice("tea", {}, (Label("yes", {}), Label("no", {})))])
    'form-1'
    """
    new = newer or any(
        isinstance(question, FreeText)
        or (isinstance(question, Number) and question.line.ticks > MOST_TICKS)
        or (isinstance(question, TableQuestion) and (question.groups or question.checkbox_count))
        or (isinstance(question, Choice) and question.coin)
        for question in questions
    )
    return VERSIONS[new]


def may_be_untrue(questions: Sequence[Question]) -> bool:
    """Say whether some report on these questions may name what is not so.

    >>> from askance_collect.wire import Choice, Label
    >>> may_be_untrue([Choice("tea", {}, (Label("yes", {}), Label("no", {})))])
    False
    """
    return any(
        isinstance(question, TableQuestion) and not question.is_truthful for question in questions
    )


def is_name(value: object) -> bool:
    """Say whether a value can be the name of a question, and of its column.

    >>> is_name("tea"), is_name("Tea"), is_name("t" * 41)
    (True, False, False)
    """
    return type(value) is str and _NAME.fullmatch(value) is not None


def _head(document: dict[str, Any]) -> tuple[tuple[str, ...], str]:
    """Read the languages of a form, what it says in them of itself, and where reports go."""
    languages = _languages(document.get("languages"))
    for part in ("title", "consent", "contact"):
        need_wording(part, document.get(part), languages)
    collector = document.get("collector")
    if not isinstance(collector, str) or not _is_reached(collector):
        raise FormError(
            "collector",
            got=collector,
            allowed='"" for the page\'s own folder, or an address such as https://example.org/s/',
        )
    if not isinstance(document.get("about"), dict):
        raise FormError("about", got=document.get("about"), allowed="an object")
    return languages, collector


def _need(part: str, actual: Any, needed: int | str) -> None:
    """Refuse a part of a form that its questions settle, where it says something else."""
    if actual != needed:
        raise FormError(part, got=actual, allowed=str(needed))


def _need_unlike_coins(questions: Sequence[Question]) -> None:
    """Refuse a coin that two questions share: together their replies reveal both answers.

    Spaces and capitals aside; the same coin in other words is found by readers alone.
    """
    earlier_texts: set[str] = set()
    for index, question in enumerate(questions):
        coin = question.coin if isinstance(question, Choice) else None
        texts = dict(coin.text) if coin is not None else {}
        named = {" ".join(text.split()).lower() for text in texts.values()}
        if named & earlier_texts:
            allowed = "a coin for each question: two replies by one tell what both hide"
            raise FormError(f"questions[{index}].coin.text", got=texts, allowed=allowed)
        earlier_texts |= named


def _parse(raw: bytes | str | dict[str, Any]) -> dict[str, Any]:
    try:
        spelling = canonical(raw) if isinstance(raw, dict) else raw
        document = json.loads(
            (spelling.encode() if isinstance(spelling, str) else spelling).decode("utf-8-sig"),
            object_pairs_hook=unique_members,
            parse_int=_integer,
            parse_float=_refuse,
            parse_constant=_refuse,
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise FormError("form", got=type(error).__name__, allowed=_SPELLING) from error
    if not isinstance(document, dict):
        raise FormError("form", got=type(document).__name__, allowed=_SPELLING)
    if _is_deeper(document, _DEEPEST):
        raise FormError("form", got=f"more than {_DEEPEST} levels", allowed=_SPELLING)
    return document


def _is_deeper(part: Any, levels: int) -> bool:
    """Say whether lists and objects stand in each other more levels deep than this."""
    if not isinstance(part, dict | list):
        return False
    inner = part.values() if isinstance(part, dict) else part
    return not levels or any(_is_deeper(child, levels - 1) for child in inner)


def _integer(digits: str) -> int:
    number = int(digits)
    if abs(number) > _LARGEST_INTEGER:
        raise ValueError("an integer that a browser cannot hold")
    return number


def _refuse(number: str) -> float:
    raise ValueError(f"{number} is not an integer")


def _is_reached(collector: str) -> bool:
    """Say whether a browser can post to a collector: to the page's own folder, or an address."""
    match = _COLLECTOR.fullmatch(collector)
    if match is None:
        return not collector
    return is_host(match["host"]) and int(match["port"] or 0) < 1 << 16


def _languages(raw: Any) -> tuple[str, ...]:
    readable = isinstance(raw, list) and raw and len(set(map(str, raw))) == len(raw)
    if not readable or not all(map(is_language, raw)):
        raise FormError("languages", got=raw, allowed='different language tags such as "en"')
    return tuple(raw)


def _questions(raw: Any, languages: tuple[str, ...]) -> tuple[Question, ...]:
    if not isinstance(raw, list) or not raw:
        raise FormError("questions", got=raw, allowed="at least one question")
    read = tuple(
        read_question(entry, languages, f"questions[{index}]") for index, entry in enumerate(raw)
    )
    names = [question.name for question in read]
    for index, name in enumerate(names):
        if not is_name(name) or name in names[:index]:
            raise FormError(
                f"questions[{index}].name",
                got=name,
                allowed="a new name of up to 40 characters: a-z, 0-9 and _",
            )
        _need_its_kind(raw[index], f"questions[{index}]")
        if raw[index].get("needed", True) is not True:
            needed, allowed = raw[index]["needed"], "true, or no such key"
            raise FormError(f"questions[{index}].needed", got=needed, allowed=allowed)
    _need_company(read)
    return read


def _need_its_kind(raw: Mapping[str, Any], where: str) -> None:
    """Refuse what another kind of question has: nothing would be asked or drawn by it."""
    for part, kind in _OF_ONE_KIND.items():
        if part in raw and raw["kind"] != kind:
            raise FormError(
                f"{where}.{part}",
                got=f"a question of kind {raw['kind']!r}",
                allowed=f"{part!r} in a question of kind {kind!r} alone",
                remedy=f"leave {part!r} out",
            )


def _pipes(document: dict[str, Any], questions: Sequence[Question]) -> bool:
    """Check what is piped into later texts; say if anything is."""
    begun = document.get("sections", ())
    return read_pipes(
        document, questions, lambda question, after: may_come_later(question, after, begun)
    )


def _need_company(questions: Sequence[Question]) -> None:
    """Refuse a comment without a question, or on one whose answer it could reveal."""
    for index, question in enumerate(questions):
        if not isinstance(question, FreeText) or not question.is_comment:
            continue
        before = questions[index - 1] if index else None
        if not isinstance(before, Choice | Number) or _is_joint(before):
            raise FormError(
                f"questions[{index}].beside",
                got="a text beside " + (f"a {before.kind}" if before else "no question"),
                allowed="a text beside the choice or number before it, asked plainly",
            )


def _is_joint(question: Question) -> bool:
    return isinstance(question, Choice) and question.coin is not None


def _sections(document: dict[str, Any], languages: tuple[str, ...]) -> bool:
    """Check the sections of a form, each beginning at a question; return whether there are any."""
    if "sections" not in document:
        return False
    raw, last = document["sections"], -1
    if not isinstance(raw, list) or not raw:
        raise FormError("sections", got=raw, allowed="at least one section, or no such key")
    for index, entry in enumerate(raw):
        try:
            begins, order = entry["at"], entry.get("order", ORDERS[0])
            read_wording(entry["title"], languages)
            read_wording(entry["text"], languages)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise FormError(
                f"sections[{index}]", got=entry, allowed="a section of form-2"
            ) from error
        if not is_index(begins, len(document["questions"])) or begins <= last:
            allowed = "the position of a question, after that of the section before"
            raise FormError(f"sections[{index}].at", got=begins, allowed=allowed)
        if order not in ORDERS or ("order" in entry and order == ORDERS[0]):
            raise FormError(
                f"sections[{index}].order", got=order, allowed=f"{ORDERS[1]!r} or no key"
            )
        last = begins
    return True


def _words(document: dict[str, Any], languages: tuple[str, ...]) -> Mapping[str, Any]:
    """Read the words that a form brings in languages that the page has none of."""
    if "words" not in document:
        return MappingProxyType({})
    try:
        return read_own_words(document["words"], languages)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise FormError("words", got=type(error).__name__, allowed=str(error)[:80]) from error


def _later(document: dict[str, Any]) -> int | None:
    """Read for how many days people may go on later, if they may."""
    if "later" not in document:
        return None
    days = document["later"]
    if not is_index(days, MOST_DAYS + 1) or not days:
        raise FormError("later", got=days, allowed=f"1 to {MOST_DAYS} days, or no such key")
    return int(days)


def _images(
    document: dict[str, Any],
    languages: tuple[str, ...],
    questions: Sequence[Question],
    lists: Sequence[Checklist],
) -> tuple[Picture, ...]:
    """Read the images of questions and of their answers; a list has one screen."""
    if "images" not in document:
        return ()
    choices = [_offered(question) for question in questions]
    for checklist in lists:
        for index in checklist.question_positions:
            choices[index] = len(checklist.items) if index == checklist.first_question else None
    return read_pictures(document["images"], languages, choices)


def _offered(question: Question) -> int | None:
    """Count what is chosen from on the screen of a question; None if it has no screen."""
    match question:
        case FreeText(is_comment=True):
            return None
        case TableQuestion() if question.checkbox_count:
            return question.checkbox_count
        case Choice() | TableQuestion():
            return len(question.answers)
        case _:
            return 0


NOT_ON_A_TABLET = (
    ("later",),
    ("quotas",),
    ("tokens",),
    ("open",),
    ("ending", "url"),
    ("ending", "within"),
)
"""Parts of a form that need one person's own device, or a network."""


def _tablet(document: dict[str, Any]) -> bool:
    """Read whether an interviewer carries the page: then no part of it may need a network."""
    if "tablet" not in document:
        return False
    if document["tablet"] is not True:
        raise FormError("tablet", got=document["tablet"], allowed="true, or no such key")
    for key, *inside in NOT_ON_A_TABLET:
        if key in document and all(part in document[key] for part in inside):
            where = ".".join((key, *inside))
            raise FormError("tablet", got=f"{where} beside it", allowed=f"no {where}")
    return True


def _tokens(document: dict[str, Any], collector: str) -> Tokens | None:
    """Read who signs the tokens that reports need, and of how many people each key is."""
    if "tokens" not in document:
        return None
    minimum = document["about"].get("minimum", 1)
    is_whole = type(minimum) is int
    tokens = read_tokens(document["tokens"], collector, minimum if is_whole else 1)
    if tokens.smallest_key is not None and not is_whole:
        raise FormError("about.minimum", got=minimum, allowed="a whole number of reports")
    return tokens


def _open(document: dict[str, Any]) -> OpenLink | None:
    """Read what a report costs where everybody may send one, which nobody may where tokens are."""
    if "open" not in document:
        return None
    if "tokens" in document:
        raise FormError("open", got="tokens beside it", allowed="no tokens")
    return read_open_link(document["open"])


def _pin(document: dict[str, Any]) -> bool:
    """Read whether a browser keeps the page: not on a tablet, which does, nor in a frame."""
    if "pin" not in document:
        return False
    if document["pin"] is not True:
        raise FormError("pin", got=document["pin"], allowed="true, or no such key")
    framed = "within" in document.get("ending", {})
    for is_set, where in (("tablet" in document, "tablet"), (framed, "ending.within")):
        if is_set:
            raise FormError("pin", got=f"{where} beside it", allowed=f"no {where}")
    return True


def _saved(document: dict[str, Any]) -> bool:
    """Read whether saved pages may post, which have to know where."""
    if "saved" not in document:
        return False
    if document["saved"] is not True:
        raise FormError("saved", got=document["saved"], allowed="true, or no such key")
    if not document["collector"]:
        raise FormError("saved", got="no collector", allowed="saved pages that know where to post")
    return True


def _seal(document: dict[str, Any]) -> str | None:
    """Read the key for which what leaves a frame is sealed."""
    if "seal" not in document:
        return None
    seal = document["seal"]
    if not isinstance(seal, str) or not _SEAL.fullmatch(seal):
        allowed = "a public key as askance seal-key prints it, or no such key"
        raise FormError("seal", got=seal, allowed=allowed)
    return seal


LARGEST_QUOTA = 1_000_000_000


def _quotas(document: dict[str, Any], questions: Sequence[Question]) -> tuple[Quota, ...]:
    """Read how many people are wanted who give an answer."""
    if "quotas" not in document:
        return ()
    raw, read = document["quotas"], dict[tuple[int, int], Quota]()
    if not isinstance(raw, list) or not raw:
        raise FormError("quotas", got=raw, allowed="at least one quota, or no such key")
    for index, entry in enumerate(raw):
        try:
            quota = Quota(entry["question"], entry["answer"], entry["most"])
        except (LookupError, TypeError) as error:
            raise FormError(f"quotas[{index}]", got=entry, allowed="a quota of form-2") from error
        if not _is_quota(quota, questions) or (quota.question, quota.answer) in read:
            allowed = "an answer to a question that is asked plainly, once, and a number from 1 on"
            raise FormError(f"quotas[{index}]", got=entry, allowed=allowed)
        read[quota.question, quota.answer] = quota
    return tuple(read.values())


def _is_quota(quota: Quota, questions: Sequence[Question]) -> bool:
    """Say whether reports count the people that a quota is about: plain answers alone do."""
    if not is_index(quota.question, len(questions)) or not is_index(
        quota.maximum, LARGEST_QUOTA + 1
    ):
        return False
    question = questions[quota.question]
    if not isinstance(question, Choice) or question.coin is not None:
        return False
    return is_index(quota.answer, len(question.answers)) and quota.maximum > 0


def read_form(path: Path) -> Form:
    """Read a published form.

    Raises
    ------
    FormError
        If the file cannot be read, or is not a form.
    """
    try:
        return Form.read(path.read_bytes())
    except OSError as error:
        raise FormError(str(path), got=error.strerror, allowed="a readable file") from error
