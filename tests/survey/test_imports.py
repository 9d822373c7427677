"""Questionnaires of other programs come whole: what is not in the survey file is on the list."""

import csv
import io
import json
import random
import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.survey import ImportedSurvey, ImportReason, import_survey

FOLDER = Path(__file__).parent / "imports"
HOUSEHOLD: Mapping[str, list[list[Any]]] = {
    "survey": [
        [
            *("type", "name", "label::English (en)", "label::Français (fr)", "hint::English (en)"),
            *("required", "relevant", "constraint", "constraint_message", "appearance"),
            *("calculation", "parameters", "media::image::English (en)"),
        ],
        ["start", "start"],
        ["note", "intro", "Hello, and *welcome*.", "Bonjour."],
        ["begin_group", "you", "About you", "Sur vous"],
        [
            *("integer", "age", "How old are you?", "Quel âge avez-vous ?", "In full years", "yes"),
            *("", ". >= 15 and . <= 99", "too old"),
        ],
        ["select_one yes_no", "married", "Are you married?", "Êtes-vous marié(e) ?", "", "yes"],
        [
            *("select_multiple goods", "owns", "What do you own?", "Que possédez-vous ?", "", ""),
            "${married} = 'yes' and ${age} > 17",
        ],
        ["end_group"],
        ["begin group", "work", "", "", "", "", "${age} >= 18"],
        ["decimal", "pay", "What do you earn, ${name}?", "Combien gagnez-vous ?"],
        ["select_one kinds or_other", "kind", "What work?", "Quel travail ?"],
        ["range", "share", "Days a week?", "Jours ?", *[""] * 7, "start=0 end=7 step=1"],
        ["end group"],
        ["begin_repeat", "children", "Children", "Enfants"],
        ["text", "child", "Name of the child", "Nom"],
        ["end_repeat"],
        [
            *("select_one yes_no", "hit", "Has anybody used violence against you?"),
            *("Avez-vous subi des violences ?", "", "", "selected(${owns}, 'radio')", "", ""),
            "horizontal",
        ],
        ["date", "born", "When were you born?", "Quand êtes-vous né(e) ?"],
        ["geopoint", "where", "Where are you?", "Où êtes-vous ?"],
        ["calculate", "months", *[""] * 8, "${age} * 12"],
        [
            "text",
            "more",
            "Anything else?",
            "Autre chose ?",
            *[""] * 5,
            "multiline",
            "",
            "",
            "x.png",
        ],
    ],
    "choices": [
        ["list_name", "name", "label::English (en)", "label::Français (fr)", "image"],
        ["yes_no", "yes", "Yes", "Oui"],
        ["yes_no", "no", "No", "Non"],
        ["goods", "radio", "A radio", "Une radio", "radio.png"],
        ["goods", 1, "A cow", "Une vache"],
        [],
        ["kinds", "farm", "On a farm", "À la ferme"],
        ["kinds", "town", "In town", "En ville"],
        ["unused", "x", "X", "X"],
    ],
    "settings": [
        ["form_title", "form_id", "version", "default_language"],
        ["Household", "hh", 20260301, "English (en)"],
    ],
}
ODDITIES: Mapping[str, list[list[Any]]] = {
    "survey": [
        ["type", "name", "label", "label::Français (fr)", "hint", "relevant", "choice_filter"],
        ["text", "name", "Your name?"],
        ["select_one states", "state", "State?", "État ?"],
        ["select_one towns", "town", "Town?", "Ville ?", "", "", "state=${state}"],
        ["select_one states or_other", "home", "Home?"],
        ["select_one other or_other", "work", "Work?"],
        ["select_multiple drugs", "drugs", "Which <b>drugs</b>, ${name}?"],
        ["select_multiple drugs", "drugs", "Again?", "", "", "count-selected(${drugs}) > 1"],
        ["select_one_from_file towns.csv", "file", "Which?"],
        ["rank drugs", "order", "Rank them"],
        ["begin_group", "more", "More", "", "", "selected(${drugs}, '2')"],
        ["begin_repeat", "children", "Children"],
        ["begin_group", "child", "Child"],
        ["integer", "child_age", "Age of the child"],
        ["end_group"],
        ["end_repeat"],
        ["integer", "age", "Age", "", "", "${state} = 'tx' or ${town} = 'king'"],
        ["end_group"],
        ["end_group"],
        ["note", "thanks", "You said ${drugs}", "", "Thank you", "${age} > 1"],
        ["acknowledge", "read", "Read?"],
        ["SELECT_ONE yes_no", "loud", "Of ${name}?"],
    ],
    "choices": [
        ["list_name", "name", "label", "label::Français (fr)", "state"],
        ["states", "wa", "Washington", "Washington"],
        ["states", "tx", "Texas", "Texas"],
        ["towns", "king", "King", "King", "wa"],
        ["towns", "king", "King", "", "tx"],
        ["drugs", 2, "Heroin"],
        ["drugs", 1, "<i>Cannabis</i>"],
        ["drugs", "2", "Other drugs than ${name} said"],
        ["yes_no", 1, "Yes"],
        ["yes_no", 0, "No"],
        ["other", "other", "Other work"],
        ["other", "none", "None"],
    ],
    "settings": [["form_title", "default_language"], ["Odd = form", "English (en)"]],
}
SAMPLES = (
    *("work.qsf", "health.lss", "habits.lss", "debts.txt", "household.xlsx", "tea.surveyjs.json"),
    *("odd.qsf", "odd.lss", "odd.surveyjs.json", "oddities.xlsx"),
)
TEXTS = re.compile(
    r"(QuestionText|Display|title|text|html|description|question|answer|help|group_name"
    r"|surveyls_(title|welcometext|endtext|description)|(label|hint).*|default|de)$"
)
EXPRESSIONS = re.compile(r"(visibleIf|relevan\w+|value)$")


