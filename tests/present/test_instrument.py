"""The instrument has all that respondents read, in every script, as Markdown and as PDF."""

import html
import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pylopdf_fonts_hi
import pylopdf_fonts_zh_cn
import pypdfium2
import pytest
from markdown_it import MarkdownIt

import askance as ak
from askance.present import describe_instrument, render_instrument, render_instrument_page

EXAMPLES = Path(__file__).parents[2] / "examples"
FONTS = [fonts.sans_path().parent for fonts in (pylopdf_fonts_hi, pylopdf_fonts_zh_cn)]
TEN = ("en", "ar", "de", "es", "fr", "hi", "it", "pt", "tr", "zh")
NO_SIGN = "\u0378"  # assigned to nothing, so that no font has it
WORDS = {
    tag: tomllib.loads((files("askance_collect.respond") / "languages" / f"{tag}.toml").read_text())
    for tag in TEN
}


def say(*keys):
    """Write words of the page in ten languages as a table of TOML."""
    texts = {
        tag: "\n\n".join(re.sub("[{}]", "", WORDS[tag]["words"][key]) for key in keys)
        for tag in TEN
    }
    spelled = (f"{tag} = {json.dumps(text, ensure_ascii=False)}" for tag, text in texts.items())
    return ", ".join(spelled)


def write_survey(folder, text):
    path = folder / "tea.toml"
    path.write_text(
        f"""askance = "survey-1"
title = "Tea"
consent = "Taking part is up to you."

[[question]]
name = "tea"
text = "{text}"
answers = ["yes", "no"]
mechanism = {{ name = "warner", truth = "3/4" }}
""",
        "utf-8",
    )
    return path


@pytest.fixture(scope="module")
def form(tmp_path_factory):
    """A form in ten languages, whose texts are words of the page."""
    path = tmp_path_factory.mktemp("ten") / "ten.toml"
    path.write_text(
        f"""askance = "survey-1"
languages = {json.dumps(TEN)}
title = {{ {say("begin")} }}
consent = {{ {say("nothingYet", "leaveHint")} }}
contact = {{ {say("later")} }}
ending.thanks = {{ {say("laterNever")} }}

[[question]]
name = "first"
text = {{ {say("agree")} }}
section = {{ title = {{ {say("back")} }}, text = {{ {say("laterOffer")} }} }}
answers = [{{ name = "go", {say("proceed")} }}, {{ name = "stop", {say("leave")} }}]
mechanism = {{ name = "warner", truth = "3/4" }}

[[question]]
name = "second"
text = {{ {say("agreeFirst")} }}
line = {{ lower = 0, upper = 10, step = 1, unit = {{ {say("language")} }} }}
""",
        "utf-8",
    )
    return ak.publish(ak.load_survey(path))


def wordings(document):
    """List all texts of a form that are in one of its languages, each with its language."""
    if isinstance(document, dict):
        if document and document.keys() <= {*TEN}:
            yield from document.items()
        else:
            for key, part in document.items():
                if key not in ("about", "words"):
                    yield from wordings(part)
    if isinstance(document, list):
        for part in document:
            yield from wordings(part)


def squeezed(text):
    """Take spaces out, which a reader of PDF guesses, and marks of Markdown."""
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("name", ["student-life", "item-count", "doping", "income", "apart"])
def test_the_instrument_has_every_text_of_the_form(name):
    form = ak.publish(ak.load_survey(EXAMPLES / f"{name}.toml"))
    written = squeezed(describe_instrument(form))
    for _, text in wordings(form.document):
        parts = text.split(" + ")  # a set of things that are ticked
        assert all(squeezed(part) in written for part in parts), text


def test_the_page_has_every_sentence_and_opens_anywhere(form):
    page = render_instrument_page(form)
    text = squeezed(html.unescape(re.sub("<[^>]+>", "", page)))
    for _, sentence in wordings(form.document):
        assert squeezed(sentence) in text
    assert "<script" not in page
    assert '<div lang="ar" dir="auto">' in page


def test_a_whole_number_has_its_own_lowest_value():
    form = ak.publish(ak.load_survey(EXAMPLES / "student-life.toml"))
    assert "0 … 60 hours" in describe_instrument(form)
    assert "0, 0.5 … 14 hours" in describe_instrument(form)  # of the numbers that can be given
    assert '<p class="number">0, 0.5 … 14 hours' in render_instrument_page(form)
    assert 'UNITS="INT" min="0" max="60"' in ak.present.render_codebook(form)


def test_every_sentence_in_ten_languages_comes_back_from_the_pdf(form):
    pdf = pypdfium2.PdfDocument(render_instrument(form, FONTS))
    pages = [page.get_textpage().get_text_range() for page in pdf]
    text = squeezed("".join(pages))
    for tag, sentence in wordings(form.document):
        if tag != "ar":
            assert squeezed(sentence) in text, (tag, sentence)
        for word in re.findall(r"[\u0600-\u06ff]+", sentence) if tag == "ar" else ():
            # PDFium turns the letters of a ligature round, and doubles those that have marks.
            parts = re.split(r"\w?[\u064b-\u0652]|ل[اأإآ]", word)
            assert all(part in text for part in parts), word


def test_arabic_stands_in_the_order_of_its_words(form):
    pdf = pypdfium2.PdfDocument(render_instrument(form, FONTS))
    text = " ".join(" ".join(page.get_textpage().get_text_range() for page in pdf).split())
    assert "أو أغلق هذه الصفحة" in text
    assert text.index("أكمل") < text.index("رجوع") < text.index("قرأت هذا")


def test_a_sign_that_no_font_has_is_refused_with_its_sentence(tmp_path, form):
    path = write_survey(tmp_path, f"Tea {NO_SIGN}?")
    with pytest.raises(ak.errors.InputError) as refused:
        render_instrument(ak.publish(ak.load_survey(path)), FONTS)
    assert refused.value.got == f"Tea {NO_SIGN}?"
    assert "Noto Sans" in str(refused.value)


def test_equal_forms_give_equal_bytes(form):
    assert render_instrument(form, FONTS) == render_instrument(form, FONTS)


ODD_WORDS = (
    "<b>x</b>",
    "$0 to $10,000",
    "-1",
    "1. one",
    "_a_ *b*",
    "[a](b)",
    "&amp;",
    "`c`",
    "# d",
    "c #",
)


@pytest.mark.parametrize("words", ODD_WORDS)
def test_words_are_no_marks_of_markdown(words, tmp_path):
    survey = """askance = "survey-1"
title = {0}
consent = {0}
[[question]]
name = "q"
text = {0}
answers = [{0}, "no"]
"""
    path = tmp_path / "s.toml"
    path.write_text(survey.format(json.dumps(words)), "utf-8")
    text = describe_instrument(ak.publish(ak.load_survey(path)))
    page = html.unescape(re.sub(r"<[^>]*>", "", MarkdownIt().render(text)))
    assert page.splitlines().count(words) == 4, text
    assert "$" not in re.sub(r"\\\$", "", text)
