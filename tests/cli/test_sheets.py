"""Sheets: printed, typed twice and compared, estimated as what came over the net."""

import csv
import json

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.survey import parse_survey, publish
from askance_collect.collect import accept, export_csv, open_store
from askance_collect.respond import respond

SURVEY = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }
blank = "1/50"
[[question]]
name = "town"
text = "Where do you live?"
answers = ["=north", "south"]
[[question]]
name = "cups"
text = "How many cups a day?"
line = { lower = 0, upper = 10, unit = "cups" }
mechanism = { name = "cuts", number = 1 }
[[question]]
name = "rooms"
text = "How many rooms?"
line = { lower = 0, upper = 9, whole = true }
[[question]]
name = "more"
text = "What else?"
free_text = { limit = 100 }
"""


@pytest.fixture(scope="module")
def sheets_folder(tmp_path_factory):
    """A form with what fifty people sent, in a store and in its export."""
    folder = tmp_path_factory.mktemp("sheets")
    form = publish(parse_survey(SURVEY.encode()))
    (folder / "tea.toml").write_text(SURVEY)
    (folder / "tea.form.json").write_bytes(form.bytes)
    store = open_store(str(folder / "tea.db"), form)
    for index in range(50):
        inputs = {
            "tea": index % 2,
            "town": index % 3 % 2,
            "cups": index % 10,
            "rooms": 1 + index % 5,
        }
        inputs["more"] = "=2 spoons" if index == 7 else None
        store.append([accept(respond(form, inputs).body(form.size), form)])
    export_csv(store, form, folder / "tea.csv")
    store.close()
    return folder


def typed(position, name, change=None):
    """Write the export as a typist would: with the sheet's number, and what was changed."""
    with (position / "tea.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    header[0] = "sheet"
    rows = [[cell.removeprefix("'") for cell in row] for row in rows]
    if change is not None:
        change(header, rows)
    with (position / name).open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return position / name


def run(*words):
    return CliRunner().invoke(verbs, [str(word) for word in words])


def refused(*words):
    return str(run(*words).exception)


@pytest.mark.long
def test_the_estimate_is_that_of_the_same_reports_collected_online(sheets_folder):
    form, out = sheets_folder / "tea.form.json", sheets_folder / "out.csv"

    def spooned(header, rows):
        for row in rows:
            row[-1] = row[-1].replace("written", "=2 spoons")

    def backwards(header, rows):
        spooned(header, rows)
        rows.reverse()

    typed_result, two = (
        typed(sheets_folder, "one.csv", spooned),
        typed(sheets_folder, "two.csv", backwards),
    )
    done = run("reconcile", form, typed_result, two, out)
    assert (done.exit_code, done.output.splitlines()[0]) == (
        0,
        f"{out} is written: 50 sheets, read alike twice",
    )
    online, paper = (
        run("estimate", form, file, "--json") for file in (sheets_folder / "tea.db", out)
    )
    assert (online.exit_code, paper.exit_code) == (0, 0), paper.output
    documents = [json.loads(item.output) for item in (online, paper)]
    keys = {key for key in documents[0] if documents[0][key] != documents[1][key]}
    assert keys == {"command", "data_sha256", "fieldwork"}
    texts = (sheets_folder / "out.texts.csv").read_text().splitlines()
    assert texts == ["question,text", "more,'=2 spoons"]


def test_every_difference_is_told_and_nothing_is_written(sheets_folder):
    def misread(header, rows):
        rows[0][header.index("tea")] = "yes" if rows[0][header.index("tea")] != "yes" else ""
        rows[1][header.index("rooms")] = str(1 + int(rows[1][header.index("rooms")]) % 9)
        del rows[2]

    form, out = sheets_folder / "tea.form.json", sheets_folder / "never.csv"
    done = run(
        "reconcile",
        form,
        typed(sheets_folder, "one.csv"),
        typed(sheets_folder, "bad.csv", misread),
        out,
    )
    lines = done.output.splitlines()
    assert done.exit_code == 1
    assert len(lines) == 4
    assert lines[0].startswith("sheet 1, tea: ")
    assert lines[1].startswith("sheet 2, rooms: ")
    assert lines[2] == f"sheet 3: not in {sheets_folder / 'bad.csv'}"
    assert lines[3].startswith("3 differences: ")
    assert not out.exists()


def test_numbers_spelt_otherwise_are_no_difference(sheets_folder):
    def longer(header, rows):
        index_result = header.index("rooms")
        for row in rows:
            row[index_result] = f" {row[index_result]}.0 "
            row[0] = f"0{row[0]}"

    typed_result, two = typed(sheets_folder, "one.csv"), typed(sheets_folder, "long.csv", longer)
    assert (
        run(
            "reconcile",
            sheets_folder / "tea.form.json",
            typed_result,
            two,
            sheets_folder / "out.csv",
        ).exit_code
        == 0
    )


def wrong(column, cell):
    def change(header, rows):
        rows[4][header.index(column)] = cell

    return change


@pytest.mark.parametrize(
    ("column", "cell", "result"),
    [
        ("tea", "perhaps", "sheet 5, tea: got 'perhaps'; allowed: yes, no, don't know"),
        ("rooms", "12", "sheet 5, rooms: got '12'"),
        ("cups_above", "2.5", "sheet 5, cups: got '2.5 … "),
        ("sheet", "x", "row 6: got 'x'; allowed: the number on the sheet"),
        ("sheet", "4", "row 6: got 'sheet 4 again'"),
    ],
)
def test_a_cell_that_nobody_can_have_ticked_is_named(sheets_folder, column, cell, result):
    typed_result, two = (
        typed(sheets_folder, "one.csv"),
        typed(sheets_folder, "odd.csv", wrong(column, cell)),
    )
    assert result in refused(
        "reconcile", sheets_folder / "tea.form.json", typed_result, two, sheets_folder / "out.csv"
    )


PAY = """
askance = "survey-1"
title = "Pay"
consent = "Say it or leave."
[[question]]
name = "pay"
text = "What did you earn?"
line = { lower = 0, upper = 10000, step = 0.25, unit = "euros" }
"""


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("1,250", "1250"),
        ("1 250.5", "1250.5"),
        ("\u0661\u066c\u0662\u0665\u0660", "1250"),
        ("\u06f7\u066b\u06f5", "7.5"),
        ("1.2500", "1.25"),
        ("12.250", "which can mean 12250 or 12.25"),  # whichever of them the line has
        ("1.250", "which can mean 1250 or 1.25"),
        ("1.000", "which can mean 1000 or 1"),
        ("12,5", "sheet 1, pay: got '12,5'"),
    ],
)
def test_numbers_are_read_as_people_type_them_or_refused(tmp_path, cell, message):
    form, *tables = (tmp_path / name for name in ("pay.toml", "one.csv", "two.csv"))
    form.write_text(PAY)
    for table in tables:
        table.write_text(f'sheet,pay\n1,"{cell}"\n', encoding="utf-8")
    done = run("reconcile", form, *tables, tmp_path / "out.csv")
    if done.exit_code == 0:
        assert (tmp_path / "out.csv").read_text().splitlines()[1] == f"1,{message}"
    else:
        assert message in str(done.exception)


