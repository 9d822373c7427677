"""A deposit has what archives ask, or says what is missing."""

import html
import json
import re
import xml.etree.ElementTree as ET
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

import askance as ak
from askance.cli import verbs
from askance.present import check_deposit, describe_instrument, render_codebook, write_methods
from askance_collect.respond import render_page

EXAMPLES = Path(__file__).parents[2] / "examples"
DDI = "{ddi:codebook:2_5}"
STUDY = """authors = "A. Author"
contact = "a@example.org"
sponsor = "Nobody"
population = "Readers of a magazine & others"
frame = "Subscribers"
sampling = "All who answered"
mode = "Web"
dates = "May 2026"
response = "300 of 1,000"
weighting = "None"
processing = "None left out"
limitations = "Readers who answer differ from others"
licence = "CC0"
data = "Reports, as tea.sav"
"""


@pytest.fixture(scope="module")
def affairs():
    return ak.publish(ak.load_survey(EXAMPLES / "affairs.toml"))


@pytest.fixture(scope="module")
def study_of_life():
    return ak.publish(ak.load_survey(EXAMPLES / "student-life.toml"))


def write_counts(folder, form):
    column = {0: 120, 1: 100, 2: 80}
    counts = {"marriage": dict.fromkeys(range(5), 60), "affair": column, "religious": column}
    counts["years"] = {(0, 8): 100, (8, 24): 90, (0, 15): 80, (15, 24): 30}
    path = folder / "counts.json"
    path.write_text(json.dumps(ak.engines.Counts(300, counts).to_dict(form)), "utf-8")
    return path


def run(*words):
    return CliRunner().invoke(verbs, ["deposit", *map(str, words)])


def test_a_whole_deposit(tmp_path, affairs):
    study = tmp_path / "study.toml"
    study.write_text(STUDY, "utf-8")
    out, counts = tmp_path / "out", write_counts(tmp_path, affairs)
    written = run(EXAMPLES / "affairs.toml", counts, out, "--study", study)
    assert written.exit_code == 0, written.exception
    assert "missing" not in written.output
    names = {path.name for path in out.iterdir()}
    assert names >= {"form.json", "codebook.xml", "instrument.html", "methods.md", "complete.md"}
    assert (out / "page.html").read_bytes() == render_page(affairs).bytes
    assert affairs.question("affair").text["en"] in (out / "instrument.html").read_text("utf-8")
    for line in (out / "fingerprints.txt").read_text("utf-8").splitlines():
        digest, name = line.split("  ")
        assert sha256((out / name).read_bytes()).hexdigest() == digest
    assert ak.wire.Form.read((out / "form.json").read_bytes()) == affairs
    assert "affair" in (out / "methods.md").read_text("utf-8")
    assert "share" in (out / "tables" / "affair.csv").read_text("utf-8")
    assert (out / "figures" / "affair.svg").read_text("utf-8").startswith("<?xml")
    assert "| no |" not in (out / "complete.md").read_text("utf-8")
    page = html.unescape((out / "results.html").read_text("utf-8"))
    assert "askance estimate form.json counts.json --level 0.95" in page
    assert sha256(counts.read_bytes()).hexdigest() in page
    again = ["estimate", out / "form.json", counts, "--level", "0.95", "--json"]
    assert CliRunner().invoke(verbs, [*map(str, again)]).exit_code == 0


def test_a_zip_has_the_same_files_and_the_same_bytes_each_time(tmp_path, affairs):
    counts = write_counts(tmp_path, affairs)
    packed = [tmp_path / f"{i}.zip" for i in range(2)]
    for path in packed:
        assert run(EXAMPLES / "affairs.toml", counts, path, "--zip").exit_code == 0
    assert packed[0].read_bytes() == packed[1].read_bytes()
    with ZipFile(packed[0]) as archive:
        lines = archive.read("fingerprints.txt").decode().splitlines()
        names = {"fingerprints.txt"}
        for line in lines:
            digest, name = line.split("  ")
            assert sha256(archive.read(name)).hexdigest() == digest
            names.add(name)
        assert {*archive.namelist()} == names
        assert archive.read("instrument.pdf").startswith(b"%PDF-")
    again = run(EXAMPLES / "affairs.toml", counts, packed[0], "--zip")
    assert again.exception is not None