def write_workbook(path: Path, sheets: Mapping[str, list[list[Any]]]) -> Path:
    book = openpyxl.Workbook()
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    del book["Sheet"]
    book.save(path)
    return path


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("xlsform")
    sheets = {"household.xlsx": HOUSEHOLD, "oddities.xlsx": ODDITIES}
    workbooks = {name: write_workbook(folder / name, sheets[name]) for name in sheets}
    return {name: workbooks.get(name, FOLDER / name) for name in SAMPLES}


@pytest.fixture(scope="module")
def imported(paths: dict[str, Path]) -> dict[str, ImportedSurvey]:
    return {name: import_survey(path) for name, path in paths.items()}


def leaves_of_json(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves_of_json(part, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves_of_json(part, f"{path}[{index}]")
    elif value is not None and str(value).strip():
        yield path, str(value)


def leaves_of_xml(path: Path) -> Iterator[tuple[str, str]]:
    for table in ET.parse(path).getroot():
        rows = table.find("rows")
        if rows is not None:
            document: Any = [{cell.tag: cell.text or "" for cell in row} for row in rows]
        else:
            document = [child.text for child in table] or table.text or ""
        yield from leaves_of_json(document, table.tag)


def rows_of_tabs(path: Path) -> list[list[str]]:
    text = io.StringIO(path.read_text("utf-8-sig"), newline="")
    return [*csv.reader(text, delimiter="\t")]


def leaves_of_tabs(path: Path) -> Iterator[tuple[str, str]]:
    head, *rows = rows_of_tabs(path)
    for number, row in enumerate(rows, 2):
        for name, cell in zip(head, row, strict=True):
            if cell.strip():
                yield f"row {number}, {name}", cell


def leaves_of_workbook(path: Path) -> Iterator[tuple[str, str]]:
    for sheet in openpyxl.load_workbook(path):
        head, *rows = sheet.iter_rows(values_only=True)
        for number, row in enumerate(rows, 2):
            for name, cell in zip(head, row, strict=True):
                if cell is not None and str(cell).strip():
                    yield f"{sheet.title}, row {number}, {name}", str(cell)


def leaves(path: Path) -> Iterator[tuple[str, str]]:
    """Walk the source without the help of what reads it."""
    if path.suffix == ".lss":
        return leaves_of_xml(path)
    if path.suffix == ".txt":
        return leaves_of_tabs(path)
    if path.suffix == ".xlsx":
        return leaves_of_workbook(path)
    return leaves_of_json(json.loads(path.read_text("utf-8")))


def dropped(page: ImportedSurvey, path: Path) -> list[str]:
    """Give the leaves of a source that are neither in the survey file nor on the list."""
    used = {*page.used}
    listed = {note.path for note in page.notes if note.reason.is_omission}
    silent = []
    for leaf, text in leaves(path):
        stops = [match.start() for match in re.finditer(r"[.\[]|, ", leaf)]
        above = [leaf, *(leaf[:stop] for stop in stops)]
        if leaf in used:
            silent += [] if _is_there(page.text, leaf, text) else [f"{leaf}: {text}"]
        elif not listed.intersection(above):
            silent.append(leaf)
    return silent


def _is_there(survey: str, leaf: str, text: str) -> bool:
    """Say whether the words of a text are in the survey file, whatever stands in marks."""
    key = re.split(r"[.\]]|, ", leaf)[-1]
    if not TEXTS.fullmatch(key) or EXPRESSIONS.search(leaf):
        return True
    words = re.findall(r"\w{4,}", re.sub(r"<[^>]*>|\$?\{[^}]*\}|&\w+;", " ", text))
    return all(word.lower() in survey.lower() for word in words)


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_dropped_in_silence(
    name: str, imported: dict[str, ImportedSurvey], paths: dict[str, Path]
) -> None:
    assert len(list(leaves(paths[name]))) > 40
    assert dropped(imported[name], paths[name]) == []


def test_a_dropped_leaf_is_caught(
    imported: dict[str, ImportedSurvey], paths: dict[str, Path]
) -> None:
    page, path = imported["work.qsf"], paths["work.qsf"]
    text = page.text.replace("satisfied", "")
    assert "SurveyElements[12].Payload.QuestionText" in dropped(_with(page, text=text), path)[0]
    notes = tuple(note for note in page.notes if note.reason is not ImportReason.SCRIPT)
    assert dropped(_with(page, notes=notes), path) == ["SurveyElements[14].Payload.QuestionJS"]


def _with(page: ImportedSurvey, **changes: Any) -> ImportedSurvey:
    names = ["program", "text", "questions", "notes", "suggestions", "used"]
    return ImportedSurvey(**({name: getattr(page, name) for name in names} | changes))


@pytest.mark.parametrize("name", SAMPLES)
def test_it_can_be_published_and_nothing_is_protected(
    name: str, imported: dict[str, ImportedSurvey]
) -> None:
    form = ak.publish(imported[name].survey)
    assert len(imported[name].survey.question) == imported[name].questions
    assert not any(question.is_randomised for question in form.questions)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_suggested_can_be_taken(name: str, imported: dict[str, ImportedSurvey]) -> None:
    lines = imported[name].text.splitlines()
    suggested = [i for i, line in enumerate(lines) if line.startswith("# mechanism")]
    assert len(suggested) == sum(bool(item.mechanism) for item in imported[name].suggestions)
    for i in suggested:
        text = "\n".join([*lines[:i], lines[i].removeprefix("# "), *lines[i + 1 :]])
        assert _refused_key(text) in ("", "comment", "skip", "send", "after")


def _refused_key(text: str) -> str:
    try:
        ak.publish(ak.parse_survey(text.encode()))
    except ak.errors.SurveyError as error:
        return error.where.rpartition(".")[2]
    return ""


def name_of(label: Any) -> str:
    return label if isinstance(label, str) else str(label["name"])


def question(page: ImportedSurvey, name: str) -> Any:
    return next(spec for spec in page.survey.question if spec.name == name)


def test_kinds_of_qualtrics(imported: dict[str, ImportedSurvey]) -> None:
    page = imported["work.qsf"]
    job = question(page, "job")
    assert [answer["name"] for answer in job.answers] == ["No", "Yes", "3"]
    assert job.required
    assert job.text["de"].endswith("Haben Sie einen Job?")
    hours = question(page, "hours")
    assert (hours.line.lower, hours.line.upper, hours.line.whole) == (0, 80, True)
    assert hours.skip.answered == ["No", "3"]
    assert question(page, "q4").choose == "all"
    assert question(page, "q4_written").skip.after == "q4_something_else"
    grid = question(page, "q5")
    assert (len(grid.items), len(grid.answers), grid.section.order) == (2, 3, "random")
    assert question(page, "q6").text == "After {hours|…} hours and …, did you lie about your hours?"
    assert question(page, "q6").skip.answered.to == 19
    assert len(question(page, "q7").answers) == 11
    assert question(page, "q9").free_text.limit == 1000
    assert question(page, "q11").line.upper == 100


def test_and_and_or_between_sets_of_tests_are_not_guessed(tmp_path: Path) -> None:
    """Read as "or" throughout, "1 and 2, or 1" would ask whoever answers 2."""
    document = json.loads((FOLDER / "work.qsf").read_text("utf-8"))
    logic = next(
        element["Payload"]["DisplayLogic"]
        for element in document["SurveyElements"]
        if "DisplayLogic" in (element["Payload"] or {})
    )
    path = tmp_path / "mixed.qsf"

    def conditions() -> list[str]:
        path.write_text(json.dumps(document), "utf-8")
        notes = import_survey(path).notes
        return [note.path for note in notes if note.reason is ImportReason.CONDITION]

    as_it_is = conditions()
    for key, kind, choice in (("1", "AndIf", 2), ("2", "ElseIf", 1)):
        group = json.loads(json.dumps(logic["0"]).replace("Choice/1", f"Choice/{choice}"))
        logic[key] = group | {"Type": kind}
    (more,) = set(conditions()) - set(as_it_is)
    assert more.endswith("DisplayLogic")
    del logic["1"]
    assert conditions() == as_it_is


def test_kinds_of_limesurvey(imported: dict[str, ImportedSurvey]) -> None:
    page = imported["health.lss"]
    smoke = question(page, "smoke")
    assert smoke.comment.limit == 200
    assert smoke.section.text["en"] == "About you\n\nSome questions about health."
    age = question(page, "age")
    assert (age.line.lower, age.line.upper, age.line.whole) == (14, 99, True)
    assert question(page, "taken").skip.answered == ["A2", "other"]
    assert question(page, "town").skip.after == "taken_sq002"
    assert question(page, "police").skip.answered.to == 17
    assert question(page, "more").free_text.limit == 300
    assert page.survey.ending.thanks["de"] == "Danke."
    conditions = {note.detail for note in page.notes if note.reason is ImportReason.CONDITION}
    assert {"often_SQ001 is 2", "smoke is not A2"} <= conditions
    assert len(question(imported["habits.lss"], "mood").answers) == 5
    tabs = imported["debts.txt"]
    assert question(tabs, "much").skip.answered == ["2"]
    assert question(tabs, "sex").answers[0]["fr"] == "Féminin"
    assert tabs.survey.consent["en"] == "Welcome.\nYour choice."


def test_kinds_of_xlsform(imported: dict[str, ImportedSurvey]) -> None:
    page = imported["household.xlsx"]
    age = question(page, "age")
    assert (age.line.lower, age.line.upper, age.required) == (15, 99, True)
    assert question(page, "owns").skip.after == "married"
    assert question(page, "kind").answers[-1]["name"] == "other"
    assert question(page, "share").line.upper == 7
    assert question(page, "hit").skip.after == "owns_radio"
    assert question(page, "pay").line.upper == 1_000_000
    assert [item.topic for item in page.suggestions] == ["income", "violence"]


def test_kinds_of_surveyjs(imported: dict[str, ImportedSurvey]) -> None:
    page = imported["tea.surveyjs.json"]
    assert question(page, "kinds").none["de"] == "Nichts davon"
    assert question(page, "sleep").skip.answered.to == 2
    assert question(page, "cannabis").skip.after == "kinds_green"
    assert question(page, "rest").answers[0]["en"] == "1: not at all"
    assert "{cups_per_day|…}" in question(page, "rest").text["en"]
    assert page.suggestions[0].to_dict() == {
        "question": "cannabis",
        "topic": "drugs",
        "word": "cannabis",
        "mechanism": 'mechanism = { name = "warner", ratio = 3 }',
    }


def surveyjs(*elements: dict[str, Any]) -> bytes:
    return json.dumps({"elements": list(elements)}).encode()


TEA = {"type": "boolean", "name": "tea", "title": "Tea?"}


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("odd.surveyjs.json", {"used": "7 3 other none other_2", "which": "a b none"}),
        ("odd.lss", {"q1": "A3 N oth other other_2", "q2": "1 2 other none other_2"}),
        ("oddities.xlsx", {"work": "other none other_2", "drugs": "2 1 2_2"}),
        ("odd.qsf", {"q2": "cannabis other none_of_these"}),
    ],
)
def test_no_question_is_lost_by_the_names_of_its_answers(
    name: str, answers: dict[str, str], imported: dict[str, ImportedSurvey]
) -> None:
    page = imported[name]
    assert not [note for note in page.notes if note.detail.endswith("different names")]
    for asked, names in answers.items():
        spec = question(page, asked)
        assert " ".join(name_of(label) for label in spec.answers) == names
    assert {"heroin", "cannabis"} & {suggestion.word for suggestion in page.suggestions}


