"""Sheets to print: every face of a device, through the printed words, gives the form's chances."""

import html
import itertools
import math
import re
from collections import Counter
from fractions import Fraction

import pytest

from askance.survey import parse_survey, publish
from askance_collect.errors import InputError
from askance_collect.respond import render_sheets, telephone_script
from askance_collect.wire import TableQuestion

SURVEY = """
askance = "survey-1"
title = "Tea {and} <faith>"
languages = ["en", "de"]
consent = { en = "Say it & leave.", de = "Sagen Sie es." }
[[question]]
name = "q"
text = { en = "Which is so?", de = "Was trifft zu?" }
"""
NAMES = {
    "en": {"truth": "your true answer", "nothing": "nothing: leave the question empty"},
    "de": {"truth": "Ihre wahre Antwort", "nothing": "nichts: lassen Sie die Frage leer"},
}
WHATEVER = re.compile("[“„](.*)[”“], (?:whatever is so|was auch zutrifft)")
IF_SO = re.compile("(?:if|wenn) [“„](.*?)[”“] (?:is so|zutrifft): (?:[“„](.*)[”“]|.*)")
ROW = re.compile("<tr><td>(.*?)</td><td>(.*?)</td></tr>")


def form(question):
    return publish(parse_survey((SURVEY + question).encode()))


def printed(item, device="dice", **more):
    return render_sheets(item, device=device, **more).decode()


def faces(sheet):
    """All that the device can show, as the sheet says which device it is."""
    if "Take the cards" in sheet:
        return [str(index) for index in range(1, int(re.search(r"cards 1 to (\d+)", sheet)[1]) + 1)]
    ten = "ten-sided" in sheet or "zehnseitig" in sheet
    times = 1 + ("twice" in sheet or "zweimal" in sheet)
    times = 3 if "three times" in sheet or "dreimal" in sheet else times
    return list(map("".join, itertools.product("0123456789" if ten else "123456", repeat=times)))


def ticked(kind, answer, language):
    """Do as the table's cell says: which box is ticked, None if none is."""
    lines = [html.unescape(line) for line in kind.split("<br>")]
    if lines == [NAMES[language]["truth"]]:
        return answer
    if lines == [NAMES[language]["nothing"]]:
        return None
    if always := WHATEVER.fullmatch(lines[0]):
        return always[1]
    result = {}
    for line in lines:
        match = IF_SO.fullmatch(line)
        result[match[1]] = match[2]
    return result[answer]


def by_hand(sheet, answer, language="en"):
    """The chance of each tick: all faces, one after another, through the printed table."""
    listed = faces(sheet)
    position = {face: index for index, face in enumerate(listed)}
    rows = ROW.findall(sheet)
    counted = Counter()
    for face in listed:
        holds = []
        for displayed, kind in rows:
            low, _, high = displayed.partition("–")
            if position[low] <= position[face] <= position[high or low]:
                holds.append(kind)
        (kind,) = holds
        counted[ticked(kind, answer, language)] += Fraction(1, len(listed))
    return counted


def by_form(question, index, language="en"):
    units, total = question.blank
    messages = 1 - Fraction(units, total)
    chances = Counter({None: Fraction(units, total)} if units else {})
    for column, report in enumerate(question.reports):
        if chance := question.table.chance(index, column):
            chances[report.wording[language]] += messages * chance
    return chances


