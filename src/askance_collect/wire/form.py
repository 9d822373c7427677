"""The published form: everything a respondent's device must know, and nothing more.

Every document has one spelling (`canonical`), so that equal documents have equal bytes. Answers are
piped into later texts on the respondent's device (``{tea|it}`` is what was answered to ``tea``, or
"it"): only what is asked plainly, and always before, since what is protected is not shown again.

`Form.read` reads a document in this order: the JSON, what the schema says of it, the questions, the
other parts, the texts into which answers are piped. The readers stand below `Form` in that order.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from askance_collect.arguments import checked
from askance_collect.errors import FormError, file_faults, restate
from askance_collect.wire.branding import Branding, Picture, read_branding, read_pictures
from askance_collect.wire.canonical_json import canonical, fingerprint, unique_members
from askance_collect.wire.ending import Ending, is_reached, need_elsewhere, read_ending
from askance_collect.wire.form_schema import (
    NEWER,
    bounds,
    conform,
    keep_unchangeable,
    pattern,
    read_wording,
    refuse,
    unchangeable,
)
from askance_collect.wire.open_link import OpenLink, read_open_link
from askance_collect.wire.question import (
    MOST_TICKS,
    Choice,
    FreeText,
    Number,
    Question,
    TableQuestion,
    build_question,
)
from askance_collect.wire.token import Tokens, read_tokens

if TYPE_CHECKING:
    from askance_collect.wire.explanations import Explanations


VERSIONS = "form-1", "form-2"
"""Every version that is read: the second says what the first has no words for."""

ORDERS = "as written", "random"
"""The orders in which a section's questions are asked; the first is the default."""

REVIEWS = "on request", "open"
"""Whether what is sent is shown to everybody who sends it; the first is the default."""

_, MOST_DAYS = bounds("later")
"""For how many days at most a device keeps what somebody goes on with later."""

_, LARGEST_QUOTA = bounds("quota.most")
"""How many people a quota can allow at most."""

MOST_PAIRED = 12
"""Of a list with more items no two are counted together: there are too many."""

_NAME = pattern("name")
_DEEPEST = 64
_LARGEST_INTEGER = (1 << 53) - 1
_SPELLING = (
    f"a JSON object in UTF-8, at most {_DEEPEST} levels deep: no key twice, no fraction, "
    "no integer beyond 2^53"
)
_ENVELOPE = len('{"answers":{},"form":"","id":""}') + 64 + 32
_BLOCK = 256
_PIPE = re.compile(r"\{([a-z][a-z0-9_]{0,39})\|([^{}|]*)\}")

_MIXED = ORDERS[-1]
"""The order of a section whose questions chance puts in order."""

_SHARED_KEYS = "kind", "answers", "reports", "table", "blank", "needed"
"""What the questions of a list have in common, so that the page writes it once."""

_EXCLUSIONS = {
    "tablet": ("later", "quotas", "tokens", "open", "ending.url", "ending.within"),
    "pin": ("tablet", "ending.within"),
    "open": ("tokens",),
}
"""What a part of a form cannot stand beside.

On a tablet nothing may need a network, or a device of one's own; a tablet keeps the page itself,
and in a frame no browser does; whoever has a token may send one report at no further cost.
"""


@final
@dataclass(frozen=True, slots=True)
class Quota:
    """How many people at most are wanted who give one answer to a question that is asked plainly.

    ``question`` is the position of the question, ``answer`` that of the answer. With a maximum of
    0, the answer screens people out.
    """

    question: int
    answer: int
    maximum: int


@final
@dataclass(frozen=True, slots=True)
class Checklist:
    """Questions of two answers, ticked and not, that are asked as one list on one screen.

    Attributes
    ----------
    first_question : int
        The position of the question of the first item.
    text : Mapping of str to str
        What is asked of all items, one text for each language.
    items : tuple of Mapping of str to str
        The wording of each item, in the order of their questions.
    none : Mapping of str to str
        The wording of what is chosen where nothing is ticked.

    >>> tea = Checklist(2, {"en": "Which?"}, ({"en": "Tea"}, {"en": "Milk"}), {"en": "Neither"})
    >>> tea.question_positions
    range(2, 4)
    """

    first_question: int
    text: Mapping[str, str]
    items: tuple[Mapping[str, str], ...]
    none: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text items none")

    @property
    def question_positions(self) -> range:
        """The positions of its questions."""
        return range(self.first_question, self.first_question + len(self.items))