def test_an_answer_called_none_is_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    choices = ["none", {"value": "last", "text": "The last"}]
    elements = [{"type": "checkbox", "name": "q", "title": "Which?", "choices": choices}]
    path.write_text(json.dumps({"pages": [{"elements": elements}]}), "utf-8")
    spec = question(import_survey(path), "q")
    assert [name_of(label) for label in spec.answers] == ["none", "last"]


@pytest.mark.parametrize("name", ["odd.qsf", "odd.lss", "odd.surveyjs.json", "oddities.xlsx"])
def test_no_text_shows_what_a_program_fills_in(
    name: str, imported: dict[str, ImportedSurvey]
) -> None:
    texts = re.findall(r'"([^"]*)"', re.sub(r'name = "[^"]*"', "", imported[name].text))
    assert not [text for text in texts if re.search(r"\{(?![a-z0-9_]+\|…\})\S", text)]


def test_loops_and_answers_carried_forward_are_named(imported: dict[str, ImportedSurvey]) -> None:
    reasons = {note.path: note.reason for note in imported["odd.qsf"].notes}
    assert reasons["SurveyElements[10].Payload.DynamicChoices"] is ImportReason.UNKNOWN
    loops = [path for path in reasons if "Looping" in path]
    assert reasons[loops[0]] is ImportReason.UNKNOWN


