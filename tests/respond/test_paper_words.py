"""What paper and the telephone say, in each language: the same things, and the form's chances.

How a sentence is read comes from the words themselves; what it then decides is counted, face by
face and digit by digit.
"""

import html
import itertools
import re
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from askance.survey import parse_survey, publish
from askance_collect.respond import render_sheets, telephone_script

FOLDER = Path("src/askance_collect/respond/paper")
FILES = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.toml")}
LANGUAGES = sorted(FILES)
PAGE = {path.stem for path in Path("src/askance_collect/respond/languages").glob("*.toml")}


def form(question, language):
    text = f"""
    askance = "survey-1"
    title = "A title"
    languages = ["{language}"]
    consent = "Say it or leave."
    [[question]]
    name = "q"
    text = "Which?"
    {question}
    """
    return publish(parse_survey(text.encode()))


def tight(text):
    """Take out what lines are broken at."""
    return re.sub(r"\s", "", text)


def reads(template, **meant):
    """Write the pattern of what a sentence says once its blanks are filled in."""
    parts = re.split(r"\{(\w+)\}", tight(template))
    values = [
        meant.get(part, f"(?P<{part}>.*?)") if index % 2 else re.escape(part)
        for index, part in enumerate(parts)
    ]
    return "".join(values)


def reported(kind, answer, words, variant):
    """What somebody with this answer reports, None for nothing, where these sentences stand."""
    if kind == [tight(words[f"{variant}_truth"])]:
        return answer
    for part in kind:
        for name in ("nothing", "report"):
            if match := re.fullmatch(reads(words[f"{variant}_{name}"]), part):
                return match.groupdict().get("report")
        for name in ("nothing_if", "if"):
            match = re.fullmatch(reads(words[f"{variant}_{name}"]), part)
            if match and match["answer"] == answer:
                return match.groupdict().get("report")
    raise AssertionError(kind)


def by_sheet(sheet, answer, words):
    throws = {f"dice_{n}_{k}": (n, k) for n in (6, 10) for k in (1, 2, 3)}
    ((sides, times),) = (how for name, how in throws.items() if html.escape(words[name]) in sheet)
    faces = itertools.product("123456" if sides == 6 else "0123456789", repeat=times)
    rows = re.findall("<tr><td>(.*?)</td><td>(.*?)</td></tr>", sheet)
    counted = Counter()
    for face in map("".join, faces):
        (kind,) = [
            replies
            for displayed, replies in rows
            for low, _, high in [displayed.partition("–")]
            if low <= face <= (high or low)
        ]
        lines = [tight(html.unescape(line)) for line in kind.split("<br>")]
        counted[reported(lines, answer, words, "tick")] += Fraction(1, sides**times)
    return counted


def by_script(script, answer, words, times, how="if"):
    among = reads(words["from_to"], first=r"(\d+)", last=r"(\d+)")
    rule = words[f"{how}_one" if times == 1 else f"{how}_digits"]
    follows = "|".join(map(re.escape, (tight(rule.partition("{")[0]), tight(words["if_asked"]))))
    written = f"{reads(rule, faces=rf'(?:{among}|(?P<face>[0-9]+))')}(?={follows})"
    rules = [
        (match[1] or match["face"], match[2] or match["face"], match["what"].split(";"))
        for match in re.finditer(written, tight(script))
    ]
    counted = Counter()
    for digits in map("".join, itertools.product("0123456789", repeat=times)):
        (kind,) = [replies for low, high, replies in rules if low <= digits <= high]
        counted[reported(kind, answer, words, "say")] += Fraction(1, 10**times)
    return counted


def by_form(question, index, language):
    units, total = question.blank
    chances = Counter({None: Fraction(units, total)} if units else {})
    for column, report in enumerate(question.reports):
        if chance := question.table.chance(index, column):
            chances[tight(report.wording[language])] += chance * (1 - Fraction(units, total))
    return chances


YES_NO = 'answers = ["yes", "no"]\nmechanism = '
QUESTIONS = {
    "one": (YES_NO + '{ name = "warner", truth = "4/5" }', 1),
    "two": (YES_NO + '{ name = "mangat", truth_if_no = "3/4" }', 2),
    "three": (YES_NO + '{ name = "abstain", truth = "3/5", lie = "1/10" }\nblank = "1/50"', 3),
    "rows": (
        YES_NO + '{ name = "table", reports = { A = ["yes"], B = ["yes", "no"] }, '
        'rows = [["1/2", "1/2"], ["1/5", "4/5"]] }',
        1,
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_gives_the_forms_chances(language, name):
    written, times = QUESTIONS[name]
    form_result, words = form(written, language), FILES[language]["words"]
    (question,) = form_result.questions
    sheet, script = render_sheets(form_result).decode(), telephone_script(form_result)
    sent_script = telephone_script(form_result, messages=True)
    for index, answer in enumerate(question.answers):
        assert by_sheet(sheet, answer.name, words) == by_form(question, index, language)
        assert by_script(script, answer.name, words, times) == by_form(question, index, language)
        assert by_script(sent_script, answer.name, words, times, "write") == by_form(
            question, index, language
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_ranges_and_cards_are_said(language):
    form_result = form(
        'line = { lower = 0, upper = 90 }\nmechanism = { name = "cuts", number = 2 }', language
    )
    words, ends = FILES[language]["words"], []
    for text in re.findall('"box"></span><span>(.*?)<', render_sheets(form_result).decode()):
        matches = [
            re.fullmatch(reads(words[name], lower=r"(\d+)", upper=r"(\d+)"), tight(text))
            for name in ("upto", "between", "above")
        ]
        ends += list(next(filter(None, matches)).groups())
    assert sorted(map(int, ends)) == sorted(2 * [int(end) for end in set(ends)])
    cards = render_sheets(form(QUESTIONS["one"][0], language), device="cards").decode()
    assert html.escape(words["cards"].format(sides=5), quote=False) in cards


def test_all_languages_of_the_page_say_the_same_things():
    assert set(FILES) == PAGE
    english = FILES["en"]["words"]
    blanks = {
        tag: {key: sorted(re.findall(r"\{\w+\}", str(text))) for key, text in item["words"].items()}
        for tag, item in FILES.items()
    }
    assert all(blank == blanks["en"] for blank in blanks.values())
    for value in FILES.values():
        words = value["words"]
        assert all(words.values())
        assert [key for key, text in words.items() if isinstance(text, list)] == [
            key for key, text in english.items() if isinstance(text, list)
        ]
        assert [len(words[key]) for key in ("steps", "telephone")] == [4, 2]


def test_arabic_is_written_from_the_right():
    for language in LANGUAGES:
        begin = render_sheets(form(QUESTIONS["one"][0], language))[:60].decode()
        assert f'lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}"' in begin


def test_chinese_lines_are_broken_between_characters_and_not_before_a_comma():
    script = telephone_script(form(QUESTIONS["three"][0], "zh"))
    wide = [sum(1 + (sign > "\u2e7f") for sign in line) for line in script.splitlines()]
    assert 60 < max(wide) <= 79
    assert not any(line.strip()[:1] in {*"，。：；、）”"} for line in script.splitlines() if line)
