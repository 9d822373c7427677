"""A survey's own words: read from a file beside it, and refused with its line."""

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.survey import load_survey, parse_survey, publish
from askance_collect.errors import SurveyError
from askance_collect.wire import Form

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
    assert form_of(inside).translations["nl"]["words"]["leave"] == "Nu weg"


def test_a_file_that_askance_wrote_is_taken_once_something_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(verbs, ["translate", "nl"]).exit_code == 0
    blank = (tmp_path / "words-nl.toml").read_text("utf-8")
    blank = blank.replace('name = ""', 'name = "Nederlands"')
    with pytest.raises(SurveyError, match="no words"):
        form_of('words = "words-nl.toml"', tmp_path, blank)
    text = blank.replace('leave = ""', 'leave = "Nu weg"')
    assert dict(form_of('words = "words-nl.toml"', tmp_path, text).translations["nl"]["words"]) == {
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
    assert set(
        form_of('words = { fr = "words-nl.toml" }', tmp_path, languages=("fr",)).translations
    ) == {"fr"}


NAMES = """
[[question]]
name = "jaloers"
text = "Bent u jaloers?"
answers = ["ja", "nee"]
mechanism = { name = "abstain", truth = "3/5", lie = "1/5" }

[[question]]
name = "bedrogen"
text = "Hebt u bedrogen?"
answers = ["ja", "nee"]
mechanism = { name = "crosswise", harmless = "1/4" }

[[question]]
name = "kaart"
text = "Hebt u gelogen?"
answers = ["ja", "nee"]
mechanism = { name = "kuk", red_if_yes = "3/4", red_if_no = "1/4", draws = 2 }

[[question]]
name = "vaak"
text = "Hoe vaak?"
answers = ["nooit", "soms", "vaak"]
mechanism = { name = "runs", number = 2 }
proves = "accepted"
proves_reason = "tried"

[[question]]
name = "wat"
text = "Wat drinkt u?"
choose = "all"
answers = ["thee", "koffie"]

[[question]]
name = "suiker"
text = "Met suiker?"
answers = ["ja", "nee"]
comment = { limit = 50 }
"""
IN_DUTCH = {
    "nameSilent": "Weet niet",
    "nameOr": "of",
    "nameTicked": "Aangevinkt",
    "nameUnticked": "Niet aangevinkt",
    "nameNone": "Geen van deze",
    "nameComment": "Opmerking",
    "nameBothOrNeither": "allebei of geen van beide",
    "nameJustOne": "precies één",
    "nameOfDraw": "{said}, van “{answer}” en een trekking",
    "nameRed": "rood",
}


def labels_of(form):
    """Give all that a form says in Dutch, but for what the page says itself."""
    result = []

    def look(part):
        for value in part.values() if isinstance(part, dict) else part:
            if isinstance(value, dict) and isinstance(value.get("nl"), str):
                result.append(value["nl"])
            elif isinstance(value, dict | list):
                look(value)

    look({key: part for key, part in form.document.items() if key != "words"})
    return set(result)


def test_what_a_survey_leaves_askance_to_name_is_in_its_own_words(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.QUESTION", NAMES)
    replies = "".join(f'{key} = "{text}"\n' for key, text in IN_DUTCH.items())
    labels = labels_of(form_of('words = "words-nl.toml"', tmp_path, DUTCH + replies))
    parts = {"nameOr", "nameRed", "nameOfDraw", "nameJustOne", "nameBothOrNeither"}
    texts = {text for key, text in IN_DUTCH.items() if key not in parts}
    pair = IN_DUTCH["nameOfDraw"].format(said=IN_DUTCH["nameJustOne"], answer="ja")
    assert texts | {"nooit of soms", "2 × rood", pair} <= labels
    drawn_text = "just one, of “ja” and a chance draw"
    english = {"Don't know", "nooit or soms", "2 red", "Ticked", "Comment", drawn_text}
    assert not english & labels
    assert english <= labels_of(form_of('words = "words-nl.toml"', tmp_path))


def test_check_tells_which_names_a_language_lacks(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.QUESTION", NAMES)
    file = DUTCH + 'nameSilent = "Weet niet"\nnameRed = ""\n'
    form_of('words = "words-nl.toml"', tmp_path, file)
    result = CliRunner().invoke(verbs, ["check", str(tmp_path / "survey.toml"), "--summary"]).output
    (note,) = [line for line in result.splitlines() if line.startswith("note  words.nl")]
    assert "add them to the file, askance translate --check tells what it lacks" in note
    lacking = (
        CliRunner().invoke(verbs, ["translate", "--check", str(tmp_path / "words-nl.toml")]).output
    )
    assert "nameRed" in lacking
    assert "nameSilent" not in lacking
    assert f"{lacking.count('  ')} words are lacking" in note