def test_a_sign_that_no_font_has_leaves_the_pdf_out_and_says_why(tmp_path):
    survey, reports, out = (tmp_path / name for name in ("tea.toml", "reports.csv", "out"))
    survey.write_text(
        """askance = "survey-1"
title = "Tea | \u0378"
consent = "Taking part is up to you."

[[question]]
name = "tea"
text = "Tea?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
""",
        "utf-8",
    )
    reports.write_text("tea\n" + "yes\n" * 60 + "no\n" * 90, "utf-8")
    written = run(survey, reports, out)
    assert written.exit_code == 0, written.exception
    assert not (out / "instrument.pdf").exists()
    assert "got 'Tea | " in written.output
    row = next(
        line for line in (out / "complete.md").read_text("utf-8").splitlines() if "Tea" in line
    )
    assert "| no |" in row
    assert "Tea \\| " in row


def test_items_of_a_list_come_before_its_combinations(tmp_path):
    survey, counts, out = (tmp_path / name for name in ("tea.toml", "counts.json", "out"))
    survey.write_text(
        """askance = "survey-1"
title = "Tea"
consent = "Taking part is up to you."

[[question]]
name = "tea"
text = "Which do you drink?"
choose = "all"
protect = "together"
answers = ["black", "green"]
mechanism = { name = "kary", ratio = 5 }
""",
        "utf-8",
    )
    form = ak.publish(ak.load_survey(survey))
    sent = ak.engines.Counts(80, {"tea": {0: 30, 1: 20, 2: 20, 3: 10}})
    counts.write_text(json.dumps(sent.to_dict(form)), "utf-8")
    written = run(survey, counts, out)
    assert written.exit_code == 0, written.exception
    items, combinations = (
        (out / "tables" / f"tea{name}.csv").read_text("utf-8").splitlines()
        for name in ("", "-combinations")
    )
    assert [line.split(",")[0] for line in items] == ["ticked", "black", "green", "black + green"]
    assert items[1].startswith("black,0.25,")
    assert len(combinations) == 5
    assert (out / "figures" / "tea-combinations.svg").exists()


def test_methods_have_each_reference_once_and_what_is_disclosed(affairs):
    one = ak.present.MethodsParagraph(text="By one.", references=("B (1990).", "A (1965)."))
    two = ak.present.MethodsParagraph(text="By two.", references=("A (1965).",))
    text = write_methods({"q": one, "r": two, "s": one}, {"dates": "May 2026"})
    assert [text.count(line) for line in ("A (1965).", "B (1990).", "By one.")] == [1, 1, 1]
    assert text.index("A (1965)") < text.index("B (1990)")
    assert "## q, s" in text
    assert "- When data were collected: May 2026" in text
    assert "- The population that is studied: not said" in text


HOSTILE = "*a* _b_ $0 to $10,000 `c` <b>d</b> [e](f) &amp; #g # h | i"
BROKEN = f"1. {HOSTILE}\n\n- and a letter\n# for all"


def read_markdown(text):
    """Give the words of each block of Markdown, as a reader sees them."""
    page = MarkdownIt().enable("table").render(text)
    blocks = re.findall(r"<(?:h\d|p|li|t[dh])>(.*?)</(?:h\d|p|li|t[dh])>", page, re.DOTALL)
    return [html.unescape(re.sub("<[^>]*>", "", block)) for block in blocks]


def test_words_are_no_marks_in_the_methods_and_the_check():
    paragraph = ak.present.MethodsParagraph(text=HOSTILE, references=(f"A. {HOSTILE}",))
    blocks = read_markdown(write_methods({HOSTILE: paragraph}, {"sampling": BROKEN}))
    assert blocks.count(HOSTILE) == 2
    assert f"A. {HOSTILE}" in blocks
    assert any(block.endswith(f": 1. {HOSTILE} - and a letter # for all") for block in blocks)
    check = check_deposit([], {}, {"codebook.xml": BROKEN})
    assert f"1. {HOSTILE} - and a letter # for all" in read_markdown(check.to_markdown())


def test_methods_say_once_what_holds_of_every_question():
    parts = ("Asked by {}.", "Computed by Askance.")
    written = {
        name: ak.present.MethodsParagraph(
            text=" ".join(parts).format(name),
            references=(),
            parts=tuple(part.format(name) for part in parts),
        )
        for name in ("q", "r")
    }
    text = write_methods(written)
    assert text.startswith("# Methods\n\nComputed by Askance.\n\n## q\n\nAsked by q.\n")
    assert text.count("Computed by Askance.") == 1


