"""List experiments in a survey file: what is written, what it proves, and what is refused."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import askance as ak
from askance.engines import Counts
from askance.inference import ItemCounts, item_count
from askance.privacy import declared_population, posteriors
from askance.survey import load_survey, parse_survey, publish, question_risk
from askance_collect.errors import InputError, SurveyError
from askance_collect.respond import encode, telephone_script
from askance_collect.wire import ProofKind, find_proof

EXAMPLE = Path(__file__).parents[2] / "examples/item-count.toml"
HEAD = """
askance = "survey-1"
title = "Students"
consent = "Say it or leave."
[[question]]
name = "cheated"
text = "How many are true?"
items = ["I run.", "I drink tea."]
sensitive = "I cheated."
proves = "accepted"
proves_reason = "Few have none or all."
"""


def question_of(text):
    return publish(parse_survey(text.encode())).questions[0]


@pytest.mark.checked
def test_every_type_of_respondent_sends_its_own_number_and_group():
    """By hand: of 3 people 2 are in the control group, and count one item less if they cheated."""
    question = question_of(HEAD.replace("proves =", 'treatment = "1/3"\nproves =', 1))
    names = [report.name for report in question.reports]
    for draw, (extra, held) in product(range(3), product((0, 1), range(3))):
        sent = names[encode(question, 3 * extra + held, (0, draw))]
        expected = f"control: {held}" if draw < 2 else f"treatment: {held + extra}"
        assert sent == expected


@pytest.mark.checked
def test_both_ends_of_the_longer_list_prove_an_answer_and_nothing_else_does():
    question = question_of(HEAD)
    proofs = {report.name: find_proof(question, i) for i, report in enumerate(question.reports)}
    proved = {name for name, proof in proofs.items() if proof is ProofKind.ANSWER}
    assert proved == {"treatment: 0", "treatment: 3"}
    assert set(proofs.values()) == {None, ProofKind.ANSWER}


@pytest.mark.checked
def test_posteriors_are_those_of_bayes_over_everybody():
    """Each of 20 · 100 people by sensitive item, harmless items and group, counted one by one."""
    question = publish(load_survey(EXAMPLE)).question("cheated")
    shares, sent = {}, {}
    control = [Fraction(n, 20) for n in (1, 7, 9, 3)]
    for (holds, prior), (count, common), group in product(
        ((1, Fraction(1, 5)), (0, Fraction(4, 5))), enumerate(control), (0, 1)
    ):
        report = f"{('control', 'treatment')[group]}: {count + holds * group}"
        mass = prior * common / 2
        sent[report] = sent.get(report, 0) + mass
        shares[report] = shares.get(report, 0) + mass * holds
    for posterior in posteriors(question, declared_population(question)):
        name = question.reports[posterior.report].name
        cheated = shares[name] / sent[name]
        assert posterior.posterior == (cheated if posterior.answer == 0 else 1 - cheated)
        assert posterior.sent == sent[name]
    assert question_risk(question).hit == Fraction(1, 2) * (
        Fraction(1, 5) * control[-1] + Fraction(4, 5) * control[0]
    )


@pytest.mark.checked
def test_the_shares_are_those_of_item_count():
    """The difference in means, and the most likely types of Blair & Imai, of a published table."""
    text = HEAD.replace('"I drink tea."', '"I drink tea.", "I read."')
    form = publish(parse_survey(text.encode()))
    control, treatment = [8, 132, 222, 227], [19, 123, 229, 219, 34]
    counts = dict(enumerate([*control, *treatment]))
    finding = ak.analyse(form, Counts(sum(counts.values()), {"cheated": counts})).findings[0]
    expected = item_count(ItemCounts(control, {"yes": treatment}))
    difference = finding.difference_in_means
    for name in ("value", "covariance", "lower", "upper"):
        assert np.allclose(getattr(difference, name), getattr(expected, name))
    assert finding.estimate.value[0] == pytest.approx(expected.likely_types().share, abs=1e-4)
    assert finding.estimate.labels == ("yes", "no")
    assert finding.to_dict()["difference_in_means"]["value"] == pytest.approx([0.0678], abs=1e-4)


def test_a_single_group_has_no_difference():
    form = publish(parse_survey(HEAD.encode()))
    finding = ak.analyse(form, Counts(60, {"cheated": {0: 20, 1: 20, 2: 20}})).findings[0]
    assert finding.difference_in_means is None


def test_a_list_is_not_asked_on_paper():
    with pytest.raises(InputError, match="a device draws which list is counted"):
        telephone_script(publish(load_survey(EXAMPLE)))


def swap(old, new):
    assert old in HEAD
    return HEAD.replace(old, new)


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        (swap(', "I drink tea."', ""), "items", "1 item"),
        (swap('"I drink tea."', '"I  RUN."'), "items[1]", "items[0] too"),
        (swap('"I cheated."', '"I run."'), "sensitive", "harmless items alone"),
        (swap('items = ["I run.", "I drink tea."]\n', ""), "items", "0 items"),
        (swap('sensitive = "I cheated."', 'treatment = "1/2"'), "treatment", "beside sensitive"),
        (HEAD + 'treatment = "1"\n', "treatment", "between 0 and 1"),
        (HEAD + "treatment = 0.33333333333333333333\n", "treatment", "2^48"),
        (HEAD + 'answers = ["yes", "no"]\n', "answers", "how many are true"),
        (HEAD + 'mechanism = { name = "warner", truth = 0.7 }\n', "mechanism", "how many"),
        (HEAD + "grid = true\n", "grid", "how many are true"),
        (
            swap('proves = "accepted"\nproves_reason = "Few have none or all."', ""),
            "sensitive",
            "both ends of a list prove an answer",
        ),
        (HEAD + 'expect = { yes = "1/5", no = "4/5" }\n', "expect.control", "3 shares"),
        (
            HEAD + 'expect = { yes = "1/5", no = "4/5", control = [0.5, 0.5] }\n',
            "expect.control",
            "2 shares",
        ),
        (
            HEAD + 'expect = { yes = "1/5", no = "4/5", control = [0.5, 0.5, 0.5] }\n',
            "expect.control",
            "a sum of 3/2",
        ),
        (
            HEAD + '[[question]]\nname = "q"\ntext = "?"\nanswers = ["a", "b"]\n'
            'skip = { after = "cheated", answered = ["yes, 1"] }\n',
            "skip.after",
            "knows a number",
        ),
    ],
)
def test_what_cannot_be_counted_is_refused_with_its_place(text, where, said):
    with pytest.raises(SurveyError) as error:
        publish(parse_survey(text.encode()))
    assert error.value.where.endswith(where)
    assert said in str(error.value)
