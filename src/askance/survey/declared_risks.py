"""What a survey file declares of a question's risk: its innocent answer, and proofs it accepts."""

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

from askance.channels.cut_law import law_written, read_law
from askance.privacy.evidence import (
    ClaimKind,
    QuestionEvidence,
    ReportEvidence,
    question_evidence,
)
from askance.privacy.population import (
    Population,
    Posterior,
    convicted_share,
    declared_population,
    posteriors,
    worst_population,
)
from askance.survey.random_ranges import describe_range, format_number
from askance.survey.specs import QuestionSpec, locate_errors
from askance_collect.arguments import checked
from askance_collect.errors import FormError, InputError, SurveyError, nearest
from askance_collect.exact.ratio import cautious, chance, percent, read_ratio
from askance_collect.wire.answer_question import Choice, TableQuestion
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.proof import name_events, read_about
from askance_collect.wire.question import CutsQuestion, Question, RangeQuestion, RingQuestion

Document = dict[str, Any]

ACCEPTED = "accepted"
"""What `proves` says where reports may prove an answer."""

_INNOCENT_LAST = frozenset({"one_sided", "mangat", "triangular", "hidden"})
"""Designs whose last answer is the innocent one, by their definition."""


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
    if spec.expect is not None:
        written["population"] = _write_population(spec.expect, f"{where}.expect")
    if spec.proves is not None or spec.proves_reason is not None:
        written["proves"] = _read_reason(spec, where)
    return written


def _write_population(expect: Mapping[str, Any], where: str) -> dict[str, str]:
    """Write a population with its shares as fractions, and the law of the rest as a text."""
    written = {}
    for name, share in expect.items():
        if name == "spread" and not isinstance(share, int | float | Decimal):
            written[name] = law_written(locate_errors(where, partial(read_law, share, "spread")))
        else:
            written[name] = str(locate_errors(where, partial(chance, share, name)))
    return written


def _read_innocent(innocent: object, document: Mapping[str, Any], where: str) -> str:
    """Read the innocent answer: the name of one, or a number of the line."""
    if "line" not in document:
        coin = document.get("coin", document)
        names = [label["name"] for label in coin.get("sets", coin.get("answers", ()))]
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
    if spec.innocent is None and not _INNOCENT_LAST.isdisjoint(_name_designs(spec)):
        proofs = tuple(proof for proof in proofs if not _is_of_last_answer(proof, question))
    if proofs and spec.proves is None:
        worst = max(proofs, key=_is_of_innocence)
        raise SurveyError(
            f"{where}.{_where_chance_is(spec)}",
            got=f"a report that proves: {describe_proof(question, worst)}",
            allowed="reports that more than one answer can send, the innocent one among them"
            if evidence.innocent is not None
            else "reports that more than one answer can send",
            remedy=f"{_write_remedy(spec, question, evidence)}; or accept it: "
            f'proves = "{ACCEPTED}" and proves_reason = "…"',
        )


def _refuse_population(question: Question, where: str) -> None:
    try:
        declared_population(question)
    except FormError as error:
        remedy = error.remedy or 'such as expect = { yes = "1/10", no = "9/10" } for answers'
        raise SurveyError(where, got=error.got, allowed=error.allowed, remedy=remedy) from error


def _is_of_innocence(proof: ReportEvidence) -> bool:
    return any(claim.kind is ClaimKind.NOT_INNOCENT for claim in proof.claims)


def _name_designs(spec: QuestionSpec) -> set[object]:
    """Name the design of a question, or those of its groups."""
    recipes = [spec.mechanism or {}, *(group.mechanism for group in spec.group or ())]
    return {recipe.get("name") for recipe in recipes}


def _is_of_last_answer(proof: ReportEvidence, question: Question) -> bool:
    judged = question.underlying_question if isinstance(question, Choice) else question
    assert isinstance(judged, TableQuestion)
    last = len(judged.answers) - 1
    return all(claim.position == last for claim in proof.claims)


def _where_chance_is(spec: QuestionSpec) -> str:
    return "mechanism" if spec.mechanism is not None else "group"


