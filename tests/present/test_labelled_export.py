"""Reports as files of SPSS and Stata: nothing is lost on the way there and back."""

import gzip
import json
import math
import random
import struct
from pathlib import Path

import pyreadstat
import pytest

import askance as ak
from askance.engines import count_reports, labelled_channels, labelled_table, report_rows
from askance.present import export_labelled
from askance_collect.collect import accept, open_store
from askance_collect.errors import DocumentError
from askance_collect.wire import Report

EXAMPLES = Path(__file__).parents[2] / "examples"
ENDS = ("sav", "zsav", "dta")
HOSTILE = (
    *("NA", "TRUE", "007", "1e5", "nan", "=x", "ja, sicher", 'say "no"', "größer", "👍🏽", "نعم"),
    *("-1", "'quoted'", "two  blanks", "ends in a blank ", "long " * 40, "long " * 40 + "er", "."),
)


@pytest.fixture(scope="module")
def study():
    return ak.publish(ak.load_survey(EXAMPLES / "student-life.toml"))


def some_values(question, drawn):
    """A value that somebody may have sent."""
    while True:
        if hasattr(question, "line"):
            ends = sorted(drawn.sample(range(question.line.ticks + 1), 2))
            value = ends[0] if question.kind == "number" else tuple(ends)
        else:
            labels = getattr(question, "reports", None) or getattr(question, "answers", "1")
            value = drawn.randrange(len(labels))
        says_nothing = value == full_range(question)
        if not says_nothing and (question.kind == "text" or question.allows(value)):
            return value


