"""From a Survey to a Form: build the channels, round them, judge them, keep them by question."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.cut_variants import RingChannel
from askance.channels.range_channel import RangeChannel
from askance.errors import FormError, InputError, SurveyError
from askance.exact.level import loss_within
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.ledger import compose
from askance.survey.attention import read_right_answers
from askance.survey.choose_all import write_checklists
from askance.survey.deployed import AbstractDeployed
from askance.survey.deployed_answers import PlainText, plain_answers, protected_answers
from askance.survey.deployed_numbers import PlainNumber, protected_number
from askance.survey.deployed_sets import deployed_sets
from askance.survey.invitations import open_of, tokens_of
from askance.survey.own_look import write_images, write_look
from askance.survey.own_words import find_default_labels, write_words
from askance.survey.specs import CommentSpec, FilePosition, QuestionSpec, Survey, TextSpec
from askance.survey.survey_file import at_line, load_survey, written_out
from askance.survey.walk import (
    write_device,
    write_ending,
    write_quotas,
    write_review,
    write_saved,
    write_sections,
    write_skips,
)
from askance.survey.wording import Names, check_languages, write_wording
from askance.survey.written import Document, Written
from askance.survey.written_answers import LEVELS, refuse_shared_coins, write_answers
from askance.survey.written_numbers import write_number
from askance.wire.answer_question import Choice, Coin, TableQuestion
from askance.wire.form import Form, body_size, read_form, version_of
from askance.wire.label import in_first_language
from askance.wire.pipes import piped_names
from askance.wire.question import CutsQuestion, Number, Question, RingQuestion, read_question
from askance.wire.text_question import MOST_CHARACTERS, MOST_LINES, FreeText


@final
@dataclass(frozen=True, slots=True)
class DeployedForm:
    """A form and its questions as deployed, in the form's order.

    >>> from askance.survey.publish import deploy
    >>> from askance.survey.survey_file import load_survey
    >>> deployed_form = deploy(load_survey("examples/affairs.toml"))
    >>> [entry.question.kind for entry in deployed_form.questions]
    ['choice', 'table', 'table', 'cuts']
    >>> deployed_form.questions[1].guarantees[0]
    Guarantee(LOCAL, ε = 1.79176, attained by 'yes' between 'yes' and 'no')
    """

    form: Form
    questions: tuple[AbstractDeployed, ...]

    @classmethod
    def of(cls, form: Form) -> "DeployedForm":
        """Build every question of a form from its integers."""
        return cls(form, tuple(map(deployed, form.questions)))

    @property
    def language(self) -> str:
        """The first language of the form, in which everything is said."""
        return self.form.languages[0]

    @property
    def rounding_notes(self) -> tuple[str, ...]:
        """What is to be said of chances that were rounded when they were deployed."""
        return tuple(filter(None, (question.rounding_note for question in self.questions)))


@checked
def deployed(
    question: Question,
    channel: Channel | RangeChannel | RingChannel | None = None,
    recipe: Channel | None = None,
) -> AbstractDeployed:
    """Build the channel and the guarantees of a published question from the integers of its form.

    Parameters
    ----------
    question : Question
        One of ``form.questions``.
    channel : Channel, RangeChannel or RingChannel, optional
        What was just written into the form, so that it need not be built again.
    recipe : Channel, optional
        The channel before it was rounded to the form's table.

    Returns
    -------
    AbstractDeployed
        With ``channel`` (None where a number is asked plainly), ``guarantees``, ``spread`` (how
        common answers are taken to be) and ``preview()`` of what a report will look like.

    Raises
    ------
    InputError
        If it is not a question of a form.

    >>> from askance.survey import deployed, load_survey
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> affair = deployed(form.question("affair"))
    >>> affair.channel.table.rows
    ((6, 1, 3), (1, 6, 3))
    >>> affair.guarantees[0]
    Guarantee(LOCAL, ε = 1.79176, attained by 'yes' between 'yes' and 'no')
    >>> from askance.wire.label import Label
    >>> plain = deployed(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    >>> plain.way.value, plain.guarantees
    ('as it is given', ())
    """
    match question:
        case Choice(coin=Coin(sets=sets) as coin) if sets:
            return deployed_sets(question, coin)
        case Choice(coin=Coin(text=text)) if isinstance(judged := question.judged, TableQuestion):
            return protected_answers(judged, channel, recipe, coin=in_first_language(text))
        case Choice():
            return plain_answers(question)
        case Number():
            return PlainNumber(question)
        case FreeText():
            return PlainText(question)
        case TableQuestion():
            return protected_answers(question, channel, recipe)
        case _:
            return protected_number(question, channel)


def traits_of(form: Form) -> dict[str, tuple[str, ...]]:
    """Name the questions that a form declares to be about one trait.

    Raises
    ------
    FormError
        If a trait has no name, no questions, or questions that the form does not ask.
    """
    names_asked = {question.name for question in form.questions}
    traits = form.document["about"].get("traits", [])
    try:
        names_by_trait = {trait["name"]: tuple(trait["questions"]) for trait in traits}
        are_known = all(
            names and names_asked.issuperset(names) for names in names_by_trait.values()
        )
    except (LookupError, TypeError):
        are_known = False
    if not are_known or not all(isinstance(name, str) for name in names_by_trait):
        raise FormError("about.traits", allowed="names, each with questions of the form")
    return names_by_trait


def together(
    judged: Sequence[Sequence[Guarantee]], *, led_by_range: bool = False
) -> tuple[Guarantee, ...]:
    """Compose the guarantees of several questions, notion by notion.

    A question without a notion breaks it: next to a range, which rules answers out, no local loss
    of the group is finite. Where a number that is sent as a range decides who is asked others
    (``led_by_range``), these rule none of its values out, and shift the odds of two of them by
    their own local loss: so the range keeps its coverage, and the losses multiply inside it.
    """
    by_notion = [{guarantee.notion: guarantee for guarantee in guarantees} for guarantees in judged]
    if led_by_range:
        return _inside_ranges(by_notion)
    notions = [Notion.LOCAL, Notion.SHAFER, Notion.WALLEY, Notion.COVERAGE]
    return tuple(
        compose([guarantees[notion] for guarantees in by_notion])
        for notion in notions
        if all(notion in guarantees for guarantees in by_notion)
    )


def _inside_ranges(by_notion: Sequence[Mapping[Notion, Guarantee]]) -> tuple[Guarantee, ...]:
    """Compose ranges with questions that have a local loss: coverage, and ratios in a report."""
    composed = []
    lost = [
        guarantees[Notion.LOCAL].value if Notion.LOCAL in guarantees else math.inf
        for guarantees in by_notion
    ]
    wide = [
        guarantees for guarantees, loss in zip(by_notion, lost, strict=True) if loss == math.inf
    ]
    if all(Notion.COVERAGE in guarantees for guarantees in wide):
        composed.append(compose([guarantees[Notion.COVERAGE] for guarantees in wide]))
    for notion in Notion.FLATNESS, Notion.SILENCE:
        parts = [guarantees.get(notion) or guarantees.get(Notion.LOCAL) for guarantees in by_notion]
        losses = [replace(guarantee, notion=notion) for guarantee in parts if guarantee is not None]
        if len(losses) == len(parts) and any(notion in guarantees for guarantees in by_notion):
            composed.append(compose(losses))
    return tuple(composed)


def led_by_ranges(form: Form) -> frozenset[str]:
    """Name the numbers, sent as ranges, whose answers decide who is asked another question."""
    after = (form.questions[skip.after] for skip in form.skips)
    return frozenset(
        question.name for question in after if isinstance(question, CutsQuestion | RingQuestion)
    )


MOST_QUESTIONS = 200
_QUESTION_PATH = re.compile(r"questions\[(\d+)\]")
_PRIVATE = re.compile(r"https://|http://(127\.0\.0\.1|localhost)([:/]|$)")

Read = TypeVar("Read")


@checked
def publish(survey: Survey) -> Form:
    """Turn a survey into the form that is deployed.

    Raises
    ------
    SurveyError
        With the path in the survey file of the first thing that cannot be deployed as written.

    >>> from askance.survey.survey_file import parse_survey
    >>> form = publish(parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Example"
    ... consent = "Taking part is voluntary."
    ... [[question]]
    ... name = "affair"
    ... text = "Have you ever had an affair?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }
    ... '''))
    >>> form.questions[0].table.rows
    ((6, 1, 3), (1, 6, 3))
    """
    return deploy(survey).form


def deploy(survey: Survey) -> DeployedForm:
    """Turn a survey into its form and the questions as deployed, each built and judged once."""
    languages, names = check_languages(survey.languages), find_default_labels(survey)
    specs = survey.question
    survey, places = written_out(survey)
    raw, read, built = _built(survey.question, places, names)
    judged = {question.question.name: question.guarantees for question in built}
    _keep_promises(survey, judged, places)
    skips = write_skips(survey.question, places, read)
    added = {
        "sections": write_sections(survey.question, places, languages) or None,
        "skips": skips or None,
        "checklists": write_checklists(specs, places, names) or None,
        "quotas": write_quotas(survey.quota or [], read) or None,
        "ending": write_ending(survey, languages),
        "review": write_review(survey.review, read),
        "look": write_look(survey.look, languages),
        "images": write_images(specs, places, languages) or None,
        "words": write_words(survey.words, languages),
        "tokens": tokens_of(survey),
        "open": open_of(survey),
        "saved": write_saved(survey),
        "seal": _seal_of(survey),
    } | write_device(survey)
    optional = {key: value for key, value in added.items() if value is not None}
    after = (read[skip["after"]] for skip in skips)
    led = {question.name for question in after if isinstance(question, CutsQuestion | RingQuestion)}
    about: Document = {"minimum": _minimum(survey.minimum), "traits": _traits(survey, judged, led)}
    if right := read_right_answers(survey.question, places):
        about["attention"] = right
    newer = bool(optional) or any({"needed", "piped"} & set(entry) for entry in raw)
    document = {
        "askance": version_of(read, newer=newer),
        "languages": list(languages),
        "collector": _collector(survey.collector),
        "questions": raw,
        "size": body_size(read),
        "about": about,
    } | (_texts(survey, languages) | optional)
    form = _as_deployed(lambda: Form.read(document), places)
    return DeployedForm(form, tuple(built))


def _texts(survey: Survey, languages: Sequence[str]) -> Document:
    """Write what is said around the questions."""
    return {
        "title": write_wording(survey.title, languages, "title"),
        "consent": write_wording(survey.consent, languages, "consent"),
        "contact": write_wording(survey.contact, languages, "contact", empty=True),
    }


def deployed_at(path: Path) -> DeployedForm:
    """Read a form or publish a survey file, and build its questions, each once.

    Raises
    ------
    SurveyError
        With the line, too, on which the path stands.

    >>> [len(entry.guarantees) for entry in deployed_at(Path("examples/affairs.toml")).questions]
    [0, 4, 4, 3]
    """
    if path.suffix == ".json":
        return DeployedForm.of(read_form(path))
    try:
        return deploy(load_survey(path))
    except SurveyError as error:
        raise at_line(error, path) from error


def _built(
    specs: Sequence[QuestionSpec], places: Sequence[FilePosition], names: Names
) -> tuple[list[Document], tuple[Question, ...], list[AbstractDeployed]]:
    """Write every question, read it as a device will, build it, and record what it guarantees."""
    if not 1 <= len(specs) <= MOST_QUESTIONS:
        raise SurveyError("question", got=len(specs), allowed=f"1 to {MOST_QUESTIONS} questions")
    written = [_written(*pair, names) for pair in zip(specs, places, strict=True)]
    raw = [document for document, *_ in written]
    refuse_shared_coins(raw, places)
    read = _as_deployed(
        lambda: tuple(
            read_question({"about": {}} | entry, tuple(names), f"questions[{index}]")
            for index, entry in enumerate(raw)
        ),
        places,
    )
    built = [
        deployed(question, channel, exact)
        for question, (_, channel, exact) in zip(read, written, strict=True)
    ]
    for document, question_deployed in zip(raw, built, strict=True):
        about = document.get("coin", document).get("about", {})
        if about:
            about["guarantees"] = _recorded(question_deployed.guarantees)
        if expected := question_deployed.preview():
            about["expected"] = expected.to_dict()
    return raw, read, built


def _as_deployed(read: Callable[[], Read], places: Sequence[FilePosition]) -> Read:
    """Read what was written, so that a refusal names its place in the survey file."""
    try:
        return read()
    except FormError as error:
        where = _QUESTION_PATH.sub(lambda match: places[int(match[1])][0], error.where)
        raise SurveyError(where, got=error.got, allowed=error.allowed) from error


def _recorded(guarantees: Sequence[Guarantee]) -> dict[str, dict[str, str]]:
    return {guarantee.notion.name.lower(): _figures(guarantee) for guarantee in guarantees}


def _figures(guarantee: Guarantee) -> dict[str, str]:
    figures = {"value": guarantee.printed(6), "attained": guarantee.attained}
    if guarantee.notion.is_loss:
        loss = guarantee.epsilon
        figures["epsilon"] = f"{loss:.6f}" if math.isfinite(loss) else "∞"
    if guarantee.spread:
        figures["spread"] = guarantee.spread
    return figures


def _keep_promises(
    survey: Survey, judged: Mapping[str, Sequence[Guarantee]], places: Sequence[FilePosition]
) -> None:
    """Refuse a form whose integers guarantee less than the survey file asks for."""
    for spec, (where, _) in zip(survey.question, places, strict=True):
        promised = {name: value for name, value in (spec.mechanism or {}).items() if name in LEVELS}
        loss = next(
            (guarantee for guarantee in judged[spec.name] if guarantee.notion is Notion.LOCAL), None
        )
        if promised and loss is not None and not loss_within(loss.value, **promised):
            raise SurveyError(
                f"{where}.mechanism.{next(iter(promised))}",
                got=", ".join(map(str, promised.values())),
                allowed=f"at least ε = {loss.epsilon}, which is what whole numbers can keep",
            )


def _traits(
    survey: Survey, judged: Mapping[str, Sequence[Guarantee]], led: set[str]
) -> list[dict[str, Any]]:
    """Compose the guarantees of questions that are declared to be about one trait."""
    groups: dict[str, list[str]] = {}
    for spec in survey.question:
        if not spec.plain:
            groups.setdefault(spec.trait or spec.name, []).append(spec.name)
    return [
        {
            "name": trait,
            "questions": names,
            "guarantees": _recorded(
                together([judged[name] for name in names], led_by_range=not led.isdisjoint(names))
            ),
        }
        for trait, names in groups.items()
        if len(names) > 1
    ]


def _seal_of(survey: Survey) -> str | None:
    """Give the study's public key, if a browser can seal for it."""
    if survey.seal is None:
        return None
    from askance.engines.sealed import check_seal

    try:
        check_seal(survey.seal)
    except InputError as error:
        remedy = "askance seal-key FILE draws a key pair, and prints the public half"
        raise SurveyError("seal", got=error.got, allowed=error.allowed, remedy=remedy) from error
    return survey.seal


def _collector(url: str) -> str:
    """The collector's folder, with the slash that a folder ends in."""
    if url and not _PRIVATE.match(url):
        raise SurveyError(
            "collector", got=url, allowed="an https:// address, or nothing for the page's own"
        )
    return f"{url.rstrip('/')}/" if url else ""


def _minimum(count: int) -> int:
    if not 1 <= count <= 1_000_000:
        raise SurveyError("minimum", got=count, allowed="a number of reports in [1, 1000000]")
    return count


def _written(spec: QuestionSpec, position: FilePosition, names: Names) -> Written:
    """Write one question of the form, and keep the channel that was written.

    Raises
    ------
    SurveyError
        With the path in the survey file.
    """
    where, _ = position
    text = write_wording(spec.text, names, f"{where}.text")
    if spec.comment is not None:
        return {"name": spec.name, "text": text, **_in_own_words(spec.comment, where)}, None, None
    _need_one_kind(spec, where)
    _refuse_strangers(spec, where)
    piped = any(map(piped_names, text.values()))
    head = {"name": spec.name, "text": text, "piped": piped, "needed": spec.required}
    head = {key: value for key, value in head.items() if value}
    if spec.free_text is not None:
        return head | _in_own_words(spec.free_text, f"{where}.free_text"), None, None
    write = write_answers if spec.answers is not None else write_number
    document, channel, exact = write(spec, names, position)
    return head | document, channel, exact


def _need_one_kind(spec: QuestionSpec, where: str) -> None:
    """Refuse a question that is asked in no way, or in two, and a text that is to be protected."""
    kinds = [key for key in ("answers", "line", "free_text") if getattr(spec, key) is not None]
    if len(kinds) != 1:
        allowed = "one of answers = […], line = { … } and free_text = { … }"
        raise SurveyError(where, got=" and ".join(kinds) or "none", allowed=allowed)
    if spec.free_text is not None and not spec.plain:
        raise SurveyError(
            f"{where}.{'group' if spec.mechanism is None else 'mechanism'}",
            got="a text",
            allowed="a text that is sent as it is given",
            remedy="no chance protects what somebody writes: leave it out, or ask with answers",
        )


def _refuse_strangers(spec: QuestionSpec, where: str) -> None:
    """Refuse keys that do not go with the others of a question."""
    if spec.plain:
        for key in ("trait", "blank", "typed"):
            if getattr(spec, key):
                remedy = 'add mechanism = { name = "…" } or leave it out'
                raise SurveyError(f"{where}.{key}", got="a plain question", remedy=remedy)
    for key in ("coin", "replies") if spec.mechanism is None or spec.answers is None else ():
        if getattr(spec, key) is not None:
            allowed = "beside answers and a mechanism, which says its chances"
            raise SurveyError(f"{where}.{key}", got=key, allowed=allowed)
    if spec.assigned is not None and spec.group is None:
        allowed = "beside groups, or a list of chances"
        raise SurveyError(f"{where}.assigned", got=spec.assigned, allowed=allowed)
    if spec.group is not None and (spec.mechanism is not None or spec.line is not None):
        fault = "a line" if spec.mechanism is None else "a mechanism of the question too"
        raise SurveyError(f"{where}.group", got=fault, allowed="answers, asked by each group's own")


def _in_own_words(spec: TextSpec | CommentSpec, where: str) -> Document:
    """Write how long a text may be; a comment belongs to the question before it."""
    lines = spec.lines if spec.lines is not None else 1 if spec.limit <= _SHORT else _LINES
    for key, size, most in (("limit", spec.limit, MOST_CHARACTERS), ("lines", lines, MOST_LINES)):
        if not 1 <= size <= most:
            raise SurveyError(f"{where}.{key}", got=size, allowed=f"1 to {most}")
    comment = {"beside": True} if isinstance(spec, CommentSpec) else {}
    return {"kind": "text", "limit": spec.limit, "lines": lines, **comment}


_SHORT, _LINES = 100, 4
"""Up to so many characters a text has one line if nothing is said; beyond it has these."""
