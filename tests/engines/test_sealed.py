"""What frames and devices sealed: what opens, what does not, and where that stood."""

import csv
import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyrage
import pytest
from click.testing import CliRunner
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.bindings._rust import openssl
from cryptography.hazmat.primitives import hpke
from cryptography.hazmat.primitives.asymmetric import ec, x25519

import askance as ak
from askance.cli import verbs
from askance.engines import (
    SealKey,
    TextFault,
    make_seal_key,
    read_seal_key,
    seal_report,
    seal_text,
    unseal_tables,
    unseal_texts,
)
from askance_collect.errors import DocumentError, InputError, SurveyError
from askance_collect.wire import Form, Report, body_size, from_base64url, to_base64url

VECTORS = json.loads(Path("tests/oracles/rfc9180.json").read_text("ascii"))
SURVEY = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
minimum = 1
{seal}
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = {{ name = "warner", truth = "3/4" }}
[[question]]
name = "milk"
text = "With milk?"
answers = ["yes", "no"]
mechanism = {{ name = "warner", truth = "3/4" }}
[[question]]
name = "cups"
text = "How many cups?"
line = {{ lower = 0, upper = 12, unit = "cups" }}
mechanism = {{ name = "cuts", number = 1 }}
"""


def private(kem):
    raw = bytes.fromhex(VECTORS[kem]["skRm"])
    if kem == "x25519":
        return x25519.X25519PrivateKey.from_private_bytes(raw)
    return ec.derive_private_key(int.from_bytes(raw), ec.SECP256R1())


@pytest.fixture(scope="module")
def key():
    return SealKey(*(bytes.fromhex(VECTORS[kem]["skRm"]) for kem in ("x25519", "p256")))


@pytest.fixture(scope="module")
def form(key):
    return form_of(key.public)


def form_of(seal):
    text = SURVEY.format(seal=f'seal = "{seal}"' if seal else "")
    return ak.publish(ak.parse_survey(text.encode()))


def sealed(form, name, value, *, kem="x25519", of=None):
    """What a frame hands over."""
    size = body_size([form.question(name)])
    report = Report((of or form).fingerprint, os.urandom(16).hex(), {name: value})
    return seal_report(form, name, report.body(size), kem=kem)


def table(folder, rows, header=("tea", "milk", "cups"), name="answers.csv"):
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@pytest.mark.parametrize("kem", ["x25519", "p256"])
def test_what_opens_reports_opens_the_examples_of_the_standard(kem):
    item = {name: bytes.fromhex(value) for name, value in VECTORS[kem].items()}
    curve = hpke.KEM.X25519 if kem == "x25519" else hpke.KEM.P256
    suite = hpke.Suite(curve, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_128_GCM)
    inputs = item["enc"] + item["ct"], private(kem)
    decrypt = openssl.hpke._decrypt_with_aad
    assert decrypt(suite, *inputs, info=item["info"], aad=item["aad"]) == item["pt"]
    with pytest.raises(InvalidTag):
        decrypt(suite, *inputs, info=item["info"] + b"!", aad=item["aad"])


def test_a_form_commits_the_key(key, form):
    assert form.seal_key == key.public
    assert form.fingerprint != form_of(make_seal_key().public).fingerprint
    assert form_of("").seal_key is None


@pytest.mark.parametrize("wrong", ["", "tea", "A" * 130])
def test_a_key_that_no_browser_could_seal_for_is_refused(wrong):
    with pytest.raises(SurveyError, match="seal"):
        ak.publish(ak.parse_survey(SURVEY.format(seal=f'seal = "{wrong}"').encode()))


def test_sealed_reports_open_into_a_collectors_table(form, key, tmp_path):
    rows = [
        [sealed(form, "tea", 0), sealed(form, "milk", 1, kem="p256"), sealed(form, "cups", (0, 5))],
        [sealed(form, "tea", None), "", sealed(form, "cups", (5, 12), kem="p256")],
    ]
    lengths = {len(item) for row in rows for item in row if ".x25519." in item}
    assert len(lengths) == 1, "its length says nothing"
    path = table(tmp_path, [["a", *rows[0]], ["b", *rows[1]]], ("town", "tea", "milk", "cups"))
    ((opened, count),) = unseal_tables([path], form, key)
    assert count == 5
    assert list(csv.reader(opened.splitlines())) == [
        ["town", "tea", "milk", "cups_above", "cups_upto"],
        ["a", "yes", "no", "", "5"],
        ["b", "", "", "5", ""],
    ]


def test_a_key_comes_back_from_its_file(key):
    assert read_seal_key(key.private()).public == key.public
    assert read_seal_key(key.private("tea"), "tea").public == key.public
    for passphrase in ("", "coffee"):
        with pytest.raises(InputError, match="passphrase"):
            read_seal_key(key.private("tea"), passphrase)


def refused(rows, form, key, folder, **how):
    with pytest.raises(DocumentError) as caught:
        unseal_tables([table(folder, rows)], form, key, **how)
    return str(caught.value)


def test_what_does_not_belong_is_refused_by_row_and_column(form, key, tmp_path):
    good, other = sealed(form, "tea", 0), make_seal_key()
    elsewhere = sealed(form_of(other.public), "tea", 0)
    another = form_of(key.public + '"\ncontact = "Ann')
    flipped = good[:-6] + ("A" if good[-6] != "A" else "B") + good[-5:]
    swapped = seal_report(form, "tea", Report(another.fingerprint, "0" * 32, {"tea": 0}).body(256))
    cells = {
        "another key": elsewhere,
        "another form": sealed(another, "tea", 0),
        "another question": sealed(form, "milk", 0),
        "a changed bit": flipped,
        "the other curve": good.replace(".x25519.", ".p256."),
        "cut off": good[:-8],
    }
    for cell in cells.values():
        refused_result = refused([["", "", ""], [cell, "", ""]], form, key, tmp_path)
        assert "row 3, column tea" in refused_result
        assert "does not open" in refused_result
    assert "something else, sealed" in refused([[swapped, "", ""]], form, key, tmp_path)
    impossible = seal_report(form, "tea", Report(form.fingerprint, "0" * 32, {"tea": 9}).body(256))
    assert "something else, sealed" in refused([[impossible, "", ""]], form, key, tmp_path)
    refused_result = refused([[good, "", ""], ["", "", ""], [good, "", ""]], form, key, tmp_path)
    assert "row 4, column tea: got 'a copy'" in refused_result
    assert "row 2, column tea" in refused_result


def test_a_copy_with_a_spreadsheets_mark_is_a_copy(form, key, tmp_path):
    """A mark before a cell keeps a spreadsheet from reckoning with it, and opens all the same."""
    good = sealed(form, "tea", 0)
    ((opened, count),) = unseal_tables([table(tmp_path, [["'" + good, "", ""]])], form, key)
    assert (count, opened.splitlines()[1]) == (1, "yes,,,")
    for pair in (("'" + good, good), (good, "'" + good)):
        refused_result = refused([[item, "", ""] for item in pair], form, key, tmp_path)
        assert "row 3, column tea: got 'a copy'" in refused_result


@pytest.mark.parametrize("kem", ["x25519", "p256"])
def test_no_altered_or_cut_off_report_opens(form, key, tmp_path, kem):
    head, spelt = sealed(form, "tea", 0, kem=kem).rsplit(".", 1)
    raw = from_base64url(spelt)
    altered = [
        raw[:index] + bytes([raw[index] ^ 1 << index % 8]) + raw[index + 1 :]
        for index in range(len(raw))
    ]
    cut = [raw[:index] for index in range(1, len(raw), 7)]
    no_point = bytes(32 if kem == "x25519" else 65)  # of small order, or none of the curve
    for item in (*altered, *cut, raw + b"\0", no_point + raw[len(no_point) :]):
        refused_result = refused([[f"{head}.{to_base64url(item)}", "", ""]], form, key, tmp_path)
        assert "does not open" in refused_result
    ((_, count),) = unseal_tables([table(tmp_path, [[f"{head}.{spelt}", "", ""]])], form, key)
    assert count == 1


def test_what_is_bound_refuses_another_question_and_another_form(form, key, tmp_path, monkeypatch):
    """The twin binds nothing: what is sealed for another question opens, and lies in wait."""
    another = form_of(key.public + '"\ncontact = "Ann')

    def told():
        shifted = sealed(form, "milk", 0), sealed(another, "tea", 0)
        return [refused([[cell, "", ""]], form, key, tmp_path) for cell in shifted]

    assert all("does not open" in item for item in told())
    monkeypatch.setattr("askance.engines.sealed._bound", lambda *_: b"")
    assert all("something else, sealed" in item for item in told())


@pytest.mark.parametrize("kem", ["x25519", "p256"])
def test_nothing_of_a_report_can_be_read_from_its_message(form, kem):
    """The twin's message is not sealed, and reads."""

    def message(value, seal):
        body = Report(form.fingerprint, "0f" * 16, {"tea": value}).body(256)
        return from_base64url(seal(body).rsplit(".", 1)[1])

    def sealing(body):
        return seal_report(form, "tea", body, kem=kem)

    def twin(body):
        return f"askance-seal-1.{kem}.{to_base64url(body)}"

    values = 0, 1, None
    expected = b"answers", b"tea", b"form", form.fingerprint.encode(), b"0f" * 4, b"   "
    messages = [message(value, sealing) for value in values]
    assert not any(item in reports for item in expected for reports in messages)
    assert len({len(reports) for reports in messages}) == 1
    assert len({message(0, sealing) for _ in range(4)}) == 4, "the same report is sealed anew"
    plain = [message(value, twin) for value in values]
    assert all(item in reports for item in expected for reports in plain)
    read = [json.loads(reports)["answers"]["tea"] for reports in plain]
    assert read == list(values)


