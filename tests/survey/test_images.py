"""Images beside questions and answers: what is read of a survey file, and what is refused."""

import base64

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.survey import load_survey, parse_survey, publish
from askance_collect.errors import SurveyError
from askance_collect.respond import render_page
from askance_collect.wire import Form

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path d="M0 0h2v1z"/></svg>'
WEBP = b"RIFF\x0c\x00\x00\x00WEBPVP8L"
DOT = f"data:image/svg+xml;base64,{base64.b64encode(SVG).decode()}"
HEAD = """
askance = "survey-1"
title = "Tea"
consent = { en = "Say it or leave.", de = "Sagen Sie es." }
languages = ["en", "de"]
[[question]]
name = "tea"
text = "Which tea do you like?"
"""
DOT_IMAGE = 'image = { file = "dot", alt = { en = "A dot", de = "Ein Punkt" } }'
ANSWERS = f'answers = ["black", {{ name = "green", {DOT_IMAGE} }}]'


def form_of(text, folder=None, **files):
    raw = (HEAD + text).encode()
    if folder is None:
        return publish(parse_survey(raw.replace(b'"dot"', f'"{DOT}"'.encode())))
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "survey.toml").write_bytes(raw)
    return publish(load_survey(folder / "survey.toml"))


def places(form):
    return [(image.question, image.answer) for image in form.images]


@pytest.mark.parametrize(("kind", "raw"), [("svg+xml", SVG), ("webp", WEBP)])
def test_images_are_put_into_the_form_by_what_is_in_the_file(tmp_path, kind, raw):
    form = form_of(f"{DOT_IMAGE}\n{ANSWERS}", tmp_path, dot=raw)
    assert places(form) == [(0, None), (0, 1)]
    further, chosen = (item.image for item in form.images)
    assert (further.kind, further.bytes) == (kind, raw)
    assert further is chosen
    assert dict(further.alt) == {"en": "A dot", "de": "Ein Punkt"}
    assert len(form.document["images"]) == 1
    assert Form.read(form.bytes) == form


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        (f'choose = "all"\n{ANSWERS}\n{DOT_IMAGE}', [(0, None), (0, 1)]),
        (
            f'choose = "all"\nprotect = "together"\n{ANSWERS}\n'
            'mechanism = { name = "kary", ratio = 8 }',
            [(0, 1)],
        ),
        (f'items = ["a", "b"]\n{ANSWERS}\n{DOT_IMAGE}', [(0, None), (1, None), (0, 1), (1, 1)]),
        (f'items = ["a", {{ name = "b", {DOT_IMAGE} }}]\nanswers = ["yes", "no"]', [(1, None)]),
        (f"line = {{ lower = 0, upper = 9 }}\n{DOT_IMAGE}", [(0, None)]),
        (f"free_text = {{ limit = 9 }}\n{DOT_IMAGE}", [(0, None)]),
        (f'{ANSWERS}\nmechanism = {{ name = "warner", truth = "3/4" }}', [(0, 1)]),
        (
            'answers = ["yes", "no"]\nmechanism = { name = "crosswise", harmless = "1/4" }\n'
            f'coin = "a die"\nreplies = ["both or neither", {{ name = "just one", {DOT_IMAGE} }}]',
            [(0, 1)],
        ),
    ],
)
def test_images_stand_beside_every_kind_of_question(text, stands):
    assert places(form_of(text)) == stands


def test_all_but_the_images_is_as_without_them():
    plain = form_of('answers = ["black", "green"]')
    shown_document = form_of(ANSWERS).document
    del shown_document["images"]
    assert shown_document | {"askance": "form-1"} == plain.document


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'answers = ["a", "b"]\nimage = { file = "dot" }',
            "question[0].image.alt: got 'nothing'; allowed: the text that screen readers "
            'read out for the image; add alt = "…"',
        ),
        (
            'answers = ["a", { name = "b", image = { file = "dot", alt.en = "A dot" } }]',
            "question[0].answers[1].image.alt.de: got 'nothing'",
        ),
        (
            'answers = ["a", { name = "b", image = "dot" }]',
            "question[0].answers[1].image: got",
        ),
        (
            'answers = ["a", { name = "b", en = { file = "dot" }, de = "b" }]',
            "question[0].answers[1].en: got 'a table { … }'; allowed: text in quotes",
        ),
        ('answers = ["a", { name = "b", image = { src = "dot" } }]', "allowed: file, alt"),
        ('answers = ["a", "b"]\nimage = { file = "dot", width = 2 }', "allowed: file, alt"),
        (
            'answers = ["a", "b"]\nimage = { file = "other.png", alt = "A dot" }',
            "question[0].image.file: got 'other.png'; allowed: a file beside a survey file",
        ),
        (
            f'{ANSWERS}\nmechanism = {{ name = "crosswise", harmless = "1/4" }}\ncoin = "a die"',
            "question[0].answers[1].image: got 'an image of an answer that nobody chooses'",
        ),
        (
            f'items = ["a", {{ name = "b", {DOT_IMAGE} }}]\nanswers = ["yes", "no"]\n{DOT_IMAGE}',
            "question[0].image: got 'one beside images of items'",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused(text, message):
    with pytest.raises(SurveyError) as refused:
        form_of(text)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            b"GIF89a",
            "dot, a GIF'; allowed: a PNG, a JPEG, a WebP or an SVG, by what is in the file",
        ),
        (b"RIFF\x0c\x00\x00\x00AVI VP8L", "dot, of another kind"),
        (SVG + b" " * 16_384, "at most 16,384 bytes, since everybody loads it"),
    ],
)
def test_a_file_that_is_no_image_is_refused_with_its_place(tmp_path, raw, message):
    with pytest.raises(SurveyError) as refused:
        form_of(ANSWERS, tmp_path, dot=raw)
    assert refused.value.where == "question[0].answers[1].image.file"
    assert message in str(refused.value)


def test_images_that_weigh_too_much_together_are_refused(tmp_path):
    files = {
        f"dot{index}": SVG + str(index).encode() * 0 + b" " * (16_000 + index) for index in range(9)
    }
    labels = (
        f'{{ name = "{file}", image = {{ file = "{file}", alt = "{file}" }} }}' for file in files
    )
    with pytest.raises(SurveyError) as refused:
        form_of(f"answers = [{', '.join(labels)}]", tmp_path, **files)
    assert "bytes together'; allowed: at most 131,072 bytes" in str(refused.value)


def test_check_says_what_images_weigh(tmp_path):
    form = form_of(f"{DOT_IMAGE}\n{ANSWERS}", tmp_path, dot=SVG)
    result = CliRunner().invoke(verbs, ["check", str(tmp_path / "survey.toml")]).output
    assert f"bytes compressed; its images have {len(SVG)}" in result
    assert DOT in render_page(form).bytes.decode().replace("\\u002b", "+")
