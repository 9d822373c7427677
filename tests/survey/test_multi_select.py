"""Lists to tick: from the survey file to what is sent, what it gives away, and what is learnt."""

import json
from collections import Counter
from itertools import product

import numpy as np
import pytest

import askance as ak
from askance.engines import Counts, count_reports
from askance.study import invent_answers, read_answers
from askance_collect.errors import DocumentError, SurveyError
from askance_collect.respond import respond
from askance_collect.wire import Form

BEGIN = 'askance = "survey-1"\ntitle = "Nights"\nconsent = "Say it or leave."\nminimum = 1\n'
QUESTION_BLOCK = """
[[question]]
name = "awake"
text = "What kept you awake?"
choose = "all"
answers = ["noise", { name = "money", en = "Money worries" }, "love"]
mechanism = { name = "warner", truth = "3/4" }
"""
TOGETHER = """
[[question]]
name = "took"
text = "Which have you taken?"
choose = "all"
protect = "together"
none = "Nothing"
answers = ["pills", { name = "pot", en = "Cannabis" }, "alcohol"]
mechanism = { name = "kary", ratio = 9 }
"""
PLAIN = """
[[question]]
name = "has"
text = "What do you have?"
choose = "all"
answers = ["desk", "bed"]
"""


def form_of(*parts):
    return ak.publish(ak.parse_survey((BEGIN + "".join(parts)).encode()))


def test_item_by_item_each_is_a_question_of_one_trait_and_all_are_one_list():
    form = form_of(PLAIN, QUESTION_BLOCK)
    assert [question.name for question in form.questions] == [
        *("has_desk", "has_bed"),
        *("awake_noise", "awake_money", "awake_love"),
    ]
    first, second = form.checklists
    assert (list(first.question_positions), list(second.question_positions)) == ([0, 1], [2, 3, 4])
    assert dict(second.items[1]) == {"en": "Money worries"}
    assert dict(second.none) == {"en": "None of these"}
    assert [label.name for label in form.questions[2].answers] == ["yes", "no"]
    assert form.document["about"]["traits"][0]["questions"] == [
        question.name for question in form.questions[2:]
    ]
    assert Form.read(form.bytes).checklists == form.checklists


def test_as_one_report_the_answers_are_all_sets_by_their_bits():
    (question,) = form_of(TOGETHER).questions
    assert question.checkbox_count == 3
    assert [answer.name for answer in question.answers] == [
        *("none", "pills", "pot", "pills + pot", "alcohol"),
        *("pills + alcohol", "pot + alcohol", "pills + pot + alcohol"),
    ]
    assert dict(question.answers[0].wording) == {"en": "Nothing"}
    assert [item.wording["en"] for item in question.items] == ["pills", "Cannabis", "alcohol"]


def test_a_form_without_lists_has_no_word_of_them():
    question = '[[question]]\nname="q"\ntext="Q?"\nanswers=["yes", "no"]\n'
    assert form_of(question).document["askance"] == "form-1"
    assert "checklists" not in form_of(question).document


def test_both_losses_are_told_beside_each_other():
    judged = ak.check(form_of(QUESTION_BLOCK, TOGETHER))
    sentence = judged.questions[0].sentences[-1]
    assert "One item: no report is more than 3 times" in sentence
    assert "All 3, each sent by itself: no set of reports is more than 27 times" in sentence
    assert judged.traits[0].guarantees[0].value == 27
    whole_sentence = judged.questions[3].sentences[-1]
    assert "One item: no report is more than 9 times" in whole_sentence
    assert "sent as one report: no report is more than 9 times" in whole_sentence


def test_the_loss_of_one_tick_is_that_of_neighbouring_lists():
    """The lists are neighbours where one tick differs: by all pairs of rows, one by one."""
    rows = [[0] * 4 for _ in range(4)]
    for s, r in product(range(4), repeat=2):
        rows[s][r] = f"{3 ** (2 - (s ^ r).bit_count())}/16"
    written = TOGETHER.replace('"pills", { name = "pot", en = "Cannabis" }, ', '"pills", ').replace(
        '{ name = "kary", ratio = 9 }',
        '{ name = "table", reports = { a = ["none"], b = ["pills"], c = ["alcohol"], '
        f'd = ["pills + alcohol"] }}, rows = {json.dumps(rows)} }}',
    )
    (result,) = ak.check(form_of(written)).questions
    assert "more than 3 times as likely if it is ticked" in result.sentences[-1]
    assert "more than 9 times as likely from one list" in result.sentences[-1]