def test_one_table_is_not_compared_with_itself_and_none_is_refused(sheets_folder):
    form, typed_result = sheets_folder / "tea.form.json", typed(sheets_folder, "one.csv")
    assert "another table than FIRST" in refused(
        "reconcile", form, typed_result, typed_result, sheets_folder / "out.csv"
    )
    none = typed(sheets_folder, "none.csv", lambda _, rows: rows.clear())
    assert "no sheet" in refused("reconcile", form, none, typed_result, sheets_folder / "out.csv")
    lacking = typed(sheets_folder, "lacking.csv", lambda header, _: header.__setitem__(1, "coffee"))
    assert "no columns named 'tea'" in refused(
        "reconcile", form, lacking, typed_result, sheets_folder / "out.csv"
    )


def test_sheets_are_printed_with_their_numbers(sheets_folder):
    page = sheets_folder / "sheet.html"
    done = run(
        "print", sheets_folder / "tea.toml", page, "--copies", 3, "--first", 41, "--large-print"
    )
    assert done.output.startswith(f"{page} is written: sheet 41 to 43, form SHA-256 ")
    text = page.read_text()
    assert [text.count(f"Sheet {number}<") for number in (40, 41, 42, 43, 44)] == [0, 1, 1, 1, 0]
    assert "18pt" in text
    assert "copies: got" in refused("print", sheets_folder / "tea.toml", page, "--copies", 0)
