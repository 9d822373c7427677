"""Files of SPSS and Stata: what labels, missing values and scales become."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import askance as ak
from askance.engines import count_reports, labelled_table, report_rows
from askance_collect.errors import DocumentError, InputError, MissingExtra

Q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
CODES = pd.DataFrame(
    {
        "q1": [1.0, 2, 2, 9, np.nan, 1],
        "age": [31.0, 40, 99, 22, 51, 60],
        "w": [1.0, 2, 1, 1, 1, 2],
        "town": ["a", "b", "", "a", "b", "b"],
    }
)
LABELS: dict[str, dict[int, str]] = {
    "q1": {1: "yes", 2: "no", 9: "refused"},
    "age": {99: "unknown"},
}


@pytest.fixture(params=["x.sav", "x.zsav", "x.dta"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    result = tmp_path / request.param
    if result.suffix == ".dta":  # which has missing values of its own kind, .a to .z
        codes = CODES.assign(q1=CODES["q1"].where(CODES["q1"] != 9))
        pyreadstat.write_dta(codes, result, variable_value_labels=LABELS)
    else:
        pyreadstat.write_sav(
            CODES,
            result,
            variable_value_labels=LABELS,
            missing_ranges={"q1": [9]},
            compress=result.suffix == ".zsav",
        )
    return result


def test_labels_are_names_and_missing_values_missing(path: Path) -> None:
    table = labelled_table(path)
    Nones = [None if pd.isna(item) else item for item in table["q1"]]
    assert Nones == ["yes", "no", "no", None, None, "yes"]
    assert table["age"].tolist() == CODES["age"].tolist()  # one label makes no answers of ages
    assert table["town"].isna().tolist() == [False, False, True, False, False, False]


def test_files_and_frames_are_tallied_alike(path: Path) -> None:
    counted = ak.tally(Q, path, "q1", by="town")
    framed = ak.tally(Q, labelled_table(path), "q1", by="town")
    assert counted == framed
    assert counted["b"].counts.tolist() == [1, 1]
    weighed = ak.tally(Q, path, "q1", weights="w")
    assert isinstance(weighed, ak.Tally)
    assert weighed.weights is not None
    assert weighed.weights.tolist() == [3, 3]
    alone = ak.tally(Q, labelled_table(path)["q1"])
    assert isinstance(alone, ak.Tally)
    assert alone.counts.tolist() == [2, 2]


def test_labels_that_are_no_reports_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "y.sav"
    pyreadstat.write_sav(CODES, path, variable_value_labels=LABELS)  # nothing is user-missing
    with pytest.raises(InputError, match=r"got 'refused'; allowed: yes, no.*in 1 row"):
        ak.tally(Q, path, "q1")
    pyreadstat.write_sav(CODES, path, variable_value_labels={"q1": {1: "yes"}})
    with pytest.raises(InputError, match=r"got '[29]'"):
        ak.tally(Q, path, "q1")
    pyreadstat.write_sav(CODES, path, variable_value_labels={"q1": {1: "yes", 2: "yes", 9: "no"}})
    with pytest.raises(InputError, match="'yes' of both 1"):
        labelled_table(path, named=["q1"])
    assert set(labelled_table(path)["q1"].dropna()) == {"yes [1]", "yes [2]", "no"}


def test_a_form_reads_them(tmp_path: Path) -> None:
    survey = b"""
    askance = "survey-1"
    title = "School"
    consent = "Voluntary."
    [[question]]
    name = "q1"
    text = "Stole?"
    answers = ["yes", "no"]
    mechanism = { name = "warner", truth = "3/4" }
    [[question]]
    name = "age"
    text = "Age?"
    line = { lower = 16, upper = 99, step = 1 }
    """
    form = ak.publish(ak.parse_survey(survey))
    path = tmp_path / "s.sav"
    pyreadstat.write_sav(CODES, path, variable_value_labels=LABELS, missing_ranges={"q1": [9]})
    counts = count_reports(path, form)
    assert dict(counts.values["q1"]) == {0: 2, 1: 2, None: 2}
    rows = report_rows(path, form)
    assert [row.other_columns["w"] for row in rows] == ["1", "2", "1", "1", "1", "2"]
    pyreadstat.write_sav(CODES, path, variable_value_labels=LABELS)
    with pytest.raises(DocumentError, match=r"s\.sav: row 4, column q1"):
        count_reports(path, form)


def test_what_is_no_such_file_is_told(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.sav"
    wrong.write_text("no data")
    with pytest.raises(DocumentError, match=r"wrong\.sav.*SPSS or Stata"):
        labelled_table(wrong)
    with pytest.raises(DocumentError, match=r"wrong\.sav"):
        ak.tally(Q, wrong, "q1")
    with pytest.raises(DocumentError, match=r"\.sav, \.zsav, \.dta"):
        labelled_table(tmp_path / "wrong.csv")
    with pytest.raises(DocumentError, match=r"none\.sav"):
        labelled_table(tmp_path / "none.sav")


def test_a_missing_library_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    removed: Any = None
    monkeypatch.setitem(sys.modules, "pyreadstat", removed)
    with pytest.raises(MissingExtra, match=r"pyreadstat.*pip install 'askance\[files\]'"):
        labelled_table(path)
