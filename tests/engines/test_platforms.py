"""What survey platforms export is counted without work by hand, and what is damaged is told."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.engines import count_ranges, count_reports, report_rows
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire import Form

HEAD = "any_affair,age_above,age_upto,children,years"
PEOPLE = [("yes", "", "40", "one", "3"), ("no", "40", "", "more", "12"), ("", "", "", "", "")]
"""Three people, the last of whom gave nothing."""


def as_table(separator: str = ",", names: str = HEAD) -> str:
    rows = [names.split(","), *PEOPLE]
    return "".join(separator.join(row) + "\r\n" for row in rows)


def qualtrics() -> str:
    """As Qualtrics writes it, what scripts have set marked, and a question on two lines."""
    names = ["StartDate", "Status", "ResponseId", *(f"__js_{name}" for name in HEAD.split(","))]
    result = ["Start Date", "Response Type", "Response ID", *('"Any,\nat all?"' for _ in range(5))]
    marks = [f'"{{""ImportId"":""{name}""}}"' for name in names]
    rows = [
        ["2026-11-24 10:00:00", "IP Address", f"R_{index}", *row]
        for index, row in enumerate(PEOPLE)
    ]
    rows.insert(1, ["2026-11-24 11:00:00", "Survey Preview", "R_9", *PEOPLE[0]])
    return "\ufeff" + "".join(",".join(row) + "\n" for row in (names, result, marks, *rows))


def limesurvey() -> str:
    """As LimeSurvey writes codes of questions: parts in brackets, and an empty line at the end."""
    names = HEAD.replace("age_above", "age[above]").replace("age_upto", "age[upto]")
    head = f"id,submitdate,lastpage,startlanguage,seed,{names}".replace(",", '";"')
    rows = [
        ['"1"', '"2026-11-24"', '"2"', '"en"', '"7"', *(f'"{item}"' for item in row)]
        for row in PEOPLE
    ]
    return f'"{head}"\r\n' + "".join(";".join(row) + "\r\n" for row in rows) + "\r\n"


def jspsych() -> str:
    """As jsPsych writes it, one run after another: a row for each trial, and somebody who left."""
    head = f"rt,trial_type,trial_index,time_elapsed,subject,{HEAD}"
    lines = [head]
    for index, (affair, above, upto, children, years) in enumerate(PEOPLE):
        lines += [
            f"31{index},html-button-response,0,10,s{index},,,,,",
            f",askance,1,1{index}2,s{index},{affair},,,,",
            f",askance,2,2{index}5,s{index},,{above},{upto},,",
            f",askance,3,3{index}7,s{index},,,,{children},",
            f"9,askance,5,4{index}1,s{index},,,,,{years}",
        ]
    lines.append("250,html-button-response,0,8,s9,,,,,")
    return "\r\n".join(lines) + "\r\n"


def trials(*, nested: bool = False) -> str:
    """As jsPsych writes JSON: all trials in one array, or an array for each person."""
    head, *lines = csv.reader(io.StringIO(jspsych()))
    runs: list[list[dict[str, object]]] = []
    for line in lines:
        trial: dict[str, object] = {
            name: item for name, item in zip(head, line, strict=True) if item
        }
        trial["trial_index"] = int(line[head.index("trial_index")])
        if not trial["trial_index"]:
            runs.append([])
        runs[-1].append(trial)
    return json.dumps(runs if nested else [trial for run in runs for trial in run])


def events() -> str:
    """As REDCap writes a study of several events: a row of each, and each has its questions."""
    rows = [f"record_id,redcap_event_name,{HEAD}"]
    for index, (affair, above, upto, children, years) in enumerate(PEOPLE):
        rows += [
            f"{index},first_arm_1,,,,{children},{years}",
            f"{index},then_arm_1,{affair},{above},{upto},,",
        ]
    return "\r\n".join(rows) + "\r\n"


def surveyjs(form: str) -> str:
    """As a page stores it that keeps `survey.data` of each person."""
    results = []
    for affair, above, upto, children, years in PEOPLE:
        result: dict[str, object] = {
            "any_affair": {"form": form, "cells": {"any_affair": affair}},
            "how old": {"form": form, "cells": {"age_above": above, "age_upto": upto}},
            "satisfied": True,
            "many": [1, 2],
        }
        if years:
            result |= {"years": int(years), "children": children}
        results.append(result)
    return json.dumps(results)


pytestmark = pytest.mark.filterwarnings("ignore::askance.engines.TableNote")

EXPORTS: dict[str, Callable[[], str]] = {
    "qualtrics.csv": qualtrics,
    "limesurvey.csv": limesurvey,
    "jspsych.csv": jspsych,
    "jspsych.json": trials,
    "runs.json": lambda: trials(nested=True),
    "formr.csv": lambda: as_table(";"),
    "redcap.csv": as_table,
    "events.csv": events,
}


def write_file(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("name", [*EXPORTS, "surveyjs.json"])
def test_an_export_is_counted_as_a_plain_table_is(
    tmp_path: Path, affairs_form: Form, name: str
) -> None:
    text = surveyjs(affairs_form.fingerprint) if name not in EXPORTS else EXPORTS[name]()
    export = write_file(tmp_path, name, text)
    plain = write_file(tmp_path, "plain.csv", as_table())
    assert count_reports(export, affairs_form) == count_reports(plain, affairs_form)
    rows, expected = report_rows(export, affairs_form), report_rows(plain, affairs_form)
    assert [row.values for row in rows] == [row.values for row in expected]


def test_what_stands_beside_stays_beside(tmp_path: Path, affairs_form: Form) -> None:
    export = write_file(tmp_path, "jspsych.csv", jspsych())
    assert [row.other_columns["subject"] for row in report_rows(export, affairs_form)] == [
        "s0",
        "s1",
        "s2",
    ]
    stored = write_file(tmp_path, "surveyjs.json", surveyjs(affairs_form.fingerprint))
    assert report_rows(stored, affairs_form)[0].other_columns == {
        "satisfied": "TRUE",
        "many": "[1, 2]",
    }


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("qualtrics.csv", ("__js_years", "__js_year"), "no columns named 'years'"),
        ("qualtrics.csv", ("no,40", "maybe,40"), "row 6, column any_affair"),
        ("qualtrics.csv", (",one,3\n", ",one\n"), "row 4.*7 cells"),
        ("limesurvey.csv", ("age[upto]", "age[up]"), "no columns named 'age_upto'"),
        ("limesurvey.csv", ('"12"', '"twelve"'), "row 3, column years"),
        ("jspsych.csv", (",years", ",year"), "no columns named 'years'"),
        ("jspsych.csv", ("askance", "html-keyboard-response"), "no trial of the type askance"),
        ("jspsych.csv", (",askance,1,", ",askance,one,"), "row 3, column trial_index"),
        ("jspsych.csv", (",,,,,3", "yes,,,,3"), "row 6"),
        ("jspsych.csv", (",,,,one,", ",no,,,one,"), "column any_affair: got 'several"),
        ("jspsych.csv", (",no,", ",maybe,"), "rows 7 to 11, column any_affair"),
        ("jspsych.json", ('"trial_index": 5', '"trial_index": "one"'), "result 5, column"),
        (
            "jspsych.json",
            ('"any_affair": "no"', '"any_affair": "maybe"'),
            "results 6 to 10, column",
        ),
        ("runs.json", ('"years"', '"year"'), "no columns named 'years'"),
        ("events.csv", ("1,then_arm_1,no", "1,then_arm_1,maybe"), "rows 4 to 5, column any_affair"),
        (
            "events.csv",
            ("1,first_arm_1,,", "1,first_arm_1,yes,"),
            "column any_affair: got 'several",
        ),
        ("events.csv", (",years", ",year"), "no columns named 'years'"),
        ("formr.csv", ("years", "year"), "no columns named 'years'"),
        ("surveyjs.json", ('"years"', '"year"'), "no columns named 'years'"),
        ("surveyjs.json", ('"how old"', '"any_affair"'), "a key stands twice"),
        ("surveyjs.json", ('"how old": {"form"', '"how old": {"of"'), "no columns|another form"),
        ("surveyjs.json", ('{"any_affair": "no"}', '{"any_affair": 1}'), "result 2, any_affair"),
        ("surveyjs.json", ('{"any_affair": "no"}', '"no"'), "result 2, any_affair"),
        (
            "surveyjs.json",
            ('{"any_affair": "no"}', '{"satisfied": "no"}'),
            "two columns 'satisfied'",
        ),
        ("surveyjs.json", ('"any_affair": "no"', '"any_affair": "maybe"'), "result 2, column any"),
        ("surveyjs.json", ("]", ""), "results in JSON"),
    ],
)
def test_what_is_damaged_is_told(
    tmp_path: Path, affairs_form: Form, name: str, change: tuple[str, str], message: str
) -> None:
    text = surveyjs(affairs_form.fingerprint) if name not in EXPORTS else EXPORTS[name]()
    assert change[0] in text
    with pytest.raises(DocumentError, match=message) as refused:
        count_reports(write_file(tmp_path, name, text.replace(*change)), affairs_form)
    assert "maybe" not in str(refused.value)


def test_reports_to_another_form_are_refused(tmp_path: Path, affairs_form: Form) -> None:
    export = write_file(tmp_path, "surveyjs.json", surveyjs("0" * 64))
    with pytest.raises(DocumentError, match="reports to the form 0000"):
        count_reports(export, affairs_form)


@pytest.mark.parametrize("text", ["[]", "[1]", "[[]]"])
def test_results_that_are_none_are_refused(tmp_path: Path, affairs_form: Form, text: str) -> None:
    with pytest.raises(DocumentError):
        count_reports(write_file(tmp_path, "results.json", text), affairs_form)


Q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))


def exported(tmp_path: Path, name: str) -> Path:
    return write_file(tmp_path, name, EXPORTS[name]() if name in EXPORTS else surveyjs("0" * 64))


@pytest.mark.parametrize("name", [*EXPORTS, "surveyjs.json"])
def test_an_export_is_tallied_without_a_form(tmp_path: Path, name: str) -> None:
    export, plain = exported(tmp_path, name), write_file(tmp_path, "plain.csv", as_table())
    column = "any_affair"
    assert ak.tally(Q, export, column) == ak.tally(Q, plain, column)
    weighed = ak.tally(Q, export, column, by="children")["more"]
    assert weighed == ak.tally(Q, plain, column, by="children")["more"]
    ranges = [
        count_ranges(item, "age_above", "age_upto", closed="survival") for item in (export, plain)
    ]
    assert str(ranges[0]) == str(ranges[1])


def test_an_exports_weights_are_read(tmp_path: Path) -> None:
    text = qualtrics().replace("R_0,yes,,", "R_0,yes,3,").replace("R_2,,,", "R_2,,1,")
    result = ak.tally(Q, write_file(tmp_path, "q.csv", text), "any_affair", weights="age_above")
    assert (result.weights.tolist(), result.blanks) == ([3, 40], 1)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("qualtrics.csv", ("no,40", "maybe,40"), "row 6, column 'any_affair': got 'maybe'"),
        ("qualtrics.csv", ("__js_any_affair", "__js_affair"), "no column 'any_affair'"),
        ("limesurvey.csv", ('"any_affair"', '"affair"'), "no column 'any_affair'.*mean 'affair'"),
        ("jspsych.csv", (",,,,one,", ",no,,,one,"), "column any_affair: got 'several values"),
        ("jspsych.csv", (",no,", ",maybe,"), "rows 7 to 11, column 'any_affair': got 'maybe'"),
        ("formr.csv", ("no;40", "maybe;40"), "row 3, column 'any_affair': got 'maybe'"),
        ("surveyjs.json", ('"any_affair": "no"', '"any_affair": "maybe"'), "result 2, column"),
        ("surveyjs.json", ("]", ""), "results in JSON"),
    ],
)
def test_what_is_damaged_is_told_without_a_form(
    tmp_path: Path, name: str, change: tuple[str, str], message: str
) -> None:
    text = exported(tmp_path, name).read_text("utf-8")
    assert change[0] in text
    with pytest.raises((DocumentError, InputError), match=message):
        ak.tally(Q, write_file(tmp_path, name, text.replace(*change)), "any_affair")


QUALTRICS = (
    "ResponseId,Status,said\nResponse ID,Response Type,Said?\n"
    '"{""ImportId"":""a""}","{""ImportId"":""b""}","{""ImportId"":""c""}"\n'
)
LIMESURVEY = "id,submitdate,startlanguage,said\n"
NOTED: dict[str, tuple[str, str, list[int]]] = {
    "previews and tests": (
        QUALTRICS + "R_1,IP Address,yes\nR_2,Survey Test,no\nR_3,17,no\nR_4,Offline,no\n",
        "has 2 previews or tests, left out",
        [1, 1],
    ),
    "spam": (
        QUALTRICS + "R_1,IP Address,yes\nR_2,Spam,no\n",
        "has 1 response marked as spam, counted like the others",
        [1, 1],
    ),
    "a response twice": (
        QUALTRICS + "R_1,0,yes\nR_2,0,no\nR_1,0,yes\nR_2,0,no\n",
        "has the response R_1 in several rows, 4, 6, as 1 more are: each was counted",
        [2, 2],
    ),
    "a response of LimeSurvey twice": (
        LIMESURVEY + "1,2026-01-31,en,yes\n1,2026-01-31,en,yes\n2,2026-01-31,en,no\n",
        "has the response 1 in several rows, 2, 3: each was counted",
        [2, 1],
    ),
    "what nobody submitted": (
        LIMESURVEY + "1,2026-01-31,en,yes\n2,,en,no\n",
        "has 1 response that nobody submitted, counted like the others",
        [1, 1],
    ),
}
"""Responses that were counted, or left out, without a word."""


@pytest.mark.parametrize("situation", NOTED)
def test_who_is_counted_twice_or_left_out_is_said(situation: str, tmp_path: Path) -> None:
    text, note, counts = NOTED[situation]
    path = write_file(tmp_path, "t.csv", text)
    channel = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    with pytest.warns(ak.engines.TableNote, match=note):
        assert ak.tally(channel, path, "said").counts.tolist() == counts
    call = ["estimate", "--mechanism", "warner:truth=3/4", str(path), "--column", "said"]
    assert note in CliRunner().invoke(verbs, call).stderr