def test_names_that_are_there_twice_are_numbered(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    path.write_bytes(surveyjs(TEA, TEA | {"name": "Tea"}, TEA | {"name": "t" * 60}))
    page = import_survey(path)
    assert [spec.name for spec in page.survey.question] == ["tea", "tea_2", "t" * 29]
    choices = {"type": "radiogroup", "name": "q", "choices": ["a", "a", "b"]}
    path.write_bytes(surveyjs(choices))
    assert question(import_survey(path), "q").answers == ["a", {"name": "a_2", "en": "a"}, "b"]


def test_a_key_that_stands_twice_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_bytes(b'{"elements": [{"type": "boolean", "name": "tea", "name": "milk"}]}')
    page = import_survey(path)
    assert "elements[0].name (2)" in {note.path for note in page.notes}


@pytest.mark.parametrize(
    ("text", "words", "reason"),
    [
        ("<script>steal()</script>Tea?", "Tea?", ImportReason.SCRIPT),
        ("<b>Tea</b> &lt;hot&gt;?", "Tea <hot>?", ImportReason.MARKUP),
        ('<img src="x.png" alt="a cup"> Tea?', "a cup Tea?", ImportReason.MEDIA),
        ("Tea\u202e?\x07", "Tea?", None),
        ('Tea "hot" \\ or\nnot?', 'Tea "hot" \\ or\nnot?', None),
        ("Is 1 < 2 & 3 > 2?", "Is 1 < 2 & 3 > 2?", None),
        ("{tea|x} for {nobody}?", "… for …?", ImportReason.PIPE),
    ],
)
def test_marks_in_texts(text: str, words: str, reason: ImportReason | None, tmp_path: Path) -> None:
    path = tmp_path / "marks.json"
    path.write_bytes(surveyjs(TEA | {"title": text}))
    page = import_survey(path)
    assert question(page, "tea").text == words
    assert reason is None or reason in {note.reason for note in page.notes}


BOMB = b"""<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><document><x>&b;</x></document>"""


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.qsf", b"", "an empty file"),
        ("a.qsf", b"hello", "another kind of file"),
        ("a.qsf", b"\x89PNG\r\n\x1a\n", "no UTF-8 at 0'; allowed: UTF-8"),
        ("a.qsf", b'{"SurveyElements": [', "Expecting value"),
        ("a.qsf", b'{"SurveyElements": []}', "no question that a survey file can have"),
        ("a.json", b'{"a": 1}', "JSON without SurveyElements"),
        ("a.json", b'{"elements": []}', "no question that a survey file can have"),
        ("a.json", b'{"elements":' + b"[" * 200 + b"]" * 200 + b"}", "more than 100"),
        ("a.json", b"[" * 200_000, "allowed: JSON"),
        ("a.lss", BOMB, "a document type or entities"),
        ("a.lss", b"<document><a></document>", "mismatched tag"),
        ("a.lss", b"<document/>", "a document <document>"),
        (
            "a.lsq",
            b"<document><LimeSurveyDocType>Group</LimeSurveyDocType></document>",
            "got 'Group'; allowed: LimeSurveyDocType Survey",
        ),
        ("a.txt", b"a\tb\n1\t2\n", "line 1: got 'a, b'; allowed: a first row with the columns"),
        ("a.xlsx", b"PK\x03\x04 not a zip", "allowed: a workbook"),
    ],
)
def test_what_is_no_questionnaire_is_refused(
    name: str, content: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ak.errors.DocumentError) as refused:
        import_survey(path)
    assert message in str(refused.value)
    assert name in refused.value.where