def test_a_copy_in_another_table_is_refused(form, key, tmp_path):
    good = sealed(form, "tea", 0)
    tables = [table(tmp_path, [[good, "", ""]], name=f"{name}.csv") for name in "ab"]
    with pytest.raises(DocumentError, match=r"b\.csv: row 2, column tea: got 'a copy'.*a\.csv"):
        unseal_tables(tables, form, key)


def test_what_is_not_sealed_is_taken_only_where_that_is_said(form, key, tmp_path):
    rows = [["yes", "", ""], [sealed(form, "tea", 1), "", ""]]
    assert "row 2, column tea: got 'a plain report'" in refused(rows, form, key, tmp_path)
    ((opened, count),) = unseal_tables([table(tmp_path, rows)], form, key, unsealed=True)
    assert count == 1
    assert [row["tea"] for row in csv.DictReader(opened.splitlines())] == ["yes", "no"]


def test_another_key_or_form_is_refused(form, key, tmp_path):
    path = table(tmp_path, [["", "", ""]])
    with pytest.raises(InputError, match="the key of another form"):
        unseal_tables([path], form, make_seal_key())
    with pytest.raises(InputError, match="a form without a key"):
        unseal_tables([path], form_of(""), key)


def test_the_verbs_draw_a_key_and_open_by_it(tmp_path):
    def run(*words):
        done = CliRunner().invoke(verbs, [str(word) for word in words])
        return done.exit_code, f"{done.output}{done.exception or ''}"

    code, printed = run("seal-key", tmp_path / "study.key")
    assert code == 0
    assert stat.S_IMODE((tmp_path / "study.key").stat().st_mode) == 0o600
    assert "a new file" in run("seal-key", tmp_path / "study.key")[1]
    key = read_seal_key((tmp_path / "study.key").read_bytes())
    assert printed == f'seal = "{key.public}"\n'
    (tmp_path / "tea.toml").write_text(SURVEY.format(seal=printed))
    assert run("publish", tmp_path / "tea.toml")[0] == 0
    form = ak.Form.read((tmp_path / "tea.form.json").read_bytes())
    reports = [(index % 3 > 0) * 1 for index in range(30)]
    rows = [[sealed(form, "tea", report), "", ""] for report in reports]
    header = "tea", "milk", "cups_above", "cups_upto"
    path = table(tmp_path, rows)
    plain = table(tmp_path, [["yes", "", "", ""]] * 9, header, "plain.csv")
    questions = "estimate", tmp_path / "tea.form.json"
    code, result = run(*questions, path, "--key", tmp_path / "study.key", "--json")
    assert code == 0, result
    (outcome,) = (finding for finding in json.loads(result)["findings"] if finding["name"] == "tea")
    # Warner (1965): (share of yes - 1/4) / (3/4 - 1/4), of 10 in 30.
    assert outcome["estimate"]["value"][0] == pytest.approx((10 / 30 - 1 / 4) * 2)
    lines, parquet = tmp_path / "plain.jsonl", tmp_path / "plain.parquet"
    frame = pd.read_csv(plain, dtype={"milk": "string"})
    frame.to_json(lines, orient="records", lines=True)
    frame.to_parquet(parquet)
    for words, replies in (
        ((path,), "sealed"),
        ((lines,), "no sealed report is looked for"),
        ((parquet, "--key", tmp_path / "study.key"), "no sealed report is looked for"),
        ((plain, "--key", tmp_path / "study.key"), "row 2, column tea"),
    ):
        code, result = run(*questions, *words)
        assert code != 0
        assert replies in result
    for unsealed in (plain, parquet):
        code, result = run(*questions, unsealed, "--unsealed")
        assert code == 0, result
    out = tmp_path / "opened.csv"
    words = tmp_path / "tea.form.json", path, "--key", tmp_path / "study.key", "--out", out
    assert run("unseal", *words)[0] == 0
    with out.open(newline="", encoding="utf-8") as file:
        assert [row["tea"] for row in csv.DictReader(file)] == [("yes", "no")[i] for i in reports]
    counts = tmp_path / "counts.json"
    words = path, "--key", tmp_path / "study.key", "--out", counts
    assert run("count", tmp_path / "tea.form.json", *words)[0] == 0