def describe_proof(question: Question, proof: ReportEvidence) -> str:
    """Describe what a report proves, with the names of the form.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> forced = Table(6, ((6, 0), (1, 5)))
    >>> question = TableQuestion("q", {}, yn, yn, ((0,), (1,)), forced, (0, 1), {})
    >>> describe_proof(question, question_evidence(question).proofs[0])
    '“no” proves the answer “no”'
    """
    claims = [_describe_claim(question, claim.kind, claim.position) for claim in proof.claims]
    return f"{describe_report(question, proof.report)} proves {' and '.join(claims)}"


def describe_report(question: Question, report: object) -> str:
    """Describe a report by its name, its range, or as nothing sent."""
    if report is None:
        return "nothing sent"
    judged = question.underlying_question if isinstance(question, Choice) else question
    if isinstance(judged, TableQuestion):
        assert isinstance(report, int)
        return f"“{judged.reports[report].name}”"
    assert isinstance(judged, CutsQuestion | RingQuestion)
    assert isinstance(report, tuple)
    return f"“{describe_range(judged, report)}”"


def _describe_claim(question: Question, kind: ClaimKind, position: int) -> str:
    judged = question.underlying_question if isinstance(question, Choice) else question
    if isinstance(judged, CutsQuestion | RingQuestion):
        return _describe_number_claim(judged, kind, position)
    assert isinstance(judged, TableQuestion)
    match kind:
        case ClaimKind.ITEM_TICKED:
            return f"that “{judged.items[position].name}” is ticked"
        case ClaimKind.ITEM_LEFT:
            return f"that “{judged.items[position].name}” is not ticked"
        case ClaimKind.SET:
            assert isinstance(question, Choice)
            assert question.coin is not None
            return f"the answer “{question.coin.sets[position][0].name}”"
        case ClaimKind.NOT_INNOCENT:
            return f"that the answer is not “{judged.answers[position].name}”"
        case ClaimKind.ANSWER:
            return f"the answer “{judged.answers[position].name}”"


def _describe_number_claim(question: RangeQuestion, kind: ClaimKind, position: int) -> str:
    number = format_number(question.line.value_at(position + 1))
    named = f"{number} {in_first_language(question.unit)}".rstrip()
    if kind is ClaimKind.NOT_INNOCENT:
        declared = question.about["innocent"]
        return f"that the answer is not {format_number(read_ratio(declared, 'innocent'))}"
    return f"the answer {named}"


def _write_remedy(spec: QuestionSpec, question: Question, evidence: QuestionEvidence) -> str:
    """Write what to change in the survey file, by what is proved and by which kind of question."""
    if isinstance(question, CutsQuestion | RingQuestion):
        if evidence.innocent is not None:
            return (
                "a range never lies, so one without the innocent number convicts: ask in bands "
                'that may lie, answers = ["0", "1 to 5", "more than 5"] and '
                'mechanism = { name = "kary", epsilon = 1 }, or ask yes or no by such a mechanism '
                "and leave the number out"
            )
        return _write_cuts_remedy(spec, question)
    if spec.mechanism is not None and spec.mechanism.get("name") == "abstain":
        return "let some answers be lies: lie above 0"
    return (
        'let every answer send every report: mechanism = { name = "kary", epsilon = 1 }, or say '
        "which answer harms nobody, innocent = …, if this one does not"
    )


def _write_cuts_remedy(spec: QuestionSpec, question: RangeQuestion) -> str:
    """Write cuts that leave more than one number in each range, or ranges with a floor."""
    line, recipe = question.line, spec.mechanism or {}
    is_single_cut = recipe.get("name") == "cuts" and recipe.get("number", 1) == 1
    if is_single_cut and line.ticks > 3:
        low, high = (format_number(line.value_at(tick)) for tick in (2, line.ticks - 1))
        return f"let no cut fall beside a single number: between = [{low}, {high}]"
    return 'keep ranges wide: mechanism = { name = "progressive", number = 3, floor = "1/5" }'


_FEW = 3
"""So many proofs, or posteriors, are written out."""