@final
@dataclass(frozen=True, slots=True)
class Grid:
    """Questions with the same answers that are asked as one grid on one screen, a row each.

    Attributes
    ----------
    first_question : int
        The position of the question of the first row.
    text : Mapping of str to str
        What is asked of all rows, one text for each language.
    items : tuple of Mapping of str to str
        The wording of each row, in the order of their questions.

    >>> Grid(2, {"en": "How often?"}, ({"en": "Tea"}, {"en": "Milk"})).question_positions
    range(2, 4)
    """

    first_question: int
    text: Mapping[str, str]
    items: tuple[Mapping[str, str], ...]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text items")

    @property
    def question_positions(self) -> range:
        """The positions of its questions."""
        return range(self.first_question, self.first_question + len(self.items))


@final
@dataclass(frozen=True, slots=True)
class Skip:
    """A question that is skipped after some answers to an earlier one.

    ``question`` and ``after`` are positions of questions. ``answered`` are answers to the earlier
    one as `ak.respond.respond` takes them, listed or all from one to another: positions of
    named answers, ticks of a plain number, steps of a protected one. ``send`` is the answer that is
    so of whoever skips the question, and is sent as any answer is; None is a blank.
    """

    question: int
    after: int
    answered: tuple[int, ...] | range
    send: int | None


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
    grids : tuple of Grid
        Questions that are asked together on one screen, a row each.
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
    keeps_apart : bool
        Whether the collector keeps protected and plain answers in two stores that share no id.
    seal_key : str, optional
        The study's public key, for which sealed texts are encrypted, and reports that leave a frame
        in another page.
    explanations : Explanations, optional
        What the groups of a study of explanations read before the questions.
    """

    languages: tuple[str, ...]
    questions: tuple[Question, ...]
    fingerprint: str
    _spelling: bytes = field(repr=False)
    ending: Ending | None = None
    skips: tuple[Skip, ...] = ()
    checklists: tuple[Checklist, ...] = ()
    grids: tuple[Grid, ...] = ()
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
    keeps_apart: bool = False
    seal_key: str | None = None
    explanations: "Explanations | None" = None
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
            remedy = "publish the survey again with this version"
            allowed = " or ".join(map(repr, VERSIONS))
            raise FormError("askance", got=document.get("askance"), allowed=allowed, remedy=remedy)
        conform(document.get("languages"), "languages", (), "languages")
        languages = tuple(document["languages"])
        conform(document | {"askance": VERSIONS[-1]}, "", languages)
        if document["collector"] and not is_reached(document["collector"], languages):
            raise refuse("reached", "collector", document["collector"])
        questions = _read_questions(document["questions"], languages)
        if document["size"] != body_size(questions):
            raise refuse("size", "size", document["size"], f"it is {body_size(questions)} here")
        parts = _read_parts(document, languages, questions)
        piped = _read_pipes(document, questions)
        needed = any("needed" in entry for entry in document["questions"])
        newer = needed or piped or bool(NEWER & document.keys())
        if document["askance"] != version_of(questions, newer=newer):
            raise refuse("version", "askance", document["askance"])
        spelling = canonical(document)
        return cls(languages, questions, fingerprint(spelling), spelling, **parts)

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


def read_form(path: Path) -> Form:
    """Read a published form.

    Raises
    ------
    FormError
        If the file cannot be read, or is not a form.
    """
    with file_faults(path, "a readable file", FormError):
        spelling = path.read_bytes()
    try:
        return Form.read(spelling)
    except FormError as error:
        if error.where != "form":
            raise
        raise restate(error, str(path), FormError) from None


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
    everybody, a look, images, words, tokens, what a report costs, days to go on, a tablet, a pin,
    saved pages and parts that are kept apart are of the second (``newer``).

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


def pairs_of(size: int) -> list[tuple[int, int]]:
    """The pairs of items of a list of this size that are counted together.

    >>> pairs_of(3), pairs_of(13)
    ([(0, 1), (0, 2), (1, 2)], [])
    """
    return list(combinations(range(size), 2)) if size <= MOST_PAIRED else []


def _parse(raw: bytes | str | dict[str, Any]) -> dict[str, Any]:
    try:
        spelling = canonical(raw) if isinstance(raw, dict) else raw
        document = json.loads(
            (spelling.encode() if isinstance(spelling, str) else spelling).decode("utf-8-sig"),
            object_pairs_hook=unique_members,
            parse_int=_parse_integer,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise FormError("form", got=_describe_misspelling(error), allowed=_SPELLING) from error
    if not isinstance(document, dict):
        raise FormError("form", got=type(document).__name__, allowed=_SPELLING)
    if _is_deeper(document, _DEEPEST):
        raise FormError("form", got=f"more than {_DEEPEST} levels", allowed=_SPELLING)
    return document


def _is_deeper(document: Any, levels: int) -> bool:
    """Say whether lists and objects stand in each other more levels deep than this."""
    parts = [document]
    for _ in range(levels):
        inner = [part.values() if isinstance(part, dict) else part for part in parts]
        parts = [part for values in inner for part in values if isinstance(part, dict | list)]
    return bool(parts)


def _parse_integer(digits: str) -> int:
    number = int(digits)
    if abs(number) > _LARGEST_INTEGER:
        raise ValueError("an integer that a browser cannot hold")
    return number


def _describe_misspelling(error: Exception) -> str:
    """Say where bytes stop to be JSON, or why their values are none of a form."""
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON from line {error.lineno}, column {error.colno}"
    if isinstance(error, UnicodeDecodeError):
        return f"a byte that is no UTF-8 at {error.start}"
    return str(error) if type(error) is ValueError else type(error).__name__


def _refuse_number(number: str) -> float:
    raise ValueError(f"{number} is not an integer")


def _read_questions(raw: Any, languages: tuple[str, ...]) -> tuple[Question, ...]:
    read = tuple(
        build_question(entry, languages, f"questions[{index}]") for index, entry in enumerate(raw)
    )
    names = [question.name for question in read]
    for index, question in enumerate(read):
        if question.name in names[:index]:
            raise refuse("questions", f"questions[{index}].name", question.name)
        before = read[index - 1] if index else None
        is_comment = isinstance(question, FreeText) and question.is_comment
        if is_comment and (not isinstance(before, Choice | Number) or _has_coin(before)):
            raise refuse("beside", f"questions[{index}].beside", getattr(before, "kind", "nothing"))
    return read


def _has_coin(question: Question) -> bool:
    """Say whether an answer is protected by a coin in the world, which the device does not see."""
    return isinstance(question, Choice) and question.coin is not None


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
            raise refuse("coins", f"questions[{index}].coin.text", texts)
        earlier_texts |= named


def _read_parts(
    document: dict[str, Any], languages: tuple[str, ...], questions: tuple[Question, ...]
) -> dict[str, Any]:
    """Read the parts of a form that are not questions, as keyword arguments of `Form`."""
    _need_rising_sections(document.get("sections", ()), questions)
    skips = _read_skips(document, questions) if "skips" in document else ()
    ending = read_ending(document["ending"], languages) if "ending" in document else None
    _need_unlike_coins(questions)
    if ending is not None:
        need_elsewhere(ending, document["collector"])
    _need_compatible_parts(document)
    if "apart" in document:
        _need_separable(document, questions, skips)
    for index, question in enumerate(questions):
        if _is_sealed(question) and "seal" not in document:
            remedy = "askance seal-key FILE draws a key pair, and prints the line of the key"
            raise refuse("sealed", f"questions[{index}]", "a sealed text without a key", remedy)
    lists = _read_checklists(document, languages, questions) if "checklists" in document else ()
    return {
        "ending": ending,
        "skips": skips,
        "checklists": lists,
        "grids": _read_grids(document, languages, questions, lists),
        "branding": read_branding(document["look"], languages) if "look" in document else None,
        "translations": unchangeable(document.get("words", {})),
        "quotas": _read_quotas(document, questions),
        "resume_days": document.get("later"),
        "images": _read_images(document, languages, questions, lists),
        "for_tablet": "tablet" in document,
        "tokens": _read_tokens(document),
        "open_link": read_open_link(document["open"]) if "open" in document else None,
        "pins_page": "pin" in document,
        "allows_saved_pages": "saved" in document,
        "keeps_apart": "apart" in document,
        "seal_key": document.get("seal"),
        "explanations": _read_explanations(document, languages, questions),
    }


def _need_rising_sections(sections: Sequence[Any], questions: Sequence[Question]) -> None:
    """Refuse sections that do not begin at questions, one after another."""
    begins = [section["at"] for section in sections]
    for index, position in enumerate(begins):
        if position >= len(questions) or position <= max(begins[:index], default=-1):
            raise refuse("sections", f"sections[{index}].at", position)


def _may_come_later(question: int, after: int, sections: Sequence[dict[str, Any]]) -> bool:
    """Say whether chance may ask the earlier of two questions after the later one.

    >>> _may_come_later(2, 1, [{"at": 1, "order": "random"}]), _may_come_later(2, 1, [{"at": 1}])
    (True, False)
    """
    begun = [section for section in sections if section["at"] <= question]
    return bool(begun) and begun[-1].get("order") == _MIXED and begun[-1]["at"] <= after


def _read_skips(document: dict[str, Any], questions: Sequence[Question]) -> tuple[Skip, ...]:
    """Read the rules by which questions of a form are skipped.

    Parameters
    ----------
    document : dict
        The form, which has rules, and whose sections have been read already.
    questions : sequence of Question

    Raises
    ------
    FormError
        At the first entry that is no rule, or whose rule would reveal a protected answer.
    """
    last, read = -1, []
    for index, entry in enumerate(document.get("skips", ())):
        where = f"skips[{index}]"
        skip = Skip(
            entry["question"], entry["after"], _read_answers(entry["answered"]), entry["send"]
        )
        if not _is_rule(skip, questions) or skip.question <= last:
            raise refuse("skips", where, entry)
        if refused := _rule_remedy(skip, questions, document):
            raise refuse("leak", where, entry, f"allowed is {refused}")
        read.append(skip)
        last = skip.question
    return tuple(read)


def _read_answers(raw: Any) -> tuple[int, ...] | range:
    """Read the answers of a rule: a list of them, or the first and the last of many.

    >>> _read_answers([2, 0]), _read_answers({"from": 1, "to": 3})
    ((2, 0), range(1, 4))
    """
    return range(raw["from"], raw["to"] + 1) if isinstance(raw, dict) else tuple(raw)


def _is_rule(skip: Skip, questions: Sequence[Question]) -> bool:
    """Say whether a rule names a question, an earlier one, answers to it, and one to send."""
    if not skip.after < skip.question < len(questions):
        return False
    question, after = questions[skip.question], questions[skip.after]
    if _has_coin(question) or not after.is_known_to_device:
        return False
    if not _are_answers(skip.answered, after.possible_answers):
        return False
    return skip.send is None or skip.send in question.possible_answers


def _are_answers(answered: tuple[int, ...] | range, possible: range) -> bool:
    """Say whether a rule names some answers, each once."""
    ends = (answered[:1], answered[-1:]) if isinstance(answered, range) else (answered,)
    return bool(answered) and all(answer in possible for part in ends for answer in part)


def _rule_remedy(skip: Skip, questions: Sequence[Question], document: dict[str, Any]) -> str:
    """Name what is allowed instead of a rule that cannot be kept or reveals what is hidden."""
    if _may_come_later(skip.question, skip.after, document.get("sections", ())):
        return "a rule on a question that is always asked before: here chance makes the order"
    if remedy := leak_remedy(questions[skip.question], questions[skip.after], skip.send):
        return remedy
    if _have_other_traits(skip, questions, document["about"]):
        return "two protected questions of one trait in about.traits, and of no other"
    return ""


def leak_remedy(question: Question, after: Question, send: int | None) -> str:
    """Name what is allowed instead of a rule by which one question reveals another's answer.

    Empty where the rule reveals no more than is accounted for.

    >>> from askance_collect.wire import Label
    >>> tea = Choice("tea", {}, (Label("yes", {}), Label("no", {})))
    >>> leak_remedy(tea, tea, 0)
    ''
    """
    if send is None and question.is_randomised:
        return "the answer that is so of whoever skips it: a protected question always sends"
    if not after.is_randomised:
        return ""
    if not isinstance(question, TableQuestion):
        leak = "a range that leaves it out" if question.is_randomised else "what is sent"
        return f"a protected question with answers: {leak} would tell the protected answer"
    columns = zip(*question.table.rows, strict=True)
    if send is None or any(any(column) and not column[send] for column in columns):
        return "an answer that can send every report: else one would say for certain who was asked"
    return ""


def _have_other_traits(skip: Skip, questions: Sequence[Question], about: dict[str, Any]) -> bool:
    """Say whether the two protected questions of a rule are declared to be about other traits."""
    question, after = questions[skip.question], questions[skip.after]
    if not after.is_randomised:
        return False
    own, earlier = _find_traits(about, question.name), _find_traits(about, after.name)
    return own != earlier or len(own) != 1


def _find_traits(about: dict[str, Any], name: str) -> list[int]:
    """Give the positions of the traits that a question is declared to be about."""
    try:
        named = [trait["questions"] for trait in about["traits"]]
    except (LookupError, TypeError):
        return []
    if not all(isinstance(names, list) for names in named):
        return []
    return [index for index, names in enumerate(named) if name in names]


def _need_compatible_parts(document: dict[str, Any]) -> None:
    """Refuse parts that exclude each other, and saved pages that do not know where to post."""
    ending = [f"ending.{key}" for key in document.get("ending", ())]
    for part in _EXCLUSIONS.keys() & document.keys():
        for other in _EXCLUSIONS[part]:
            if other in document or other in ending:
                raise refuse("apart", part, f"{other} beside it")
    if "saved" in document and not document["collector"]:
        raise refuse("saved", "saved", "no collector")


def _need_separable(
    document: dict[str, Any], questions: Sequence[Question], skips: Sequence[Skip]
) -> None:
    """Refuse to keep apart what is judged together, or what is not the collector's to part."""
    protected = [is_protected(question) for question in questions]
    if len(set(protected)) == 1:
        fault = "protected questions alone" if protected[0] else "plain questions alone"
        raise refuse("joint", "questions", fault)
    for index, skip in enumerate(skips):
        if protected[skip.question] != protected[skip.after]:
            names = (questions[skip.question].name, questions[skip.after].name)
            raise refuse("joint", f"skips[{index}]", " skipped by ".join(names))
    has_sealed_text = any(map(_is_sealed, questions))
    for key in ("evidence", "tablet", *(("seal",) if not has_sealed_text else ())):
        if key in document:
            raise refuse("joint", "apart", f"{key} beside it")
    if "attention" in document["about"]:
        raise refuse("joint", "about.attention", "a check by which protected reports are left out")


