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
    rehearse_result = rehearse(
        students, people=2, habits=SURE, rng=1, pictures=tmp_path, done=lambda: done.append(1)
    )
    assert (rehearse_result.people, rehearse_result.finished, len(done)) == (2, 2, 2)
    assert (rehearse_result.practised, rehearse_result.understood) == (2, 2)
    names = [screen.name for screen in rehearse_result.screens]
    skipped = {students.questions[skip.question].name for skip in students.skips}
    further = {item.name for item in students.questions if getattr(item, "is_comment", False)}
    assert {item.name for item in students.questions} - skipped - further <= set(names)
    unseen = [f"{name}: nobody came to it (1 times)" for name in sorted(skipped - set(names))]
    assert list(rehearse_result.faults) == unseen
    assert (names[0], names[-1]) == ("consent", "receipt")
    assert {"", *(section["title"]["en"] for section in students.document["sections"])}.isdisjoint(
        names
    )
    assert len(rehearse_result.minutes) == 2
    assert list(rehearse_result.minutes) == sorted(rehearse_result.minutes)
    by_hand = sum(screen.seconds for screen in rehearse_result.screens) / 60
    assert by_hand == pytest.approx(sum(rehearse_result.minutes) / 2, rel=0.1)
    kept_names = {path.name for path in tmp_path.iterdir()}
    assert {"en-00-consent.png", "de-00-consent.png"} <= kept_names


def test_who_leaves_sends_nothing_and_is_counted_where(affairs_form):
    rehearse_result = rehearse(affairs_form, people=2, habits=Habits(dropout=1), rng=1)
    assert rehearse_result.finished == 0
    assert rehearse_result.minutes == ()
    assert [
        (screen.name, screen.visitors, screen.leavers) for screen in rehearse_result.screens
    ] == [("consent", 2, 2)]
    unseen = [fault for fault in rehearse_result.faults if "nobody came to it" in fault]
    assert len(unseen) == len(affairs_form.questions)
    assert not any("bytes" in fault for fault in rehearse_result.faults)


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
    rehearse_result = rehearse(form, people=6, habits=SURE, rng=1)
    ends = {
        screen.name: screen.visitors
        for screen in rehearse_result.screens
        if screen.name in {"receipt", "turned away"}
    }
    assert (rehearse_result.finished, ends["receipt"] + ends["turned away"]) == (ends["receipt"], 6)
    assert ends["receipt"] > 1  # no required answer is left out of what people choose among
    assert rehearse_result.faults == ()


def test_time_is_reckoned_from_words_and_presses():
    """None of these is a press while a report is on its way: the receipt's button came next."""
    tea = publish(parse_survey(TEA.encode()))
    habits = Habits(reading_speed=100, press_seconds=5, dropout=0, comprehension=1, blank=0)
    slow = rehearse(tea, people=3, habits=habits, rng=1)
    quick = rehearse(tea, people=3, habits=replace(habits, reading_speed=200), rng=1)
    presses = {item.name: item.presses for item in slow.screens}
    assert presses == {"consent": 2, "tea": 2, "review": 2, "receipt": 0}
    screen, other = slow.screens[0], quick.screens[0]
    assert (screen.name, screen.words, screen.presses) == (other.name, other.words, other.presses)
    reading = [result.seconds - 5 * result.presses for result in (screen, other)]
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
    rehearse_result = rehearse(affairs_form, people=1, habits=SURE, height=400, rng=1)
    assert rehearse_result.finished == 1
    assert rehearse_result.script > 0.05
    assert any("wider than the screen" in fault for fault in rehearse_result.faults)
    assert any("127.0.0.1:9" in fault for fault in rehearse_result.faults)
    assert any("the button to go on is out of sight" in fault for fault in rehearse_result.faults)
    assert all(f"fault: {fault}" in repr(rehearse_result) for fault in rehearse_result.faults)


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
