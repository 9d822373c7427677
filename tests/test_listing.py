"""Tables by groups that would be wider than a terminal: names fold, figures stay on their line."""

from unicodedata import combining, east_asian_width

import pytest

import askance as ak
from askance.inference import estimate_domains

LONG = (
    "Abitur oder Fachabitur, ohne Studium",
    "Hauptschule oder gar kein Abschluss",
    "Studium",
)
LANDS = ("Nordrhein-Westfalen", "Mecklenburg-Vorpommern", "Bayern")


def told_of(groups, *by):
    channel = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    counts = [{"yes": 100 + 7 * index, "no": 200 - 3 * index} for index in range(len(groups))]
    tallies = [ak.Tally(channel, count) for count in counts]
    return estimate_domains(dict(zip(groups, tallies, strict=True)), by=by)


def test_long_names_of_groups_fold_to_eighty_columns_and_keep_figures_on_one_line():
    groups = [(item, other) for item in LONG for other in LANDS]
    _, *lines, _ = repr(told_of(groups, "Höchster Abschluss", "Land")).split("\n")
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line != line.rstrip()]
    assert [line.count("0.") for line in lines if "0." in line] == [4] * 9
    assert lines[1].split()[-2:] == ["answers", "reports"]


@pytest.mark.parametrize("names", [LONG, ("never" * 30, "é"), ("国" * 90, "x"), ("a-" * 60, "- ")])
def test_no_sign_of_a_name_is_lost(names):
    _, *lines, _ = repr(told_of([(name,) for name in names], "g")).split("\n")
    rows = next(index for index, line in enumerate(lines) if "0." in line)
    text = "".join(line.split("  ")[0] for line in lines[rows:])
    assert text.replace(" ", "") == "".join(names).replace(" ", "")


def wide(line):
    """How many columns a terminal gives a line: two for a Chinese sign, none for an accent."""
    return sum(2 if east_asian_width(sign) == "W" else not combining(sign) for sign in line)


CITIES = ("東京都", "大阪府と京都府", "Köln", "Zu\u0308rich")


def test_wide_signs_take_two_columns_and_accents_none():
    _, head, *rows = repr(told_of([(name,) for name in CITIES], "県")).split("\n")[:6]
    last = {wide(line[: line.rindex(" ")]) for line in rows}
    assert len(rows) == len(CITIES)
    assert {wide(line) for line in [head, *rows]} == {wide(head)}
    assert len(last) == 1


def test_wide_names_fold_to_eighty_columns():
    _, *lines, _ = repr(told_of([("国" * 90,), ("東 京 " * 40,)], "g")).split("\n")
    assert max(map(wide, lines)) <= 80


def test_no_word_of_a_name_is_broken_for_it():
    names = [
        (f"{index}. Hauptschulabschluss, also", "Mecklenburg-Vorpommern") for index in range(2)
    ]
    text = repr(told_of(names, "Höchster Bildungsabschluss", "Bundesland"))
    assert "Bildungsabschluss " in text
    assert text.count("Hauptschulabschluss,") == 2


def test_what_fits_is_printed_as_it_was():
    parts = repr(told_of([("low", "east"), ("high", "west")], "income", "side")).split("\n")
    assert parts[1].endswith("95 % from      to  plain answers  reports")


def test_other_tables_keep_a_row_on_a_line():
    parts = repr(ak.design.compare_numbers(ak.Line(0, 30, integer=True))).split("\n")
    assert "  discrete Laplace, same variance " in "\n".join(parts)
    assert max(map(len, parts[:-1])) > 80