def test_a_workbook_that_is_no_xlsform_or_too_large_is_refused(tmp_path: Path) -> None:
    path = write_workbook(tmp_path / "a.xlsx", {"data": [["type", "name"]]})
    with pytest.raises(ak.errors.DocumentError, match="a sheet named survey"):
        import_survey(path)
    with zipfile.ZipFile(path, "a") as archive:
        far = b'<worksheet><sheetData><row><c r="XFD1048576"/></row></sheetData></worksheet>'
        archive.writestr("xl/worksheets/sheet9.xml", far)
    with pytest.raises(ak.errors.DocumentError, match="1,048,576 rows and 16,384 columns"):
        import_survey(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (129 * 2**20))
    with pytest.raises(ak.errors.DocumentError, match="bytes when unpacked"):
        import_survey(path)


def test_a_huge_file_and_no_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.qsf"
    with path.open("wb") as file:
        file.truncate(33 * 2**20)
    with pytest.raises(ak.errors.DocumentError, match="without responses and files"):
        import_survey(path)
    with pytest.raises(ak.errors.DocumentError, match="a readable file"):
        import_survey(tmp_path / "none.qsf")


def test_utf_16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_bytes((FOLDER / "debts.txt").read_text("utf-8-sig").encode("utf-16"))
    assert import_survey(path).questions == 4


def test_more_questions_than_a_survey_has_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    path.write_bytes(surveyjs(*(TEA | {"name": f"q{i}"} for i in range(201))))
    with pytest.raises(ak.errors.DocumentError, match="200 questions"):
        import_survey(path)


def changed(document: Any, dice: random.Random) -> Any:
    """Change a document in one place: a part is gone, of another kind, or there twice."""
    parts = [(document, key) for key in _keys(document)]
    for parent, key in parts:
        parts += [(parent[key], inner) for inner in _keys(parent[key])]
    parent, key = dice.choice(parts)
    if dice.random() < 0.4:
        del parent[key]
    else:
        other, name = dice.choice(parts)
        values = [None, "", [], {}, 0, -1.5, True, "a\x00b", "<b>", ["x"], {"a": {"b": "c"}}]
        parent[key] = dice.choice(
            [
                *values,
                json.loads(json.dumps(other.get(name) if isinstance(other, dict) else other[name])),
            ]
        )
    return document


def changed_rows(rows: list[list[Any]], dice: random.Random) -> list[list[Any]]:
    """Change a table in one place: a row, a column or a cell."""
    width = max(map(len, rows))
    rows = [[*row, *[""] * (width - len(row))] for row in rows]
    number, column = dice.randrange(1, len(rows)), dice.randrange(width)
    kind = dice.choice(["cell"] * 6 + ["gone", "twice", "last", "head", "backwards"])
    if kind == "cell":
        cells = [dice.choice(rows)[column], "", "Z", "S", "Y", "1", "-1", "<b>q</b>", "é", "x" * 70]
        rows[number][column] = dice.choice(cells)
    elif kind == "gone":
        del rows[number]
    elif kind == "twice":
        rows.insert(number, [*rows[number]])
    elif kind == "last":
        rows.append(rows.pop(number))
    elif kind == "head":
        rows[0][column] = "renamed"
    else:
        rows = [row[::-1] for row in rows]
    return rows


def changed_file(path: Path, out: Path, dice: random.Random) -> None:
    """Write a file that is changed in one place of a table."""
    if path.suffix == ".xlsx":
        name = dice.choice(["survey", "survey", "choices"])
        write_workbook(out, {**HOUSEHOLD, name: changed_rows(HOUSEHOLD[name], dice)})
    elif path.suffix == ".txt":
        with out.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="\t").writerows(changed_rows(rows_of_tabs(path), dice))
    else:
        tree = ET.parse(path)
        tables = [rows for rows in tree.iterfind("./*/rows") if len(rows)]
        table = dice.choice(tables)
        row = dice.choice([*table])
        cell = dice.choice([*row])
        if (kind := dice.random()) < 0.1:
            table.remove(row)
        elif kind < 0.2:
            row.remove(cell)
        elif kind < 0.3:
            cell.tag = "renamed"
        else:
            others = [dice.choice([*dice.choice(tables)[0]]).text, "", "Z", "S", "M", "1", "-1"]
            cell.text = dice.choice(others)
        tree.write(out, "utf-8")