YES_NO = 'answers = ["yes", "no"]\n'
FOUR = 'answers = ["north", "east", "south", "west"]\n'
QUESTIONS = {
    "warner": YES_NO + 'mechanism = { name = "warner", truth = "5/6" }',
    "warner in 36": YES_NO + 'mechanism = { name = "warner", truth = "3/4" }',
    "warner in 1000": YES_NO + 'mechanism = { name = "warner", truth = "0.732" }',
    "a blank": YES_NO
    + 'mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }\nblank = "1/50"',
    "kary": FOUR + 'mechanism = { name = "kary", truth = "0.7" }',
    "redistribute": FOUR
    + 'mechanism = { name = "redistribute", truth = "1/2", lie = "1/4", share = "1/2" }',
    "forced": YES_NO + 'mechanism = { name = "forced", forced = { yes = "1/6", no = "1/6" } }',
    "one_sided": YES_NO + 'mechanism = { name = "one_sided", forced_yes = "1/5" }',
    "mangat": YES_NO + 'mechanism = { name = "mangat", truth_if_no = "2/3" }',
    "kuk": YES_NO + 'mechanism = { name = "kuk", red_if_yes = "5/6", red_if_no = "1/6" }',
    "crosswise": YES_NO + 'mechanism = { name = "crosswise", harmless = "1/6" }',
    "runs": FOUR
    + 'mechanism = { name = "runs", number = 2 }\nproves = "accepted"\nproves_reason = "tried"',
    "ticks": 'choose = "all"\nprotect = "together"\nanswers = ["a", "b"]\n'
    'none = "neither"\nmechanism = { name = "kary", truth = "2/5" }',
    "table": YES_NO
    + 'mechanism = { name = "table", reports = { "A" = ["yes"], "B" = ["yes", "no"] }, '
    'rows = [["1/2", "1/2"], ["0", "1"]] }\nproves = "accepted"\nproves_reason = "tried"',
}
"""Questions whose chances some dice have."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_all_faces_through_the_printed_words_give_the_forms_chances(name):
    form_result = form(QUESTIONS[name])
    (question,) = form_result.questions
    assert isinstance(question, TableQuestion)
    sheet = printed(form_result)
    for index, answer in enumerate(question.answers):
        assert by_hand(sheet, answer.wording["en"]) == by_form(question, index)


@pytest.mark.parametrize("name", sorted(set(QUESTIONS) - {"warner in 1000", "a blank"}))
def test_all_cards_give_the_forms_chances(name):
    form_result = form(QUESTIONS[name])
    (question,) = form_result.questions
    sheet = printed(form_result, "cards")
    assert sheet.count('<div class="cards">') == 1
    assert re.search(r"\.cards p\{[^}]*underline", sheet), "6 and 9 are told apart"
    for index, answer in enumerate(question.answers):
        assert by_hand(sheet, answer.wording["en"]) == by_form(question, index)


def test_a_sheet_in_german_gives_the_forms_chances():
    text = """
    answers = [
        { name = "yes", en = "Yes", de = "Ja" },
        { name = "no", en = "No", de = "Nein" },
    ]
    mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }
    blank = "1/50"
    """
    form_result = form(text)
    (question,) = form_result.questions
    sheet = printed(form_result, language="de")
    assert '<html lang="de" dir="ltr">' in sheet
    for index, answer in enumerate(question.answers):
        assert by_hand(sheet, answer.wording["de"], "de") == by_form(question, index, "de")


def sectors(sheet):
    """The part of a turn of each drawn sector, from the points of its path."""
    result = []
    for x, y, far, to_x, to_y in re.findall(
        r"M0 0L(\S+) (\S+)A100 100 0 (\d) 1 (\S+) (\S+)Z", sheet
    ):
        ends = [math.atan2(float(a), -float(b)) / (2 * math.pi) for a, b in ((x, y), (to_x, to_y))]
        turn = (ends[1] - ends[0]) % 1
        assert (turn > 0.5) == (far == "1")
        result.append(turn)
    return result


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_drawn_sectors_give_the_forms_chances(name):
    form_result = form(QUESTIONS[name])
    (question,) = form_result.questions
    sheet = printed(form_result, "spinner")
    sectors_result, rows = sectors(sheet), ROW.findall(sheet)
    exact = [Fraction(share) for share in re.findall('data-share="(.*?)"', sheet)]
    assert sum(exact) == 1
    assert sectors_result == pytest.approx(list(map(float, exact)), abs=1e-7)
    for index, answer in enumerate(question.answers):
        counted = Counter()
        for share, (_, kind) in zip(exact, rows, strict=True):
            counted[ticked(kind, answer.wording["en"], "en")] += share
        assert counted == by_form(question, index)


def test_a_spinner_draws_chances_that_no_die_has():
    form_result = form(FOUR + 'mechanism = { name = "kary", epsilon = 1.5 }')
    assert len(sectors(printed(form_result, "spinner"))) == 5


def test_what_a_device_cannot_give_is_refused_with_what_can():
    form_result = form(FOUR + 'mechanism = { name = "kary", epsilon = 1.5 }')
    with pytest.raises(InputError, match=r"question 'q'.*divide 6, 36.*--device spinner") as caught:
        printed(form_result)
    rows = re.findall(r'\["(\d+)/36", "(\d+)/36", "(\d+)/36", "(\d+)/36"\]', str(caught.value))
    assert len(rows) == 4
    quoted = ", ".join("[" + ", ".join(f'"{part}/36"' for part in row) + "]" for row in rows)
    reports = ", ".join(f'{name} = ["{name}"]' for name in ("north", "east", "south", "west"))
    near = form(
        FOUR + f'mechanism = {{ name = "table", reports = {{ {reports} }}, rows = [{quoted}] }}'
    )
    assert "your true answer" in printed(near)
    worst = max(max(map(int, column)) / min(map(int, column)) for column in zip(*rows, strict=True))
    assert worst <= math.exp(1.5)


def test_thin_sectors_and_many_cards_are_refused():
    form_result = form(YES_NO + 'mechanism = { name = "warner", truth = "0.998" }')
    for device in ("spinner", "cards"):
        with pytest.raises(InputError, match="--device dice has them"):
            printed(form_result, device)


CUTS = 'line = { lower = 0, upper = 10, unit = "cups" }\nmechanism = '


def test_each_copy_has_ranges_of_its_own_that_hold_every_number_once():
    form_result = form(CUTS + '{ name = "cuts", number = 2 }')
    sheets = printed(form_result, copies=60, first=7).split("Hand this page in")[1:]
    distinct = set()
    for sheet in sheets:
        matches = re.findall('"box"></span><span>(.*?) cups?<', sheet)
        distinct.add(tuple(matches))
        ends = [0]
        for text in matches:
            match = re.fullmatch(r"(?:more than (\d+))?(?:, )?(?:up to (\d+))?", text)
            assert (match[1] or "0") == str(ends[-1])
            ends.append(int(match[2] or 10))
        assert ends == sorted(set(ends))
        assert ends[-1] == 10
    assert len(distinct) > 10


def test_a_rings_two_ranges_stand_on_the_sheet():
    sheet = printed(form(CUTS + '{ name = "ring", floor = "1/5" }'))
    inside = re.search(r"more than (\d+), up to (\d+) cups", sheet)
    assert f"up to {inside[1]}, or more than {inside[2]} cups" in sheet


def test_a_blank_in_place_of_a_range_is_left_to_the_device():
    sheet = printed(form(CUTS + '{ name = "cuts", number = 1 }\nblank = "1/6"'))
    assert ROW.findall(sheet) == [
        ("1–5", "the range that holds your number"),
        ("6", "nothing: leave the question empty"),
    ]
    with pytest.raises(InputError, match='blank = "27/1000"'):
        printed(form(CUTS + '{ name = "cuts", number = 1 }\nblank = "1/37"'))


REFUSED = {
    "narrowed step by step": CUTS + '{ name = "progressive", number = 2, floor = "1/5" }',
    "which range is withheld": CUTS + '{ name = "selective", floor = "1/5", sent = "9/10" }',
    "some answers are sent exactly": CUTS + '{ name = "cuts", number = 1, open = [[0, 2]] }',
    "which a device decides": 'answers = ["yes", "no"]\n[[question]]\nname = "r"\n'
    'text = "Then?"\nanswers = ["a", "b"]\nskip = { after = "q", answered = ["no"] }',
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_only_a_device_can_ask_is_refused_by_name(reason):
    with pytest.raises(InputError, match=rf"form: got '[qr]: .*{reason}"):
        printed(form(REFUSED[reason]))


def test_the_sheet_says_what_a_tick_tells():
    assert "at most 5 times as likely" in printed(form(QUESTIONS["warner"]))
    assert "höchstens 2,8-mal" in printed(form(QUESTIONS["warner in 1000"]), language="de")
    tells = printed(form(QUESTIONS["one_sided"]))
    assert "A tick at “no” shows that “no” is so for you." in tells
    assert "every answer could have led" not in tells


COIN = """
answers = ["yes", "no"]
mechanism = { name = "crosswise", harmless = "1/4" }
coin = { en = "your mother's birthday", de = "der Geburtstag Ihrer Mutter" }
"""


@pytest.mark.parametrize(
    ("language", "coin", "odds"),
    [
        ("en", "What protects you is your mother's birthday,", "at most 3 times as likely"),
        ("de", "Es schützt Sie der Geburtstag Ihrer Mutter,", "höchstens 3-mal so wahrscheinlich"),
    ],
)
def test_a_coin_in_the_world_is_asked_as_it_is(language, coin, odds):
    form_result = form(COIN)
    sheet = printed(form_result, language=language)
    script = " ".join(telephone_script(form_result, language=language).split())
    for result in (sheet, script):
        assert coin in result
        assert odds in result
        assert all(reply.wording[language] in result for reply in form_result.questions[0].answers)
    assert not ROW.findall(sheet)
    assert not re.search("banknote|Geldschein", script)


def test_wording_cannot_break_out_of_its_place_and_braces_are_kept():
    sheet = printed(form(QUESTIONS["warner"]))
    assert "<title>Tea {and} &lt;faith&gt;</title>" in sheet
    assert "Say it &amp; leave." in sheet
    assert "<script" not in sheet
    assert not re.search("(src|href)=", sheet)


def test_large_print_is_18_points_everywhere():
    style = re.search("<style>(.*?)</style>", printed(form(QUESTIONS["warner"]), large=True), re.S)[
        1
    ]
    assert "html{font:18pt" in style
    sizes = re.findall(r"font-size:([\d.]+)(em|pt|px)", style)
    assert all(float(size) >= (18 if unit == "pt" else 1) for size, unit in sizes if unit != "px")
    (letter,), (disc,) = (
        re.findall(r"font-size:(\d+)px", style),
        re.findall("width:(105)mm;", style),
    )
    assert float(letter) * float(disc) / 240 * 72 / 25.4 >= 18


def test_a_language_without_words_is_refused():
    with pytest.raises(InputError, match=r"language: got 'fr'; allowed.*: en, de; .*words in ar,"):
        printed(form(QUESTIONS["warner"]), language="fr")
