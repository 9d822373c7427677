"""Every mistake in a survey file is told with its place, what was got and what is allowed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import askance as ak
from askance import mechanisms
from askance.cli import verbs
from askance.survey import load_survey, parse_survey, publish, survey_schema
from askance_collect.errors import DocumentError, SurveyError

ROOT = Path(__file__).parents[2]
HEAD = b'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n'
QUESTION = b'[[question]]\nname = "a"\ntext = "Q?"\n'
YES_NO = QUESTION + b'answers = ["yes", "no"]\n'
LINE = QUESTION + b"line = { lower = 0, upper = 10 }\n"


def recipe(text):
    return YES_NO + b"mechanism = { " + text + b" }"


MISTAKES = {
    "nothing at all": (b"", "askance: got 'nothing'"),
    "binary junk": (b"\x00\xff\xfe\x80junk", "a byte that is not text"),
    "not TOML": (b"askance = ", "Invalid value"),
    "a number of 5000 digits": (b"askance = " + b"9" * 5000, "file: got 'Exceeds the limit"),
    "a number beyond all bounds": (b"askance = 1e99999999999999999999", "file: .*too large"),
    "a key of no letters": (
        HEAD + YES_NO.replace(b"[[", b'"" = 1\n[[', 1),
        "^\"\": got ''; allowed",
    ),
    "another version": (b'askance = "survey-9"', "got 'survey-9'"),
    "no title": (b'askance = "survey-1"', "title: got 'nothing'"),
    "no questions": (HEAD, r"question: got 'nothing'.*with \[\[question\]\]"),
    "an empty list": (HEAD + b"question = []", "question: got 0"),
    "a misspelt key": (b'titel = "x"\n' + HEAD + YES_NO, "did you mean 'title'"),
    "a misspelt question key": (HEAD + YES_NO + b"trayt = 1", r"question\[.*trayt.*'trait'"),
    "a misspelt line key": (HEAD + QUESTION + b"line = { lowr = 1 }", "did you mean 'lower'"),
    "a wrong type": (
        HEAD + b'[[question]]\nname = 3\ntext = "Q"',
        r"question\[.*name: .*allowed: text in",
    ),
    "a number for an answer": (HEAD + QUESTION + b"answers = [1, 0]", "text in quotes or a table"),
    "one bracket too few": (HEAD + YES_NO.replace(b"[[question]]", b"[question]"), r"\[\[question"),
    "a percentage": (HEAD + recipe(b'name = "warner", truth = 75'), "write 75 % as 0.75"),
    "a percent sign": (HEAD + recipe(b'name = "warner", truth = "75 %"'), "write 75 % as 0.75"),
    "a decimal comma": (HEAD + recipe(b'name = "warner", truth = "0,75"'), "a point, not a comma"),
    "cuts that are listed": (
        HEAD + LINE + b'mechanism = { name = "cuts", cuts = [2, 5] }',
        r"allowed: number, law, between, open",
    ),
    "neither answers nor line": (HEAD + QUESTION, "got 'none'; allowed: one of answers"),
    "both": (HEAD + YES_NO + b"line = { lower = 0, upper = 9 }", "got 'answers and line'"),
    "one answer": (HEAD + QUESTION + b'answers = ["yes"]', "1 answers"),
    "10,000 answers": (
        HEAD
        + QUESTION
        + b"answers = "
        + json.dumps([f"a{index}" for index in range(10_000)]).encode(),
        "10000 answers",
    ),
    "an answer twice": (HEAD + QUESTION + b'answers = ["a", "b", "a"]', r"answers\[2\]: .*again"),
    "an empty answer": (HEAD + QUESTION + b'answers = ["a", " "]', r"answers\[1\].*empty"),
    "an answer without a name": (
        HEAD + QUESTION + b'answers = [{ en = "Yes" }, "no"]',
        r"answers\[0\]\.name: got 'nothing'",
    ),
    "silence twice": (
        HEAD
        + LINE
        + b'blank = "1/10"\n'
        + b'mechanism = { name = "selective", floor = "1/5", sent = "9/10" }',
        r"blank: .*nothing beside a selective mechanism",
    ),
    "a name twice": (HEAD + YES_NO + YES_NO, r"question\[1\]: .*again"),
    "a name with spaces": (HEAD + YES_NO.replace(b'"a"', b'"A b"'), r"question\[0\]\.name"),
    "an empty text": (HEAD + YES_NO.replace(b'"Q?"', b'""'), "an empty text"),
    "an unknown mechanism": (HEAD + recipe(b'name = "warnr", truth = 1'), "did you mean 'warner'"),
    "a nameless mechanism": (HEAD + recipe(b"truth = 1"), r"mechanism\.name"),
    "a chance above one": (HEAD + recipe(b'name = "warner", truth = "5/4"'), r"\[0, 1\]"),
    "a fraction by zero": (HEAD + recipe(b'name = "warner", truth = "1/0"'), "a number such as"),
    "chances above one": (HEAD + recipe(b'name = "abstain", truth = 0.7, lie = 0.5'), "6/5"),
    "a coin that tells nothing": (HEAD + recipe(b'name = "warner", truth = 0.5'), "only 1 of 2"),
    "a loss of zero": (HEAD + recipe(b'name = "warner", epsilon = 0'), r"\(0, 12\]"),
    "a loss of infinity": (HEAD + recipe(b'name = "warner", epsilon = inf'), "epsilon"),
    "ranges for answers": (HEAD + recipe(b'name = "cuts"'), "not for a question with answers"),
    "answers for ranges": (HEAD + LINE + b'mechanism = { name = "warner" }', "not for a line"),
    "a line of one step": (HEAD + LINE.replace(b"10", b"1"), "at least two whole steps"),
    "a line without end": (HEAD + LINE.replace(b"10", b"inf"), r"line\.upper"),
    "a line too fine": (
        HEAD + LINE.replace(b"10", b"10, step = 0.001") + b'mechanism = { name = "cuts" }',
        "10,000 steps",
    ),
    "cuts beyond the line": (
        HEAD + LINE + b'mechanism = { name = "cuts", between = [20, 30] }',
        r"mechanism\.between",
    ),
    "a blank that is always": (
        HEAD + recipe(b'name = "warner", truth = 0.9') + b"\nblank = 1",
        "blank",
    ),
    "a trait of a plain question": (HEAD + YES_NO + b'trait = "x"', "a plain question"),
    "a bad language": (b'languages = ["english!"]\n' + HEAD + YES_NO, r"languages\[0\]"),
    "no language": (b"languages = []\n" + HEAD + YES_NO, "languages"),
    "a missing translation": (
        b'languages = ["en", "de"]\n' + HEAD + YES_NO.replace(b'"Q?"', b'{ en = "Q?" }'),
        r"text\.de",
    ),
    "an unknown language": (
        HEAD + YES_NO.replace(b'"Q?"', b'{ en = "Q?", dd = "F?" }'),
        r"text\.dd",
    ),
    "a foreign collector": (b'collector = "http://example.org"\n' + HEAD + YES_NO, "https://"),
    "a collector in the open": (
        b'collector = "http://localhost.org"\n' + HEAD + YES_NO,
        "https://",
    ),
    "a minimum of nobody": (b"minimum = 0\n" + HEAD + YES_NO, "minimum"),
    "a control character": (HEAD + YES_NO.replace(b"Q?", b"Q\\u0007"), "control character"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_its_place(mistake):
    raw, message = MISTAKES[mistake]
    with pytest.raises(SurveyError, match=message):
        publish(parse_survey(raw))


TOP = """askance = "survey-1"
languages = ["en", "de"]
title = "Tea"
consent = \'\'\'
[[question]]
name = "no question, but a line of the text"
\'\'\'
"""
PLAIN = """
[[question]]
name = "tea"
text.en = "Tea?"
text.de = "Tee?"
answers = [
    { name = "yes", en = "Yes", de = "Ja" },
    "no",
]
"""
HIDDEN = PLAIN.replace("tea", "gin") + 'mechanism = { name = "warner", truth = "3/4" }\n'
AFTER_GIN = 'skip = { after = "gin", answered = ["no"], send = "no" }'
ON_LINES = {
    "a rule on a later question": (
        PLAIN + AFTER_GIN + "  # here\n" + HIDDEN,
        "question[0].skip.after: got 'gin'",
        "move this question below that one",
    ),
    "rules in a circle": (
        PLAIN + AFTER_GIN + "  # here\n" + HIDDEN + AFTER_GIN.replace("gin", "tea"),
        "question[0].skip.after: got 'gin'",
        "in a circle, tea after gin after tea: leave one of them out",
    ),
    "a question that is skipped after itself": (
        PLAIN + HIDDEN + AFTER_GIN + "  # here",
        "question[1].skip.after: got 'gin'",
        "in a circle, gin after gin",
    ),
    "a quota on a protected answer": (
        '[[quota]]\nquestion = "gin"  # here\nanswer = "yes"\nmost = 9\n' + HIDDEN,
        "quota[0].question",
        "count by another question",
    ),
    "a language that lacks a text": (
        HIDDEN
        + PLAIN.replace('text.en = "Tea?"\ntext.de =', "text.en =").replace('?"', '?"  # here'),
        "question[1].text.de: got 'nothing'",
        'add de = "…" there, or take de out of languages',
    ),
    "a logo of another kind": (
        '[look]\nalt = "Tea"\nlogo = "tea.gif"  # here\n' + PLAIN,
        "look.logo: got 'tea.gif, a GIF'",
        "save it as a PNG",
    ),
    "a misspelt key": (
        PLAIN + HIDDEN + 'trayt = "gin"  # here',
        "question[1].trayt",
        "did you mean 'trait'",
    ),
    "a table of a table": (
        PLAIN + '[question.section]\ntitle = "Tea"\norder = "randm"  # here',
        "question[0].section.order: got 'randm'",
        "did you mean 'random'",
    ),
}


@pytest.mark.parametrize("mistake", ON_LINES)
def test_check_tells_the_line_of_a_mistake_and_what_to_do(mistake, tmp_path):
    text, where, remedy = ON_LINES[mistake]
    file = tmp_path / "tea.toml"
    file.write_text(TOP + text, "utf-8")
    (tmp_path / "tea.gif").write_bytes(b"GIF89a")
    line = next(
        index for index, part in enumerate((TOP + text).split("\n"), 1) if part.endswith("# here")
    )
    result = CliRunner().invoke(verbs, ["check", str(file)])
    assert isinstance(result.exception, SurveyError)
    assert str(result.exception).startswith(f"line {line}, {where}")
    assert remedy in str(result.exception)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SurveyError, match="nowhere"):
        load_survey(tmp_path / "nowhere.toml")


def test_a_file_of_gigabytes_is_not_parsed():
    with pytest.raises(SurveyError, match="at most"):
        parse_survey(b" " * 5_000_000)


def test_decimals_are_read_as_written():
    raw = HEAD + recipe(b'name = "abstain", truth = 0.6, lie = 0.1')
    assert publish(parse_survey(raw)).questions[0].table.rows == ((6, 1, 3), (1, 6, 3))


def test_the_published_schema_is_that_of_the_reader():
    written = json.loads((ROOT / "src/askance/survey/schema/survey-1.json").read_text("utf-8"))
    assert written == survey_schema()


FOR_COLUMNS = {
    "DBitFlip",
    "DiscreteLaplace",
    "HadamardResponse",
    "LocalHashing",
    "MemoisedHashing",
    "MemoisedKAry",
    "ProjectiveGeometry",
    "Rappor",
    "SeveralAttributes",
    "Sharing",
    "SubsetSelection",
    "UnaryEncoding",
}
"""Recipes for columns: a form asks by a table, which these have none of."""


NO_RECIPES = {"ChancePlace", "Draw", "IndividualChannels", "Outcome", "OwnAnswer", "SentReport"}
"""What recipes are told in, and what is made of them."""


def test_a_recipe_for_columns_is_sent_to_python():
    with pytest.raises(ak.AskanceError, match="is for columns, in Python"):
        mechanisms.answer_mechanism("hadamard", {"epsilon": 1}, ak.Frame(["a", "b"]))
    with pytest.raises(ak.AskanceError, match="is for columns, in Python"):
        mechanisms.answer_mechanism("rappor", {"epsilon": 1}, ak.Frame(["a", "b"]))


def test_the_schema_lists_every_recipe_with_its_keys():
    question = survey_schema()["$defs"]["QuestionSpec"]
    ways = next(
        item["anyOf"]
        for item in question["properties"]["mechanism"]["anyOf"]
        if item.get("type") == "object"
    )
    others = FOR_COLUMNS | NO_RECIPES
    recipes = [getattr(mechanisms, name) for name in mechanisms.__all__ if name not in others]
    assert {variant["title"] for variant in ways} == {
        item.name for item in recipes if isinstance(item, type)
    }
    fits = [
        variant
        for variant in ways
        if {"name", "coverage", "prior"} <= set(variant["properties"])
        and variant["title"] == "cuts"
    ]
    assert [fit["required"] for fit in fits] == [["name", "coverage"]]
    assert not any(variant["additionalProperties"] for variant in ways)


def test_a_file_that_is_no_survey_or_form_is_named_by_its_path(tmp_path):
    for name, text, fault in (
        ("reports.csv", "a,b\n1,2\n", "TOML"),
        ("cut.json", "{\n", "no JSON from line 2, column 1"),
        ("real.json", '{"a": 1.5}', "1.5 is not an integer"),
    ):
        (tmp_path / name).write_text(text)
        refused = CliRunner().invoke(verbs, ["check", str(tmp_path / name)]).exception
        assert isinstance(refused, DocumentError)
        assert refused.where == str(tmp_path / name)
        assert fault in str(refused)