def _keys(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value]
    return [*range(len(value))] if isinstance(value, list) else []


@pytest.mark.long
@pytest.mark.parametrize("name", ["work.qsf", "tea.surveyjs.json", "odd.qsf", "odd.surveyjs.json"])
def test_changed_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    dice, raw, path = random.Random(43), (FOLDER / name).read_text("utf-8"), tmp_path / name
    came = 0
    for _ in range(40):
        document = changed(json.loads(raw), dice)
        path.write_text(json.dumps(document), "utf-8")
        try:
            page = import_survey(path)
        except ak.errors.DocumentError:
            continue
        came += 1
        assert dropped(page, path) == [], document
    assert came > 20


@pytest.mark.long
@pytest.mark.parametrize("name", ["debts.txt", "habits.lss", "health.lss", "household.xlsx"])
def test_changed_tables_are_read_or_refused(
    name: str, paths: dict[str, Path], tmp_path: Path
) -> None:
    dice, came = random.Random(44), 0
    path = tmp_path / name
    for _ in range(60):
        changed_file(paths[name], path, dice)
        try:
            page = import_survey(path)
        except ak.errors.DocumentError:
            continue
        came += 1
        assert dropped(page, path) == []
    assert came > 40


def add_rows(path: Path, *rows: Mapping[str, str]) -> None:
    """Write the rows of debts.txt and more behind them."""
    head, *others = rows_of_tabs(FOLDER / "debts.txt")
    others += [[row.get(name, "") for name in head] for row in rows]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows([head, *others])


def rewrite(path: Path, name: str, *changes: tuple[str, str]) -> ImportedSurvey:
    """Import a sample in which texts are replaced by others."""
    text = (FOLDER / name).read_text("utf-8-sig")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    out = path / name
    out.write_text(text, "utf-8")
    return import_survey(out)


def test_questions_above_every_group_are_read(tmp_path: Path) -> None:
    page = rewrite(tmp_path, "debts.txt", ("\t\tG\t1\tMoney\t\tAbout money\t", "\t\t\t\t\t\t\t"))
    assert [spec.name for spec in page.survey.question] == ["debts", "much", "whom", "sex"]
    assert "section" not in page.text.partition('name = "sex"')[0]


def test_a_question_that_is_refused_is_refused_in_every_language(tmp_path: Path) -> None:
    page = rewrite(tmp_path, "debts.txt", ("\t0\t100000\t1", "\t9\t1\t1"))
    refused = {note.path for note in page.notes if note.reason is ImportReason.REFUSED}
    assert {"row 17", "row 28, text"} <= refused
    assert dropped(page, tmp_path / "debts.txt") == []


def test_a_language_of_one_row_alone_has_all_texts(tmp_path: Path) -> None:
    row = "<answer><![CDATA[ja]]></answer>"
    text = (FOLDER / "habits.lss").read_text("utf-8")
    start = text.index("<language>", text.index(row))
    path = tmp_path / "habits.lss"
    path.write_text(text[:start] + text[start:].replace("[de]", "[nl]", 1), "utf-8")
    page = import_survey(path)
    assert page.survey.languages == ["en", "de", "nl"]
    assert page.survey.title["nl"] == page.survey.title["en"]


def test_the_language_of_a_limesurvey_survey_is_the_first_one(tmp_path: Path) -> None:
    """LimeSurvey lists the additional languages first, and the survey's own one last."""
    languages = "<language>en</language>\n  <language>de</language>"
    other = "<language>de</language>\n  <language>en</language>"
    page = rewrite(tmp_path, "health.lss", (languages, other))
    assert page.survey.languages == ["en", "de"]


def test_the_words_for_other_are_read_in_each_language(tmp_path: Path) -> None:
    row = "<row><qid><![CDATA[11]]></qid><attribute><![CDATA[other_replace_text]]></attribute>"
    row += "<value><![CDATA[Something else]]></value>"
    arabic = f"{row}<language>ar</language></row>".replace("Something else", "شيء آخر")
    page = rewrite(tmp_path, "odd.lss", (row, f"{arabic}{row}<language>en</language>"))
    other = question(page, "q1").answers[-1]
    assert (other["en"], other["ar"]) == ("Something else", "شيء آخر")
    assert question(page, "q1").comment.text == {"en": other["en"], "ar": other["ar"]}
    assert dropped(page, tmp_path / "odd.lss") == []


def test_a_reminder_to_answer_requires_no_answer(tmp_path: Path) -> None:
    page = rewrite(tmp_path, "debts.txt", ("\t\tY\t\tN", "\t\tS\t\tN"))
    assert not question(page, "debts").required
    assert question(import_survey(FOLDER / "debts.txt"), "debts").required
    paths = {note.path for note in page.notes if note.reason is ImportReason.VALIDATION}
    assert "row 14, mandatory" in paths


def test_rows_of_quotas_are_listed_as_quotas(tmp_path: Path) -> None:
    path = tmp_path / "quota.txt"
    kinds = ["QTA", "QTAM", "QTALS", "C", "AS"]
    add_rows(path, *({"class": kind, "name": "debts", "text": "1"} for kind in kinds))
    reasons = {note.detail: note.reason.name for note in import_survey(path).notes}
    names = ["QUOTA", "QUOTA", "QUOTA", "CONDITION", "CALCULATION"]
    assert [reasons[kind] for kind in kinds] == names