def _read_checklists(
    document: Mapping[str, Any], languages: Sequence[str], questions: Sequence[Question]
) -> tuple[Checklist, ...]:
    """Read which questions of a form are asked as one list, on one screen.

    Raises
    ------
    FormError
        With the path of the first list that cannot be asked so.
    """
    read, free = list[Checklist](), 0
    for index, entry in enumerate(document.get("checklists", ())):
        items = tuple(read_wording(item, languages) for item in entry["items"])
        text, none = (read_wording(entry[key], languages) for key in ("text", "none"))
        checklist = Checklist(entry["at"], text, items, none)
        positions = checklist.question_positions
        if positions.start < free or positions.stop > len(questions):
            raise refuse("checklists", f"checklists[{index}].at", positions.start)
        listed = questions[positions.start : positions.stop]
        if not (all(map(_can_be_ticked, listed)) and _is_asked_as_one(positions, document)):
            raise refuse("alike", f"checklists[{index}].at", positions.start)
        read.append(checklist)
        free = positions.stop
    return tuple(read)


def _read_grids(
    document: Mapping[str, Any],
    languages: Sequence[str],
    questions: Sequence[Question],
    lists: Sequence[Checklist],
) -> tuple[Grid, ...]:
    """Read which questions of a form are asked as one grid.

    Raises
    ------
    FormError
        With the path of the first grid that cannot be asked so.
    """
    read, free = list[Grid](), 0
    ticked = {position for checklist in lists for position in checklist.question_positions}
    for index, entry in enumerate(document.get("grids", ())):
        items = tuple(read_wording(item, languages) for item in entry["items"])
        grid = Grid(entry["at"], read_wording(entry["text"], languages), items)
        positions, where = grid.question_positions, f"grids[{index}].at"
        is_free = positions.start >= free and ticked.isdisjoint(positions)
        if not is_free or positions.stop > len(questions):
            raise refuse("grids", where, positions.start)
        entries = document["questions"][positions.start : positions.stop + 1]
        rows, after = entries[: len(items)], entries[len(items) :]
        is_grid = all(map(_can_be_row, rows)) and not any("beside" in entry for entry in after)
        if not (is_grid and _is_asked_as_one(positions, document)):
            raise refuse("rows", where, positions.start)
        read.append(grid)
        free = positions.stop
    return tuple(read)