def run(*words):
    done = CliRunner().invoke(verbs, [str(word) for word in words])
    return done.exit_code, done.output


TEXTS = """
[[question]]
name = "more"
text = "What else?"
free_text = { limit = 60, sealed = true }
[[question]]
name = "why"
text = "Why?"
free_text = { limit = 60, sealed = true }
[[question]]
name = "open"
text = "Anything?"
free_text = { limit = 60 }
"""


@pytest.fixture(scope="module")
def asked(key):
    survey = SURVEY.format(seal=f'seal = "{key.public}"') + TEXTS
    return ak.publish(ak.parse_survey(survey.encode()))


def texts_of(folder, rows):
    return table(folder, rows, ("question", "text"), "out.texts.csv")


def flipped(cell, place=-9):
    return cell[:place] + ("A" if cell[place] != "A" else "B") + cell[place + 1 :]


def test_a_text_that_does_not_open_is_named_and_nothing_is_lost(asked, key, tmp_path):
    good, other = seal_text(asked, "more", "Tea, mostly"), seal_text(asked, "why", "No")
    elsewhere = asked.document | {"title": {"en": "Else"}}
    rows = [
        ["more", good],
        ["more", other],
        ["why", flipped(other)],
        ["why", other[:-4]],
        ["more", good],
        ["more", "typed in by somebody"],
        ["more", seal_text(Form.read(elsewhere), "more", "Tea")],
        ["open", "as it is"],
        ["more", "'" + seal_text(asked, "more", "=1+1", kem="p256")],
    ]
    texts = unseal_texts(texts_of(tmp_path, rows), asked, key)
    assert texts.opened == 2
    faults = [(text.row, text.question, text.fault) for text in texts.refused]
    assert faults == [
        ("row 3", "more", TextFault.UNOPENED),
        ("row 4", "why", TextFault.UNOPENED),
        ("row 5", "why", TextFault.UNOPENED),
        ("row 6", "more", TextFault.COPY),
        ("row 7", "more", TextFault.PLAIN),
        ("row 8", "more", TextFault.UNOPENED),
    ]
    opened = list(csv.reader(texts.table.splitlines()))[1:]
    assert [row[1] for row in opened] == [
        "Tea, mostly",
        *(text for _, text in rows[1:7]),
        "as it is",
        "'=1+1",
    ]