def with_attributes(path: Path, attributes: Mapping[str, str]) -> ImportedSurvey:
    """Import odd.lss with attributes of its first question."""
    rows = "".join(
        f"<row><qid>11</qid><attribute>{name}</attribute><value>{value}</value></row>"
        for name, value in attributes.items()
    )
    return rewrite(
        path, "odd.lss", ("</rows></question_attributes>", f"{rows}</rows></question_attributes>")
    )


def test_attributes_are_listed_by_name_where_they_do_something(tmp_path: Path) -> None:
    values = {"random_order": "0", "hidden": "0", "time_limit": "60", "date_format": "", "own": "7"}
    page = with_attributes(tmp_path, values)
    added = {note for note in page.notes if note.path.startswith("question_attributes")}
    added -= {*import_survey(FOLDER / "odd.lss").notes}
    reasons = {note.detail: note.reason.name for note in added}
    assert reasons == {"time_limit: 60": "VALIDATION", "own: 7": "UNKNOWN"}
    assert dropped(page, tmp_path / "odd.lss") == []


def test_what_is_always_shown_is_no_condition(tmp_path: Path) -> None:
    """A row of a setting, a group or a translation says 1, which is "always"."""
    rows = [("S\t\tformat\t", "S\t\tformat\t1"), ("G\t1\tArgent\t", "G\t1\tArgent\t1")]
    page = rewrite(tmp_path, "debts.txt", *rows)
    listed = [note.path for note in page.notes if note.reason is ImportReason.CONDITION]
    assert listed == [
        note.path
        for note in import_survey(FOLDER / "debts.txt").notes
        if note.reason is ImportReason.CONDITION
    ]


def test_the_value_of_an_answer_is_no_condition(tmp_path: Path) -> None:
    """LimeSurvey writes an answer's assessment value under relevance (TSVSurveyExport)."""
    page = rewrite(tmp_path, "debts.txt", ("A\t0\t1\t\t", "A\t0\t1\t3\t"))
    reasons = {note.path: note.reason for note in page.notes}
    assert reasons["row 15, relevance"] is ImportReason.CODE


@pytest.mark.parametrize("has_other", ["Y", "N"])
def test_a_place_to_write_in_is_no_item_to_tick(has_other: str, tmp_path: Path) -> None:
    """LimeSurvey 2 writes a row for it, as of a subquestion (TSVSurveyExport)."""
    path = tmp_path / "other.txt"
    several = {"class": "Q", "type/scale": "M", "name": "owe", "text": "What?", "other": has_other}
    rows = [several | {"language": "en"}]
    rows += [
        {"class": "SQ", "type/scale": "0", "name": name, "text": name, "language": "en"}
        for name in ("rent", "tax", "other")
    ]
    add_rows(path, *rows)
    page = import_survey(path)
    assert [name_of(label) for label in question(page, "owe").answers] == ["rent", "tax", "other"]


def test_a_group_has_one_code_in_all_languages(tmp_path: Path) -> None:
    text = (FOLDER / "debts.txt").read_text("utf-8-sig")
    lines = text.splitlines(keepends=True)
    (second,) = (line for line in lines if "\tG\t2\tVous" in line)
    first = next(line for line in lines if "\tG\t1\tArgent" in line)
    moved = text.replace(second, "").replace(first, second + first)
    path = tmp_path / "groups.txt"
    path.write_text(moved, "utf-8")
    section = question(import_survey(path), "sex").section
    assert section.title == {"en": "You", "fr": "Vous"}


def test_what_old_files_repeat_for_each_language_is_listed(tmp_path: Path) -> None:
    """LimeSurvey 1.91 has a row for each language of a subquestion; of an array none comes."""
    text = (FOLDER / "habits.lss").read_text("utf-8")
    path = tmp_path / "habits.lss"
    path.write_text(
        text.replace("<type><![CDATA[A]]></type>", "<type><![CDATA[;]]></type>"), "utf-8"
    )
    page = import_survey(path)
    assert "mood (;)" in {note.detail for note in page.notes}
    parts = [leaf for leaf, _ in leaves(path) if re.fullmatch(r"subquestions\[\d+\].title", leaf)]
    assert len(parts) > 3
    assert not {*parts} & {*page.used}


def test_a_text_that_is_hidden_is_not_shown(tmp_path: Path) -> None:
    text = (FOLDER / "odd.lss").read_text("utf-8")
    (number,) = re.findall(r"<qid><!\[CDATA\[(\d+)\]\]></qid>(?:(?!</row>).)*\[Q10\]", text)
    hidden = f"<row><qid>{number}</qid><attribute>hidden</attribute><value>1</value></row>"
    shown = import_survey(FOLDER / "odd.lss")
    start = text.index("<rows>", text.index("<question_attributes>")) + len("<rows>")
    path = tmp_path / "odd.lss"
    path.write_text(text[:start] + hidden + text[start:], "utf-8")
    page = import_survey(path)
    assert dropped(page, path) == []
    assert len(page.text) < len(shown.text)


def test_a_table_that_stands_twice_is_listed(tmp_path: Path) -> None:
    page = rewrite(tmp_path, "habits.lss", ("</document>", "<groups>More</groups></document>"))
    assert "groups (2)" in {note.path for note in page.notes}
    assert question(page, "smoke").section.title


