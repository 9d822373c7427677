"""A number stands beside its unit in the right plural: on the page, on paper and in `check`."""

import json
import re
import shutil
import subprocess
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import askance as ak
from askance.survey import parse_survey, publish
from askance_collect.errors import SurveyError
from askance_collect.respond import render_sheets

FOLDER = Path(__file__).parent
TEN = ["ar", "de", "en", "es", "fr", "hi", "it", "pt", "tr", "zh"]
UNITS = tomllib.loads((files("askance.survey") / "units.toml").read_text("utf-8"))["forms"]
PLURALS = ("zero", "one", "two", "few", "many", "other")


def ask_node(script, cases):
    node = shutil.which("node")
    assert node, "node is not installed: the page cannot be asked without it"
    encoded = (json.dumps(cases) + "\n").encode()
    done = subprocess.run(
        [node, *script], input=encoded, capture_output=True, check=True, timeout=60
    )
    return json.loads(done.stdout)


def publish_lines(lines, languages):
    """Publish a question by one cut for each line, written as in a survey file."""
    head = f'askance = "survey-1"\ntitle = "T"\nlanguages = {languages}\nconsent = "C"\n'
    questions = [
        f'[[question]]\nname = "q{index}"\ntext = "How many?"\nline = {{ {line} }}\n'
        'mechanism = { name = "cuts", number = 1 }\nproves = "accepted"\nproves_reason = "tried"\n'
        for index, line in enumerate(lines)
    ]
    return publish(parse_survey((head + "".join(questions)).encode()))


def publish_line(line, languages):
    return publish_lines([line], languages)


def read_raw(form):
    return json.loads(form.bytes)["questions"][0]


def say_on_page(form, cells, languages):
    """Give what the page says of cells of the first question, by language."""
    raw = read_raw(form)
    return {language: say_phrases([raw], cells, language)[0] for language in languages}


def say_phrases(questions, cells, language):
    """Give what the page says of each question's cells, without the marks of direction."""
    cases = [
        {"question": raw, "cell": cell, "language": language} for raw in questions for cell in cells
    ]
    texts = [
        re.sub("[\u2066-\u2069]", "", text) for text in ask_node([FOLDER / "ranges.mjs"], cases)
    ]
    return [texts[index : index + len(cells)] for index in range(0, len(texts), len(cells))]


def categories(language, numbers):
    """Name the plural of each number as the browser does."""
    script = """
    const rules = (language) => new Intl.PluralRules(language, { maximumFractionDigits: 6 });
    const plurals = ({ language, number }) => rules(language).select(number);
    process.stdin.on("data", (text) => console.log(JSON.stringify(JSON.parse(text).map(plurals))));
    """
    return ask_node(["-e", script], [{"language": language, "number": n} for n in numbers])


@pytest.mark.parametrize("step", ["1", "0.5"])
@pytest.mark.parametrize("language", [*TEN, "pt-PT", "de-AT"])
def test_paper_counts_as_the_browser_does(language, step):
    """Each plural has a text of its own, so that each printed number says which was taken."""
    forms = ", ".join(f'{plural} = "{plural}"' for plural in PLURALS)
    line = f"lower = 0, upper = {120 * float(step):g}, step = {step}, unit = {{ {forms} }}"
    sheets = render_sheets(publish_line(line, [language]), copies=80).decode()
    mapping = dict(re.findall(rf"([\d.]+) ({'|'.join(PLURALS)})\b", sheets))
    assert len(mapping) > 40
    numbers = [float(number) for number in mapping]
    assert [*mapping.values()] == categories(language, numbers)


@pytest.mark.parametrize("language", TEN)
def test_no_known_unit_stands_in_the_plural_of_another_number(language):
    """Each plural of each known unit is the one that its row has, or the unit stands before."""
    rows = UNITS.get(language, [{"other": "单位" if language == "zh" else "birim"}])
    lines = [f'lower = 0, upper = 12, unit = "{row["other"]}"' for row in rows]
    questions = json.loads(publish_lines(lines, [language]).bytes)["questions"]
    cells = [[0, number] for number in range(1, 12)]
    plurals = categories(language, [*range(1, 12)])
    for row, phrases in zip(rows, say_phrases(questions, cells, language), strict=True):
        for category, phrase in zip(plurals, phrases, strict=True):
            counted = row.get(category, row["other"] if language in {"tr", "zh"} else "")
            others = set(row.values()) - {counted or row["other"]}
            assert (counted or f"{row['other']}: ") in phrase, (category, phrase)
            assert not others & set(re.findall(r"[^\s\d:]+", phrase)), (category, phrase)