def test_what_is_missing_is_named_and_a_folder_is_not_written_over(tmp_path, affairs):
    out, counts = tmp_path / "out", write_counts(tmp_path, affairs)
    written = run(EXAMPLES / "affairs.toml", counts, out)
    assert "missing: The population that is studied (GESIS, AAPOR): write population" in (
        written.output
    )
    again = run(EXAMPLES / "affairs.toml", counts, out)
    assert "allowed: a folder that is not there yet" in str(again.exception)


def test_the_codebook_has_each_variable_with_its_texts_values_and_chances(study_of_life):
    form = study_of_life
    book = ET.fromstring(render_codebook(form, {"population": 'Students & "others" <18'}))
    assert book.tag == f"{DDI}codeBook"
    assert book.find(f".//{DDI}sumDscr/{DDI}universe").text == 'Students & "others" <18'
    variables = book.findall(f"{DDI}dataDscr/{DDI}var")
    assert [variable.get("name") for variable in variables] == [q.name for q in form.questions]
    for variable, question in zip(variables, form.questions, strict=True):
        texts = [text.text for text in variable.findall(f"{DDI}qstn/{DDI}qstnLit")]
        assert texts == [question.text[tag] for tag in form.languages]
        notes = variable.find(f"{DDI}notes")
        is_coin = isinstance(question, ak.wire.Choice) and question.coin is not None
        assert (question.is_randomised or is_coin) == (notes is not None)
        if isinstance(question, ak.wire.TableQuestion):
            matrix = json.loads(notes.text)
            assert [len(row) for row in matrix["rows"]] == [len(question.reports)] * len(
                question.answers
            )
    by_name = {variable.get("name"): variable for variable in variables}
    universe = by_name["work"].find(f"{DDI}universe").text
    assert universe == "Respondents other than those who answered no to job"


def test_what_no_xml_holds_is_replaced(tmp_path):
    survey, reports, out = (tmp_path / name for name in ("tea.toml", "reports.csv", "out"))
    survey.write_text(
        """askance = "survey-1"
title = "Tea \ufffe"
consent = "Taking part is up to you."

[[question]]
name = "cups"
text = "How many cups? \ufffe"
line = { lower = 0, upper = 4, unit = "cups \ufffe" }
mechanism = { name = "cuts", number = 2 }
""",
        "utf-8",
    )
    reports.write_text("cups_above,cups_upto\n" + "1,2\n" * 60 + "2,3\n" * 60, "utf-8")
    assert run(survey, reports, out).exit_code == 0
    for path in (out / "codebook.xml", out / "figures" / "cups.svg"):
        assert "\ufffd" in "".join(ET.parse(path).getroot().itertext())
    form = ak.publish(ak.load_survey(survey))
    ET.fromstring(render_codebook(form, {"population": "Tea\x01"}))
    ET.fromstring(ak.present.outlook_picture(ak.check(form)))


def test_the_order_within_a_variable_is_that_of_the_schema(study_of_life):
    order = ["labl", "security", "qstn", "valrng", "universe", "catgry", "notes"]
    for variable in ET.fromstring(render_codebook(study_of_life)).iter(f"{DDI}var"):
        tags = [child.tag.removeprefix(DDI) for child in variable]
        assert tags == sorted(tags, key=order.index)


def test_the_instrument_has_every_wording(study_of_life):
    text = describe_instrument(study_of_life)
    for question in study_of_life.questions:
        assert all(wording in text for wording in question.text.values())


def test_a_study_says_only_what_is_asked(tmp_path):
    with pytest.raises(ak.errors.InputError, match="did you mean 'population'"):
        check_deposit((), {"populaton": "x"})
    with pytest.raises(ak.errors.InputError, match=r"study.dates: got 3; allowed: a text"):
        check_deposit((), {"dates": 3})
    study = tmp_path / "study.toml"
    study.write_text("a = [", "utf-8")
    refused = run(EXAMPLES / "affairs.toml", "none.json", tmp_path / "o", "--study", study)
    assert "allowed: a file of TOML" in str(refused.exception)
