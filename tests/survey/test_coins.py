"""A coin in the world: replies are sent as they are, judged and estimated by the coin's chances."""

import csv
from fractions import Fraction

import numpy as np
import pytest

import askance as ak
from askance.analysis import prepare_analysis
from askance.privacy import Notion
from askance.study import invent_answers, operating_characteristics
from askance.survey import deployed
from askance_collect.collect import export_csv, open_store
from askance_collect.errors import InputError, SurveyError
from askance_collect.respond import draw, draw_bounds, encode, respond

TEXT = """
askance = "survey-1"
title = "Exam"
consent = "Say it or leave."
languages = ["en", "de"]
minimum = 1
[[question]]
name = "cheated"
text = "A: I have cheated. B: My mother was born in spring. What is so?"
answers = [{ name = "yes", en = "Yes", de = "Ja" }, { name = "no", en = "No", de = "Nein" }]
mechanism = { name = "crosswise", harmless = "1/4" }
coin = { en = "your mother's birthday", de = "der Geburtstag Ihrer Mutter" }
replies = [
    { name = "both or neither", en = "Both or neither", de = "Beides oder keines" },
    { name = "just one", en = "Just one", de = "Nur eines" },
]
"""


def form_of(*swap):
    return ak.publish(ak.parse_survey((TEXT.replace(*swap) if swap else TEXT).encode()))


@pytest.fixture(scope="module")
def form():
    return form_of()


def test_the_reply_is_the_report_and_the_device_draws_nothing(form):
    (question,) = form.questions
    assert form.document["askance"] == "form-2"
    assert draw_bounds(question) == () == draw(question)
    assert [encode(question, reply, ()) for reply in (0, 1, None)] == [0, 1, None]
    assert respond(form, {"cheated": 1}).values == {"cheated": 1}
    with pytest.raises(InputError):
        encode(question, 2, ())
    assert [answer.wording["de"] for answer in question.answers] == [
        "Beides oder keines",
        "Nur eines",
    ]


def test_losses_and_estimates_are_by_the_coins_chances(form):
    deployed_question = deployed(form.questions[0])
    result = {guarantee.notion: guarantee.value for guarantee in deployed_question.guarantees}
    assert result[Notion.LOCAL] == 3
    assert result[Notion.ADVANTAGE] == Fraction(1, 2)
    alone = ak.mechanisms.Crosswise(harmless="1/4").channel(ak.Frame(["yes", "no"]))
    assert deployed_question.channel == alone
    learnt = prepare_analysis(deployed_question).learn({0: 130, 1: 70, None: 3}, 0.95)
    twin = ak.estimate(ak.Tally(alone, {"both or neither": 130, "just one": 70}))
    np.testing.assert_allclose(learnt.estimate.value, twin.value)
    np.testing.assert_allclose(learnt.estimate.se, twin.se)
    assert prepare_analysis(deployed_question).learn({0: 190, 1: 10}, 0.95).fit.doubted


def test_what_is_sent_names_the_coin_and_who_draws(form):
    sentences_result = deployed(form.questions[0]).sentences()
    assert "the device draws nothing" in sentences_result[0]
    assert "your mother's birthday" in sentences_result[0]
    assert sentences_result[1].startswith(
        "Of 100 people whose answer is “yes”, 25 send “both or neither”"
    )


def test_invented_people_toss_the_coin(form):
    people = invent_answers(form, {"cheated": [1, 0]}, people=400)
    (result,) = operating_characteristics(form, people, people=400, repetitions=5, rng=1)
    yes, no = result.collections[0].accuracy
    assert (yes.truth, no.truth) == (1, 0)
    assert yes.rmse < 0.2  # a reply for an answer would be off by a half


def test_the_codebook_has_the_chances_of_each_reply(form, tmp_path):
    store = open_store(tmp_path / "reports.db", form)
    book = export_csv(store, form, tmp_path / "reports.csv")
    store.close()
    rows = csv.DictReader(book.read_text(encoding="utf-8").splitlines())
    assert {(row["report"], row["answer"]): row["chance"] for row in rows} == {
        ("both or neither", "yes"): "0.25",
        ("both or neither", "no"): "0.75",
        ("just one", "yes"): "0.75",
        ("just one", "no"): "0.25",
    }


@pytest.mark.parametrize(
    ("swap", "where", "allowed"),
    [
        (("coin = {", 'blank = "1/9"\ncoin = {'), "question[0].blank", "leave blank out"),
        (('"just one"', '"one"'), "question[0].replies", "both or neither, just one"),
        ((', de = "der Geburtstag Ihrer Mutter"', ""), "question[0].coin.de", "a text"),
        (("coin = {", "# coin = {"), "question[0].replies", "beside coin; say whose"),
        (("mechanism =", "# mechanism ="), "question[0].coin", "beside answers and a mechanism"),
    ],
)
def test_what_is_wrong_with_a_coin_is_said_by_its_place(swap, where, allowed):
    with pytest.raises(SurveyError) as refused:
        form_of(*swap)
    assert refused.value.where == where
    assert allowed in str(refused.value)


@pytest.mark.parametrize("about", [None, 3, [], {"mechanism": []}])
def test_a_form_that_does_not_say_how_a_coin_falls_is_judged_by_its_table(form, about):
    (written,) = form.document["questions"]
    bare = written | {"coin": written["coin"] | {"about": about}}
    (question,) = ak.Form.read(form.document | {"questions": [bare]}).questions
    losses = [guarantee.value for guarantee in deployed(question).guarantees]
    assert losses == [guarantee.value for guarantee in deployed(form.questions[0]).guarantees]
    assert deployed(question).rounding_note == ""


@pytest.mark.parametrize(
    ("coin", "shared"),
    [
        ('{ en = "Your  mother\'s birthday", de = "der Geburtstag" }', True),
        ('{ en = "a birthday", de = "der Geburtstag Ihrer Mutter" }', True),
        ('{ en = "your father\'s birthday", de = "der Geburtstag Ihres Vaters" }', False),
    ],
)
def test_every_question_has_a_coin_of_its_own(coin, shared):
    """Two replies by one birthday tell whether two answers are alike, as no sum of losses says."""
    requests = TEXT[TEXT.index("[[question]]") :].replace('"cheated"', '"copied"')
    own = TEXT[TEXT.index("coin = ") : TEXT.index("replies")]
    text = TEXT + requests.replace(own, f"coin = {coin}\n")
    if shared:
        with pytest.raises(SurveyError, match=r"question\[1\].coin: .* again.*; allowed: a coin"):
            ak.publish(ak.parse_survey(text.encode()))
    else:
        assert len(ak.publish(ak.parse_survey(text.encode())).questions) == 2
