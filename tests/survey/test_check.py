"""What check says is what the form's integers do, rounded towards caution."""

import json
import math
import re
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import lognorm

from askance import analyse
from askance.analysis import check
from askance.engines import Counts
from askance.privacy import Guarantee, Notion
from askance.survey import deployed, load_survey, parse_survey, publish
from askance_collect.errors import FormError
from askance_collect.wire import Form, read_question

NARROWEST = "The narrowest range is 1 year wide."
TELLS_MOST = (
    "The most revealing range is the one with the fewest people, among those that contain no other."
)
HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n'


ACCEPTED = '\nproves = "accepted"\nproves_reason = "tried"'


def checked(*questions, sizes=(400,)):
    return check(publish(parse_survey((HEAD + "".join(questions)).encode())), sizes)


def question_block(name, rest):
    return f'[[question]]\nname = "{name}"\ntext = "Q?"\n{rest}\n'


YES_NO = 'answers = ["yes", "no"]\nmechanism = { name = "abstain", truth = "3/5", lie = "1/10" }'


def test_the_example_is_told_in_counts_of_a_hundred_people():
    (question,) = checked(question_block("a", YES_NO)).questions
    assert question.sentences == (
        "Of 100 people whose answer is “yes”, 60 send “yes”, 10 send “no”, 30 send “don't know”.",
        "Of 100 people whose answer is “no”, 10 send “yes”, 60 send “no”, 30 send “don't know”.",
    )
    assert [guarantee.notion.label for guarantee in question.guarantees] == [
        "local privacy",
        "Shafer's loss",
        "Walley's loss",
        "advantage over guessing",
    ]
    ((n, width),) = question.precision
    assumed_population = (Fraction(7, 5) ** 2 / 4) / Fraction(7, 10) / 400
    assert n == 400
    assert float(width.split()[1]) == pytest.approx(
        100 * 1.96 * math.sqrt(assumed_population), abs=0.06
    )


def test_what_a_form_says_of_itself_is_not_taken_on_trust():
    form = publish(
        parse_survey((HEAD + question_block("a", YES_NO) + question_block("b", YES_NO)).encode())
    )
    result = {"name": "t", "questions": ["a", "b"]}

    def saying(**about):
        return Form.read({**form.document, "about": about})

    (trait,) = check(saying(traits=[result])).traits
    assert trait.guarantees[0].value == 36
    assert check(saying()).traits == ()
    for lie in (
        5,
        "ab",
        [result | {"questions": ["c"]}],
        [result | {"questions": []}],
        [[]],
        [None],
    ):
        with pytest.raises(FormError, match="traits"):
            check(saying(traits=lie))
    with pytest.raises(FormError, match="minimum"):
        analyse(saying(minimum="0"), Counts(1, {"a": {0: 1}, "b": {0: 1}}))


def test_promised_shares_of_people_are_rounded_down():
    line = "line = { lower = 0, upper = 7, unit = 'h' }\n"
    (ring,) = checked(
        question_block("a", line + 'mechanism = { name = "ring", floor = "3/7" }')
    ).questions
    assert "either holds at least 42.8 of 100 people." in ring.sentences[1]
    rest = line + 'mechanism = { name = "progressive", number = 1, floor = "3/7" }'
    (steps,) = checked(question_block("a", rest)).questions
    assert "a side with less than 42.8 of 100 people" in steps.sentences[1]


def test_answers_that_are_treated_alike_are_told_in_one_sentence():
    rest = 'answers = ["a", "b", "c"]\nmechanism = { name = "abstain", truth = 0.5, lie = 0.3 }'
    (question,) = checked(question_block("a", rest + '\nblank = "1/10"')).questions
    assert question.sentences == (
        "Of 100 people, whatever their answer, 45 send it, 13.5 send each of the 2 other answers, "
        "18 send “don't know”, 10 send nothing.",
    )


