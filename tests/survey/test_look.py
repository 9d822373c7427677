"""A survey's own look: what is read of it, and what is refused with a remedy."""

import base64
import os
import re
import struct
import zlib

import pytest

from askance.survey import load_survey, parse_survey, publish
from askance_collect.errors import SurveyError
from askance_collect.respond import render_page
from askance_collect.wire import Form

HEAD = """
askance = "survey-1"
title = "Tea"
consent = { en = "Say it or leave.", de = "Sagen Sie es." }
languages = ["en", "de"]
"""
QUESTION = """
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
"""
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1"/></svg>'
)


def png():
    def part(name, data):
        entire = name + data
        return struct.pack(">I", len(data)) + entire + struct.pack(">I", zlib.crc32(entire))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    data = zlib.compress(b"\x00\x00")
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", data) + part(b"IEND", b"")


def form_of(look, folder=None, **files):
    text = (HEAD + "[look]\n" + look + QUESTION).encode()
    if folder is None:
        return publish(parse_survey(text))
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "survey.toml").write_bytes(text)
    return publish(load_survey(folder / "survey.toml"))


@pytest.mark.parametrize(
    ("kind", "raw"), [("svg+xml", SVG), ("png", png()), ("jpeg", b"\xff\xd8\xff\xe0")]
)
def test_a_logo_is_put_into_the_form_by_what_is_in_the_file(tmp_path, kind, raw):
    form = form_of('logo = "logo"\nalt = { en = "Tea house", de = "Teehaus" }', tmp_path, logo=raw)
    logo = form.branding.logo
    assert (logo.kind, logo.bytes, dict(logo.alt)) == (
        kind,
        raw,
        {"en": "Tea house", "de": "Teehaus"},
    )
    assert form.document["askance"] == "form-2"
    assert Form.read(form.bytes) == form
    (tmp_path / "logo").unlink()
    assert form.branding.logo.bytes == raw


def test_an_image_may_stand_in_the_file_itself():
    uri = f"data:image/svg+xml;base64,{base64.b64encode(SVG).decode()}"
    assert form_of(f'logo = "{uri}"\nalt = "Tea house"').branding.logo.bytes == SVG


@pytest.mark.parametrize(
    ("colour", "light", "dark"),
    [
        ('"#0B6259"', "#0b6259", "#659c96"),
        ('{ light = "#7a1fa2", dark = "#d59be8" }', "#7a1fa2", "#d59be8"),
    ],
)
def test_a_colour_is_written_for_both_themes(colour, light, dark):
    assert form_of(f"colour = {colour}").branding.colours == {"light": light, "dark": dark}


def test_a_survey_without_a_look_stays_as_it_was():
    form = publish(parse_survey((HEAD + QUESTION).encode()))
    assert form.document["askance"] == "form-1"
    assert form.branding is None


@pytest.mark.parametrize(
    ("look", "message"),
    [
        ("", "look: got 'nothing'"),
        ('font = "serif"', "look.font: got 'font'; allowed: colour, logo, alt"),
        ('colour = "#ffd100"', "1.3 to 1 in the light theme"),
        ('colour = "#ffd100"', 'the nearest shade that can be read is "#806900"'),
        ('colour = { light = "#0b6259", dark = "#0b6259" }', "look.colour.dark: got '#0b6259"),
        ('colour = { dark = "#d59be8" }', "look.colour: got 'dark'"),
        ('colour = { light = "#0b6259", print = "#000000" }', "look.colour"),
        ('colour = "red"', "look.colour: got 'red'; allowed: six hexadecimal digits"),
        ('colour = "#0b6259}"', "six hexadecimal digits"),
        ("colour = 5", "look.colour"),
        ('alt = "Tea house"', "look.alt: got 'no logo'"),
        ('logo = "logo.svg"', "look.logo: got 'logo.svg'; allowed: a file beside a survey file"),
        ('logo = "data:image/gif;base64,R0lGODlh"\nalt = "Tea"', "look.logo"),
        ('logo = "data:image/svg+xml;base64,PHN2Zy8+"', "look.alt: got 'nothing'"),
        (
            'logo = "data:image/svg+xml;base64,PHN2Zy8+"\nalt = ""',
            "look.alt.en: got 'an empty text'",
        ),
        (
            'logo = "data:image/svg+xml;base64,PHN2Zy8+"\nalt.en = "Tea"',
            "look.alt.de: got 'nothing'",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused(look, message):
    with pytest.raises(SurveyError) as refused:
        form_of(look)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            b"GIF89a",
            "logo.svg, a GIF'; allowed: a PNG, a JPEG, a WebP or an SVG, by what is in the file",
        ),
        (b"<svg/>", "save it as a PNG, or as an SVG with its xmlns"),
        (SVG[:-1], "logo.svg, of another kind"),
        (b"<html></html>", "of another kind"),
        (b"", "of another kind"),
        (SVG + b" " * 16_384, "at most 16,384 bytes, since everybody loads it"),
    ],
)
def test_a_file_that_is_no_logo_is_refused(tmp_path, raw, message):
    with pytest.raises(SurveyError) as refused:
        form_of('logo = "logo.svg"\nalt = "Tea"', tmp_path, **{"logo.svg": raw})
    assert refused.value.where == "look.logo"
    assert message in str(refused.value)