def written(form, path, n=60):
    drawn = random.Random(3)
    rows = [
        {
            question.name: None if drawn.random() < 0.2 else some_values(question, drawn)
            for question in form.questions
        }
        for _ in range(n)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize("ends", ["sav", "dta"])
def test_a_whole_study_comes_back(ends, study, tmp_path):
    sent = written(study, tmp_path / "sent.jsonl")
    out = tmp_path / f"out.{ends}"
    export_labelled(study, sent, out)
    assert count_reports(out, study) == count_reports(sent, study)
    assert report_values(out, study) == report_values(sent, study)


def report_values(path, form):
    return [dict(row.values) for row in report_rows(path, form)]


def full_range(question):
    """The range that says nothing, which a table has as a blank."""
    return (0, question.line.ticks) if hasattr(question, "line") else ()


def named(names, kind="mechanism = { name = 'kary', ratio = 3 }"):
    answers = json.dumps(list(names), ensure_ascii=False)
    text = f"""
    askance = "survey-1"
    title = "Names"
    consent = "Voluntary."
    [[question]]
    name = "a_question_whose_name_is_too_long_there"
    text = "Which?"
    answers = {answers}
    {kind}
    [[question]]
    name = "with"
    text = "A third?"
    line = {{ lower = 0, upper = 3, step = "1/3", unit = "litres" }}
    """
    return ak.publish(ak.parse_survey(text.encode()))


@pytest.mark.parametrize("ends", ENDS)
def test_hostile_names_and_thirds_come_back(ends, tmp_path):
    form = named(HOSTILE)
    rows = [{form.questions[0].name: i, "with": i % 10} for i in range(len(HOSTILE))]
    sent = tmp_path / "sent.jsonl"
    sent.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    out = tmp_path / f"out.{ends}"
    export_labelled(form, sent, out)
    assert count_reports(out, form) == count_reports(sent, form)
    (channel,) = labelled_channels(out).values()
    assert channel.table == form.questions[0].table
    names = tuple(answer.name for answer in form.questions[0].answers)
    assert channel.frame.answers == names


@pytest.mark.parametrize("ends", ["sav", "dta"])
def test_each_protected_question_brings_its_matrix(ends, study, tmp_path):
    out = tmp_path / f"out.{ends}"
    export_labelled(study, written(study, tmp_path / "sent.jsonl"), out)
    channels = labelled_channels(out)
    protected = [
        question
        for question in study.questions
        if isinstance(getattr(question, "underlying_question", 0), ak.wire.TableQuestion)
    ]
    assert {*channels} == {question.name for question in protected}
    for question in protected:
        assert channels[question.name].table == question.underlying_question.table
        counted = ak.tally(channels[question.name], out, question.name).counts
        assert counted.sum() == labelled_table(out)[question.name].notna().sum() > 0


def test_r_has_codes_labels_and_matrices(study, tmp_path):
    sent = written(study, tmp_path / "sent.jsonl", n=5)
    export_labelled(study, sent, tmp_path / "out.rds")
    again = tmp_path / "again.rds"
    export_labelled(study, sent, again)
    assert again.read_bytes() == (tmp_path / "out.rds").read_bytes()
    columns, about = read_rds(tmp_path / "out.rds")
    assert about["class"][0] == ["tbl_df", "tbl", "data.frame"]
    by_name = dict(zip(about["names"][0], columns, strict=True))
    for question in study.questions:
        judged = getattr(question, "underlying_question", None)
        if not isinstance(judged, ak.wire.TableQuestion):
            continue
        values, labelled = by_name[question.name]
        sent_values = [row[question.name] for row in report_values(sent, study)]
        assert [None if math.isnan(v) else v - 1 for v in values] == sent_values
        names = [report.name for report in judged.reports]
        assert labelled["labels"][1]["names"][0][: len(names)] == names
        chances, shape = labelled["misclassification"]
        assert shape["dim"][0] == [len(judged.answers), len(names)]
        rows = [
            [float(judged.table.chance(i, j)) for i in range(len(judged.answers))]
            for j in range(len(names))
        ]
        assert chances == [chance for column in rows for chance in column]


def read_rds(path):
    """Read what R writes, by the manual of its internals, section 1.8."""
    content = gzip.decompress(path.read_bytes())
    assert content[:2] == b"X\n"
    place = 14

    def words(count, code="i"):
        nonlocal place
        size = struct.calcsize(f">{count}{code}")
        place += size
        return [*struct.unpack(f">{count}{code}", content[place - size : place])]

    def text():
        nonlocal place
        _, length = words(2)
        place += length
        return content[place - length : place].decode()

    def item():
        flags, length = words(2)
        kinds = {13: words, 14: lambda n: words(n, "d")}
        kinds |= {
            16: lambda n: [text() for _ in range(n)],
            19: lambda n: [item() for _ in range(n)],
        }
        entries, attributes = kinds[flags & 255](length), {}
        while flags & 512 and words(1) != [254]:
            words(1)
            name = text()
            attributes[name] = item()
        return entries, attributes

    return item()


def test_labels_and_kinds_of_missing(study, tmp_path):
    job, work = study.question("job"), study.question("work")
    no = next(i for i, answer in enumerate(job.answers) if answer.name == "no")
    row = dict.fromkeys((question.name for question in study.questions), None)
    sent = tmp_path / "sent.jsonl"
    sent.write_text(json.dumps({**row, "job": no}) + "\n" + json.dumps(row) + "\n", "utf-8")
    for ends, codes in {"sav": [-8.0, -9.0], "dta": ["b", "a"]}.items():
        out = tmp_path / f"out.{ends}"
        export_labelled(study, sent, out)
        read = pyreadstat.read_sav if ends == "sav" else pyreadstat.read_dta
        table, told = read(str(out), user_missing=True)
        assert told.column_names_to_labels["job"] == job.text["en"]
        column = next(name for name in table if name.startswith("work"))
        assert [*table[column]] == codes
        labels = told.variable_value_labels[column]
        assert [labels[code] for code in codes] == ["not asked", "no answer"]
    assert work.line.value_at(0) > -7


def test_rows_of_a_store_are_shuffled_and_nameless(tmp_path):
    form = named(("yes", "no"))
    first = form.questions[0].name
    store = open_store(f"{tmp_path}/tea.db", form)
    ids = [f"{i:032x}" for i in range(40)]
    bodies = [
        Report(form.fingerprint, ids[i], {first: int(i < 20), "with": None}).body(form.size)
        for i in range(40)
    ]
    list(store.append([accept(body, form) for body in bodies]))
    store.close()
    export_labelled(form, tmp_path / "tea.db", tmp_path / "out.sav")
    table = labelled_table(tmp_path / "out.sav")
    assert {*table} == {first, "with", "respondent"}
    assert [*table["respondent"]] == list(range(1, 41))
    assert [*table[first]] != ["no"] * 20 + ["yes"] * 20
    assert count_reports(tmp_path / "out.sav", form).values == (
        count_reports(tmp_path / "tea.db", form).values
    )


def test_other_columns_of_a_table_stay(tmp_path):
    form = named(("yes", "no"))
    sent = tmp_path / "sent.csv"
    name = form.questions[0].name
    sent.write_text(f"{name},with,age,Town hall\nyes,1,31,Ulm\nno,,NA,\n", "utf-8")
    export_labelled(form, sent, tmp_path / "out.dta")
    table = labelled_table(tmp_path / "out.dta")
    assert {*table} == {name, "with", "age", "Town hall"}
    rows = report_rows(tmp_path / "out.dta", form)
    assert [dict(row.other_columns) for row in rows] == [
        {"age": "31", "Town hall": "Ulm"},
        {"age": "", "Town hall": ""},
    ]


def test_what_cannot_be_written_is_told(study, tmp_path):
    sent = written(study, tmp_path / "sent.jsonl", n=1)
    with pytest.raises(DocumentError, match=r"got '\.csv'; allowed: \.sav, \.zsav, \.dta"):
        export_labelled(study, sent, tmp_path / "out.csv")
    with pytest.raises(DocumentError, match=r"none.*out\.sav"):
        export_labelled(study, sent, tmp_path / "none" / "out.sav")


def test_a_damaged_codebook_is_told_and_foreign_notes_are_none(tmp_path):
    import pandas as pd

    path, frame = tmp_path / "x.sav", pd.DataFrame({"said": [1.0]})
    pyreadstat.write_sav(frame, path, note=["Made in May"])
    assert labelled_channels(path) == {}
    head = "askance codebook-1: the lines below, joined by nothing, are JSON"
    pyreadstat.write_sav(frame, path, note=[head, '{"variables":'])
    with pytest.raises(DocumentError, match=r"x\.sav: notes.*as askance wrote it"):
        labelled_table(path)