@checked
def describe_risks(question: Question) -> tuple[str, ...]:
    """Describe the proofs and the posteriors of a question's reports.

    >>> from askance.survey import load_survey, publish
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> describe_risks(form.question("affair"))
    ()
    """
    evidence = question_evidence(question)
    if not evidence.is_protected:
        return ()
    proofs = _describe_proofs(question, evidence)
    population = declared_population(question)
    if population is None:
        return proofs
    if isinstance(question, CutsQuestion | RingQuestion):
        return *proofs, *_describe_convicted(question, population)
    judged = sorted(posteriors(question, population), key=lambda report: -report.gain)
    return *proofs, *(_describe_posterior(question, report) for report in judged[:_FEW])


def _describe_proofs(question: Question, evidence: QuestionEvidence) -> tuple[str, ...]:
    proofs = [describe_proof(question, proof) for proof in evidence.proofs[:_FEW]]
    if (more := len(evidence.proofs) - len(proofs)) > 0:
        proofs.append(f"{more:,} more of what can be sent {'does' if more == 1 else 'do'} so too")
    return (f"{'; '.join(proofs)}.",) if proofs else ()


def _describe_convicted(question: RangeQuestion, population: Population) -> Iterator[str]:
    if population.innocent is None or not population.guilty:
        return
    share = convicted_share(question, population)
    innocent = format_number(read_ratio(question.about["innocent"], "innocent"))
    guilty, hit = (percent(part) for part in (population.guilty, share / population.guilty))
    yield (
        f"Of 100 people, {guilty} have another answer than {innocent}, as the survey expects. Of "
        f"100 of these, {hit} send what proves it."
    )


def _describe_posterior(question: Question, posterior: Posterior) -> str:
    names, answer = name_events(question), posterior.answer
    which = f"the answer “{names[answer]}”"
    if posterior.is_guilt:
        others = [name for i, name in enumerate(names) if i != answer]
        another = f"another answer than “{names[answer]}”"
        which = another if len(others) > 1 else f"the answer “{others[0]}”"
    return (
        f"Of 100 people who send {describe_report(question, posterior.report)}, "
        f"{percent(posterior.posterior)} have {which}, where {percent(posterior.prior)} of 100 "
        "people do, as the survey expects."
    )


@checked
def describe_worst_population(question: Question) -> str:
    """Describe the population in which a report reveals most; empty if none does.

    >>> from askance.survey import load_survey, publish
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> describe_worst_population(form.question("affair"))[:61]
    '“yes” tells most where 29 of 100 people have the answer “yes”'
    """
    judged = question.underlying_question if isinstance(question, Choice) else question
    if not isinstance(judged, TableQuestion) or not question_evidence(question).is_protected:
        return ""
    worst = worst_population(question)
    if worst is None or worst.other is None:
        return ""
    names = name_events(question)
    return (
        f"{describe_report(question, worst.report)} tells most where {percent(worst.prior)} of 100 "
        f"people have the answer “{names[worst.answer]}”, and all others have "
        f"“{names[worst.other]}”: of 100 who send it, {percent(worst.posterior)} have it then."
    )


def describe_trait(questions: Sequence[Question], loss: Fraction | float | None) -> str:
    r"""Describe the largest posterior of all reports about one trait together.

    .. math:: \frac{p \Lambda}{p \Lambda + 1 - p}

    with p the largest share of people with another answer than an innocent one, and Λ the product
    of the questions' ratios. Empty where no population is declared, or nothing bounds the ratio.

    References
    ----------
    Leysieffer & Warner (1976), for odds that are multiplied by the ratio.

    >>> describe_trait([], Fraction(9))
    ''
    """
    populations = filter(None, map(declared_population, questions))
    guilty = [people.guilty for people in populations if people.innocent is not None]
    if not guilty or loss is None or loss == math.inf:
        return ""
    prior, ratio = max(guilty), Fraction(loss)
    posterior = prior * ratio / (prior * ratio + 1 - prior)
    return (
        f"Of 100 people with the most telling reports to all of them, at most "
        f"{cautious(posterior, math.ceil)} have another answer than the innocent one, where "
        f"{percent(prior)} of 100 people do, as the survey expects."
    )


def accepted_reason(question: Question) -> str:
    """Read the reason for which the survey accepts that reports prove an answer; empty if none.

    >>> from askance.survey import load_survey, publish
    >>> accepted_reason(publish(load_survey("examples/affairs.toml")).question("affair"))
    ''
    """
    reason = read_about(question).get("proves")
    return reason if isinstance(reason, str) else ""
