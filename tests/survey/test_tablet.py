"""An interviewer's tablet: a choice of the survey, which moves no form without it."""

from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.study import rehearse
from askance.survey import parse_survey, publish
from askance_collect.collect import create_app, open_store, serving
from askance_collect.errors import FormError, InputError, SurveyError
from askance_collect.respond import render_page
from askance_collect.wire import Form

HEAD = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
contact = "office@example.org"
"""
QUESTION = """
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
"""
QUOTA = """
[[quota]]
question = "tea"
answer = "yes"
most = 9
"""
ON = "tablet = true\n"


def text_of(*parts):
    return HEAD + "".join(parts)


def form_of(*parts):
    return publish(parse_survey(text_of(*parts).encode()))


def test_the_form_says_so_and_another_keeps_its_bytes():
    form = form_of(ON, QUESTION)
    assert form.for_tablet
    assert form.document["tablet"] is True
    assert form.document["askance"] == "form-2"
    assert Form.read(form.bytes) == form
    plain = form_of(QUESTION)
    assert not plain.for_tablet
    assert plain.document["askance"] == "form-1"
    assert plain.bytes == form_of("tablet = false\n", QUESTION).bytes


@pytest.mark.parametrize(
    ("parts", "where", "remedy"),
    [
        ((ON, "later = true\n", QUESTION), "later", "leave later out"),
        ((ON, QUESTION, QUOTA), "quota", "count at the doors"),
        ((ON, '[ending]\nurl = "https://p.example/"\n', QUESTION), "ending.url", "leave url out"),
        (
            (ON, '[ending]\nwithin = ["https://p.example"]\n', QUESTION),
            "ending.within",
            "leave within out",
        ),
    ],
)
def test_what_needs_a_network_or_one_s_own_device_is_refused(parts, where, remedy):
    with pytest.raises(SurveyError, match=rf"^{where}: allowed: no such thing beside tablet") as no:
        form_of(*parts)
    assert remedy in str(no.value)


def test_thanks_and_a_code_go_with_it():
    ending = '[ending]\nthanks = "Thank you."\ncode = "C1"\n'
    assert form_of(ON, ending, QUESTION).ending.code == "C1"


@pytest.mark.parametrize("replies", ['"yes"', "1", "nan", "[]", "{}"])
def test_what_is_neither_true_nor_false_is_refused(replies):
    with pytest.raises(SurveyError, match=r"^tablet: got"):
        form_of(f"tablet = {replies}\n", QUESTION)


@pytest.mark.parametrize(
    "other",
    [
        {"tablet": False},
        {"tablet": None},
        {"tablet": 1},
        {"later": 14},
        {"quotas": [{"question": 0, "answer": 0, "most": 1}]},
        {"ending": {"url": "https://panel.example/"}},
        {"ending": {"within": ["https://panel.example"]}},
    ],
)
def test_a_form_that_says_otherwise_is_refused(other):
    with pytest.raises(FormError, match=r"^tablet: "):
        Form.read(form_of(ON, QUESTION).document | other)


def test_check_says_what_waits_on_the_device(tmp_path):
    result = {}
    for tablet in ("", ON):
        path = tmp_path / "tea.toml"
        path.write_text(text_of(tablet, QUESTION), encoding="utf-8")
        run = CliRunner().invoke(verbs, ["check", str(path)])
        assert run.exit_code == 0
        result[tablet] = " ".join(run.output.split())
    assert "interviewer" not in result[""]
    assert "note an interviewer carries the page: reports wait on the device" in result[ON]


def test_publish_writes_what_installs_it_beside_the_page(tmp_path):
    path, folder = tmp_path / "tea.toml", tmp_path / "door"
    path.write_text(text_of(ON, QUESTION), encoding="utf-8")
    folder.mkdir()
    run = CliRunner().invoke(verbs, ["publish", str(path), "--page", str(folder / "index.html")])
    assert run.exit_code == 0
    page = render_page(form_of(ON, QUESTION))
    written = {file.name: file.read_bytes() for file in folder.iterdir()}
    further = {name: content for name, (content, _) in page.companions.items()}
    assert written == {"index.html": page.bytes} | further


def test_a_page_by_another_name_is_not_kept_by_a_tablet(tmp_path):
    path = tmp_path / "tea.toml"
    path.write_text(text_of(ON, QUESTION), encoding="utf-8")
    run = CliRunner().invoke(verbs, ["publish", str(path), "--page", str(tmp_path / "tea.html")])
    assert run.exit_code != 0
    assert "--page: got 'tea.html'; allowed: index.html, in a folder of its own" in str(
        run.exception
    )
    assert not (tmp_path / "tea.html").exists()


def test_a_collector_hands_out_what_lies_beside_the_page(tmp_path):
    for parts, remote in (((ON, QUESTION), True), ((QUESTION,), False)):
        form = form_of(*parts)
        page, store = render_page(form), open_store(tmp_path / f"{remote}.db", form)
        result = page.headers, page.sha256, store, None, page.companions
        with serving(create_app(form, page.bytes, *result)) as url:
            for name in ("worker.js", "manifest.webmanifest"):
                if remote:
                    with urlopen(url + name) as reply:
                        content, headers = page.companions[name]
                        assert reply.read() == content
                        assert headers.items() <= dict(reply.headers).items()
                else:
                    with pytest.raises(OSError, match="404"):
                        urlopen(url + name)
        store.close()


def test_a_rehearsal_says_how_to_rehearse_it():
    with pytest.raises(InputError, match="rehearse the survey without tablet = true"):
        rehearse(form_of(ON, QUESTION), people=1)