_NOT_IN_ROWS = frozenset({"coin", "groups", "ticks", "piped"})


def _can_be_row(entry: Mapping[str, Any]) -> bool:
    """Check that a question has named answers, and nothing that asks for a screen of its own."""
    return entry["kind"] in ("choice", "table") and _NOT_IN_ROWS.isdisjoint(entry)


def _is_asked_as_one(positions: range, document: Mapping[str, Any]) -> bool:
    """Check that the questions of one screen share everything that it states once."""
    if any(section["at"] in positions[1:] for section in document.get("sections", ())):
        return False
    entries = document["questions"][positions.start : positions.stop]
    shared_parts = {canonical({key: entry.get(key) for key in _SHARED_KEYS}) for entry in entries}
    rules = [rule for rule in document.get("skips", ()) if rule["question"] in positions]
    distinct_rules = {
        canonical({key: rule[key] for key in ("after", "answered", "send")}) for rule in rules
    }
    together = not rules or (len(rules) == len(entries) and rules[0]["after"] < positions.start)
    return together and len(shared_parts) == 1 and len(distinct_rules) < 2


def _can_be_ticked(question: Question) -> bool:
    """Check that a question has two answers: the first is a tick."""
    if _has_coin(question) or not isinstance(question, Choice | TableQuestion):
        return False
    is_grouped = isinstance(question, TableQuestion) and bool(question.groups)
    return not is_grouped and len(question.answers) == 2


