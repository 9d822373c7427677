"""What people write, sealed on their device: what leaves it opens with the key alone."""

import json
import re

import pytest

import askance as ak
from askance.engines import make_seal_key, seal_text, unseal_texts
from askance_collect.collect import export_csv, open_store

KEY = make_seal_key()
SURVEY = f"""
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
languages = ["en", "de"]
seal = "{KEY.public}"
[[question]]
name = "town"
text = "Where do you live?"
answers = ["in a town", "elsewhere"]
comment = {{ limit = 40, sealed = true }}
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = {{ name = "warner", truth = "3/4" }}
[[question]]
name = "better"
text = "What should be better?"
free_text = {{ limit = 200, sealed = true }}
[[question]]
name = "year"
text = "Which year are you in?"
answers = ["first", "second"]
"""
TEXT, ALSO = "Mehr “Licht” 🍳 <b>\n\nund  Bücher", "=1+1 said I"
LOCKED = "Locked: only someone with the study’s key can read your text"


@pytest.fixture(scope="module")
def form():
    return ak.publish(ak.parse_survey(SURVEY.encode()))


def write(someone, text):
    someone.page.locator("textarea, input.words").first.fill(text)


def badges(someone):
    return someone.page.locator(".badge").all_inner_texts()


def answer_all(someone, *, comment=ALSO, better=TEXT):
    """Answer every question, and give what the badges said."""
    someone.consent()
    someone.practise()
    seen = []
    someone.choose(0)
    write(someone, comment)
    seen.append(badges(someone))
    assert "locks your text before it is sent" in someone.page.locator("main").inner_text()
    someone.proceed()
    someone.choose(1)
    someone.proceed()
    write(someone, better)
    seen.append(badges(someone))
    someone.proceed()
    seen.append(badges(someone))
    someone.choose(0)
    someone.proceed()
    return seen


def reveal(someone):
    someone.press("Show what is sent")
    someone.page.wait_for_selector("pre.bytes", state="attached")
    someone.unfold()
    return json.loads(someone.page.locator("pre.bytes").evaluate("node => node.textContent"))


def opened_texts(collector, folder, *keys):
    store = open_store(collector.path, collector.form, read_only=True)
    try:
        export_csv(store, collector.form, folder / "out.csv")
    finally:
        store.close()
    return unseal_texts(folder / "out.texts.csv", collector.form, *keys or (KEY,))


def test_what_leaves_the_device_opens_with_the_key_alone(collect, person, form, tmp_path):
    collector = collect(form)
    someone = person(collector.url)
    assert answer_all(someone) == [["Sent as you give it"], [LOCKED], ["Sent as you give it"]]
    assert TEXT in someone.page.locator(".given p").all_inner_texts()
    answers = reveal(someone)["answers"]
    assert form.question("better").allows(answers["better"])
    shown = someone.page.locator("main").inner_text()
    assert "The record reads “a locked text”." in shown
    assert LOCKED in shown
    kept = someone.page.evaluate("JSON.stringify(Object.values(sessionStorage))")
    assert "Licht" not in kept
    assert answers["better"] in kept
    someone.send()
    (report,) = collector.reports()
    assert report == answers
    assert b"Licht" not in collector.path.read_bytes()
    texts = opened_texts(collector, tmp_path)
    assert (texts.opened, texts.refused) == (2, ())
    assert f'better,"{TEXT}"' in texts.table
    assert f"town_comment,'{ALSO}" in texts.table
    assert someone.console == []


def test_one_press_seals_and_sends(collect, person, form, tmp_path):
    collector = collect(form)
    someone = person(collector.url)
    answer_all(someone, comment="", better="Tea")
    someone.send()
    (report,) = collector.reports()
    assert report["town_comment"] is None
    assert "better,Tea" in opened_texts(collector, tmp_path).table
    assert someone.console == []


def test_every_text_is_as_long_as_every_other(collect, person, form):
    collector = collect(form)
    lengths = set()
    for text in ("a", "漢" * 200):
        someone = person(collector.url)
        answer_all(someone, better=text)
        lengths.add(len(reveal(someone)["answers"]["better"]))
        assert someone.console == []
    assert lengths == {len(seal_text(form, "better", "a"))}


NO_CURVES = """
const draw = crypto.subtle.generateKey.bind(crypto.subtle);
crypto.subtle.generateKey = (how, ...more) =>
  %s.includes(how.name) ? Promise.reject(new Error("none")) : draw(how, ...more);
"""


def test_a_browser_without_x25519_seals_for_the_other_curve(collect, person, form, tmp_path):
    collector = collect(form)
    someone = person(collector.url, script=NO_CURVES % '["X25519"]')
    answer_all(someone)
    assert re.match(r"askance-text-1\.p256\.", reveal(someone)["answers"]["better"])
    someone.send()
    assert opened_texts(collector, tmp_path).opened == 2


def test_a_browser_that_cannot_seal_asks_nobody(collect, person, form):
    someone = person(collect(form).url, script=NO_CURVES % '["X25519", "ECDH"]')
    someone.page.wait_for_selector("text=This browser cannot lock your texts")
    assert not someone.page.locator("button.main").count()


def test_nothing_is_sent_where_nothing_was_sealed(collect, person, twin, form):
    """The twin binds without sealing."""
    twin("sealed", "if (text && seal)", "if (!seal)")
    collector = collect(form)
    someone = person(collector.url)
    answer_all(someone)
    someone.press("Show what is sent")
    someone.page.wait_for_timeout(200)
    assert not someone.page.locator("pre.bytes").count()
    assert "a text that was sealed" in "".join(someone.console)
    assert collector.reports() == []
