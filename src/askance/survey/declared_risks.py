"""The declared risk of a question: its innocent answer, and the proofs that are accepted."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from askance.channels.number_law import law_written, read_law
from askance.mechanisms.catalogue import has_innocent_last
from askance.privacy.evidence import ClaimKind, ReportEvidence, question_evidence
from askance.privacy.population import CONTROL, declared_population
from askance.survey.question_risk import describe_proof, describe_remedy, find_remedy
from askance.survey.report_preview import format_number
from askance.survey.specs import QuestionSpec, locate_errors
from askance_collect.errors import FormError, InputError, SurveyError, nearest
from askance_collect.exact.ratio import chance, read_ratio
from askance_collect.wire.proof import read_about
from askance_collect.wire.question import Question

Document = dict[str, Any]

ACCEPTED = "accepted"
"""What `proves` says where reports may prove an answer."""


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
        raise SurveyError(where, got=error.got, allowed=error.allowed, remedy=remedy) from error


def _is_of_innocence(proof: ReportEvidence) -> bool:
    return any(claim.kind is ClaimKind.NOT_INNOCENT for claim in proof.claims)


def _where_chance_is(spec: QuestionSpec) -> str:
    if spec.sensitive is not None:
        return "sensitive"
    return "mechanism" if spec.mechanism is not None else "group"


def accepted_reason(question: Question) -> str:
    """Read the reason for which the survey accepts that reports prove an answer; empty if none.

    >>> from askance.survey import load_survey, publish
    >>> accepted_reason(publish(load_survey("examples/affairs.toml")).question("affair"))
    ''
    """
    reason = read_about(question).get("proves")
    return reason if isinstance(reason, str) else ""
