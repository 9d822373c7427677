"""The risk of a question as deployed: what its reports prove, and about how many people.

Values first, sentences last: those stand in `risks.toml` by the members of enums.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from textwrap import fill
from typing import TYPE_CHECKING, Any, final

import numpy as np

from askance.privacy.evidence import (
    Claim,
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
    find_answering_share,
    list_event_chances,
    posteriors,
    worst_population,
)
from askance.results import result_frame, result_stream
from askance.survey.report_preview import describe_number, describe_range, format_number
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.exact.ratio import cautious, percent, read_ratio
from askance_collect.wire.proof import name_events, read_about
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
)
from askance_collect.wire.toml_text import packaged_toml

if TYPE_CHECKING:
    from askance.privacy.population import JointPosterior

_WORDS: dict[str, dict[str, str]] = packaged_toml("askance.survey", "risks.toml")
_COLUMNS = 80
_FEW = 3
"""So many proofs, or posteriors, are written out."""


AS_DECLARED = "if people are as the survey expects"
_TRACE = 1e-9


def declared_shares(question: Question) -> Floats | None:
    """Read the declared share of each answer, step or set, above zero everywhere; None without.

    Where an answer is thought to be nobody's, no information bounds what is learnt about it.
    """
    population = declared_population(question)
    if population is None:
        return None
    shares = np.maximum(np.array(population.shares, dtype=np.float64), _TRACE)
    scaled: Floats = shares / shares.sum()
    return scaled


@final
class PopulationKind(Enum):
    """The population in which the posteriors of a question's reports are computed.

    >>> PopulationKind.DECLARED.value
    'as the survey expects'
    """

    DECLARED = "as the survey expects"
    WORST = "where a report reveals most"
    NONE = "none: its reports have no chances by answer, or reveal nothing"


@final
class Remedy(Enum):
    """How a survey file can avoid reports that prove a protected answer.

    A ring, and a range that everybody sends, are none: a range never lies.

    >>> Remedy.BANDS.value
    'bands by a mechanism that may lie'
    """

    LIE = "a chance of a lie"
    BANDS = "bands by a mechanism that may lie"
    BETWEEN = "cuts that leave two numbers on each side"
    FLOOR = "ranges with a floor"
    KARY = "a mechanism by which every answer sends every report"
    NO_COUNT = "an answer by such a mechanism, in place of a list to count"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRisk:
    """What the reports to a question prove and make likelier, and for how many people.

    Attributes
    ----------
    evidence : QuestionEvidence
        What each report proves, excludes or makes likelier.
    question : Question
    population : PopulationKind
    posteriors : tuple of Posterior
        Of each report in the declared population, the most telling first; of the one report that
        tells most in the worst population.
    guilty : Fraction, optional
        The declared share of people with another answer than the innocent one.
    hit : Fraction, optional
        The share of people who send a report that proves what can harm them.
    remedy : Remedy, optional
        What to write instead, if any report proves what can harm.

    >>> from askance.survey import load_survey, publish
    >>> affair = publish(load_survey("examples/affairs.toml")).question("affair")
    >>> risk: QuestionRisk = question_risk(affair)
    >>> risk.population.name, len(risk.posteriors), risk.remedy
    ('WORST', 1, None)
    """

    question: Question
    evidence: QuestionEvidence
    population: PopulationKind
    posteriors: tuple[Posterior, ...] = ()
    guilty: Fraction | None = None
    hit: Fraction | None = None
    remedy: Remedy | None = None

    def to_dict(self) -> Json:
        """Write the risk for JSON: shares as fractions, reports and answers by their names."""
        names = _list_names(self.question)
        return {
            "disclosure": self.evidence.disclosure.name.lower(),
            "proofs": [
                {
                    "report": name_report(self.question, proof.report),
                    "proves": [claim.kind.name.lower() for claim in proof.claims],
                }
                for proof in self.evidence.proofs
            ],
            "population": self.population.name.lower(),
            "posteriors": [
                {
                    "report": name_report(self.question, report.report),
                    "answer": names[report.answer],
                    "another": report.is_guilt,
                    "others": None if report.other is None else names[report.other],
                    "prior": str(report.prior),
                    "posterior": str(report.posterior),
                    "sent": str(report.sent),
                }
                for report in self.posteriors
            ],
            "guilty": None if self.guilty is None else str(self.guilty),
            "hit": None if self.hit is None else str(self.hit),
            "remedy": None if self.remedy is None else self.remedy.name.lower(),
        }

    def _frame(self) -> dict[str, Any]:
        names, reports = _list_names(self.question), self.posteriors
        return {
            "report": [name_report(self.question, posterior.report) for posterior in reports],
            "answer": [names[posterior.answer] for posterior in reports],
            "another": [posterior.is_guilt for posterior in reports],
            "prior": [float(posterior.prior) for posterior in reports],
            "posterior": [float(posterior.posterior) for posterior in reports],
            "sent": [float(posterior.sent) for posterior in reports],
        }

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def question_risk(question: Question) -> QuestionRisk:
    """Compute what the reports to a question prove and make likelier, and for how many, exactly.

    Parameters
    ----------
    question : Question
        Of a form.

    >>> from askance.survey import load_survey, publish
    >>> doped = publish(load_survey("examples/doping.toml")).question("doped")
    >>> [str(report.posterior) for report in question_risk(doped).posteriors]
    ['3/14', '3/47']
    """
    evidence, people = question_evidence(question), declared_population(question)
    remedy = find_remedy(question, evidence) if evidence.harmful_proofs else None
    is_table = _is_table(question) and evidence.is_protected
    listed: tuple[Posterior, ...] = ()
    kind, hit = PopulationKind.NONE, None
    if people is not None and evidence.is_protected:
        kind = PopulationKind.DECLARED
        hit = _find_hit_share(question, evidence, people)
        judged = posteriors(question, people) if is_table else ()
        listed = tuple(sorted(judged, key=lambda report: -report.gain))
    elif is_table and (worst := worst_population(question)) is not None:
        kind, listed = PopulationKind.WORST, (worst,)
    return QuestionRisk(
        question=question,
        evidence=evidence,
        population=kind,
        posteriors=listed,
        guilty=people.guilty if people is not None and people.innocent is not None else None,
        hit=hit,
        remedy=remedy,
    )


def _is_table(question: Question) -> bool:
    judged = question.underlying_question if isinstance(question, Choice) else question
    return isinstance(judged, TableQuestion)


def _find_hit_share(
    question: Question, evidence: QuestionEvidence, people: Population
) -> Fraction | None:
    """Find the share of people whose report proves what can harm them; None if unknown."""
    if isinstance(question, CutsQuestion | RingQuestion):
        return convicted_share(question, people) if people.innocent is not None else None
    rows = list_event_chances(question)
    return find_answering_share(question) * sum(
        (
            share * row[proof.report]
            for proof in evidence.harmful_proofs
            for answer, (share, row) in enumerate(zip(people.shares, rows, strict=True))
            if answer != people.innocent and isinstance(proof.report, int)
        ),
        Fraction(0),
    )


def find_remedy(question: Question, evidence: QuestionEvidence) -> Remedy:
    """Find the remedy for what is proved, by the kind of question."""
    recipe = _read_recipe(question)
    if isinstance(question, CutsQuestion | RingQuestion):
        if evidence.innocent is not None:
            return Remedy.BANDS
        is_single_cut = recipe.get("name") == "cuts" and recipe.get("number", "1") == "1"
        return Remedy.BETWEEN if is_single_cut and question.line.ticks > 3 else Remedy.FLOOR
    if isinstance(question, TableQuestion) and question.item_count is not None:
        return Remedy.NO_COUNT
    return Remedy.LIE if recipe.get("name") == "abstain" else Remedy.KARY


def _read_recipe(question: Question) -> dict[str, Any]:
    recipe = read_about(question).get("mechanism")
    return dict(recipe) if isinstance(recipe, Mapping) else {}


# Sentences.


def describe_remedy(question: Question, remedy: Remedy, accepted: str = "") -> str:
    """Write the remedy for the survey file, or how to accept proofs there."""
    ends: dict[str, str] = {}
    if remedy is Remedy.BETWEEN:
        assert isinstance(question, CutsQuestion | RingQuestion)
        line = question.line
        ends = {
            name: format_number(line.value_at(tick))
            for name, tick in (("low", 2), ("high", line.ticks - 1))
        }
    said = _say("remedy", remedy, **ends)
    return _WORDS["remedy"]["ACCEPT"].format(remedy=said, accepted=accepted) if accepted else said


def describe_risk(risk: QuestionRisk) -> tuple[str, ...]:
    """Describe the proofs of a question's reports, and the posteriors in its declared population.

    >>> from askance.survey import load_survey, publish
    >>> form = publish(load_survey("examples/doping.toml"))
    >>> describe_risk(question_risk(form.question("doped")))[0][:45]
    'If 12 of 100 people have the answer “yes”, as'
    """
    if not risk.evidence.is_protected:
        return ()
    proofs = _describe_proofs(risk.question, risk.evidence)
    if risk.population is not PopulationKind.DECLARED:
        return proofs
    if not risk.posteriors and risk.guilty and risk.hit is not None:
        innocent = format_number(read_ratio(read_about(risk.question)["innocent"], "innocent"))
        guilty, hit = percent(risk.guilty), percent(risk.hit / risk.guilty)
        words = _WORDS["hit"]["OF_GUILTY"]
        return *proofs, words.format(guilty=guilty, innocent=innocent, hit=hit)
    parts = (describe_posterior(risk.question, report) for report in risk.posteriors[:_FEW])
    return *proofs, *parts, *_describe_ends(risk)


def _describe_ends(risk: QuestionRisk) -> tuple[str, ...]:
    """Describe how many people a list experiment hits, at both ends of its list."""
    is_counted = isinstance(risk.question, TableQuestion) and risk.question.item_count is not None
    if not is_counted or risk.hit is None:
        return ()
    return (_WORDS["hit"]["OF_ALL"].format(hit=percent(risk.hit)),)


def describe_worst_case(risk: QuestionRisk) -> str:
    """Describe the population in which a report reveals most; empty where one is declared.

    >>> from askance.survey import load_survey, publish
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> describe_worst_case(question_risk(form.question("affair")))[:61]
    '“yes” is most revealing if 29 of 100 people have the answer “'
    """
    if risk.population is not PopulationKind.WORST:
        return ""
    (worst,), names = risk.posteriors, _list_names(risk.question)
    assert worst.other is not None
    is_of_guilt = risk.evidence.innocent is not None
    return _WORDS["population"]["WORST_OF_GUILT" if is_of_guilt else "WORST"].format(
        report=describe_report(risk.question, worst.report),
        prior=percent(worst.prior),
        answer=names[worst.answer],
        other=names[worst.other],
        posterior=percent(worst.posterior),
    )


@final
class RiskHeading(Enum):
    """What stands before the sentences on a question's risk.

    >>> RiskHeading.NOW.value
    'as it is asked now'
    """

    NOW = "as it is asked now"
    RECOMMENDED = "as a plan recommends"
    STUDIED = "as it is rehearsed"


def write_risk(risk: QuestionRisk, heading: RiskHeading) -> str:
    """Write a question's risk as lines: a heading, the sentences, and the remedy if it needs one.

    Empty where nothing is to be said.

    >>> from askance.survey import load_survey, publish
    >>> affair = publish(load_survey("examples/affairs.toml")).question("affair")
    >>> print(write_risk(question_risk(affair), RiskHeading.NOW).partition(",")[0])
    What reports reveal
    """
    sentences = [*describe_risk(risk), describe_worst_case(risk)]
    if risk.remedy is not None:
        remedy = describe_remedy(risk.question, risk.remedy)
        sentences.append(_WORDS["heading"]["REMEDY"].format(remedy=remedy))
    if not any(sentences):
        return ""
    head = _say("heading", heading, question=risk.question.name)
    lines = (
        fill(f"  {sentence}", _COLUMNS, subsequent_indent="    ")
        for sentence in sentences
        if sentence
    )
    return "\n".join([head, *lines])


def describe_joint_posterior(joint: "JointPosterior | None", questions: Sequence[Question]) -> str:
    """Describe the largest joint posterior about one trait; empty without one.

    >>> describe_joint_posterior(None, [])
    ''
    """
    if joint is None:
        return ""
    facts = {
        "posterior": cautious(joint.posterior, math.ceil),
        "prior": percent(joint.prior),
        "question": joint.question,
    }
    for question in questions:
        if question.name == joint.question:
            facts["innocent"] = str(read_about(question)["innocent"])
    return _say("together", joint.method, **facts)


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
    words = _WORDS["proof"]
    claims = words["AND"].join(_describe_claim(question, claim) for claim in proof.claims)
    return words["SENTENCE"].format(report=describe_report(question, proof.report), claims=claims)


def describe_report(question: Question, report: object) -> str:
    """Describe a report by its name, its range, or as nothing sent."""
    name = name_report(question, report)
    words = _WORDS["report"]
    return words["BLANK"] if name is None else words["NAMED"].format(report=name)


def name_report(question: Question, report: object) -> str | None:
    """Name a report, or write its range; None of a blank."""
    judged = question.underlying_question if isinstance(question, Choice) else question
    if isinstance(judged, TableQuestion) and isinstance(report, int):
        return judged.reports[report].name
    if isinstance(judged, CutsQuestion | RingQuestion) and isinstance(report, tuple):
        return describe_range(judged, report)
    return None


def _say(table: str, member: Enum, **filled: str) -> str:
    return _WORDS[table][member.name].format(**filled)


def _list_names(question: Question) -> list[str]:
    return name_events(question) if _is_table(question) else []


def _describe_proofs(question: Question, evidence: QuestionEvidence) -> tuple[str, ...]:
    proofs = [describe_proof(question, proof) for proof in evidence.proofs[:_FEW]]
    if (more := len(evidence.proofs) - len(proofs)) > 0:
        words = _WORDS["proof"]["MORE_one" if more == 1 else "MORE_other"]
        proofs.append(words.format(count=f"{more:,}"))
    return (f"{'; '.join(proofs)}.",) if proofs else ()


def _describe_claim(question: Question, claim: Claim) -> str:
    judged = question.underlying_question if isinstance(question, Choice) else question
    if isinstance(judged, CutsQuestion | RingQuestion):
        return _say("number_claim", claim.kind, answer=_describe_number(judged, claim))
    assert isinstance(judged, TableQuestion)
    is_of_item = claim.kind in (ClaimKind.ITEM_TICKED, ClaimKind.ITEM_LEFT)
    names = [item.name for item in judged.items] if is_of_item else name_events(question)
    return _say("claim", claim.kind, answer=names[claim.position])


def _describe_number(question: RangeQuestion, claim: Claim) -> str:
    if claim.kind is ClaimKind.NOT_INNOCENT:
        return format_number(read_ratio(question.about["innocent"], "innocent"))
    return describe_number(question, question.line.value_at(claim.position + 1))


def describe_posterior(question: Question, posterior: Posterior) -> str:
    """Describe what a report makes of the share of an answer in the declared population.

    >>> from askance.survey import load_survey, publish
    >>> risk = question_risk(publish(load_survey("examples/doping.toml")).question("doped"))
    >>> describe_posterior(risk.question, risk.posteriors[0])[:52]
    'If 12 of 100 people have the answer “yes”, as the su'
    """
    names, answer = name_events(question), posterior.answer
    event, named = "ANSWER", names[answer]
    if posterior.is_guilt:
        others = [name for i, name in enumerate(names) if i != answer]
        event, named = ("ANOTHER", named) if len(others) > 1 else ("ANSWER", others[0])
    return _say(
        "population",
        PopulationKind.DECLARED,
        report=describe_report(question, posterior.report),
        posterior=percent(posterior.posterior),
        event=_WORDS["event"][event].format(answer=named),
        again=_WORDS["again"][event],
        prior=percent(posterior.prior),
    )


def accepted_reason(question: Question) -> str:
    """Read the reason for which the survey accepts that reports prove an answer; empty if none.

    >>> from askance.survey import load_survey, publish
    >>> accepted_reason(publish(load_survey("examples/affairs.toml")).question("affair"))
    ''
    """
    reason = read_about(question).get("proves")
    return reason if isinstance(reason, str) else ""