def import_rows(path: Path, *rows: list[str]) -> ImportedSurvey:
    """Import an XLSForm of some questions."""
    head = ["Type", "name", "label", "constraint", "parameters", "disabled"]
    choices = [["list name", "name", "label"], ["l", "x", "X"], ["l", "y", "Y"]]
    write_workbook(path / "rows.xlsx", {"survey": [head, *rows], "choices": choices})
    return import_survey(path / "rows.xlsx")


def test_a_range_has_its_bounds_from_its_parameters_alone(tmp_path: Path) -> None:
    row = ["RANGE", "a", "A?", ". >= 3", "start=0 end=7 step=1 tick=2"]
    page = import_rows(tmp_path, row)
    line = question(page, "a").line
    assert (line.lower, line.upper, line.whole) == (0, 7, True)
    notes = {note.path: note for note in page.notes}
    assert notes["survey, row 2, constraint"].reason is ImportReason.VALIDATION
    assert notes["survey, row 2, parameters"].detail == "tick=2"


def test_the_type_of_a_question_is_read_in_any_case(tmp_path: Path) -> None:
    rows = ["SELECT_MULTIPLE l", "b", "B?"], ["select_one l OR_OTHER", "c", "C?"]
    page = import_rows(tmp_path, *rows)
    assert question(page, "b").choose == "all"
    assert name_of(question(page, "c").answers[-1]) == "other"


@pytest.mark.parametrize(
    ("condition", "is_skip"),
    [("selected(${b}, 'x')", True), ("${b} = 'x'", False), ("${b} > 'x'", False)],
)
def test_a_comparison_with_several_answers_at_once_is_not_guessed(
    condition: str, is_skip: bool, tmp_path: Path
) -> None:
    """Equal to 'x' is who ticked x and nothing else."""
    head = ["type", "name", "label", "relevant"]
    rows = ["select_multiple l", "b", "B?"], ["text", "c", "C?", condition]
    choices = [["list_name", "name", "label"], ["l", "x", "X"], ["l", "y", "Y"]]
    write_workbook(tmp_path / "rows.xlsx", {"survey": [head, *rows], "choices": choices})
    page = import_survey(tmp_path / "rows.xlsx")
    assert (question(page, "c").skip is not None) == is_skip
    reasons = {note.reason for note in page.notes}
    assert (ImportReason.CONDITION in reasons) != is_skip


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("int", {"line"}),
        ("string", {"free_text"}),
        ("select1 l", {"answers"}),
        ("select one l", {"answers"}),
        ("select one from l", {"answers"}),
        ("Select all that apply l", {"answers", "choose"}),
        ("select multiple from l", {"answers", "choose"}),
        ("select_multiple l", {"answers", "choose"}),
    ],
)
def test_a_type_is_read_by_each_of_its_names(kind: str, keys: set[str], tmp_path: Path) -> None:
    """The names are those of pyxform's aliases and of its dictionary of types."""
    spec = question(import_rows(tmp_path, [kind, "q", "Q?"]), "q")
    names = {"line", "free_text", "answers", "choose"}
    assert {name for name in names if getattr(spec, name)} == keys


def test_a_row_that_is_disabled_does_not_come(tmp_path: Path) -> None:
    rows = ["text", "a", "A?", "", "", "yes"], ["text", "b", "B?", "", "", "no"]
    page = import_rows(tmp_path, *rows)
    assert [spec.name for spec in page.survey.question] == ["b"]
    assert "disabled" in {note.detail for note in page.notes}


def test_a_comment_that_cannot_come_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "comment.json"
    several = {"type": "checkbox", "name": "q", "choices": ["a", "b"], "showCommentArea": True}
    path.write_bytes(surveyjs(several))
    assert "elements[0].showCommentArea" in {note.path for note in import_survey(path).notes}


def test_a_rating_of_too_many_steps_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "rating.json"
    path.write_bytes(surveyjs(TEA, {"type": "rating", "name": "q", "rateMax": 1000}))
    page = import_survey(path)
    assert (page.questions, page.notes[0].path) == (1, "elements[1]")


def test_the_verb_writes_a_new_file_and_lists_what_did_not_come(tmp_path: Path) -> None:
    path = tmp_path / "work.qsf"
    path.write_bytes((FOLDER / "work.qsf").read_bytes())
    run = CliRunner().invoke(verbs, ["import", str(path)])
    assert run.exit_code == 0
    assert "work.toml is ready: 10 questions" in run.output
    assert "SurveyElements[13].Payload: RO/DND" in run.output
    assert "q5: violence and abuse (“threatened”)" in run.output
    assert "SurveyElements[14].Payload.QuestionJS" in run.output
    again = CliRunner().invoke(verbs, ["import", str(path)])
    assert "allowed: a new file" in str(again.exception)
    result = CliRunner().invoke(verbs, ["import", str(path), "--all", "--out", f"{path}.toml"])
    assert len(result.output.splitlines()) > len(run.output.splitlines()) + 100
    document = json.loads(CliRunner().invoke(verbs, ["import", str(path), "--json"]).output)
    assert (document["program"], document["questions"]) == ("qualtrics", 10)
    assert document["notes"][0]["reason"] == "question kind"


def test_the_cells_that_other_readers_take_stay_as_long_as_they_were() -> None:
    before = csv.field_size_limit()
    import_survey(FOLDER / "debts.txt")
    assert csv.field_size_limit() == before