def test_a_survey_brings_plurals_of_its_own():
    unit = '{ en = { one = "blink", other = "blinks" }, de = "Lidschläge" }'
    form = publish_line(f"lower = 0, upper = 9, unit = {unit}", ["en", "de"])
    assert read_raw(form)["line"]["one"] == {"en": "blink", "de": ""}
    assert say_on_page(form, [[0, 1], [0, 2], [1, 9]], ["en", "de"]) == {
        "en": ["1 blink or less", "2 blinks or less", "more than 1 blink"],
        "de": ["Lidschläge: 1 oder weniger", "2 Lidschläge oder weniger", "Lidschläge: mehr als 1"],
    }
    alone = publish_line('lower = 0, upper = 9, unit = { one = "go", other = "goes" }', ["en"])
    assert read_raw(alone)["line"]["one"] == {"en": "go"}


@pytest.mark.parametrize(
    ("unit", "where"),
    [
        ('{ one = "go", more = "goes", other = "x" }', "line.unit.en.more"),
        ('{ en = { one = "go" } }', "line.unit.en"),
        ('{ en = "years", de = "Jahre" }', "line.unit.de"),
    ],
)
def test_wrong_plurals_are_refused(unit, where):
    with pytest.raises(SurveyError) as refusal:
        publish_line(f"lower = 0, upper = 9, unit = {unit}", ["en"])
    assert refusal.value.where.endswith(where)


ENDS = """unit = { en = "times", de = "Mal" }, ends = { lower = { en = "never", de = "nie" },
upper = { en = "more than 8 times", de = "mehr als 8 Mal" } }""".replace("\n", " ")


def test_ranges_call_their_ends_as_the_survey_does():
    form = publish_line(f"lower = 0, upper = 9, whole = true, {ENDS}", ["en", "de"])
    cells = [[0, 1], [0, 2], [0, 4], [1, 2], [9, 10], [4, 10], [0, 10]]
    assert say_on_page(form, cells, ["en", "de"]) == {
        "en": [
            *("never", "never, or 1 time", "never, or 1 to 3 times", "1 time"),
            *("more than 8 times", "4 times or more", "any number"),
        ],
        "de": [
            *("nie", "nie, oder 1 Mal", "nie, oder 1 bis 3 Mal", "1 Mal"),
            *("mehr als 8 Mal", "4 Mal oder mehr", "jede Zahl"),
        ],
    }
    amount = 'unit = "€", ends = { lower = "nothing", upper = "more than 50 €" }'
    paid = publish_line(f"lower = 0, upper = 60, step = 10, {amount}", ["en"])
    assert say_on_page(paid, [[0, 2], [5, 6], [4, 6]], ["en"])["en"] == [
        *("nothing, or 20 € or less", "more than 50 €", "more than 40 €"),
    ]
    learnt = "\n".join(ak.check(paid).questions[0].sentences)
    assert "“nothing, or 10 € or less” or “more than 50 €”" in learnt


def test_paper_counts_and_names_ends_too():
    form = publish_line(f"lower = 0, upper = 9, {ENDS}", ["en", "de"])
    sheet = render_sheets(form, copies=40).decode()
    distinct = set(re.findall('"box"></span><span>(.*?)<', sheet))
    assert {"never, or up to 1 time", "more than 8 times"} <= distinct
    assert not any(text.endswith(" 1 times") for text in distinct)


def test_check_counts():
    form = publish_line('lower = 0, upper = 24, unit = "years"', ["en"])
    (question,) = ak.check(form).questions
    assert "At worst: 1 year or less. That would fit 4.1 of 100." in str(question.preview.sentences)