def test_a_number_is_told_by_its_cuts_and_its_most_telling_reports():
    line = "line = { lower = 0, upper = 100, step = 5, unit = 'kg' }\n"
    text = line + 'mechanism = { name = "cuts" }\nblank = "1/20"'
    two = line + 'mechanism = { name = "cuts", number = 2, between = [20, 60] }'
    first, second = checked(question_block("a", text), question_block("b", two)).questions
    assert first.sentences == (
        "The device draws a number between 5 and 95 kg; the report says whether the answer is "
        "above it.",
        "The most revealing report: “5 kg or less” or “more than 95 kg”, whatever people answer.",
        "Of 100 people, whatever their answer, 5 send nothing by chance.",
        "The report is always true.",
    )
    assert second.sentences[0].startswith("The device draws 2 numbers between 20 and 60 kg")
    assert second.sentences[1:3] == (
        "The narrowest range is 5 kg wide.",
        TELLS_MOST,
    )


def test_a_range_one_unit_wide_is_counted_as_one():
    line = "line = { lower = 0, upper = 20, unit = 'years' }\n"
    (judged,) = checked(
        question_block("a", line + 'mechanism = { name = "cuts", number = 2 }')
    ).questions
    assert judged.sentences[1:3] == (NARROWEST, TELLS_MOST)
    stretch = "open = [[10, 20]], between = [4, 8]"
    mechanism = f'mechanism = {{ name = "cuts", number = 2, {stretch} }}'
    (judged,) = checked(question_block("a", line + mechanism)).questions
    assert judged.sentences[2:4] == (NARROWEST, TELLS_MOST)


def test_many_sets_are_told_in_one_sentence():
    answers = 'answers = ["a", "b", "c", "d", "e"]\nmechanism = { name = "blocks" }' + ACCEPTED
    (judged,) = checked(question_block("q", answers + '\nblank = "1/10"')).questions
    assert judged.sentences == (
        "The report is one of 30 sets of answers and always contains the true one.",
        "Of 100 people with one answer, 6 send that answer alone.",
        "Of 100 people, whatever their answer, 10 send nothing by chance.",
        "The report is always true.",
    )
    runs = 'answers = ["a", "b", "c", "d", "e"]\nmechanism = { name = "runs" }' + ACCEPTED
    (judged,) = checked(question_block("q", runs)).questions
    assert judged.sentences[1] == "Of 100 people with one answer, 0 to 25 send that answer alone."


LOGNORMAL = '{ name = "lognormal", median = 5000, spread = 3 }'
LISTED = [5, 0, *range(1, 19)]
DECLARED = {
    "ring": (f'"ring", floor = "1/5", sizes = {LOGNORMAL}', "by the sizes in the form"),
    "passed over": (
        f'"progressive", number = 3, floor = "1/8", sizes = {LOGNORMAL}',
        "by the sizes in the form",
    ),
    "withheld": (
        f'"selective", number = 2, floor = "1/8", sent = "3/4", sizes = {LOGNORMAL}',
        "by the sizes in the form",
    ),
    "promised": (f'"cuts", coverage = 0.6, prior = {LOGNORMAL}', "by the prior in the form"),
    "listed": (
        f'"cuts", coverage = 0.6, prior = {LISTED}',
        "by the prior in the form",
    ),
    "even ring": ('"ring", floor = "1/5"', "if answers were spread evenly"),
    "even cuts": ('"cuts", number = 2', "if answers were spread evenly"),
    "partly exact": (
        '"cuts", number = 1, open = [[10_000, 15_000]]',
        "if answers were spread evenly",
    ),
}
SPREADS = {assumed_population for _, assumed_population in DECLARED.values()}


