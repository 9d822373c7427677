"""What a respondent does under a design, as it is drawn."""

import json
import re
from xml.etree import ElementTree

import pytest

from askance import Abstain, Frame, Warner, analyse, parse_survey, publish
from askance.engines import Counts
from askance.mechanisms import (
    Crosswise,
    HiddenSensitivity,
    Mangat,
    UnrelatedQuestion,
)
from askance.present import path_picture, render_analysis
from askance_collect.errors import InputError
from askance_collect.wire import Form
from named_mechanisms import MECHANISMS

YN = Frame(["yes", "no"])
SURVEY = """
askance = "survey-1"
title = "T"
consent = "C"
minimum = 1
[[question]]
name = "q"
text = "Q <1>?"
answers = ["yes", "no"]
mechanism = {{ name = {told} }}
"""
WARNER = '"warner", truth = "3/4"'


def lines(draws):
    root = ElementTree.fromstring(draws)
    texts = (item for item in root.iter() if item.tag.rpartition("}")[2] == "text")
    return [" ".join("".join(text.itertext()).split()) for text in texts]


def test_every_step_is_a_line_down_to_the_report():
    assert lines(path_picture(UnrelatedQuestion(sensitive_chance="7/10", harmless="1/6"), YN)) == [
        "The device draws",
        "7/10 the sensitive question",
        "answer “yes” → yes",
        "answer “no” → no",
        "3/10 the harmless question",
        "The harmless trait",
        "1/6 has it → yes",
        "5/6 has it not → no",
    ]


def test_only_those_who_draw_have_a_coin():
    assert lines(path_picture(Mangat(truth_if_no="2/3"), YN)) == [
        "answer “yes” → yes",
        "answer “no”",
        "The device draws",
        "2/3 “say your answer” → no",
        "1/3 “say the other one” → yes",
    ]


@pytest.mark.parametrize(
    ("recipe", "frame"),
    [
        (Warner(truth="3/4"), YN),
        (Abstain(truth="3/5", lie="1/10"), YN),
        *((mechanism.recipe, mechanism.frame) for mechanism in MECHANISMS),
    ],
    ids=lambda item: getattr(item, "name", ""),
)
def test_what_is_drawn_stands_alone_stays_inside_and_is_told(recipe, frame):
    picture = path_picture(recipe, frame)
    assert picture == path_picture(recipe, frame)
    assert "prefers-color-scheme: dark" in picture
    root = ElementTree.fromstring(picture)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert 320 <= width <= 420
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 < float(text.attrib["x"]) < width
        assert 0 < float(text.attrib["y"]) < height
    (result,) = (character.text for character in root.iter("{http://www.w3.org/2000/svg}desc"))
    for report in recipe.channel(frame).reports:
        assert report in result


def test_long_names_widen_it_and_are_escaped():
    long = Frame(["yes <b> & " + "very " * 20, "no"])
    picture = path_picture(Crosswise(harmless="1/4"), long)
    assert "<b>" not in picture
    assert float(re.search(r'viewBox="0 0 (\d+)', picture)[1]) > 420


def test_a_control_character_leaves_it_a_file_of_xml():
    picture = path_picture(Crosswise(harmless="1/4"), Frame(["a\0b\x1f", "c\nd\ud800\uffff"]))
    assert "answer “a�b�” → both or neither" in lines(picture)
    assert "answer “c�d��” → just one" in lines(picture)
    assert picture.encode()


def test_wide_letters_stay_inside():
    picture = path_picture(Crosswise(harmless="1/4"), Frame(["はい" * 20, "no"]))
    assert float(re.search(r'viewBox="0 0 (\d+)', picture)[1]) > 40 * 15


def test_fine_chances_are_told_in_percent():
    lines_result = lines(path_picture(Crosswise(harmless="0.15946252"), YN))
    assert lines_result[1] == "15.9 % has it"


def test_a_frame_that_does_not_fit_is_refused():
    with pytest.raises(InputError, match="one for each answer"):
        path_picture(HiddenSensitivity(harmless=["1/2", "1/2"]), Frame(["a", "b", "c"]))


@pytest.mark.long
@pytest.mark.parametrize(
    ("told", "draws"),
    [
        ('"crosswise", harmless = "1/4"', True),
        (WARNER, True),
        ('"forced", epsilon = 1.3', True),
        ('"warner", truth = "0.75000000000000000001"', True),
        ('"abstain", truth = "3/5", lie = "1/10"', False),
    ],
)
def test_the_page_draws_the_named_mechanisms(told, draws):
    form = publish(parse_survey(SURVEY.format(told=told).encode()))
    page = render_analysis(analyse(form, Counts(90, {"q": {0: 40, 1: 50}})))
    assert ("<summary>What a respondent does</summary>" in page) is draws
    assert ('id="q1p-title">What a respondent does: Q &lt;1&gt;?' in page) is draws


GROUPS = (
    SURVEY.split("mechanism")[0]
    + """{assigned}
[[question.group]]
name = "few"
{share}
mechanism = {{ name = "crosswise", harmless = "1/4" }}
[[question.group]]
name = "many"
{share}
mechanism = {{ name = "crosswise", harmless = "{second}" }}
"""
)
BY_CHANCE, BY_INVITATION = ("", 'share = "1/2"'), ('assigned = "invitation"', "")


def path_on_the_page(document):
    counts = Counts(90, {"q": {0: 20, 1: 20, 2: 25, 3: 25}})
    page = render_analysis(analyse(Form.read(document), counts))
    match = re.search(r'<figure class="path">(.*?)</figure>', page)
    return lines(match[1].replace("xml:space", "space")) if match else None


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "told"),
    [
        (BY_CHANCE, ["The device draws a group", "1/2 few", "The harmless trait", "1/4 has it"]),
        (BY_INVITATION, ["An invitation, else chance", "few", "The harmless trait", "1/4 has it"]),
    ],
    ids=["chance", "invitation"],
)
def test_the_page_draws_each_group(how, told):
    assigned, share = how
    written = GROUPS.format(assigned=assigned, share=share, second="3/4")
    document = json.loads(publish(parse_survey(written.encode())).bytes)
    page = path_on_the_page(document)
    assert page[:4] == told
    assert page[5] == "answer “no” → just one"
    assert "3/4 has it" in page[9:]
    document["questions"][0]["about"]["mechanism"]["many"]["harmless"] = "2/3"
    assert path_on_the_page(document) is None  # a path that is not the table's


@pytest.mark.long
@pytest.mark.parametrize(
    "reply",
    [
        {"name": "warner", "truth": "9/10"},
        {"name": "crosswise", "harmless": "1/4"},
        {"name": "hidden", "harmless": '["1/2", "1/4", "1/4"]'},
    ],
    ids=lambda replies: replies["name"],
)
def test_the_page_draws_no_path_that_is_not_the_table_s(reply):
    """What a form says about its question is for people: only its table was deployed."""
    document = json.loads(publish(parse_survey(SURVEY.format(told=WARNER).encode())).bytes)
    assert document["questions"][0]["about"]["mechanism"]["name"] == "warner"
    document["questions"][0]["about"]["mechanism"] = reply
    analysis = analyse(Form.read(document), Counts(90, {"q": {0: 40, 1: 50}}))
    assert "What a respondent does" not in render_analysis(analysis)