def test_precision_of_a_list_is_that_of_an_item():
    (result,) = ak.check(form_of(TOGETHER), [1_000]).questions
    # An item of k-ary over 8 sets with ratio 9: (9 + 3) / 16 are seen as they are, or Warner's 3/4.
    warner = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    assert result.precision == (
        (1_000, f"± {100 * ak.design.half_width(warner, 1_000):.1f} points"),
    )


def expected(channel, shares):
    return np.asarray(shares) @ channel.matrix


def test_shares_of_items_and_pairs_are_those_that_make_the_reports():
    """By exact expectations: what is learnt from them is what they were made of."""
    form, n = form_of(TOGETHER), 16_000_000
    (question,) = form.questions
    shares = np.array([0.3, 0.1, 0.1, 0.05, 0.2, 0.15, 0.05, 0.05])
    channel = ak.KAry.at_epsilon(ratio=9).channel(
        ak.Frame([answer.name for answer in question.answers])
    )
    reports = {position: round(n * one) for position, one in enumerate(expected(channel, shares))}
    (result,) = ak.analyse(form, Counts(n, {"took": reports})).lists
    for element in (*result.items, *result.pairs):
        own = [
            share
            for s, share in enumerate(shares)
            if all(s >> [*map(_wording, question.items)].index(item) & 1 for item in element.items)
        ]
        assert element.share == pytest.approx(sum(own), abs=1e-6)
        assert element.lower < element.share < element.upper
    assert len(result.pairs) == 3


def _wording(label):
    return label.wording["en"]


def test_pairs_of_items_that_were_sent_by_themselves_are_learnt_from_both(tmp_path):
    form = form_of(QUESTION_BLOCK)
    rng = np.random.default_rng(1)
    law = {(0, 0, 1): 0.5, (1, 1, 1): 0.3, (1, 0, 0): 0.2}
    people = [list(law)[index] for index in rng.choice(3, size=3_000, p=list(law.values()))]
    names = [question.name for question in form.questions]
    answers = [respond(form, dict(zip(names, person, strict=True))).values for person in people]
    lines = "".join(
        json.dumps({name: answer[name] for name in sorted(answer)}) + "\n" for answer in answers
    )
    (tmp_path / "sent.jsonl").write_text(lines)
    counts = count_reports(tmp_path / "sent.jsonl", form)
    pair = Counter((answer["awake_noise"], answer["awake_money"]) for answer in answers)
    assert dict(counts.pairs["awake_noise", "awake_money"]) == dict(pair)
    result = ak.analyse(form, counts).lists[0]
    truth = {("noise", "Money worries"): 0.5, ("noise", "love"): 0, ("Money worries", "love"): 0.2}
    assert {element.items for element in result.pairs} == set(truth)
    for item in result.pairs:
        assert abs(item.share - truth[item.items]) < 6 * max(item.se, 0.02)
    again = Counts.from_dict(json.loads(json.dumps(counts.to_dict(form))), form)
    assert again == counts
    assert (counts + counts).pairs["awake_noise", "awake_money"][0, 0] == 2 * pair[0, 0]
    assert ak.analyse(form, Counts(counts.reports, counts.values)).lists[0].pairs == ()


def test_counts_of_pairs_that_nobody_can_send_are_refused():
    form = form_of(PLAIN)
    counts = Counts(
        2, {"has_desk": {0: 2}, "has_bed": {1: 2}}, {("has_desk", "has_bed"): {(0, 1): 2}}
    )
    written = counts.to_dict(form)
    assert Counts.from_dict(written, form) == counts
    for pairs in (
        [["has_desk", "has_bed", [[0, 2, 2]]]],
        [["has_desk", "has_bed", [[0, 1, 1]]]],
        [["has_bed", "has_desk", [[0, 1, 2]]]],
        [["has_desk", "what", [[0, 1, 2]]]],
        [["has_desk", "has_bed", [[0, 1, 3], [1, 1, -1]]]],
        [["has_desk", "has_bed", 2]],
        3,
    ):
        with pytest.raises(DocumentError, match="pairs"):
            Counts.from_dict(written | {"pairs": pairs}, form)


def test_lists_are_withheld_from_too_few_reports_and_doubted_with_their_questions():
    form = form_of(TOGETHER).document
    form["about"]["minimum"] = 50
    few = Counts(49, {"took": dict.fromkeys(range(7), 7)})
    result = ak.analyse(Form.read(form), few).lists[0]
    assert all(item.suppressed for item in (*result.items, *result.pairs))
    output = result.to_dict()["items"][0]
    assert output["withheld"]
    assert "share" not in output
    odd = ak.analyse(Form.read(form), Counts(9_000, {"took": {0: 9_000}}))
    assert odd.findings[0].fit.doubted
    assert (odd.lists[0].items[0].lower, odd.lists[0].items[0].upper) == (0, 1)


