"""From a Survey to a Form: build the channels, round them, judge them, keep them by question."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from askance.channels.number_law import law_written, read_law
from askance.mechanisms.catalogue import has_innocent_last
from askance.privacy.evidence import ClaimKind, ReportEvidence, question_evidence
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.population import CONTROL, declared_population
from askance.survey.appearance import write_images, write_look
from askance.survey.deployed import DeployedForm, DeployedQuestion, deployed, together
from askance.survey.invitations import write_open_link, write_tokens
from askance.survey.multi_select import write_checklists
from askance.survey.question_risk import describe_proof, describe_remedy, find_remedy
from askance.survey.report_preview import format_number
from askance.survey.routing import (
    write_device,
    write_ending,
    write_grids,
    write_quotas,
    write_review,
    write_saved,
    write_sections,
    write_skips,
)
from askance.survey.row_crowd import write_crowd
from askance.survey.specs import (
    CommentSpec,
    FilePosition,
    Names,
    QuestionSpec,
    Survey,
    TextSpec,
    check_languages,
    locate_errors,
    write_wording,
)
from askance.survey.survey_file import at_line, find_default_labels, load_survey, written_out
from askance.survey.translations import write_words
from askance.survey.written_questions import (
    LEVELS,
    Document,
    WrittenChannel,
    WrittenQuestion,
    refuse_shared_coins,
    write_answers,
    write_item_count,
    write_number,
    write_right_answer,
)
from askance_collect.arguments import checked
from askance_collect.errors import (
    FormError,
    InputError,
    MissingExtra,
    SurveyError,
    nearest,
    restate,
)
from askance_collect.exact.level import loss_within
from askance_collect.exact.ratio import chance, read_ratio
from askance_collect.wire.form import Form, body_size, piped_names, read_form, version_of
from askance_collect.wire.question import (
    MOST_CHARACTERS,
    MOST_LINES,
    CutsQuestion,
    Question,
    RingQuestion,
    read_question,
)
from askance_collect.wire.token import from_base64url

MOST_QUESTIONS = 200
ACCEPTED = "accepted"
"""What `proves` says where reports may prove an answer."""

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
    optional = _write_order(survey, places, languages, read)
    has_lists = any(spec.is_multi_select for spec in specs)
    if has_lists and (checklists := write_checklists(specs, places, names)):
        optional["checklists"] = checklists
    has_items = any(spec.items is not None or spec.grid for spec in specs)
    if has_items and (grids := write_grids(specs, places, names, raw)):
        optional["grids"] = grids
    optional |= _write_surroundings(survey, languages, read)
    if any(spec.has_image for spec in specs):
        optional["images"] = write_images(specs, places, languages)
    after = (read[skip["after"]] for skip in optional.get("skips", ()))
    led = {question.name for question in after if isinstance(question, CutsQuestion | RingQuestion)}
    about: Document = {"minimum": _minimum(survey.minimum), "traits": _traits(survey, judged, led)}
    if right := read_right_answers(survey.question, places):
        about["attention"] = right
    if crowd := write_crowd(survey, survey.question, places, read):
        about["crowd"] = crowd
    if survey.evidence is not None:
        from askance.survey.comprehension import describe_evidence, write_explanations

        spec_names = [spec.name for spec in survey.question]
        optional["evidence"] = write_explanations(survey.evidence, languages, spec_names)
        about["evidence"] = describe_evidence(survey.evidence, survey.question)
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


def _write_order(
    survey: Survey,
    places: Sequence[FilePosition],
    languages: Sequence[str],
    questions: Sequence[Question],
) -> Document:
    """Write sections, skip rules and quotas, where the survey has them."""
    specs, written = survey.question, Document()
    if any(spec.skip is not None for spec in specs):
        written["skips"] = write_skips(specs, places, questions)
    if any(spec.section is not None for spec in specs):
        written["sections"] = write_sections(specs, places, languages)
    if survey.quota:
        written["quotas"] = write_quotas(survey.quota, questions)
    return written


def _write_surroundings(
    survey: Survey, languages: Sequence[str], questions: Sequence[Question]
) -> Document:
    """Write what the survey says of its last screen, its looks, its senders and its device."""
    writers: list[tuple[str, bool, Callable[[], object]]] = [
        ("ending", survey.ending is not None, lambda: write_ending(survey, languages)),
        ("review", survey.review is not None, lambda: write_review(survey.review, questions)),
        ("look", survey.look is not None, lambda: write_look(survey.look, languages)),
        ("words", survey.words is not None, lambda: write_words(survey.words or "", languages)),
        ("tokens", survey.tokens is not None, lambda: write_tokens(survey)),
        ("open", survey.open is not None, lambda: write_open_link(survey)),
        ("saved", survey.saved, lambda: write_saved(survey)),
        ("apart", survey.apart, lambda: True),
        ("seal", survey.seal is not None, lambda: _seal_of(survey)),
    ]
    written = {key: write() for key, is_given, write in writers if is_given}
    if survey.tablet or survey.pin or survey.later is not False:
        written |= write_device(survey)
    return {key: value for key, value in written.items() if value is not None}


def read_right_answers(
    specs: Sequence[QuestionSpec], places: Sequence[FilePosition]
) -> dict[str, str]:
    """Name the right answer of each question that checks attention.

    Raises
    ------
    SurveyError
        If such a question is protected, has no answers, or not that one.

    >>> spec = QuestionSpec("colour", "Choose blue.", ["red", "blue"], attention="blue")
    >>> read_right_answers([spec], [("question[0]", "")])
    {'colour': 'blue'}
    """
    right_by_name = {}
    for spec, (path, _) in zip(specs, places, strict=True):
        if (right := spec.attention) is None:
            continue
        where = f"{path}.attention"
        if not spec.plain or spec.answers is None:
            problem = "a line" if spec.plain else "a protected question"
            remedy = "ask it directly, with answers: a mechanism would make attentive people fail"
            raise SurveyError(where, got=problem, allowed="a plain question", remedy=remedy)
        names = [
            answer.strip() if isinstance(answer, str) else str(answer["name"])
            for answer in spec.answers
        ]
        if right not in names:
            remedy = nearest(right, names)
            raise SurveyError(where, got=right, allowed=", ".join(names), remedy=remedy)
        right_by_name[spec.name] = right
    return right_by_name


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


def questions_at(path: Path) -> list[tuple[Question, WrittenChannel]]:
    """Read the questions of a form, or those that a survey file would publish, and judge none.

    Beside each stands the channel that was just written into it, if one was.

    Raises
    ------
    SurveyError
        With the line, too, on which the path stands.

    >>> [question.kind for question, _ in questions_at(Path("examples/affairs.toml"))]
    ['choice', 'table', 'table', 'cuts']
    """
    if path.suffix == ".json":
        return [(question, None) for question in read_form(path).questions]
    try:
        survey = load_survey(path)
        check_languages(survey.languages)
        names = find_default_labels(survey)
        survey, places = written_out(survey)
        written = _write_questions(survey.question, places, names)
        read = _read_written([document for document, *_ in written], places, names)
        return [
            (question, channel) for question, (_, channel, _) in zip(read, written, strict=True)
        ]
    except SurveyError as error:
        raise at_line(error, path) from error


def _write_questions(
    specs: Sequence[QuestionSpec], places: Sequence[FilePosition], names: Names
) -> list[WrittenQuestion]:
    """Write every question into the form, and what the survey declares of its risk."""
    if not 1 <= len(specs) <= MOST_QUESTIONS:
        raise SurveyError("question", got=len(specs), allowed=f"1 to {MOST_QUESTIONS} questions")
    written = [_written(*pair, names) for pair in zip(specs, places, strict=True)]
    refuse_shared_coins([document for document, *_ in written], places)
    for spec, (document, *_), (where, _) in zip(specs, written, places, strict=True):
        if not spec.plain:
            document.get("coin", document)["about"] |= write_risks(spec, document, where)
    return written


def _read_written(
    raw: Sequence[Document], places: Sequence[FilePosition], names: Names
) -> tuple[Question, ...]:
    """Read the questions that were written, as a device will."""
    return _as_deployed(
        lambda: tuple(
            read_question({"about": {}} | entry, tuple(names), f"questions[{index}]")
            for index, entry in enumerate(raw)
        ),
        places,
    )


def _built(
    specs: Sequence[QuestionSpec], places: Sequence[FilePosition], names: Names
) -> tuple[list[Document], tuple[Question, ...], list[DeployedQuestion]]:
    """Write every question, read it as a device will, build it, and record what it guarantees."""
    written = _write_questions(specs, places, names)
    raw = [document for document, *_ in written]
    read = _read_written(raw, places, names)
    for spec, question, (where, _) in zip(specs, read, places, strict=True):
        refuse_risks(spec, question, where)
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
        raise restate(error, where, SurveyError) from error


def _recorded(guarantees: Sequence[Guarantee]) -> dict[str, dict[str, str]]:
    return {guarantee.notion.name.lower(): _figures(guarantee) for guarantee in guarantees}


def _figures(guarantee: Guarantee) -> dict[str, str]:
    figures = {"value": guarantee.printed(6), "attained": guarantee.attained}
    if guarantee.notion.is_loss:
        loss = guarantee.epsilon
        figures["epsilon"] = f"{loss:.6f}" if math.isfinite(loss) else "∞"
    if guarantee.assumed_population:
        figures["spread"] = guarantee.assumed_population
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
                allowed=f"at least ε = {loss.epsilon}, which the rounded whole numbers keep",
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
    try:
        check_seal(survey.seal)
    except InputError as error:
        remedy = "askance seal-key FILE draws a key pair, and prints the public half"
        raise restate(error, "seal", SurveyError, remedy) from error
    return survey.seal


@checked
def check_seal(seal: str) -> None:
    """Refuse a public key for which no browser could seal.

    Parameters
    ----------
    seal : str
        As a survey file says it.

    Raises
    ------
    InputError
        If it is not two public keys in URL-safe base64.
    MissingExtra
        Without ``pip install 'askance[seal]'``.

    >>> check_seal("tea")
    Traceback (most recent call last):
    askance_collect.errors.InputError: seal: got 'tea'; allowed: a public key as askance seal-key...
    """
    try:
        from cryptography.hazmat.primitives.asymmetric import ec, x25519
    except ImportError as error:
        raise MissingExtra("cryptography", "seal") from error
    raw = from_base64url(seal)
    try:
        if raw is None or len(raw) != _X25519_BYTES + _P256_BYTES:
            raise ValueError("another length")
        x25519.X25519PrivateKey.generate().exchange(
            x25519.X25519PublicKey.from_public_bytes(raw[:_X25519_BYTES])
        )
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw[_X25519_BYTES:])
    except ValueError as error:
        allowed = "a public key as askance seal-key prints it"
        raise InputError("seal", got=seal, allowed=allowed) from error


_X25519_BYTES, _P256_BYTES = 32, 65
"""Length of a public key of each curve."""


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


def _written(spec: QuestionSpec, position: FilePosition, names: Names) -> WrittenQuestion:
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
    if spec.right is not None:
        write = write_right_answer
    if spec.sensitive is not None:
        write = write_item_count
    document, channel, exact = write(spec, names, position)
    return head | document, channel, exact


def _need_one_kind(spec: QuestionSpec, where: str) -> None:
    """Refuse a question without a way of asking or with two, and a protected text."""
    keys = "answers", "line", "free_text", "sensitive"
    kinds = [key for key in keys if getattr(spec, key) is not None]
    if len(kinds) != 1:
        allowed = "one of answers = […], line = { … }, free_text = { … } and sensitive = …"
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
        for key in ("trait", "blank", "typed", "innocent", "proves", "right"):
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
    """Write the limits of a text, and whether it is sealed or comments on another question."""
    lines = spec.lines if spec.lines is not None else 1 if spec.limit <= _SHORT else _LINES
    for key, size, most in (("limit", spec.limit, MOST_CHARACTERS), ("lines", lines, MOST_LINES)):
        if not 1 <= size <= most:
            raise SurveyError(f"{where}.{key}", got=size, allowed=f"1 to {most}")
    comment = {"beside": True} if isinstance(spec, CommentSpec) else {}
    kind = "sealed" if spec.sealed else "text"
    return {"kind": kind, "limit": spec.limit, "lines": lines, **comment}


_SHORT, _LINES = 100, 4
"""Up to so many characters a text has one line if nothing is said; beyond it has these."""


def write_risks(spec: QuestionSpec, document: Mapping[str, Any], where: str) -> Document:
    """Write what a survey file declares of a protected question's risk, for its `about`.

    Raises
    ------
    SurveyError
        If the innocent answer is none of the question, or an acceptance has no reason.

    >>> from askance.survey.specs import QuestionSpec
    >>> spec = QuestionSpec("doped", "Have you doped?", innocent="never")
    >>> write_risks(spec, {"answers": [{"name": "yes"}, {"name": "never"}]}, "question[0]")
    {'innocent': 'never'}
    """
    written: Document = {}
    if spec.innocent is not None:
        written["innocent"] = _read_innocent(spec.innocent, document, f"{where}.innocent")
    elif any(map(has_innocent_last, _name_designs(spec))):
        written["innocent"] = _list_names(document)[-1]
    if spec.expect is not None:
        written |= _write_population(spec.expect, document, f"{where}.expect")
    if spec.proves is not None or spec.proves_reason is not None:
        written["proves"] = _read_reason(spec, where)
    return written


def _write_population(
    expect: Mapping[str, Any], document: Mapping[str, Any], where: str
) -> Document:
    """Write a population with its shares as fractions, and the law of the rest as a text.

    Of a list experiment also how many of the harmless items people have.
    """
    control, written = {}, {}
    if "count" in document:
        control = {CONTROL: _read_control(expect, document, f"{where}.{CONTROL}")}
        expect = {name: share for name, share in expect.items() if name != CONTROL}
    for name, share in expect.items():
        if name == "spread" and not isinstance(share, int | float | Decimal):
            written[name] = law_written(locate_errors(where, partial(read_law, share, "spread")))
        else:
            written[name] = str(locate_errors(where, partial(chance, share, name)))
    return {"population": written, **control}


def _read_control(expect: Mapping[str, Any], document: Mapping[str, Any], where: str) -> list[str]:
    """Read how many people have 0, 1, … and all of the harmless items."""
    most, written = len(document["count"]["items"]), expect.get(CONTROL)
    allowed = f"{most + 1} shares that sum to 1: of people with 0 to {most} of the items"
    if not isinstance(written, list) or len(written) != most + 1:
        got = f"{len(written)} shares" if isinstance(written, list) else written or "nothing"
        remedy = f"add {CONTROL} = […], from a pilot of the control list"
        raise SurveyError(where, got=got, allowed=allowed, remedy=remedy)
    shares = [locate_errors(where, partial(chance, share, CONTROL)) for share in written]
    if sum(shares) != 1:
        raise SurveyError(where, got=f"a sum of {sum(shares)}", allowed=allowed)
    return list(map(str, shares))


def _read_innocent(innocent: object, document: Mapping[str, Any], where: str) -> str:
    """Read the innocent answer: the name of one, or a number of the line."""
    if "line" not in document:
        names = _list_names(document)
        if innocent in names:
            return str(innocent)
        hint = nearest(str(innocent), names)
        raise SurveyError(where, got=innocent, allowed=", ".join(names), remedy=hint)
    line = document["line"]
    lower, step = read_ratio(line["lower"], where), read_ratio(line["step"], where)
    lower, upper = lower + bool(line.get("whole", False)), lower + line["ticks"] * step
    allowed = f"a number of the line, from {format_number(lower)} to {format_number(upper)}"
    try:
        number = read_ratio(innocent, where)
    except InputError as error:
        raise SurveyError(where, got=innocent, allowed=allowed) from error
    if not lower <= number <= upper or (line.get("whole") and number.denominator > 1):
        raise SurveyError(where, got=str(number), allowed=allowed)
    return str(number)


def _list_names(document: Mapping[str, Any]) -> list[str]:
    judged = document.get("coin", document.get("count", document))
    return [label["name"] for label in judged.get("sets", judged.get("answers", ()))]


def _name_designs(spec: QuestionSpec) -> Iterator[str]:
    """Name the design of a question, or those of its groups."""
    recipes = [spec.mechanism or {}, *(group.mechanism for group in spec.group or ())]
    return (str(recipe.get("name")) for recipe in recipes)


def _read_reason(spec: QuestionSpec, where: str) -> str:
    """Read the reason for which reports may prove an answer."""
    if spec.proves != ACCEPTED:
        allowed = f'"{ACCEPTED}", or nothing'
        raise SurveyError(f"{where}.proves", got=spec.proves or "nothing", allowed=allowed)
    if spec.proves_reason is None or not spec.proves_reason.strip():
        raise SurveyError(
            f"{where}.proves",
            got=f"{spec.proves} without a reason",
            allowed="a reason that the ethics board reads",
            remedy='add proves_reason = "…": why people may be told that a report proves an answer',
        )
    return spec.proves_reason.strip()


def refuse_risks(spec: QuestionSpec, question: Question, where: str) -> None:
    """Refuse a question whose reports can prove a protected answer, unless its file accepts it.

    A population that is none is refused too.

    Raises
    ------
    SurveyError
        With the report that proves, and what to write instead.
    """
    _refuse_population(question, f"{where}.expect")
    evidence = question_evidence(question)
    proofs = evidence.harmful_proofs
    if proofs and spec.proves is None:
        worst, remedy = max(proofs, key=_is_of_innocence), find_remedy(question, evidence)
        raise SurveyError(
            f"{where}.{_where_chance_is(spec)}",
            got=f"a report that proves: {describe_proof(question, worst)}",
            allowed="reports that more than one answer can send, the innocent one among them"
            if evidence.innocent is not None
            else "reports that more than one answer can send",
            remedy=describe_remedy(question, remedy, accepted=ACCEPTED),
        )


def _refuse_population(question: Question, where: str) -> None:
    try:
        declared_population(question)
    except FormError as error:
        remedy = error.remedy or 'such as expect = { yes = "1/10", no = "9/10" } for answers'
        raise restate(error, where, SurveyError, remedy) from error


def _is_of_innocence(proof: ReportEvidence) -> bool:
    return any(claim.kind is ClaimKind.NOT_INNOCENT for claim in proof.claims)


def _where_chance_is(spec: QuestionSpec) -> str:
    if spec.sensitive is not None:
        return "sensitive"
    return "mechanism" if spec.mechanism is not None else "group"
