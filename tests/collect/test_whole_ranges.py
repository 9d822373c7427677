"""The whole range is a report, and no blank, in every file that a store is exported to."""

from collections import Counter
from pathlib import Path

import pytest

import askance as ak
from askance.engines import count_reports
from askance_collect.collect import accept, export_csv, export_jsonl, open_store
from askance_collect.wire import Report

SURVEY = b"""
askance = "survey-1"
title = "Pay"
consent = "Say it or leave."
[[question]]
name = "pay"
text = "How much do you earn?"
line = { lower = 0, upper = 100, step = 10, unit = "euros" }
mechanism = { name = "progressive", number = 1, floor = "1/2" }
"""
SENT = [(0, 10), (0, 10), None, (0, 5), (5, 10), None, None, (0, 10)]


@pytest.mark.parametrize("ends", ["csv", "jsonl", "sav", "dta"])
def test_a_whole_range_is_counted_as_in_its_store(ends: str, tmp_path: Path) -> None:
    form = ak.publish(ak.parse_survey(SURVEY))
    store = open_store(tmp_path / "s.db", form)
    bodies = [
        Report(form.fingerprint, f"{i:032x}", {"pay": value}).body(form.size)
        for i, value in enumerate(SENT)
    ]
    store.append([accept(body, form) for body in bodies])
    path = tmp_path / f"s.{ends}"
    if ends in ("csv", "jsonl"):
        {"csv": export_csv, "jsonl": export_jsonl}[ends](store, form, path)
    store.close()
    if ends in ("sav", "dta"):
        ak.present.export_labelled(form, tmp_path / "s.db", path)
    for place in (tmp_path / "s.db", path):
        assert dict(count_reports(place, form).values["pay"]) == dict(Counter(SENT))


def test_only_blanks_are_empty_cells(tmp_path: Path) -> None:
    form = ak.publish(ak.parse_survey(SURVEY))
    store = open_store(tmp_path / "s.db", form)
    body = Report(form.fingerprint, "0" * 32, {"pay": (0, 10)}).body(form.size)
    store.append([accept(body, form)])
    export_csv(store, form, tmp_path / "s.csv")
    store.close()
    assert (tmp_path / "s.csv").read_text().split() == ["respondent,pay_above,pay_upto", "1,,100"]