@pytest.mark.long
@pytest.mark.parametrize("name", DECLARED)
def test_all_figures_of_a_question_are_for_one_population_and_say_so(name):
    rule, assumed_population = DECLARED[name]
    line = 'line = { lower = 0, upper = 20_000, step = 1_000, unit = "euros" }'
    form = publish(
        parse_survey(
            (HEAD + question_block("q", f"{line}\nmechanism = {{ name = {rule} }}")).encode()
        )
    )
    (judged,) = check(form, (1_000, 10**12)).questions
    assert judged.assumed_population == judged.preview.assumed_population == assumed_population
    coverage, least = (float(guarantee.printed(4)) for guarantee in judged.guarantees[:2])
    assert coverage == pytest.approx(judged.preview.law.mean, abs=1.1e-4)
    reached = judged.preview.law.values.min()
    assert least == pytest.approx(reached, abs=1.1e-4)
    text = " ".join((*judged.sentences, *judged.preview.sentences, *judged.preview.learnt))
    text += " ".join(guarantee.promise for guarantee in judged.guarantees)
    assert {item for item in SPREADS if item in text.replace("If", "if").replace("By", "by")} == {
        assumed_population
    }
    assert all(
        guarantee.promise.endswith(f"{assumed_population}.") for guarantee in judged.guarantees[:2]
    )
    about = form.document["questions"][0]["about"]
    assert (
        about["expected"]["spread"]
        == about["guarantees"]["coverage"]["spread"]
        == assumed_population
    )
    assert float(about["guarantees"]["coverage"]["value"]) == pytest.approx(coverage, abs=1.1e-4)


def _people(name, line):
    """Give the shares of people in each step that are declared under this name."""
    if name == "listed":
        return np.array(LISTED, dtype=float)
    ticks = [float(line.value_at(index)) for index in range(1, line.ticks)]
    return np.diff([0, *lognorm(np.log(3), scale=5000).cdf(ticks), 1])


def _find_runs(channel):
    """Give the first and the last step that each is not told apart from: inside the same ranges."""
    ends = [channel.pieces(*cell) for cell in channel.cells()[0]]
    inside = [
        tuple(any(low <= step < high for low, high in pieces) for pieces in ends)
        for step in range(channel.line.ticks)
    ]
    first = [inside.index(item) for item in inside]
    last = [len(inside) - 1 - inside[::-1].index(element) for element in inside]
    return np.array(first), np.array(last)


@pytest.mark.long
@pytest.mark.parametrize("name", ["ring", "passed over", "withheld", "promised", "listed"])
def test_precision_is_for_the_declared_population(name):
    """Reports without end leave half of what the pieces that hold people are wide on average."""
    line = 'line = { lower = 0, upper = 20_000, step = 1_000, unit = "euros" }'
    rest = f"{line}\nmechanism = {{ name = {DECLARED[name][0]} }}"
    form = publish(parse_survey((HEAD + question_block("q", rest)).encode()))
    (question,), (judged,) = form.questions, check(form, (10**14,)).questions
    if not judged.precision:
        assert "no number of reports identifies the mean" in check(form).warnings[-1]
        return
    channel, shares = deployed(question).channel, _people(name, question.line)
    first, last = _find_runs(channel)
    unknown = np.average(last + 1 - first, weights=shares) * 1_000 / 2
    number = float(judged.precision[0][1].split()[1].replace(",", ""))
    assert number == pytest.approx(unknown, abs=0.51, rel=0.06)


def half_width_of(judged):
    ((_, width),) = judged.precision
    return float(width.split()[1])