def _read_quotas(document: dict[str, Any], questions: Sequence[Question]) -> tuple[Quota, ...]:
    """Read how many people are wanted who give an answer."""
    read = dict[tuple[int, int], Quota]()
    for index, entry in enumerate(document.get("quotas", ())):
        quota = Quota(entry["question"], entry["answer"], entry["most"])
        if not _is_quota(quota, questions) or (quota.question, quota.answer) in read:
            raise refuse("quotas", f"quotas[{index}]", entry)
        read[quota.question, quota.answer] = quota
    return tuple(read.values())


def _is_quota(quota: Quota, questions: Sequence[Question]) -> bool:
    """Say whether reports count the people that a quota is about: plain answers alone do."""
    question = questions[quota.question] if quota.question < len(questions) else None
    if not isinstance(question, Choice) or _has_coin(question):
        return False
    return quota.answer < len(question.answers)


def _read_images(
    document: dict[str, Any],
    languages: tuple[str, ...],
    questions: Sequence[Question],
    lists: Sequence[Checklist],
) -> tuple[Picture, ...]:
    """Read the images of questions and of their answers; a list has one screen."""
    if "images" not in document:
        return ()
    choices = [_count_choices(question) for question in questions]
    for checklist in lists:
        for index in checklist.question_positions:
            choices[index] = len(checklist.items) if index == checklist.first_question else None
    return read_pictures(document["images"], languages, choices)


