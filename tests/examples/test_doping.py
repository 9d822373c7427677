"""The doping example: no sentence of the check or of the board's page contradicts a figure."""

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import askance as ak
from askance.privacy import declared_population
from askance.study import invent_answers
from askance.survey import PopulationKind
from askance_collect.errors import SurveyError
from askance_collect.respond import draw_bounds, encode

FILE = Path("examples/doping.toml")


@pytest.fixture(scope="module")
def form():
    return ak.publish(ak.load_survey(FILE))


@pytest.fixture(scope="module")
def judged(form):
    return ak.check(form)


def enumerate_posteriors(question):
    """Give for each report the share of guilty people among its senders, person by person."""
    people = {answer.name: 0 for answer in question.answers}
    people |= {name: Fraction(share) for name, share in question.about["population"].items()}
    innocent = question.about["innocent"]
    for column, report in enumerate(question.reports):
        senders = {
            answer.name: people[answer.name] * Fraction(row[column], question.table.total)
            for answer, row in zip(question.answers, question.table.rows, strict=True)
        }
        yield report.name, 1 - senders[innocent] / sum(senders.values())


def test_it_has_fifteen_questions_in_two_languages_and_nine_are_protected(form, judged):
    assert (len(form.questions), form.languages) == (15, ("en", "de"))
    assert sum(bool(question.guarantees) for question in judged.questions) == 9


def test_no_report_proves_what_could_hurt(form, judged):
    for question, checked in zip(form.questions, judged.questions, strict=True):
        if question.kind != "table":
            continue
        columns = zip(*question.table.rows, strict=True)
        assert all(all(column) for column in columns), question.name
        assert checked.risk.evidence.disclosure is ak.privacy.Disclosure.ODDS
        assert checked.risk.evidence.harmful_proofs == ()
        assert "proves" not in " ".join(checked.risks)


def test_every_posterior_that_is_printed_is_the_one_that_is_counted(form, judged):
    printed = 0
    for question, checked in zip(form.questions, judged.questions, strict=True):
        if declared_population(question) is None:
            assert not checked.risks
            continue
        counted = {
            name: f"{float(100 * share):.1f}" for name, share in enumerate_posteriors(question)
        }
        for sentence in checked.risks:
            share, report = re.search(
                r"then ([\d.]+) of 100 who send “(.+)” have", sentence
            ).groups()
            assert f"{float(share):.1f}" == counted[report]
            printed += 1
    assert printed == 14


def test_every_question_has_a_risk_that_can_be_written_for_json(judged):
    written = {question.name: question.risk.to_dict() for question in judged.questions}
    assert json.dumps(written)
    kinds = {name: risk["population"] for name, risk in written.items()}
    assert (kinds["doped"], kinds["would"], kinds["years"]) == ("declared", "worst", "none")


def test_three_questions_on_doping_tell_together_no_more_than_is_said(form, judged):
    (trait,) = (trait for trait in judged.traits if trait.name == "doping")
    number = float(re.search(r"at most ([\d.]+) of 100", trait.risk)[1])
    assert trait.joint.posterior == Fraction(3, 7)  # by the test of random couplings
    assert number >= 100 * trait.joint.posterior >= number - 0.1
    odds = Fraction(12, 88) * 8  # if one answer were the rarest of all three
    assert trait.joint.posterior < odds / (1 + odds)
    assert "to doped" in trait.risk


def test_the_page_for_the_board_prints_each_of_them(form, judged):
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", ak.present.render_board(form, judged)))
    page = page.replace("\xa0", " ")
    for question in judged.questions:
        for sentence in (*question.risks, question.worst_case):
            assert sentence in page
    assert all(trait.risk in page for trait in judged.traits)


def test_a_range_of_what_was_paid_is_refused_with_its_remedy(form):
    bands = FILE.read_text("utf-8").split('[[question]]\nname = "paid"')[1].split("[[question]]")[0]
    ranged = """
text = "What did you pay?"
line = { lower = 0, upper = 200, step = 50, unit = "euros" }
mechanism = { name = "cuts", number = 1 }
innocent = 0
expect = { lump = "90/100", spread = "even" }
"""
    text = FILE.read_text("utf-8").replace(bands, ranged)
    with pytest.raises(SurveyError) as refused:
        ak.publish(ak.parse_survey(text.encode()))
    assert refused.value.where == "question[9].mechanism"
    assert "“more than 50 euros” proves that the answer is not 0" in str(refused.value)
    assert 'mechanism = { name = "kary", epsilon = 1 }' in refused.value.remedy
    reason = "The court asked for it."
    accepted = f'{ranged}proves = "accepted"\nproves_reason = "{reason}"\n'
    text = FILE.read_text("utf-8").replace(bands, accepted)
    judged = ak.check(ak.publish(ak.parse_survey(text.encode())))
    (paid,) = (question for question in judged.questions if question.name == "paid")
    hit = sum(Fraction(1, 4) * Fraction(step, 3) for step in range(1, 4))
    assert (
        f"Of 100 such people, {float(100 * hit):g} send a report that proves it."
    ) in paid.risks[-1]
    assert paid.accepted == "The court asked for it."


PEOPLE = 800


@pytest.fixture(scope="module")
def fielded(form):
    """Give the answers and the reports of invented people, as common as the survey expects."""
    expected = {
        question.name: [float(share) for share in people.shares]
        for question in form.questions
        if (people := declared_population(question)) is not None
    }
    dice, rows = Random(42), []
    for answers in invent_answers(form, expected, people=PEOPLE).people:
        reports = {}
        for question in form.questions:
            draws = tuple(dice.randrange(bound) for bound in draw_bounds(question))
            reports[question.name] = encode(question, answers[question.name], draws)
        rows.append((answers, reports))
    return rows


def test_eight_hundred_people_bear_out_every_posterior(form, judged, fielded):
    for question in judged.questions:
        risk = question.risk
        for result in risk.posteriors if risk.population is PopulationKind.DECLARED else ():
            senders = [
                answers[question.name]
                for answers, reports in fielded
                if reports[question.name] == result.report
            ]
            guilty = sum(answer != result.answer for answer in senders) / len(senders)
            error = (float(result.posterior) * (1 - float(result.posterior)) / len(senders)) ** 0.5
            assert abs(guilty - result.posterior) < 4 * error, (question.name, result)
            assert abs(len(senders) / PEOPLE - result.sent) < 0.07
            assert 0 < guilty < 1  # it proves nothing


def test_what_eight_hundred_people_sent_is_estimated_as_the_survey_expects(form, fielded):
    messages = {
        question.name: Counter(reports[question.name] for _, reports in fielded)
        for question in form.questions
    }
    analysis = ak.analyse(form, ak.engines.Counts(PEOPLE, messages))
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", ak.present.render_analysis(analysis)))
    compared = 0
    for question, finding in zip(form.questions, analysis.findings, strict=True):
        assert finding.reports + finding.blank == PEOPLE
        assert next(iter(question.text.values())) in page.replace("\xa0", " ")
        if (people := declared_population(question)) is None:
            continue
        errors = zip(finding.estimate.value, finding.estimate.se, people.shares, strict=True)
        assert all(abs(share - float(truth)) <= 4 * se for share, se, truth in errors)
        compared += 1
    assert compared == 6
