"""Invented people at a real browser find what a page asks of people, and where it fails."""

import re
from dataclasses import replace

import pytest

from askance.study import Habits, rehearse
from askance.survey import load_survey, parse_survey, publish
from askance_collect.errors import InputError
from askance_collect.respond import render_page

SURE = Habits(dropout=0, comprehension=1, blank=0)


@pytest.fixture(autouse=True)
def opened_once(monkeypatch):
    """Its script is measured in one opening here, of three: where it is looked at, by much."""
    monkeypatch.setattr("askance.study.rehearsal._OPENINGS", 1)


@pytest.fixture(scope="module")
def students():
    return publish(load_survey("examples/student-life.toml"))


def test_everybody_comes_to_every_screen_and_back_home(students, tmp_path):
    done = []
    found = rehearse(
        students, people=2, habits=SURE, rng=1, pictures=tmp_path, done=lambda: done.append(1)
    )
    assert (found.people, found.finished, len(done)) == (2, 2, 2)
    assert (found.practised, found.understood) == (2, 2)
    names = [one.name for one in found.screens]
    skipped = {students.questions[skip.question].name for skip in students.skips}
    beside = {one.name for one in students.questions if getattr(one, "is_comment", False)}
    assert {one.name for one in students.questions} - skipped - beside <= set(names)
    unseen = [f"{name}: nobody came to it (1 times)" for name in sorted(skipped - set(names))]
    assert list(found.faults) == unseen
    assert (names[0], names[-1]) == ("consent", "receipt")
    assert {"", *(one["title"]["en"] for one in students.document["sections"])}.isdisjoint(names)
    assert len(found.minutes) == 2
    assert list(found.minutes) == sorted(found.minutes)
    by_hand = sum(one.seconds for one in found.screens) / 60
    assert by_hand == pytest.approx(sum(found.minutes) / 2, rel=0.1)
    kept = {path.name for path in tmp_path.iterdir()}
    assert {"en-00-consent.png", "de-00-consent.png"} <= kept


def test_who_leaves_sends_nothing_and_is_counted_where(affairs_form):
    found = rehearse(affairs_form, people=2, habits=Habits(dropout=1), rng=1)
    assert found.finished == 0
    assert found.minutes == ()
    assert [(one.name, one.visitors, one.leavers) for one in found.screens] == [("consent", 2, 2)]
    unseen = [one for one in found.faults if "nobody came to it" in one]
    assert len(unseen) == len(affairs_form.questions)
    assert not any("bytes" in one for one in found.faults)


TEA = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "tea"
text = "Tea?"
answers = ["yes", "no"]
required = true
"""
FULL = TEA.replace(
    "[[question]]", '[[quota]]\nquestion = "tea"\nanswer = "yes"\nmost = 1\n[[question]]'
)


def test_whoever_is_of_a_group_that_is_full_is_turned_away():
    form = publish(parse_survey(FULL.encode()))
    found = rehearse(form, people=6, habits=SURE, rng=1)
    ends = {
        one.name: one.visitors for one in found.screens if one.name in {"receipt", "turned away"}
    }
    assert (found.finished, ends["receipt"] + ends["turned away"]) == (ends["receipt"], 6)
    assert ends["receipt"] > 1  # no required answer is left out of what people choose among
    assert found.faults == ()


def test_time_is_reckoned_from_words_and_presses():
    """None of these is a press while a report is on its way: the receipt's button came next."""
    tea = publish(parse_survey(TEA.encode()))
    habits = Habits(reading_speed=100, press_seconds=5, dropout=0, comprehension=1, blank=0)
    slow = rehearse(tea, people=3, habits=habits, rng=1)
    quick = rehearse(tea, people=3, habits=replace(habits, reading_speed=200), rng=1)
    presses = {one.name: one.presses for one in slow.screens}
    assert presses == {"consent": 2, "tea": 2, "review": 2, "receipt": 0}
    one, other = slow.screens[0], quick.screens[0]
    assert (one.name, one.words, one.presses) == (other.name, other.words, other.presses)
    reading = [found.seconds - 5 * found.presses for found in (one, other)]
    assert reading[0] == pytest.approx(2 * reading[1])


POLICY = re.compile(b'<meta http-equiv="Content-Security-Policy"[^>]*>')
BUSY = b"""<script type="module">
await 0;
const end = performance.now() + 60;
while (performance.now() < end);
</script>"""
"""Works behind an `await`, which the browser's own sum of script does not hold."""


def test_what_should_not_be_is_told(affairs_form, monkeypatch):
    """The control: of a page that is spoilt the faults are named, and the script that it runs."""

    def spoilt(form):
        page = render_page(form)
        broken = b"<pre>" + b"wide" * 100 + b'</pre><img src="http://127.0.0.1:9/"></body>'
        body = POLICY.sub(b"", page.bytes).replace(b"</body>", broken)
        body = body.replace(
            b'<script type="application/json"', BUSY + b'<script type="application/json"'
        )
        return replace(page, bytes=body, headers={"content-type": page.headers["content-type"]})

    monkeypatch.setattr("askance.study.rehearsal.render_page", spoilt)
    found = rehearse(affairs_form, people=1, habits=SURE, height=400, rng=1)
    assert found.finished == 1
    assert found.script > 0.05
    assert any("wider than the screen" in one for one in found.faults)
    assert any("127.0.0.1:9" in one for one in found.faults)
    assert any("the button to go on is out of sight" in one for one in found.faults)
    assert all(f"fault: {one}" in repr(found) for one in found.faults)


def test_without_a_browser_it_says_what_to_do(affairs_form, tmp_path):
    with pytest.raises(InputError, match=r"browser: .* allowed: a Chromium; install Chromium"):
        rehearse(affairs_form, browser=tmp_path / "none")
    for habits in (
        {"reading_speed": 0},
        {"press_seconds": float("nan")},
        {"dropout": 2},
        {"blank": "often"},
    ):
        with pytest.raises(InputError, match="habits"):
            Habits(**habits)