def _count_choices(question: Question) -> int | None:
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


def _read_tokens(document: dict[str, Any]) -> Tokens | None:
    """Read who signs the tokens that reports need, and of how many people each key is."""
    if "tokens" not in document:
        return None
    minimum = document["about"].get("minimum", 1)
    is_whole = type(minimum) is int
    tokens = read_tokens(document["tokens"], document["collector"], minimum if is_whole else 1)
    if tokens.smallest_key is not None and not is_whole:
        raise refuse("minimum", "about.minimum", minimum)
    return tokens


def _read_explanations(
    document: dict[str, Any], languages: tuple[str, ...], questions: tuple[Question, ...]
) -> "Explanations | None":
    """Read what groups read before the questions, if the form is of a study of explanations."""
    if "evidence" not in document:
        return None
    from askance_collect.wire.explanations import read_explanations

    group_counts = [
        len(question.groups) if isinstance(question, TableQuestion) and not question.invited else 0
        for question in questions
    ]
    return read_explanations(document["evidence"], languages, group_counts)


def _read_pipes(document: Mapping[str, Any], questions: Sequence[Question]) -> bool:
    """Check the texts of a form into which answers are piped; say if there are any."""
    listed = {
        checklist["at"] + item
        for checklist in document.get("checklists", ())
        for item in range(len(checklist["items"]))
    }
    is_piped = False
    for index, entry in enumerate(document["questions"]):
        if "piped" not in entry:
            continue
        texts = [piped_names(text) for text in entry["text"].values()]
        if index in listed or not all(texts):
            raise refuse("piped", f"questions[{index}].piped", entry["text"])
        for name in sorted({name for names in texts for name in names}):
            if remedy := _pipe_remedy(name, index, questions, document.get("sections", ())):
                raise refuse("piped", f"questions[{index}].text", f"{{{name}|…}}", remedy)
        is_piped = True
    return is_piped


