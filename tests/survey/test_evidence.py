"""A block of evidence: how it is written out, what is refused, and what is made of it."""

import json
from collections import Counter
from itertools import product

import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.engines import Counts
from askance_collect.errors import FormError, InputError, SurveyError
from askance_collect.respond import telephone_script
from askance_collect.wire import Form

HEAD = """
askance = "survey-1"
title = "Sport"
consent = "Say it or leave."
"""
QUESTIONS = """
[[question]]
name = "sex"
text = "Are you …"
answers = ["female", "male"]
[[question]]
name = "doped"
text = "Have you doped?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""
FIRST_GROUP = """[[evidence.group]]
name = "card first"
first = "card"
"""
GROUPS = f"""
[evidence]
question = "doped"
{FIRST_GROUP}[[evidence.group]]
name = "story"
text = "Imagine a coin."
"""
TEACH_BACK = """
[evidence.teach_back]
text = "What is sent?"
answers = ["my answer", "a drawn answer", "nothing", "my name"]
right = "a drawn answer"
"""
ANCHOR = """
[evidence.anchor]
text = "Born in January?"
share = "1/12"
"""
SHAM = """
[evidence.sham]
text = "Have you taken Zorbinol?"
innocent = "no"
"""
WHOLE_SURVEY = HEAD + QUESTIONS + GROUPS + TEACH_BACK + ANCHOR + SHAM

PAIRS = ("teach_back", "doped"), ("doped", "doped_anchor"), ("doped", "doped_sham")
"""The questions whose reports are counted together."""


def published(text):
    return ak.publish(ak.parse_survey(text.encode()))


@pytest.fixture(scope="module")
def form():
    return published(WHOLE_SURVEY)


def test_the_block_is_written_out_as_questions_asked_like_the_sensitive_one(form):
    names = [question.name for question in form.questions]
    assert names == ["teach_back", "sex", "doped", "doped_anchor", "doped_sham"]
    doped = form.question("doped")
    for name in ("doped_anchor", "doped_sham"):
        assert form.question(name).table == doped.table
        assert form.question(name).blank == doped.blank
    explanations = form.explanations
    assert [group.first for group in explanations.groups] == ["card", "picture"]
    assert [dict(group.wording) for group in explanations.groups] == [{}, {"en": "Imagine a coin."}]
    assert form.questions[explanations.question].name == "teach_back"
    assert json.loads(form.bytes)["about"]["evidence"]["anchor"]["share"] == "1/12"


def test_a_form_without_evidence_has_no_byte_of_it():
    assert b"evidence" not in published(HEAD + QUESTIONS).bytes


def test_only_whether_the_answer_is_right_is_sent(form):
    """Three wrong answers have one row; the group is drawn whatever the answer is."""
    question_result = form.question("teach_back")
    assert len(question_result.answers) == 4
    assert (
        question_result.table.rows[0]
        == question_result.table.rows[2]
        == question_result.table.rows[3]
        != question_result.table.rows[1]
    )
    judged = question_result.underlying_question
    assert [answer.name for answer in judged.answers] == ["right", "other"]
    assert judged.answers[0].wording["en"] == "the right answer"
    assert judged.table.rows == ((3, 1, 3, 1), (1, 3, 1, 3))
    assert judged.meanings == ((0,), (1,)) * 2
    assert question_result.answer_classes == (1, 0, 1, 1)
    doped = form.question("doped")
    assert doped.underlying_question is doped


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            WHOLE_SURVEY.replace('share = "1/12"\n', ""),
            ["evidence.anchor.share", "nothing", "1/12"],
        ),
        (WHOLE_SURVEY.replace('"1/12"', '"13/12"'), ["evidence.anchor.share", "13/12"]),
        (
            WHOLE_SURVEY.replace('innocent = "no"\n', ""),
            ["evidence.sham.innocent", 'innocent = "no"'],
        ),
        (
            WHOLE_SURVEY.replace('innocent = "no"', 'innocent = "nо"'),
            ["evidence.sham.innocent", "yes, no"],
        ),
        (
            HEAD + QUESTIONS + '[evidence]\nquestion = "doped"\n' + TEACH_BACK,
            ["evidence.group", "no groups", "[[evidence.group]]"],
        ),
        (
            WHOLE_SURVEY.replace('[[evidence.group]]\nname = "card first"\nfirst = "card"\n', ""),
            ["1 group"],
        ),
        (
            WHOLE_SURVEY.replace('first = "card"', 'first = "cart"'),
            ["evidence.group[0].first", "card"],
        ),
        (
            WHOLE_SURVEY.replace('text = "Imagine a coin."', 'first = "card"'),
            ["evidence.group[1]", "different"],
        ),
        (HEAD + QUESTIONS + GROUPS + ANCHOR, ["evidence.teach_back", "right"]),
        (WHOLE_SURVEY.replace(', "my name"]', "]"), ["evidence.teach_back.answers", "4 answers"]),
        (
            WHOLE_SURVEY.replace('right = "a drawn', 'right = "a drown'),
            ["evidence.teach_back.right"],
        ),
        (
            WHOLE_SURVEY.replace("[evidence.anchor]", 'truth = "1/2"\n[evidence.anchor]'),
            ["truth", "1/2"],
        ),
        (
            WHOLE_SURVEY.replace('question = "doped"', 'question = "dope"'),
            ["evidence.question", "doped"],
        ),
        (
            WHOLE_SURVEY.replace('question = "doped"', 'question = "sex"'),
            ["evidence.question", "mechanism"],
        ),
        (WHOLE_SURVEY.replace("[evidence.sham]", "[evidence.shame]"), ["evidence.shame", "sham"]),
        (WHOLE_SURVEY + 'coin = "Heads?"\n', ["evidence.sham.coin", "a coin"]),
        (
            WHOLE_SURVEY.replace('["yes", "no"]\nmech', '["yes", "no", "once"]\nmech').replace(
                '"warner", truth', '"kary", truth'
            ),
            ["evidence.anchor", "sham instead"],
        ),
        (
            HEAD + QUESTIONS.replace('"male"]', '"male", "other"]\nright = "male"'),
            ["question[0].right", "mechanism"],
        ),
        (
            HEAD + QUESTIONS.replace('"no"]', '"no"]\nright = "no"'),
            ["question[1].answers", "three answers"],
        ),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_remedy(text, words):
    with pytest.raises(SurveyError) as error:
        published(text)
    for word in words:
        assert word in str(error.value)


def test_an_error_names_its_line(tmp_path):
    file = tmp_path / "sport.toml"
    file.write_text(WHOLE_SURVEY.replace('share = "1/12"\n', ""))
    line = file.read_text().split("\n").index("[evidence.anchor]") + 1
    with pytest.raises(SurveyError, match=rf"^line {line}, evidence\.anchor\.share"):
        CliRunner().invoke(verbs, ["check", str(file)], catch_exceptions=False)


def test_what_a_form_says_of_evidence_is_read_with_care(form):
    document = form.document
    for change in (
        {"question": "other"},
        {"teach_back": "doped_anchor2"},
        {"anchor": {"question": "doped_anchor", "answer": "perhaps", "share": "1/2"}},
        {"anchor": {"question": "doped_anchor", "answer": "yes", "share": "3/2"}},
        {"sham": {"question": "doped_sham"}},
    ):
        changed = document["about"] | {"evidence": document["about"]["evidence"] | change}
        other = Form.read(document | {"about": changed})
        with pytest.raises(FormError, match=r"about\.evidence"):
            ak.analyse(other, Counts(0, {question.name: {} for question in form.questions}))


def test_paper_and_telephone_do_not_ask_for_evidence(form):
    with pytest.raises(InputError, match="which answer is right"):
        telephone_script(form)


def expected_counts(*, understood, shares, careless, n=600_000):
    """Counts as expected of people of whom some are careless at every question but the teach-back.

    ``shares`` are those of "yes" to the sensitive question, the anchor and the sham.
    """
    truth = 3 / 4
    names = ["doped", "doped_anchor", "doped_sham"]
    yes = [truth * share + (1 - truth) * (1 - share) for share in shares]
    values = {name: Counter() for name in ("teach_back", "sex", *names)}
    pairs = {pair: Counter() for pair in PAIRS}
    for group, careful in product(range(2), (True, False)):
        weight = n / 2 * (1 - careless if careful else careless)
        right = truth * understood[group] + (1 - truth) * (1 - understood[group])
        chances = yes if careful else [0.5] * 3
        for taught, *replies in product(range(2), repeat=4):
            cell = weight * (right, 1 - right)[taught]
            for chance, report in zip(chances, replies, strict=True):
                cell *= (chance, 1 - chance)[report]
            row = {"teach_back": 2 * group + taught, **dict(zip(names, replies, strict=True))}
            for name, report in row.items():
                values[name][report] += cell
            for first, second in pairs:
                pairs[first, second][row[first], row[second]] += cell
    values["sex"][0] = n
    function = lambda counted: {key: round(count) for key, count in counted.items()}  # noqa: E731
    return Counts(
        n,
        {name: function(counted) for name, counted in values.items()},
        {pair: function(counted) for pair, counted in pairs.items()},
    )


def test_rates_and_shares_are_found_again_in_expected_counts(form):
    counts = expected_counts(understood=(0.5, 0.8), shares=(0.3, 1 / 12, 0.0), careless=0.2)
    evidence = ak.analyse(form, counts).evidence
    assert [rate.share for rate in evidence.comprehension] == pytest.approx(
        [0.65, 0.5, 0.8], abs=1e-4
    )
    assert evidence.comprehension_p < 1e-9
    # careless reports are even: a naive share is (1 - γ) π + γ / 2
    assert [rate.share for rate in evidence.by_group] == pytest.approx([0.34, 0.34], abs=1e-4)
    assert evidence.by_group_p > 0.9
    assert evidence.false_positive.share == pytest.approx(0.1, abs=1e-4)
    assert evidence.false_positive.answer == "yes"
    assert list(evidence.corrections) == ["doped_anchor", "doped_sham"]
    for fit in evidence.corrections.values():
        assert fit.careless == pytest.approx(0.2, abs=1e-3)
        assert fit.value[0] == pytest.approx(0.3, abs=1e-3)
        assert fit.uncorrected[0] == pytest.approx(0.34, abs=1e-4)
        assert fit.se[0] > fit.uncorrected_se[0] > 0


def test_the_page_and_the_terminal_say_what_was_found(form):
    counts = expected_counts(
        understood=(0.5, 0.8), shares=(0.3, 1 / 12, 0.0), careless=0.2, n=6_000
    )
    analysis = ak.analyse(form, counts)
    page = ak.present.render_analysis(analysis)
    for sentence in (
        "Of 100 people, 65.0 (standard error 1.3) gave the right answer.",
        "in group “story” 80.0",
        "Of 100 people, 10.0 (standard error 1.2) admitted “yes”, which can be true for nobody",
        "This question estimates that 20.0 of 100 people",
    ):
        assert sentence in page
    assert json.dumps(analysis.to_dict()["evidence"])
    from_dict_result = Counts.from_dict(counts.to_dict(form), form)
    assert ak.analyse(form, from_dict_result).evidence.to_dict() == analysis.evidence.to_dict()


def test_few_reports_are_withheld_and_all_groups_with_one(form):
    counts = expected_counts(understood=(0.5, 0.8), shares=(0.3, 1 / 12, 0.0), careless=0.2, n=80)
    evidence = ak.analyse(form, counts).evidence
    assert evidence.comprehension[0].share is not None
    assert [rate.share for rate in (*evidence.comprehension[1:], *evidence.by_group)] == [None] * 4
    assert evidence.comprehension_p is evidence.by_group_p is None
    nobody = {question.name: {} for question in form.questions}
    none = ak.analyse(form, Counts(0, nobody)).evidence
    assert none.comprehension[0].share is none.false_positive.share is None
    assert not none.corrections


def test_an_anchor_that_tells_nothing_is_told(form):
    """Where everybody is careless by the sham, its share cannot be divided by."""
    counts = expected_counts(
        understood=(0.5, 0.8), shares=(0.3, 1 / 12, 0.5), careless=0.0, n=6_000
    )
    evidence = ak.analyse(form, counts).evidence
    assert list(evidence.corrections) == ["doped_anchor"]
    assert "doped_sham" in evidence.untold
