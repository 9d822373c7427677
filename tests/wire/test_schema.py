"""The two schemas accept what the readers accept, and refuse what a schema can refuse."""

import copy
import json
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from askance_collect.wire import Form, Report

WIRE = Path(__file__).parents[2] / "src/askance_collect/wire"


@cache
def schema(name):
    document = json.loads((WIRE / "schema" / name).read_text("ascii"))
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(document)


def vectors(name):
    return json.loads((WIRE / "vectors" / name).read_text("ascii"))


GOOD = {
    one["name"]: one["form"]
    for version in ("1", "2")
    for one in vectors(f"{version}/forms.json")["good"]
}
BAD_FORMS = [
    one
    for version in ("1", "2")
    for one in vectors(f"{version}/forms.json")["bad"]
    if one["schema"]
]
BAD_REPORTS = [one for one in vectors("1/refused.json")["reports"] if one.get("schema")]


def changed(document, change):
    document = copy.deepcopy(document)
    place = document
    for step in change["at"][:-1]:
        place = place[step]
    if change.get("drop"):
        del place[change["at"][-1]]
    else:
        place[change["at"][-1]] = change["put"]
    return document


@pytest.mark.parametrize("name", GOOD)
def test_good_forms_are_valid(name):
    document = GOOD[name]
    assert list(schema(f"{document['askance']}.json").iter_errors(document)) == []


def test_the_form_of_the_other_tests_is_valid(affairs_form):
    assert list(schema("form-1.json").iter_errors(affairs_form.document)) == []


@pytest.mark.long
@pytest.mark.parametrize("one", BAD_FORMS, ids=lambda one: one["wrong"])
def test_bad_forms_are_not(one):
    version = GOOD[one["form"]]["askance"]
    assert not schema(f"{version}.json").is_valid(changed(GOOD[one["form"]], one))


def test_the_second_version_has_words_for_all_that_the_first_has():
    for document in GOOD.values():
        newer = document | {"askance": "form-2"}
        assert list(schema("form-2.json").iter_errors(newer)) == []


def test_most_bad_forms_can_be_told_by_the_schema():
    assert len(BAD_FORMS) > 60


def test_every_body_is_a_valid_report():
    reports = schema("report-1.json")
    for case in vectors("1/bodies.json")["cases"]:
        assert reports.is_valid(json.loads(case["body"]))


@pytest.mark.parametrize("one", BAD_REPORTS, ids=lambda one: one["wrong"])
def test_bad_reports_are_not_valid(one):
    form = Form.read(GOOD["marriage"])
    values = dict.fromkeys(question.name for question in form.questions)
    report = json.loads(Report(form.fingerprint, "0" * 32, values).body(form.size))
    assert schema("report-1.json").is_valid(report)
    assert not schema("report-1.json").is_valid(changed(report, one))


@pytest.mark.parametrize("name", ["form-1.json", "form-2.json", "report-1.json"])
def test_a_schema_refers_to_nothing_outside_itself(name):
    text = (WIRE / "schema" / name).read_text("ascii")
    references = [part.split('"')[1] for part in text.split('"$ref": ')[1:]]
    assert all(reference.startswith("#/$defs/") for reference in references)
