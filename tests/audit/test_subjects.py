"""What can be audited: forms as devices answer them, programs, functions."""

import sys

import numpy as np
import pytest
from planted import WARNER

import askance as ak
from askance.audit import FormSubject, FunctionSubject, PageSubject, ProgramSubject, audit

SURE = 1e-9
"""How often the right mechanism, drawn by fresh bits, may be found fault with."""
PYTHON = sys.executable
ZEROS_AND_ONES = np.array([0, 1] * 50)


@pytest.fixture(scope="module")
def money():
    return ak.publish(ak.load_survey("examples/income.toml"))


@pytest.fixture(scope="module")
def affairs():
    return ak.publish(ak.load_survey("examples/affairs.toml"))


@pytest.mark.parametrize(
    "question", ["age", pytest.param("income", marks=pytest.mark.wide), "getting_by"]
)
@pytest.mark.long
def test_a_question_is_drawn_as_its_form_says(money, question):
    subject = FormSubject(money, question)
    assert subject.stated_channel.table is not None
    result = audit(subject, draws=6_400, alpha=SURE)
    assert result.passed
    assert {check.name for check in result.checks} >= {"each chance", "constant length in bytes"}


def test_a_blank_is_a_report_too(affairs):
    subject = FormSubject(affairs, "affair")
    assert subject.stated_channel.reports[-1] == "nothing sent"
    assert set(subject.stated_channel.matrix[:, -1]) == {0.02}


def test_a_blank_does_not_count_as_evidence(affairs):
    """Losses of evidence are what the form states, where a blank counts for nothing."""
    result = audit(FormSubject(affairs, "affair"), draws=2_000, alpha=SURE)
    assert result.passed
    stated = {loss.notion: loss.stated for loss in result.losses}
    (requests,) = (
        question for question in ak.check(affairs).questions if question.name == "affair"
    )
    form = {guarantee.notion.label: guarantee for guarantee in requests.guarantees}
    for name in ("Shafer's loss", "Walley's loss"):
        assert stated[name] == pytest.approx(form[name].epsilon_nearest, abs=1e-12)


@pytest.mark.parametrize("reports", [lambda _: None, lambda item: None if item == "no" else "yes"])
def test_a_device_that_sends_blanks_alone_is_found(affairs, reports):
    subject = FormSubject(affairs, "affair")
    twin = FunctionSubject(subject.answers, reports, stated_channel=subject.stated_channel)
    assert not audit(twin, draws=1_000, rng=1).passed


def test_a_device_that_draws_by_another_table_is_found(affairs):
    """The broken twin: a device that tells "no" as it is."""
    subject = FormSubject(affairs, "affair")

    def send(answer):
        values = np.array([subject.answers.index(answer)])
        return "no" if answer == "no" else subject.respond(values).reports[0]

    twin = FunctionSubject(subject.answers, send, stated_channel=subject.stated_channel)
    assert not audit(twin, draws=1_000, rng=1).passed


@pytest.mark.parametrize(
    ("question", "message"),
    [("marriage", "whose report no device draws"), ("nonsense", "nonsense")],
)
def test_what_no_device_draws_is_refused(affairs, question, message):
    with pytest.raises(ak.AskanceError, match=message):
        FormSubject(affairs, question)


def test_a_page_is_pressed_where_answers_have_names(money):
    with pytest.raises(ak.AskanceError, match="with named answers"):
        PageSubject(money, "income")


def program(code, **inputs):
    return ProgramSubject([PYTHON, "-c", code], ["yes", "no"], **inputs)


def test_lines_go_in_and_come_out():
    copy = program("import sys\nfor line in sys.stdin: print(line.strip())")
    response = copy.respond(ZEROS_AND_ONES)
    assert response.reports == ("yes", "no") * 50
    assert set(response.traces["length in bytes"]) == {2.0, 3.0}


def test_one_by_one_each_report_is_timed():
    copy = program(
        "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)", one_by_one=True
    )
    response = copy.respond(ZEROS_AND_ONES)
    assert response.reports == ("yes", "no") * 50
    assert (response.traces["seconds"] > 0).all()


@pytest.mark.long
def test_a_program_that_always_begins_with_one_seed_is_found():
    code = """
import random, sys
random.seed(1)
for line in sys.stdin:
    right = random.random() < 0.75
    print(line.strip() if right else "no" if line.startswith("yes") else "yes")
"""
    result = audit(program(code, stated_channel=WARNER), draws=400, rng=1)
    assert [check.name for check in result.checks if check.is_violated] == ["two runs"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print('yes')", "1 lines for 100 answers"),
        ("raise SystemExit('no table')", "exit status 1: no table"),
    ],
)
def test_a_program_that_does_not_do_its_part_is_told(code, message):
    with pytest.raises(ak.AskanceError, match=message):
        program(code).respond(ZEROS_AND_ONES)


def test_a_program_that_is_not_there_is_told():
    with pytest.raises(ak.AskanceError, match="a program that can be started"):
        ProgramSubject(["/no/such/program"], ["yes", "no"]).respond(ZEROS_AND_ONES)


def test_one_that_answers_several_at_once_is_told_to_flush():
    code = "import sys\nfor line in sys.stdin: print('yes\\nno', flush=True)"
    with pytest.raises(ak.AskanceError, match="flush after every line"):
        program(code, one_by_one=True).respond(ZEROS_AND_ONES)


