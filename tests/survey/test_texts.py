"""Texts and comments: from the survey file to what is sent, kept, told, counted and handed out."""

import csv
import json
from dataclasses import replace

import pyrage
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.engines import Fieldwork, count_reports, make_seal_key, report_rows
from askance.present import Actor, Seen, assess_actors, board_facts, render_board
from askance.study import invent_answers, operating_characteristics
from askance_collect.collect import (
    accept,
    create_backup_key,
    export_csv,
    export_jsonl,
    open_store,
)
from askance_collect.errors import InputError, ReportRefused, SurveyError
from askance_collect.respond import respond
from askance_collect.wire import Form, FreeText, Report

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
minimum = 1
[[question]]
name = "works"
text = "Do you work?"
answers = ["yes", "no"]
[[question]]
name = "hours"
text = "How many hours a week?"
line = { lower = 0, upper = 80 }
skip = { after = "works", answered = ["no"] }
comment = { limit = 200 }
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
[[question]]
name = "better"
text = "What should be better?"
free_text = { limit = 500 }
"""
PUBLIC = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
TEXT = "=SUM(1), „mehr“ Licht 🍳\nund Bücher"


def form_of(text=SURVEY):
    return ak.publish(ak.parse_survey(text.encode()))


@pytest.fixture
def store(tmp_path):
    """Three reports: one with both texts, one that skips the comment, one that leaves all empty."""
    form = form_of()
    store = open_store(tmp_path / "study.db", form)
    people = (
        {"works": 0, "hours": 8, "hours_comment": "It varies.", "used": 1, "better": TEXT},
        {"works": 1, "hours_comment": "It varies.", "used": 0, "better": "Nothing"},
        {"works": 0, "hours": 9, "used": 0},
    )
    store.append([accept(respond(form, person).body(form.size), form) for person in people])
    yield store
    store.close()


def test_a_text_is_written_with_its_limit_and_a_comment_beside_its_question():
    form = form_of()
    assert form.document["askance"] == "form-2"
    assert [item.name for item in form.questions] == [
        *("works", "hours", "hours_comment", "used", "better")
    ]
    comment, better = form.question("hours_comment"), form.question("better")
    assert comment == FreeText("hours_comment", {"en": "Comment"}, 200, 4, is_comment=True)
    assert (better.limit, better.lines, better.is_comment) == (500, 4, False)
    assert [(skip.question, skip.send) for skip in form.skips] == [(1, None), (2, None)]
    assert Form.read(form.bytes).questions == form.questions


def test_a_short_text_has_one_line_unless_lines_are_asked_for():
    for limit, lines in (("100", 1), ("101", 4), ("30, lines = 2", 2)):
        form = form_of(SURVEY.replace("limit = 500", f"limit = {limit}"))
        assert form.question("better").lines == lines


def test_a_comment_is_asked_for_in_each_language_and_may_be_worded():
    german = SURVEY.replace("consent", 'languages = ["en", "de-AT"]\nconsent', 1)
    assert form_of(german).question("hours_comment").text["de-AT"] == "Anmerkung"
    worded = SURVEY.replace("limit = 200", 'limit = 200, text = "Why?"')
    assert form_of(worded).question("hours_comment").text["en"] == "Why?"


def test_every_body_has_room_for_the_widest_text():
    form = form_of()
    empty = respond(form, {}).body(form.size)
    longest = {"hours_comment": "ä" * 200, "better": "🍳" * 250, "hours": 80, "works": 0}
    full = respond(form, longest).body(form.size)
    assert len(empty) == len(full) == form.size
    assert form.size - len(full.rstrip()) < 256


def test_a_text_is_kept_as_it_is_and_what_cannot_be_one_is_refused(store):
    form = form_of()
    documents = [json.loads(answers) for _, answers in store.reports()]
    assert sorted(document["better"] or "" for document in documents) == ["", TEXT, "Nothing"]
    assert [document["hours_comment"] for document in documents].count("It varies.") == 1
    values = dict.fromkeys(question.name for question in form.questions)
    for text in ("", " x", "a\rb", "x" * 501, "\ud83d", 0, True):
        body = Report(form.fingerprint, "0" * 32, values | {"better": text}).body(form.size)
        with pytest.raises(ReportRefused) as refusal:
            accept(body, form)
        assert refusal.value.code == "impossible"
        with pytest.raises(InputError) as refusal:
            respond(form, {"better": text})
        assert refusal.value.got is None


def test_an_export_has_texts_in_a_file_of_their_own_and_reads_back(store, tmp_path):
    form = form_of()
    export_csv(store, form, tmp_path / "study.csv")
    export_jsonl(store, form, tmp_path / "study.jsonl")
    for written in (tmp_path / "study.csv", tmp_path / "study.jsonl"):
        text = written.read_text("utf-8")
        assert "Licht" not in text
        assert "varies" not in text
    with (tmp_path / "study.texts.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["question", "text"]
    assert sorted(rows) == [
        *(["better", f"'{TEXT}"], ["better", "Nothing"], ["hours_comment", "It varies."])
    ]
    lines = map(json.loads, (tmp_path / "study.texts.jsonl").read_text("ascii").splitlines())
    assert sorted((line["question"], line["text"]) for line in lines) == [
        *(("better", TEXT), ("better", "Nothing"), ("hours_comment", "It varies."))
    ]
    sources = tmp_path / "study.csv", tmp_path / "study.jsonl", tmp_path / "study.db"
    first, *others = [count_reports(source, form) for source in sources]
    assert dict(first.values["better"]) == {0: 2, None: 1}
    assert dict(first.values["hours_comment"]) == {0: 1, None: 2}
    fieldworks = [counts.fieldwork for counts in (first, *others)]
    assert fieldworks == [
        Fieldwork.UNKNOWN,
        Fieldwork.UNKNOWN,
        Fieldwork.OPEN,
    ]  # a table does not say
    assert all(replace(counts, fieldwork=first.fieldwork) == first for counts in others)
    for source in sources:
        assert {row.values["better"] for row in report_rows(source, form)} == {0, None}


def test_a_table_of_others_may_hold_texts_which_are_counted(tmp_path):
    form, table = form_of(), tmp_path / "other.csv"
    table.write_text("works,hours,hours_comment,used,better\nyes,8,NA,no,More light\nno,,,yes,\n")
    counts = count_reports(table, form)
    assert dict(counts.values["better"]) == {0: 1, None: 1}
    assert dict(counts.values["hours_comment"]) == {None: 2}
    assert type(counts).from_dict(counts.to_dict(form), form) == counts


def test_a_form_without_texts_has_no_file_of_them(tmp_path):
    plain = SURVEY.replace("comment = { limit = 200 }", "")
    form = form_of(plain.replace("free_text = { limit = 500 }", 'answers = ["light", "books"]'))
    store = open_store(tmp_path / "plain.db", form)
    export_csv(store, form, tmp_path / "plain.csv")
    export_jsonl(store, form, tmp_path / "plain.jsonl")
    store.close()
    assert list(tmp_path.glob("*texts*")) == []


def test_texts_are_counted_and_no_figure_is_made_of_them(store, tmp_path):
    form = form_of()
    analysis = ak.analyse(form, count_reports(tmp_path / "study.db", form))
    better = next(finding for finding in analysis.findings if finding.name == "better")
    assert (better.reports, better.blank, better.protected) == (2, 1, False)
    assert better.estimate.labels == ("written", "left empty")
    assert better.estimate.value.tolist() == pytest.approx([2 / 3, 1 / 3])
    assert better.manipulation is None
    assert "Licht" not in json.dumps(analysis.to_dict())


def test_a_rehearsal_goes_without_texts():
    form = form_of()
    people = invent_answers(form, people=20)
    characteristics = operating_characteristics(form, people, people=20, repetitions=1, rng=1)
    assert [characteristic.question for characteristic in characteristics] == [
        "works",
        "hours",
        "used",
    ]
    body = respond(form, people.people[0]).body(form.size)
    assert accept(body, form).answers
    with pytest.raises(InputError, match="no law"):
        invent_answers(form, {"better": [1.0]}, people=5)


def test_check_says_that_texts_are_sent_as_they_are_and_warns_beside_protected_answers():
    check_result = ak.check(form_of())
    result = {question.name: " ".join(question.sentences) for question in check_result.questions}
    assert "At most 500 characters, stored word for word" in result["better"]
    assert "Sent as it is given: this question is not protected." in result["better"]
    assert any(
        "reveal protected answers: hours_comment, better" in warning
        for warning in check_result.warnings
    )
    alone = SURVEY.replace('mechanism = { name = "warner", truth = "3/4" }', "")
    warnings = ak.check(form_of(alone)).warnings
    assert not any("reveal protected answers" in warning for warning in warnings)


def sealed_form():
    key = f'seal = "{make_seal_key().public}"'
    text = SURVEY.replace('title = "Study"', f'title = "Study"\n{key}', 1)
    return form_of(text.replace("limit = 500", "limit = 500, sealed = true"))


def test_check_and_board_say_who_reads_a_sealed_text():
    form = sealed_form()
    check = ak.check(form)
    better = next(question for question in check.questions if question.name == "better")
    assert "Encrypted on the device for the study's key" in " ".join(better.sentences)
    assert "the holder of the study's key can read the text" in better.protection
    notes = " ".join(check.warnings)
    assert "The device encrypts texts (better)" in notes
    assert "reveal protected answers: hours_comment." in notes
    facts = board_facts(form, check)
    seen = {actor.actor: set(actor.seen) for actor in assess_actors(facts)}
    assert facts.sealed == ("better",)
    assert {actor for actor, sees in seen.items() if Seen.OPENED in sees} == {Actor.ANALYST}
    assert Seen.LOCKED in seen[Actor.HOST]
    assert "encrypted on their device" in render_board(form, check)


BETTER = "free_text = { limit = 500 }"
USED = 'mechanism = { name = "warner", truth = "3/4" }'


@pytest.mark.parametrize(
    ("replies", "otherwise", "where", "message"),
    [
        (BETTER, "free_text = {}", "question[3].free_text.limit", "add limit"),
        (BETTER, "free_text = { limit = 0 }", "question[3].free_text.limit", "1 to 2000"),
        (BETTER, "free_text = { limit = 2001 }", "question[3].free_text.limit", "1 to 2000"),
        (BETTER, "free_text = { limit = 9, lines = 0 }", "question[3].free_text.lines", "1 to 20"),
        (BETTER, "free_text = { limit = 5.5 }", "question[3].free_text.limit", "a whole number"),
        (BETTER, "free_text = { limits = 5 }", "question[3].free_text", "limit"),
        (BETTER, f"{BETTER}\nanswers = ['a', 'b']", "question[3]", "one of answers"),
        (BETTER, "", "question[3]", "one of answers"),
        (BETTER, f"{BETTER}\n{USED}", "question[3].mechanism", "no chance protects"),
        (BETTER, f"{BETTER}\nblank = 0.5", "question[3].blank", "a plain question"),
        (BETTER, f"{BETTER}\ncomment = {{ limit = 5 }}", "question[3].comment", "free_text"),
        (
            USED,
            f"{USED}\ncomment = {{ limit = 5 }}",
            "question[2].comment",
            "can reveal the protected answer",
        ),
        ("limit = 200", "limit = 2001", "question[1].comment.limit", "1 to 2000"),
        ("limit = 200", "limit = 200, text = ''", "question[1].comment.text", "a text"),
        ('"better"', '"hours_comment"', "question[3]", "different names"),
        (
            'answers = ["yes", "no"]\n[[',
            'answers = ["yes", "no"]\nitems = ["a", "b"]\ncomment = { limit = 5 }\n[[',
            "question[0].comment",
            "a list of items",
        ),
        ('after = "works"', 'after = "better"', "question[1].skip.after", "below"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_place_and_remedy(replies, otherwise, where, message):
    assert replies in SURVEY
    with pytest.raises(SurveyError) as refusal:
        form_of(SURVEY.replace(replies, otherwise, 1))
    assert refusal.value.where.startswith(where)
    assert message in str(refusal.value)


def test_who_skips_a_text_in_a_rehearsal_writes_none():
    form = form_of(
        SURVEY.replace(
            "limit = 500 }", "limit = 500 }\nskip = { after = 'works', answered = ['no'] }"
        )
    )
    people = invent_answers(form, people=20).people
    assert {(person["works"], person["better"]) for person in people} == {(0, "…"), (1, None)}


def opened(path, key_file):
    """What `age -d -i KEY_FILE PATH` prints."""
    (line,) = (line for line in key_file.read_text().splitlines() if not line.startswith("#"))
    return pyrage.decrypt(path.read_bytes(), [pyrage.x25519.Identity.from_str(line)]).decode()


@pytest.mark.parametrize(("write", "end"), [(export_csv, "csv"), (export_jsonl, "jsonl")])
def test_texts_are_encrypted_for_each_key_and_lie_nowhere_as_written(store, tmp_path, write, end):
    files = [tmp_path / f"key{number}.txt" for number in range(3)]
    keys = [create_backup_key(file) for file in files]
    write(store, form_of(), tmp_path / f"plain.{end}")
    write(store, form_of(), tmp_path / f"out.{end}", text_keys=keys[:2])
    assert not (tmp_path / f"out.texts.{end}").exists()
    sealed = tmp_path / f"out.texts.{end}.age"
    assert sealed.read_bytes().startswith(b"age-encryption.org/v1\n-> X25519")
    expected = sorted((tmp_path / f"plain.texts.{end}").read_bytes().decode().splitlines())
    for file in files[:2]:
        assert sorted(opened(sealed, file).splitlines()) == expected
    with pytest.raises(pyrage.DecryptError):
        opened(sealed, files[2])
    for file in tmp_path.glob("out.*"):
        assert b"Nothing" not in file.read_bytes()
    assert b"Nothing" in (tmp_path / f"plain.texts.{end}").read_bytes(), "the search finds it"


def test_a_key_that_is_none_and_a_form_without_texts_are_refused(store, tmp_path):
    for key in ("age1x", "AGE-SECRET-KEY-1X", ""):
        with pytest.raises(InputError, match="a public key, age1"):
            export_csv(store, form_of(), tmp_path / "out.csv", text_keys=[key])
    bare = form_of(SURVEY.partition("comment =")[0])
    other = open_store(tmp_path / "bare.db", bare)
    with pytest.raises(InputError, match="asks for no text"):
        export_csv(other, bare, tmp_path / "out.csv", text_keys=[PUBLIC])
    other.close()
    assert not list(tmp_path.glob("out.*"))


def test_the_command_line_encrypts_texts_for_a_key_in_a_file(store, tmp_path):
    store.close()
    key = create_backup_key(tmp_path / "key.txt")
    (tmp_path / "public.txt").write_text(f"# for the coder\n{key}\n")
    words = ["collect", "export", str(tmp_path / "study.db"), str(tmp_path / "out.csv")]
    done = CliRunner().invoke(verbs, [*words, "--recipient", str(tmp_path / "public.txt")])
    assert done.exit_code == 0, done.output
    assert "Nothing" in opened(tmp_path / "out.texts.csv.age", tmp_path / "key.txt")
    assert not (tmp_path / "out.texts.csv").exists()