@pytest.mark.parametrize("name", ["none.svg", ".", "a\\u0000b"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(SurveyError) as refused:
        form_of(f'logo = "{name}"\nalt = "Tea"', tmp_path)
    assert refused.value.where == "look.logo"
    assert "a file beside the survey file" in str(refused.value)


THEMES = {"light": 0, "dark": 255}
"""Which grey a colour is mixed with in each, where it cannot be read."""
COLOURS = ("#000000", "#ffffff", "#ffd100", "#c8102e", "#0b6259", "#7f7f7f", "#00ff00", "#0000ff")
BLACK = {"light": "#000000", "dark": "#ffffff"}


def luminance(colour):
    """As WCAG 2.2 defines relative luminance."""
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    linear = [
        item / 12.92 if item <= 0.04045 else ((item + 0.055) / 1.055) ** 2.4 for item in parts
    ]
    return sum(weight * item for weight, item in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(item, other):
    darker, lighter = sorted(map(luminance, (item, other)))
    return (lighter + 0.05) / (darker + 0.05)


def shaded(colour, theme):
    """Give a colour in a theme, or the shade that the refusal names, with the form."""
    entire = BLACK | {theme: colour}
    look = f'colour = {{ light = "{entire["light"]}", dark = "{entire["dark"]}" }}'
    try:
        return colour, form_of(look)
    except SurveyError as error:
        return re.search('"(#[0-9a-f]{6})"', error.remedy)[1], None


def declared(form, theme):
    """The colours that a page declares in a theme, the study's own last."""
    style = re.search("<style>(.*)</style>", render_page(form).bytes.decode(), re.DOTALL)[1]
    result = {}
    for part in re.findall(r"(prefers-color-scheme: ?dark\)\{)?:root\{([^}]*)\}", style):
        if bool(part[0]) == (theme == "dark"):
            result |= dict(re.findall("--([a-z-]+): ?(#[0-9a-f]{6})", part[1]))
    return result


@pytest.mark.parametrize(
    ("item", "other", "expected"),
    [("#000000", "#ffffff", 21), ("#ff0000", "#ffffff", 3.998), ("#767676", "#ffffff", 4.542)],
)
def test_the_contrasts_are_those_of_known_tables(item, other, expected):
    assert contrast(item, other) == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("colour", COLOURS)
def test_what_is_taken_can_be_read_and_no_nearer_shade_is(colour, theme):
    shade, form = shaded(colour, theme)
    assert (form is None) == (shade != colour)
    again, form = shaded(shade, theme)
    assert again == shade
    own = declared(form, theme)
    assert own["accent"] == shade
    behind = [own[name] for name in ("paper", "raised", "tint", "on-accent")]
    assert min(contrast(shade, item) for item in behind) >= 4.5
    if shade != colour:
        pairs = list(zip(bytes.fromhex(shade[1:]), bytes.fromhex(colour[1:]), strict=True))
        assert all(sorted((inputs, part, THEMES[theme]))[1] == part for part, inputs in pairs)
        nearer = [part + (inputs > part) - (inputs < part) for part, inputs in pairs]
        assert shaded(f"#{bytes(nearer).hex()}", theme)[1] is None


def test_the_pages_own_colours_can_be_read():
    style = declared(publish(parse_survey((HEAD + QUESTION).encode())), "light")["accent"]
    assert shaded(style, "light")[0] == style
    dark = declared(publish(parse_survey((HEAD + QUESTION).encode())), "dark")["accent"]
    assert shaded(dark, "dark")[0] == dark


@pytest.mark.parametrize("name", ["/dev/zero", "fifo", "../logo", "link", "folder"])
def test_only_a_file_of_the_surveys_own_folder_is_read(tmp_path, name):
    outside, folder = tmp_path / "logo", tmp_path / "survey"
    folder.mkdir()
    outside.write_bytes(png())
    (folder / "link").symlink_to(outside)
    (folder / "folder").mkdir()
    os.mkfifo(folder / "fifo")
    for key in ("look", "words", "tokens"):
        written = {
            "look": f'[look]\nalt = "Tea"\nlogo = "{name}"\n',
            "words": f'words = "{name}"\n',
            "tokens": f'[tokens]\nissuer = "https://a.example/"\nkeys = "{name}"\n',
        }[key]
        path = folder / "survey.toml"
        text = 'askance = "survey-1"\ntitle = "Tea"\nconsent = "Yes?"\ncontact = "a@example.org"\n'
        questions = '[[question]]\nname = "tea"\ntext = "Tea?"\nanswers = ["yes", "no"]\n'
        path.write_text(
            written + text + questions if key == "words" else text + written + questions
        )
        with pytest.raises(SurveyError, match=f"{key}.*allowed: a file beside the survey file"):
            load_survey(path)


def test_a_survey_without_an_end_is_not_read_to_it():
    with pytest.raises(SurveyError, match="/dev/zero: got 'more than"):
        load_survey("/dev/zero")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("\na = " + "[" * 100_000, "more than 32 brackets inside each other .at line 2"),
        (".".join("a" * 50_000) + " = 1", "a key of more than 32 parts .at line 1"),
        ("[" + ".".join("a" * 50_000) + "]", "a key of more than 32 parts .at line 1"),
        ("a = " + "{a = " * 100_000, "more than 32 brackets inside each other .at line 1"),
    ],
    ids=["lists", "key", "table", "tables"],
)
def test_a_survey_is_bounded_before_it_is_parsed(text, fault):
    with pytest.raises(SurveyError, match=fault):
        parse_survey(text.encode())
