"""A survey's own words: read from a file beside it, and refused with its line."""

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.errors import SurveyError
from askance.survey import load_survey, parse_survey, publish
from askance.wire import Form

HEAD = """
askance = "survey-1"
title = "Thee"
consent = "Zeg het of vertrek."
contact = "thee@example.org"
"""
QUESTION = """
[[question]]
name = "tea"
text = "Drinkt u thee?"
answers = ["ja", "nee"]
"""
DUTCH = """name = "Nederlands"
checked = true

[words]
leave = "Nu weg"
back = ""
step = "{of}: vraag {at}"
sets.one = "{count} groep"
sets.other = "{count} groepen"
"""


def form_of(words, folder=None, file=DUTCH, languages=("nl",)):
    tags = ", ".join(f'"{tag}"' for tag in languages)
    text = f"{HEAD}languages = [{tags}]\n{words}\n{QUESTION}".encode()
    if folder is None:
        return publish(parse_survey(text))
    (folder / "words-nl.toml").write_text(file, "utf-8")
    (folder / "survey.toml").write_bytes(text)
    return publish(load_survey(folder / "survey.toml"))


@pytest.mark.parametrize("words", ['words = "words-nl.toml"', 'words = { nl = "words-nl.toml" }'])
def test_a_file_of_words_is_put_into_the_form_without_what_is_empty(tmp_path, words):
    form = form_of(words, tmp_path)
    brought = form.document["words"]["nl"]
    assert brought["checked"] is True
    assert set(brought["words"]) == {"leave", "step", "sets"}
    assert brought["words"]["sets"] == {"one": "{count} groep", "other": "{count} groepen"}
    assert form.document["askance"] == "form-2"
    assert Form.read(form.bytes) == form


def test_words_may_stand_in_the_survey_file_itself():
    inside = "[words.nl]\n" + DUTCH.replace("[words]", "[words.nl.words]")
    assert form_of(inside).words["nl"]["words"]["leave"] == "Nu weg"


def test_a_file_that_askance_wrote_is_taken_once_something_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(verbs, ["words", "nl"]).exit_code == 0
    blank = (tmp_path / "words-nl.toml").read_text("utf-8")
    blank = blank.replace('name = ""', 'name = "Nederlands"')
    with pytest.raises(SurveyError, match="no words"):
        form_of('words = "words-nl.toml"', tmp_path, blank)
    said = blank.replace('leave = ""', 'leave = "Nu weg"')
    assert dict(form_of('words = "words-nl.toml"', tmp_path, said).words["nl"]["words"]) == {
        "leave": "Nu weg"
    }


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (DUTCH.replace("leave", "leev"), "words-nl.toml, line 5: leev"),
        (DUTCH.replace("leave", "leev"), "did you mean 'leave'"),
        (DUTCH.replace("{at}", ""), "words-nl.toml, line 7: {of}: vraag"),
        (DUTCH.replace("{at}", "{in}"), "say: Question {at} of {of}"),
        (DUTCH.replace("sets.other", "sets.otter"), "give at least sets.other"),
        (DUTCH.replace("true", "1"), "checked"),
        ("leave = ", "words-nl.toml, file"),
        ("", "words-nl.toml, name: nothing"),
    ],
)
def test_words_that_cannot_be_right_are_told_with_their_line(tmp_path, file, said):
    with pytest.raises(SurveyError) as refused:
        form_of('words = { nl = "words-nl.toml" }', tmp_path, file)
    assert refused.value.where == "words.nl"
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("words", "languages", "said"),
    [
        ('words = "words-nl.toml"', ("nl", "en"), 'write words = { en = "words-nl.toml" }'),
        ('words = { nl = "none.toml" }', ("nl",), "none.toml: No such file"),
        ('words = { de = "words-nl.toml" }', ("nl",), "a language of the survey: nl"),
        ('words = { en = "words-nl.toml" }', ("nl", "en"), "leave it out: the page has its own"),
        ("words = {}", ("nl",), "a file for each language"),
        ("words = 5", ("nl",), "words"),
    ],
)
def test_what_is_no_file_of_a_language_of_the_survey_is_refused(tmp_path, words, languages, said):
    with pytest.raises(SurveyError) as refused:
        form_of(words, tmp_path, languages=languages)
    assert said in str(refused.value)


def test_without_its_folder_a_file_is_not_read():
    with pytest.raises(SurveyError, match="which load_survey reads"):
        form_of('words = { nl = "words-nl.toml" }')


def test_words_that_no_native_speaker_has_read_for_the_page_may_be_brought(tmp_path):
    assert set(form_of('words = { fr = "words-nl.toml" }', tmp_path, languages=("fr",)).words) == {
        "fr"
    }