def test_invented_people_tick_and_their_truth_is_told(tmp_path):
    form = form_of(QUESTION_BLOCK, TOGETHER)
    people = invent_answers(form, {"took": [0.5, 0, 0, 0.5, 0, 0, 0, 0]}, people=8)
    assert Counter(person["took"] for person in people.people) == {0: 4, 3: 4}
    table = tmp_path / "people.csv"
    table.write_text("awake_noise,awake_money,awake_love,took\nyes,no,no,pills + pot\n")
    answers = read_answers(table, form)
    assert answers.people[0]["took"] == 3
    reports = {question.name: {0: 100} for question in form.questions[:3]} | {"took": {3: 100}}
    analyse_result = ak.analyse(form, Counts(100, reports), truth=answers.truth)
    assert [item.truth for item in analyse_result.lists[0].items] == [1, 0, 0]
    assert [item.truth for item in analyse_result.lists[1].items] == [1, 1, 0]
    assert [pair.truth for pair in analyse_result.lists[1].pairs] == [1, 0, 0]


def test_a_list_is_skipped_as_a_whole():
    yes = '[[question]]\nname = "home"\ntext = "At home?"\nanswers = ["yes", "no"]\n'
    skip = 'skip = { after = "home", answered = ["no"], send = "no" }\n'
    form = form_of(
        yes, QUESTION_BLOCK + skip, TOGETHER + skip.replace('send = "no"', 'send = "none"')
    )
    assert [(item.question, item.send) for item in form.skips] == [(1, 1), (2, 1), (3, 1), (4, 0)]
    assert len(form.checklists) == 1


def test_a_list_that_is_no_list_is_refused_with_its_place():
    for part, where, message in (
        (PLAIN.replace('"all"', '"any"'), "question[0].choose", '"all"'),
        (PLAIN + 'protect = "each"\n', "question[0].protect", "add a mechanism"),
        (PLAIN + 'items = ["a", "b"]\n', "question[0].items", "beside choose"),
        (PLAIN.replace('["desk", "bed"]', '["desk"]'), "question[0].answers", "2 to 100"),
        (PLAIN.replace('"bed"', '"desk"'), "question[0].answers[1]", "different names"),
        (PLAIN.replace('choose = "all"', 'none = "No"'), "question[0].none", 'choose = "all"'),
        (PLAIN.replace('choose = "all"', 'protect = "each"'), "question[0].protect", "choose"),
        (TOGETHER.replace('"together"', '"togther"'), "question[0].protect", "together"),
        (TOGETHER.replace('"pills"', '"a + b"'), "question[0].answers[0]", "a plus"),
        (TOGETHER.replace('"pills"', '"none"'), "question[0].answers[0]", "none"),
        (
            TOGETHER.replace('"alcohol"', '"a", "b", "c", "d", "e"'),
            "question[0].answers",
            'protect = "each"',
        ),
        (
            TOGETHER.replace('{ name = "kary", ratio = 9 }', '{ name = "runs", number = 3 }'),
            "question[0].mechanism",
            "kary",
        ),
        (
            QUESTION_BLOCK.replace('truth = "3/4"', 'truth = { each = ["3/4", "2/3"] }'),
            "question[0].mechanism.truth",
            "everybody",
        ),
        (
            TOGETHER.replace('"alcohol"', '"pills"'),
            "question[0].answers[2]",
            "different names",
        ),
        (QUESTION_BLOCK + 'coin = "a birthday"\n', "question[0].coin", "beside choose"),
        (QUESTION_BLOCK.replace('"noise"', '"Street noise"'), "question[0].answers[0]", "a-z"),
    ):
        with pytest.raises(SurveyError) as error:
            form_of(part)
        assert error.value.where == where, part
        assert message in str(error.value)


def test_what_is_sent_has_one_length_whatever_is_ticked():
    form = form_of(QUESTION_BLOCK, TOGETHER, PLAIN)
    none = dict.fromkeys([question.name for question in form.questions], 1) | {"took": 0}
    every = dict.fromkeys(none, 0) | {"took": 7}
    assert {len(respond(form, item).body(form.size)) for item in (none, every)} == {form.size}