def test_half_widths_are_of_the_population_that_a_survey_declares():
    """They were given for equally common answers, beside posteriors for 4 in 100 people."""
    warner = 'answers = ["yes", "no"]\nmechanism = { name = "warner", truth = "3/4" }\n'
    ticks = 'choose = "all"\nprotect = "together"\nanswers = ["a", "b"]\n'
    ticks += 'mechanism = { name = "kary", ratio = 9 }\n'
    cut = "line = { lower = 0, upper = 3, step = 1 }\nmechanism = { name = 'cuts' }\n"
    shares = {"": 0.01, "a": 0.04, "b": 0.15, "a + b": 0.8}
    names = check(publish(parse_survey((HEAD + question_block("t", ticks)).encode())))
    assert names.questions[0].precision_population == "if answers were spread evenly"
    form = publish(parse_survey((HEAD + question_block("t", ticks)).encode()))
    sets = [answer.name for answer in form.questions[0].answers]
    written = ", ".join(
        f'"{name}" = {share}' for name, share in zip(sets, shares.values(), strict=True)
    )
    survey = [
        question_block("w", warner + 'expect = { yes = "4/100", no = "96/100" }'),
        question_block("t", f"{ticks}expect = {{ {written} }}"),
        question_block("c", cut + "expect = { spread = [6, 3, 1] }"),
    ]
    w, t, c = checked(*survey, sizes=(10_000,)).questions
    assert {question.precision_population for question in (w, t, c)} == {
        "if people are as the survey expects"
    }
    sent = 0.04 * 0.75 + 0.96 * 0.25
    error = math.sqrt(sent * (1 - sent) / 10_000) / (2 * 0.75 - 1)
    assert half_width_of(w) == pytest.approx(100 * 1.959964 * error, abs=0.0501)
    errors = []
    for ticked in (0.84, 0.95):  # a report holds an item with chance 10/12 if it is ticked
        sent = (10 * ticked + 2 * (1 - ticked)) / 12
        errors.append(math.sqrt(sent * (1 - sent) / 10_000) / (8 / 12))
    assert half_width_of(t) == pytest.approx(100 * 1.959964 * max(errors), abs=0.0501)
    variance = 2 * (0.6 * 0.4 + 0.9 * 0.1)  # either cut with chance 1/2: the sum of F (1 − F) / p
    width = 1.959964 * math.sqrt(variance / 100) + 0.5  # half of a step stays unknown
    (c,) = checked(survey[2], sizes=(100,)).questions
    assert half_width_of(c) == pytest.approx(width, abs=0.00501)


def test_a_prior_that_cannot_be_read_is_not_taken_for_one():
    line = 'line = { lower = 0, upper = 20, unit = "euros" }'
    rest = f'{line}\nmechanism = {{ name = "cuts", coverage = 0.6, prior = {list(range(20))} }}'
    document = publish(parse_survey((HEAD + question_block("q", rest)).encode())).document
    for prior in ("no law", "[1, 2]", '{ name = "lognormal", median = 0, spread = 2 }', 5, None):
        raw = document["questions"][0]
        mechanism = {**raw["about"]["mechanism"], "prior": prior}
        changed = {**raw, "about": {**raw["about"], "mechanism": mechanism}}
        (question,) = check(Form.read({**document, "questions": [changed]})).questions
        assert question.assumed_population == "if answers were spread evenly"


@pytest.mark.parametrize(
    ("mechanism", "protected"),
    [
        ('name = "warner", truth = "1"', False),
        ('name = "warner", truth = "0"', False),
        ('name = "abstain", truth = "1", lie = 0', False),
        ('name = "kary", truth = 1', False),
        ('name = "abstain", truth = "9/10", lie = 0', True),
        ('name = "warner", truth = "999/1000"', True),
    ],
)
def test_what_tells_the_answer_is_not_protected_as_the_page_says(mechanism, protected):
    rest = f'answers = ["yes", "no"]\nmechanism = {{ {mechanism} }}\nblank = "1/10"'
    rest += ACCEPTED * mechanism.endswith('"9/10", lie = 0')
    form = publish(
        parse_survey((HEAD + question_block("a", rest) + question_block("b", YES_NO)).encode())
    )
    judged = check(form)
    first, _ = judged.questions
    assert bool(first.guarantees) is protected
    assert ("not protected" in first.sentences[0]) is not protected
    assert first.protection.startswith("Not protected") is not protected
    assert any("stored as given: a" in warning for warning in judged.warnings) is not protected
    assert "10 send nothing" in " ".join(first.sentences)
    assert (first.preview is None) or protected
    finding = analyse(form, Counts(10, {"a": {0: 10}, "b": {0: 10}})).findings[0]
    assert finding.protected is protected


TABLES = ([[1, 0], [0, 1]], [[0, 4], [4, 0]], [[0, 3, 1], [4, 0, 0]], [[1, 0, 3], [0, 1, 3]])