def test_a_function_gives_texts_none_or_messages():
    subject = FunctionSubject(["ja", "nein"], {"ja": None, "nein": 3}.get)
    assert subject.respond(np.array([0, 1])).reports == ("nothing sent", "3")
    response = FunctionSubject(["ja", "nein"], lambda answer: f"{answer}  ".encode()).respond(
        np.array([0])
    )
    assert response.reports == ("ja␠␠",)
    assert response.traces["length in bytes"].tolist() == [4.0]


@pytest.mark.parametrize("answers", [[], ["yes"], ["yes", "yes"], ["yes", " "], ["yes", "n\no"]])
def test_answers_are_two_or_more_names(answers):
    with pytest.raises(ak.AskanceError, match="two or more different names, of one line each"):
        FunctionSubject(answers, str)


def test_batches_give_as_much_as_they_take():
    short = ak.audit.BatchSubject(["a", "b"], lambda answers: ak.audit.Responses(reports=["a"]))
    with pytest.raises(ak.AskanceError, match="Responses to 100 answers"):
        short.respond(ZEROS_AND_ONES)
    with pytest.raises(ak.AskanceError, match="a number for each report"):
        ak.audit.Responses(reports=["a"], traces={"seconds": [1, 2]})


@pytest.mark.parametrize(
    ("messages", "result"),
    [
        (b"yes", "yes"),
        (b"", "nothing sent"),
        (b"yes ", "yes␠"),
        (b" yes", " yes"),
        (b"yes\t", "yes\\t"),
        (b"yes\r", "yes\\r"),
        (b"a\\t", "a\\\\t"),
        (b"\xff", "\\udcff"),
        ("é".encode(), "é"),
        ("␠".encode(), "\\u2420"),
    ],
)
def test_every_byte_of_a_message_is_read(messages, result):
    assert FunctionSubject(["a", "b"], lambda _: messages).respond(np.array([0])).reports == (
        result,
    )


def test_no_two_messages_are_read_alike():
    parts = [b"", b" ", b"\t", b"\\", b"t", b"x20", b"\xe2\x90\xa0", b"\xff", b"udcff", b"\r"]
    messages = {a + b + c for a in parts for b in parts for c in parts if a + b + c}
    read = [
        FunctionSubject(["a", "b"], lambda _, item=message: item).respond(np.array([0]))
        for message in messages
    ]
    assert len({received.reports for received in read}) == len(messages)


def test_where_all_lines_end_with_a_carriage_return_it_is_no_report():
    every = program("import sys\nfor line in sys.stdin: sys.stdout.write(line.strip() + '\\r\\n')")
    assert every.respond(ZEROS_AND_ONES).reports == ("yes", "no") * 50
    some = program(
        "import sys\nfor line in sys.stdin: sys.stdout.write(line.replace('no', 'no\\r'))"
    )
    assert some.respond(ZEROS_AND_ONES).reports == ("yes", "no\\r") * 50


def test_an_error_is_the_report_to_the_answer_that_it_came_to():
    code = "import sys\nfor line in sys.stdin:\n  print(line.strip())\n  if 'no' in line: {}"
    response = program(code.format("sys.exit(3)")).respond(np.array([0, 1, 0, 0]))
    assert response.reports == ("yes", "no", "error: exit status 3", "yes")
    assert response.has_unassigned_output
    with pytest.raises(ak.AskanceError, match="exit status 3"):
        program("import sys; sys.stdin.readline(); sys.exit(3)").respond(ZEROS_AND_ONES)


def test_a_function_that_fails_for_one_answer_is_heard_and_one_that_always_does_is_not():
    def send(answer):
        if answer == "no":
            raise ValueError("no table")
        return answer

    response = FunctionSubject(["yes", "no"], send).respond(np.array([0, 1]))
    assert response.reports == ("yes", "error: ValueError: no table")
    with pytest.raises(ValueError, match="no table"):
        FunctionSubject(["yes", "no"], send).respond(np.array([1, 1]))


@pytest.mark.long
def test_what_is_written_aside_is_heard_answer_by_answer_one_by_one():
    code = """
import sys
for line in sys.stdin:
    sys.stderr.write("1" if "no" in line else "2"); sys.stderr.flush()
    print("yes", flush=True)
"""
    result = audit(program(code, one_by_one=True), draws=400, rng=1)
    broken = [check.name for check in result.checks if check.is_violated]
    assert broken == ["error output"]


def test_all_steps_of_a_line_are_asked_and_the_other_questions_too(affairs):
    subject = FormSubject(affairs, "years")
    line = affairs.question("years").line
    assert len(subject.answers) == line.ticks <= 64
    response = subject.respond(np.zeros(40, dtype=np.int64))
    assert {"affair", "religious"} <= set(response.other_answers)
    assert all(len(set(response.other_answers[name])) > 1 for name in ("affair", "religious"))
    assert {len(message) for message in response.messages} == {affairs.size}


def test_a_question_that_others_let_skip_is_answered_all_the_same():
    form = ak.publish(
        ak.parse_survey(b"""
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
[[question]]
name = "milk"
text = "Do you take milk?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "99/100" }
skip = { after = "tea", answered = ["no"], send = "no" }
""")
    )
    assert audit(FormSubject(form, "milk"), draws=1_000, alpha=SURE).passed