def test_another_key_and_another_table_are_refused(asked, key, tmp_path):
    path = texts_of(tmp_path, [["more", seal_text(asked, "more", "Tea")]])
    with pytest.raises(InputError, match="the key of another form"):
        unseal_texts(path, asked, make_seal_key())
    with pytest.raises(DocumentError, match="row 2"):
        unseal_texts(texts_of(tmp_path, [["tea", "x"]]), asked, key)
    with pytest.raises(DocumentError, match="question, text"):
        unseal_texts(table(tmp_path, [["", "", ""]]), asked, key)


def test_a_report_carries_no_other_text_than_one_that_was_sealed(asked):
    value = seal_text(asked, "more", "Tea")
    question = asked.question("more")
    assert question.allows(value)
    assert not any(map(question.allows, ["Tea", value[:-4], value + "AAAA", value + " ", 0, None]))
    assert {len(seal_text(asked, "more", text)) for text in ("a", "漢" * 60)} == {len(value)}
    for text in ("", "a" * 61, " a", "a\nb"):
        with pytest.raises(InputError) as refusal:
            seal_text(asked, "more", text)
        assert refusal.value.got is None


def test_sealed_texts_need_a_key():
    with pytest.raises(SurveyError, match="public key under seal"):
        ak.publish(ak.parse_survey((SURVEY.format(seal="") + TEXTS).encode()))