@pytest.mark.long
def test_the_page_and_the_check_call_the_same_questions_protected():
    raw = [document(rows) for rows in (*TABLES, [[2, 1], [1, 2]])]
    ours = [bool(deployed(read_question(item, ["en"], "q")).guarantees) for item in raw]
    for name in ("affairs", "income"):
        form = publish(load_survey(f"examples/{name}.toml"))
        raw += form.document["questions"]
        ours += [bool(deployed(question).guarantees) for question in form.questions]
    browser = Path("src/askance_collect/respond/browser").resolve().as_uri()
    script = f"""import "{browser}/cuts.js";
        import {{ isProtected }} from "{browser}/speech.js";
        console.log(JSON.stringify(JSON.parse(process.argv[1]).map((one) => isProtected(one))))"""
    words = ["node", "--input-type=module", "-e", script, json.dumps(raw)]
    result = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    assert json.loads(result) == ours
    assert ours[:5] == [False, False, False, True, True]


def document(rows):
    label = {"en": "?"}
    answers = [{"name": f"a{index}", "label": label} for index in range(len(rows))]
    reports = [{"name": f"r{index}", "label": label, "means": [0]} for index in range(len(rows[0]))]
    table = {"total": sum(rows[0]), "rows": rows}
    remaining = {"kind": "table", "name": "q", "text": label, "about": {}, "blank": [0, 1]}
    return remaining | {"answers": answers, "reports": reports, "table": table}


def test_a_trait_is_told_together_and_plain_questions_are_warned_of():
    trait = '\ntrait = "faith"'
    plain = question_block("town", 'answers = ["a", "b"]')
    judged = checked(
        plain, question_block("a", YES_NO + trait), question_block("b", YES_NO + trait)
    )
    (together,) = judged.traits
    assert together.questions == ("a", "b")
    assert together.guarantees[0].value == 36
    assert "town" in judged.warnings[0]
    assert checked(question_block("a", YES_NO)).warnings == ()


@given(st.fractions(0, 1))
def test_words_promise_no_more_than_holds(value):
    result = Guarantee(Notion.ADVANTAGE, value, "").promise
    right = Fraction(re.findall(r"[\d.]+", result)[0])
    assert 0 <= right - 50 * (1 + value) < Fraction(1, 10)
    result = Guarantee(Notion.COVERAGE, value, "").promise
    inside = Fraction(re.findall(r"\d[\d.]*", result)[0])
    assert 0 <= 100 * value - inside < Fraction(1, 10)


def test_what_has_no_bound_is_said_to_have_none():
    endless = Guarantee(Notion.LOCAL, math.inf, "")

    assert "for certain" in endless.promise
    uneven = Guarantee(Notion.FLATNESS, Fraction(3, 2), "")
    assert "1.50 times" in uneven.promise


def test_the_shipped_example_is_judged():
    judged = check(publish(load_survey("examples/affairs.toml")))
    assert [len(question.guarantees) for question in judged.questions] == [0, 4, 4, 3]
    assert all(question.precision for question in judged.questions[1:])


def test_how_far_false_reports_move_each_kind_is_told():
    result = {
        question.name: question.manipulation
        for question in check(publish(load_survey("examples/affairs.toml"))).questions
    }
    assert result["marriage"].sentence == (
        "If 100 of 1,000 reports were fabricated, this could shift by up to 10.0 points."
    )
    assert result["affair"].max_shift == pytest.approx(100 * 100 / 730 * 1.2)
    assert result["affair"].sentence.endswith(
        "this could shift by up to 16.5 points (10.0 if asked directly)."
    )
    assert "an unbiased share could shift by up to 18.7 points" in result["religious"].sentence
    assert result["years"].sentence.endswith(
        "the mean could shift by up to 2.3 years (2.4 if asked directly)."
    )


