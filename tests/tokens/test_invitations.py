"""Codes on their way to people: made, written once, counted, and not made to be lost."""

import csv
import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.study import rehearse
from askance.survey import load_survey, publish
from askance_collect.errors import DocumentError, InputError, SurveyError
from askance_collect.respond import render_page
from askance_collect.tokens import write_cards, write_codes
from askance_collect.wire import Form

PAGE = "https://exam.example.org/"


def typed(*words):
    return CliRunner().invoke(verbs, [str(word) for word in words])


def rows_in(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def run_output(*words):
    typed_result = typed(*words)
    assert typed_result.exit_code == 0, typed_result.output or typed_result.exception
    return typed_result.output


def error(*words):
    typed_result = typed(*words)
    assert typed_result.exit_code
    return typed_result.exception


def test_codes_keys_and_cards_come_of_one_command(survey, tmp_path):
    cards = tmp_path / "cards.html"
    result = run_output("invite", survey, "--count", "3", "--page", PAGE, "--cards", cards,
                "--codes", tmp_path / "codes.csv")  # fmt: skip
    assert "handle them like ballots" in result
    rows = rows_in(tmp_path / "codes.csv")
    assert [row["link"] for row in rows] == [
        f"{PAGE}#code={row['code'].replace('-', '')}" for row in rows
    ]
    sheet = cards.read_text()
    assert all(row["code"] in sheet for row in rows)
    assert sheet.count("<svg") == len(rows) == 3
    assert "http:" not in sheet.replace("http://www.w3.org/2000/svg", "")
    for private in ("codes.csv", "cards.html", "exam.issuer"):
        assert stat.S_IMODE((tmp_path / private).stat().st_mode) == 0o600
    form = publish(load_survey(survey))
    assert form.tokens.issuer == "https://issuer.example/"
    assert Form.read(form.bytes).tokens == form.tokens
    assert run_output("invite", survey) == "everybody  3 codes, 0 exchanged\n"
    lying = (tmp_path / "exam.issuer").read_bytes()
    assert rows[0]["code"].replace("-", "").encode() not in lying


def test_strata_have_keys_and_files_of_their_own(survey, tmp_path):
    keys = "--key", "north", "--key", "south"
    run_output("invite", survey, "--count", "50", "--page", PAGE, *keys)
    for index, name in enumerate(["north", "south"]):
        rows = rows_in(tmp_path / f"exam-codes-{name}.csv")
        assert [row["code"][0] for row in rows] == [str(index)] * 50
    assert [key.name for key in publish(load_survey(survey)).tokens.keys] == ["north", "south"]
    more = tmp_path / "more.csv"
    run_output("invite", survey, "--count", "5", "--page", PAGE, "--key", "south", "--codes", more)
    assert "south  55 codes" in run_output("invite", survey)
    assert "north, south" in str(
        error("invite", survey, "--count", "5", "--page", PAGE, "--key", "west", "--codes", "x")
    )


@pytest.mark.parametrize(
    ("minimum", "count", "keys", "refused"),
    [
        ("", 1, [f"person{index}" for index in range(1, 33)], True),
        ("", 49, ["north", "south"], True),
        ("", 50, ["north", "south"], False),
        ("minimum = 3", 2, ["north", "south"], True),
        ("minimum = 3", 3, ["north", "south"], False),
        ("", 49, ["everybody"], True),
        ("", 50, ["everybody"], False),
        ("minimum = 1", 1, ["everybody"], True),
        ("minimum = 1", 2, ["everybody"], False),
    ],
)
def test_a_key_of_few_people_is_refused_before_it_is_made(survey, minimum, count, keys, refused):
    """A token shows its key: alone under it, somebody would be named by each report."""
    survey.write_text(survey.read_text().replace("minimum = 2", minimum))
    named = [word for key in keys for word in ("--key", key)]
    typed_result = typed("invite", survey, "--count", count, "--page", PAGE, *named)
    assert (typed_result.exit_code != 0) == refused
    assert survey.with_suffix(".issuer").exists() != refused
    if refused:
        assert f"{keys[0]} with {count} codes" in str(typed_result.exception)


def test_codes_that_are_added_make_no_small_key_either(survey):
    run_output("invite", survey, "--key", "north", "--key", "south")
    survey.write_text(survey.read_text().replace("minimum = 2", "minimum = 50"))
    few = error("invite", survey, "--count", "1", "--page", PAGE, "--key", "north")
    assert "north with 1 codes" in str(few)
    assert (
        run_output("invite", survey) == "north  0 codes, 0 exchanged\nsouth  0 codes, 0 exchanged\n"
    )


def test_the_form_says_how_many_codes_there_are_and_no_more_are_made(survey, tmp_path):
    """What is stated first can be published, logged and linked to before a code is made."""
    listed = tmp_path / "exam-keys.json"
    keys = "--key", "north", "--key", "south"
    assert f"{listed}  60 codes under north" in run_output("invite", survey, *keys, "--count", "60")
    run_output("invite", survey, "--key", "south", "--count", "80")
    before = publish(load_survey(survey))
    assert [key.codes for key in before.tokens.keys] == [60, 80]
    text = "north  0 codes, 0 exchanged, 60 of 60 still to be made\n"
    assert run_output("invite", survey).startswith(text)
    run_output("publish", survey)
    result = run_output("invite", survey, "--count", "60", "--page", PAGE)
    assert f"{listed}  says 80 codes under south: 60 are made" in result
    assert publish(load_survey(survey)).fingerprint == before.fingerprint
    more = "--key", "north", "--page", PAGE, "--codes", tmp_path / "more.csv"
    refused = error("invite", survey, "--count", "1", *more)
    assert "--count: got '61 codes under north'; allowed: 60, as" in str(refused)
    assert not (tmp_path / "more.csv").exists()
    (tmp_path / "exam.form.json").unlink()
    run_output("invite", survey, "--count", "1", *more)
    after = publish(load_survey(survey))
    assert [key.codes for key in after.tokens.keys] == [61, 80]
    assert after.fingerprint != before.fingerprint


def test_what_is_stated_is_taken_back_where_a_link_cannot_be_made(survey, tmp_path):
    run_output("invite", survey, "--count", "5")
    listed = (tmp_path / "exam-keys.json").read_bytes()
    through = "--page", PAGE, "--verifier", "https://library.example/exam.html"
    assert error("invite", survey, "--count", "500", *through).where == "--verifier"
    assert (tmp_path / "exam-keys.json").read_bytes() == listed
    (tmp_path / "exam-keys.json").unlink()
    assert error("invite", survey, "--count", "500", *through).where == "--verifier"
    assert not (tmp_path / "exam-keys.json").exists()


def test_keys_of_another_issuer_are_not_written_over(survey, tmp_path):
    run_output("invite", survey, "--count", "5")
    listed = tmp_path / "exam-keys.json"
    document = json.loads(listed.read_text())
    for wrong in ("[]", "{", '{"keys": [5]}', json.dumps({"keys": []}),
                  json.dumps({"keys": [document["keys"][0] | {"n": "AAAA"}]}),
                  json.dumps({"keys": [document["keys"][0] | {"codes": -1}]})):  # fmt: skip
        listed.write_text(wrong)
        assert "exam-keys.json" in str(error("invite", survey, "--count", "5", "--page", PAGE))
        assert listed.read_text() == wrong
    survey.write_text(survey.read_text().replace("minimum = 2", 'minimum = "two"'))
    assert "allowed: minimum: a whole number" in str(error("invite", survey, "--count", "5"))


def test_links_can_lead_by_way_of_a_verifier(survey, tmp_path):
    through = "--page", PAGE, "--verifier", "https://library.example/exam.html"
    refused = error("invite", survey, "--count", "2", *through)
    assert refused.where == "--verifier"
    assert not (tmp_path / "exam-codes.csv").exists()
    text = survey.read_text(encoding="utf-8")
    survey.write_text(text.replace("title =", f'collector = "{PAGE}"\ntitle =', 1), "utf-8")
    cards = tmp_path / "cards.html"
    codes = tmp_path / "codes.csv"
    run_output("invite", survey, "--count", "2", *through, "--cards", cards, "--codes", codes)
    sha256 = render_page(publish(load_survey(survey))).sha256
    for row in rows_in(codes):
        code = row["code"].replace("-", "")
        opened = f"https://library.example/exam.html#page={PAGE}&sha256={sha256}&code={code}"
        assert row["link"] == opened
    assert "<p>library.example/exam.html</p>" in cards.read_text()
    assert sha256 not in cards.read_text()
    with pytest.raises(InputError, match="without a #"):
        write_codes(["0AB1234567890CDE"], f"{PAGE}#page=1&sha256=2", tmp_path / "none.csv")


def test_what_would_be_lost_is_not_made(survey, tmp_path):
    run_output("invite", survey, "--count", "2", "--page", PAGE)
    again = error("invite", survey, "--count", "2", "--page", PAGE)
    assert "exam-codes.csv: got 'a file'; allowed: a new file" in str(again)
    wrong = error("invite", survey, "--count", "2", "--page", "exam.example.org",
                  "--codes", tmp_path / "b.csv")  # fmt: skip
    assert "page: got 'exam.example.org'" in str(wrong)
    alone = error("invite", survey, "--count", "2", "--cards", tmp_path / "cards.html")
    assert "--page: got 'nothing'" in str(alone)
    assert run_output("invite", survey) == "everybody  2 codes, 0 exchanged\n"


def test_a_survey_says_first_where_its_issuer_is(tmp_path):
    path = tmp_path / "exam.toml"
    path.write_text('askance = "survey-1"\ntitle = "Exams"\n')
    assert '[tokens] issuer = "https://…/" keys = "exam-keys.json"' in str(error("invite", path))
    assert "No such file" in str(error("invite", tmp_path / "none.toml"))
    path.write_text("title = ")
    assert "allowed: a survey file" in str(error("invite", path))


def keys_of(survey, document):
    (survey.parent / "exam-keys.json").write_text(
        document if isinstance(document, str) else json.dumps(document)
    )
    with pytest.raises(SurveyError) as caught:
        publish(load_survey(survey))
    return str(caught.value)


def test_keys_that_are_none_are_told(survey):
    run_output("invite", survey, "--count", "3")
    (key,) = json.loads((survey.parent / "exam-keys.json").read_text())["keys"]
    for document in ("", "[]", "{}", '{"keys": 5}', {"keys": [{"kty": "RSA"}]}):
        assert "a JWK Set" in keys_of(survey, document)
    for change, result in [
        ({"kty": "EC"}, "tokens.keys[0].kty: got 'EC'; allowed: RSA"),
        ({"e": "Aw"}, "allowed: the exponent 65,537: AQAB"),
        ({"d": "AAAA"}, "tokens.keys: got 'a private key'; allowed: public keys"),
        ({"n": "AAAA"}, "tokens.keys[0].n: got 'AAAA'; allowed: an odd modulus"),
        ({"kid": "North!"}, "tokens.keys[0].name: got 'North!'"),
        ({"kid": "nörd"}, "tokens.keys[0].name: got 'nörd'"),
        ({"kid": "NA"}, "tokens.keys[0].name: got 'NA'"),
        ({"codes": 0}, "tokens.keys[0].codes: got 0; allowed: an integer from 2 to"),
        ({"codes": -3}, "tokens.keys[0].codes: got -3; allowed: an integer from 2 to"),
        ({"codes": 1}, "tokens.keys[0].codes: got 1; allowed: an integer from 2 to"),
        ({"codes": 2.5}, "its number of codes"),
        ({"codes": True}, "its number of codes"),
        ({"codes": "3"}, "its number of codes"),
        ({"codes": None}, "its number of codes"),
        (
            {"codes": 10**9 + 1},
            "tokens.keys[0].codes: got 1000000001; allowed: an integer from 2 to",
        ),
    ]:
        assert result in keys_of(survey, {"keys": [key | change]}), change
    uncounted = {part: value for part, value in key.items() if part != "codes"}
    assert "its number of codes" in keys_of(survey, {"keys": [uncounted]})
    assert "tokens.keys[1]: got 'everybody'" in keys_of(survey, {"keys": [key, key]})
    twin = key | {"kid": "everybody_else"}
    assert "tokens.keys[1]: got 'everybody_else'" in keys_of(survey, {"keys": [key, twin]})
    survey.write_text(survey.read_text().replace("minimum = 2", "minimum = 4"))
    assert "put its people under one of 4 codes or more" in keys_of(survey, {"keys": [key]})
    (survey.parent / "exam-keys.json").unlink()
    with pytest.raises(SurveyError, match=r"askance invite SURVEY --count N makes keys"):
        load_survey(survey)


def test_an_issuer_has_an_address_that_nobody_can_change(survey):
    run_output("invite", survey, "--count", "2")
    for address in ("", "http://issuer.example/", "https://issuer.example", "ftp://a/"):
        survey.write_text(survey.read_text().replace("https://issuer.example/", address))
        with pytest.raises(SurveyError, match=r"tokens.issuer: got"):
            publish(load_survey(survey))
        survey.write_text(survey.read_text().replace(f'"{address}"', '"https://issuer.example/"'))


def test_check_says_what_tokens_do_and_do_not(survey):
    run_output("invite", survey, "--key", "north", "--key", "south", "--count", "1200")
    run_output("invite", survey, "--key", "south", "--count", "1150")
    result = run_output("check", survey)
    assert "exchanges it at issuer.example" in result
    assert "a token shows its key, one of north, south" in result
    assert (
        "a token is from one of 1,150 people at least: the key “south” has so many codes" in result
    )
    survey.write_text(survey.read_text().replace(
        "[tokens]", 'collector = "https://issuer.example/s/"\n[tokens]'))  # fmt: skip
    assert "issuer.example signs and collects" in run_output("check", survey)


@pytest.mark.parametrize("page", ["", "exam.example.org", "ftp://a/", "https://a/#b", "https://["])
def test_codes_go_into_addresses_alone(page, tmp_path):
    for write in (
        lambda: write_codes(["0" * 16], page, tmp_path / "a"),
        lambda: write_cards(["0" * 16], page, "Exams", tmp_path / "a"),
    ):
        with pytest.raises(InputError, match="page: got"):
            write()
    assert not (tmp_path / "a").exists()


def test_a_title_is_text_on_a_card(tmp_path):
    write_cards(["0" * 16], "https://a.example", "<b>Prüfung & Co", tmp_path / "a.html")
    text = Path(tmp_path / "a.html").read_text("utf-8")
    assert "&lt;b&gt;Prüfung &amp; Co" in text
    assert "<p>a.example</p>" in text
    with pytest.raises(DocumentError, match="a new file"):
        write_cards(["0" * 16], "https://a.example", "Exams", tmp_path / "a.html")


def test_a_pilot_is_told_to_leave_codes_out(survey):
    run_output("invite", survey, "--count", "2")
    with pytest.raises(InputError, match=r"rehearse the survey without \[tokens\]"):
        rehearse(publish(load_survey(survey)))