def test_a_frame_seals_the_report_on_a_text_as_a_whole(asked, key, tmp_path):
    size = body_size([replace(asked.question("more"), is_sealed=False)])
    report = Report(asked.fingerprint, "0f" * 16, {"more": "Tea"})
    cell = seal_report(asked, "more", report.body(size))
    ((opened, count),) = unseal_tables([table(tmp_path, [[cell]], ("more",))], asked, key)
    assert (opened, count) == ("more\nTea\n", 1)


def test_an_identity_of_age_is_a_key(asked, tmp_path):
    age = pyrage.x25519.Identity.generate()
    content = f"# public key: {age.to_public()}\n{age}\n".encode()
    key = read_seal_key(content)
    assert read_seal_key(key.private()).public == key.public
    form = Form.read(asked.document | {"seal": key.public})
    rows = [["more", seal_text(form, "more", "Tea", kem=kem)] for kem in ("x25519", "p256")]
    assert unseal_texts(texts_of(tmp_path, rows), form, key).opened == 2
    spelt = str(age)
    for wrong in (spelt[:-1], flipped(spelt), spelt.lower(), spelt + "\n" + spelt):
        with pytest.raises(InputError, match="identity file of age"):
            read_seal_key(wrong.encode())


def test_an_identity_has_the_public_key_that_age_gives_it():
    for _ in range(3):
        age = pyrage.x25519.Identity.generate()
        public = from_base64url(read_seal_key(str(age).encode()).public)
        words = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
        bits = "".join(f"{words.index(sign):05b}" for sign in str(age.to_public())[4:-6])
        assert int(bits[:256], 2).to_bytes(32, "big") == public[:32]


def test_verbs_open_texts_and_say_which_did_not(asked, tmp_path):
    code, printed = run("seal-key", tmp_path / "study.key")
    assert (code, run("seal-key", tmp_path / "study.key", "--existing")[1]) == (0, printed)
    form = Form.read(asked.document | {"seal": printed.split('"')[1]})
    (tmp_path / "form.json").write_bytes(form.bytes)
    good = seal_text(form, "more", "Tea")
    opening = ("unseal", tmp_path / "form.json", texts_of(tmp_path, [["more", good]]), "--key")
    code, printed = run(*opening, tmp_path / "study.key", "--out", tmp_path / "opened.csv")
    assert (code, "1 sealed text " in printed) == (0, True)
    assert (tmp_path / "opened.csv").read_text() == "question,text\nmore,Tea\n"
    texts_of(tmp_path, [["more", good], ["why", good]])
    code, printed = run(*opening, tmp_path / "study.key", "--out", tmp_path / "again.csv")
    assert code == 1
    assert "row 3, why: stands there twice" in printed
    assert good in (tmp_path / "again.csv").read_text()