def _pipe_remedy(
    name: str, index: int, questions: Sequence[Question], sections: Sequence[dict[str, Any]]
) -> str:
    """Name what to pipe instead of an answer that is protected or may be given later."""
    earlier = {question.name: question for question in questions[:index]}
    if name not in earlier:
        plain = [key for key, question in earlier.items() if not is_protected(question)]
        return f"name a question above, asked plainly: {', '.join(plain) or 'none is'}"
    if is_protected(earlier[name]):
        return "it is protected, and whoever looks at the screen would read it"
    if _is_sealed(earlier[name]):
        return "it is sealed, and whoever looks at the screen would read it"
    if _may_come_later(index, [*earlier].index(name), sections):
        return "pipe what is always asked before: here chance makes the order"
    return ""


def _is_sealed(question: Question) -> bool:
    return isinstance(question, FreeText) and question.is_sealed


def is_protected(question: Question) -> bool:
    """Say whether chance protects an answer: on the device, or by a coin in the world.

    >>> from askance_collect.wire import Label
    >>> is_protected(Choice("tea", {}, (Label("yes", {}), Label("no", {}))))
    False
    """
    return question.is_randomised or _has_coin(question)


def piped_names(text: str) -> list[str]:
    """Name the questions whose answers a text asks for.

    >>> piped_names("How often do you drink {drink|it}, and {where|anywhere}? {no} {A|b}")
    ['drink', 'where']
    """
    return [name for name, _ in _PIPE.findall(text)]


def unpiped(text: str) -> str:
    """Fill a text as for a respondent who left the earlier answers out.

    >>> unpiped("How often do you drink {drink|it}? {no}")
    'How often do you drink it? {no}'
    """
    return _PIPE.sub(r"\2", text)


def around_pipes(text: str) -> list[str]:
    """Give what stands before, between and behind the answers that a text asks for.

    >>> around_pipes("How often do you drink {drink|it}?")
    ['How often do you drink ', '?']
    """
    return _PIPE.sub("\0", text).split("\0")