@pytest.mark.long
def test_false_reports_of_other_ranges_are_bounded_for_the_people_supposed():
    result = {
        question.name: question.manipulation
        for question in check(publish(load_survey("examples/income.toml"))).questions
    }
    assert (
        result["age"].population == result["savings"].population == "if answers were spread evenly"
    )
    assert result["income"].population == "by the sizes in the form, with every step taken"
    assert " if asked directly), if answers were spread evenly." in result["age"].sentence
    assert result["age"].is_approximate
    assert (
        "the mean could shift by about" in result["age"].sentence
    )  # of a long line it is no bound
    assert result["age"].direct_shift < result["age"].max_shift < 2 * result["age"].direct_shift


def test_whatever_people_answer_one_of_the_two_outer_ranges_of_one_cut_tells_most():
    """Ranges tell the more the fewer people they hold; here all are counted, with any crowd."""
    dice, cuts = np.random.default_rng(5), [5, 10, 40, 95]
    for _ in range(200):
        crowd = np.cumsum(dice.dirichlet(np.full(100, 0.2)))
        below = crowd[np.array(cuts) - 1]
        assert min(below[0], 1 - below[-1]) == min(*below, *(1 - below))
    two = [(low, high) for low in (0, *cuts) for high in (*cuts, 100) if low < high < low + 100]
    narrowest = min(two, key=lambda ends: ends[1] - ends[0])
    tells_most = {
        min(two, key=lambda ends: np.sum(dice.dirichlet(np.full(100, 0.2))[slice(*ends)]))
        for _ in range(50)
    }
    assert tells_most - {narrowest}  # with other crowds another range tells more


def test_how_an_answer_is_sent_says_where_a_report_can_prove_it():
    yn = 'answers = ["yes", "no"]\nmechanism = '
    line = "line = { lower = 0, upper = 9, whole = true }\nmechanism = "
    proving = {
        '{ name = "abstain", truth = "3/5", lie = 0 }': True,
        '{ name = "abstain", truth = "3/5", lie = "1/10" }': False,
        '{ name = "one_sided", forced_yes = "1/5" }': True,
        '{ name = "warner", truth = "3/4" }': False,
        '{ name = "cuts", number = 2 }': True,
        '{ name = "progressive", number = 2, floor = "1/5" }': False,
    }
    for mechanism, proves in proving.items():
        rest = (line if "number" in mechanism else yn) + mechanism
        accepted = ACCEPTED * (proves and "one_sided" not in mechanism)
        form = publish(parse_survey((HEAD + question_block("a", rest + accepted)).encode()))
        question = deployed(form.questions[0])
        matrix = getattr(question.channel, "matrix", None)
        if matrix is not None:  # counted: from how many answers each report can come
            assert (1 in (matrix > 0).sum(axis=0)) == proves
        assert (question.report_kind.name == "PROVING") == proves, mechanism


def test_answers_that_look_alike_are_told() -> None:
    answers = 'answers = ["yes", "Yes", "no\u200b", "no", "I’d rather not answer", "maybe"]'
    told = [note for note in checked(question_block("q", answers)).warnings if "looks like" in note]
    assert told[:2] == [
        "q: 'Yes' looks like 'yes', but has LATIN CAPITAL LETTER Y.",
        "q: 'no\\u200b' looks like 'no', but has ZERO WIDTH SPACE.",
    ]
    assert any(note.endswith("looks like the page's own 'I’d rather not answer'.") for note in told)
    german = """[[question]]
name = "q"
text = { en = "Q?", de = "F?" }
answers = [
    { name = "a", en = "Maybe", de = "Keine Angabe" },
    { name = "b", en = "Never", de = "keine  Angabe" },
]
"""
    head = HEAD.replace('title = "T"\nconsent = "C"', 'languages = ["en", "de"]\n' + _TEXTS)
    both = check(publish(parse_survey((head + german).encode())), (400,))
    alike = [note for note in both.warnings if "looks like" in note]
    assert alike == ["q, de: 'Keine Angabe' looks like another answer, 'keine  Angabe'."]
    plain = checked(question_block("q", YES_NO))
    assert not [note for note in plain.warnings if "looks like" in note]


_TEXTS = 'title = { en = "T", de = "T" }\nconsent = { en = "C", de = "E" }'
