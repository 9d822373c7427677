"""A pilot without people: invented ones take the survey in a real browser, screen by screen."""

import gzip
import math
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any, final
from urllib.parse import urlsplit

import numpy as np

from askance.random_streams import random_stream
from askance.results import Listing, json_of, listed, result_frame, result_stream
from askance.study.chromium import open_chromium
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import read_integer
from askance_collect.respond.page import render_page
from askance_collect.wire.form import Checklist, Form, Grid, around_pipes
from askance_collect.wire.question import FreeText

SPEED = 238.0
"""Words of English non-fiction that adults read in a minute (Brysbaert, 2019)."""
_SPREAD = 1.3
"""Of 100 adults 68 read between the median speed over and times this: 183 to 309 words a minute."""
_SLOWER = 4
"""How much slower a telephone's processor is thought to be than this one."""
_OPENINGS = 3
"""Of the page, to see for how long its script runs."""
_DEAD_END = 40
"""Presses on one screen after which it is given up."""
_PATIENCE = 10_000
"""Milliseconds to wait for what the page does."""
_ENDS = "receipt", "turned away"
_LOOK = (files("askance.study") / "look.js").read_text("utf-8")
_WENT_ON = """shown => {
  const main = document.getElementById("main");
  const sending = main.querySelector("button.main[aria-disabled=true]") !== null;
  return main.innerText !== shown && !sending;
}"""

_SCREEN_COLUMNS = "name seen=visitors left=leavers words seconds presses tall=screen_heights"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """Assumptions about how invented people read, press and leave.

    Attributes
    ----------
    reading_speed : float
        Words that half of them read in a minute; 68 of 100 read between this over 1.3 and this
        times 1.3.
    press_seconds : float
        Seconds for each choice made and button pressed.
    dropout : float
        The chance to leave within a minute, whatever is shown.
    comprehension : float
        The chance to be right at once about whether the asker learns the answer.
    blank : float
        The chance to leave a question out.

    References
    ----------
    Brysbaert (2019), abstract: 238 words a minute, most adults between 175 and 300.

    >>> Habits(reading_speed=120).dropout
    0.02
    """

    reading_speed: float = SPEED
    press_seconds: float = 2.0
    dropout: float = 0.02
    comprehension: float = 0.8
    blank: float = 0.02

    def __post_init__(self) -> None:
        for name in ("reading_speed", "press_seconds"):
            self._check_habit(name, math.inf, "a number above 0")
        for name in ("dropout", "comprehension", "blank"):
            self._check_habit(name, 1.0, "a chance in [0, 1]")
        if not self.reading_speed or not self.press_seconds:
            raise InputError("habits", got=0, allowed="a speed and seconds above 0")

    def _check_habit(self, name: str, most: float, allowed: str) -> None:
        habit = getattr(self, name)
        if isinstance(habit, bool) or not isinstance(habit, (int, float)):
            raise InputError(f"habits.{name}", got=habit, allowed=allowed)
        if not (0 <= habit <= most and math.isfinite(habit)):
            raise InputError(f"habits.{name}", got=habit, allowed=allowed)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenVisit:
    """One screen of a form's page, as invented people went through it.

    Attributes
    ----------
    name : str
        A question's name, or consent, practice, card, review, receipt and, of a group that is full,
        turned away.
    visitors, leavers : int
        How many people saw it, and how many left the survey there.
    words : float
        To read on it, the median over people; what is folded out by a press does not count.
    seconds : float
        Spent on it, the median over people.
    presses : float
        Choices made and buttons pressed, the median over people.
    screen_heights : float
        Down to its last button, in heights of the screen, at the most: above 1 somebody has to
        scroll. The header above every screen does not count.
    """

    name: str
    visitors: int
    leavers: int
    words: float
    seconds: float
    presses: float
    screen_heights: float


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rehearsal:
    """How a survey's page performs: time per screen, drop-out, comprehension, and faults.

    Attributes
    ----------
    people, finished : int
        How many began, and whose report the collector acknowledged.
    practised, understood : int
        Who answered the practice's question whether the asker learns the answer, and who was right
        at once.
    minutes : tuple of float
        What each who finished took, in ascending order.
    screens : tuple of ScreenVisit
        In the order in which most people met them.
    page : int
        The page's size in bytes, compressed.
    script : float
        Seconds for which the page's script ran before the first screen, the processor slowed four
        times; the least of three openings, since what else a machine does can only lengthen it.
    faults : tuple of str
        What should not be: errors of the page, requests to strangers, screens that are wider than
        the telephone's, questions whose button to go on is out of sight, messages of unequal
        length, screens that cannot be left. Empty if all is well.
    """

    people: int
    finished: int
    practised: int
    understood: int
    minutes: tuple[float, ...]
    screens: tuple[ScreenVisit, ...]
    page: int
    script: float
    faults: tuple[str, ...]

    def to_dict(self) -> Json:
        """Write all of it for JSON."""
        facts = json_of(self, "people finished practised understood minutes page script faults")
        return facts | {"screens": [json_of(screen, _SCREEN_COLUMNS) for screen in self.screens]}

    def _table(self) -> Listing:
        head = ["", "seen", "left", "words", "seconds", "presses", "screens high"]
        rows = [
            [
                screen.name,
                f"{screen.visitors}",
                f"{screen.leavers}" if screen.leavers else "",
                f"{screen.words:.0f}",
                f"{screen.seconds:.0f}",
                f"{screen.presses:.0f}",
                f"{screen.screen_heights:.1f}",
            ]
            for screen in self.screens
        ]
        return f"{self.people} invented people, {self.finished} finished", head, rows, self._notes()

    def _notes(self) -> list[str]:
        notes = []
        if self.minutes:
            late = self.minutes[math.ceil(0.9 * len(self.minutes)) - 1]
            notes.append(f"minutes: {median(self.minutes):.1f}; of 9 in 10 at most {late:.1f}")
        if self.practised:
            right = f"{self.understood} of {self.practised}"
            notes.append(f"right at once whether the asker learns the answer: {right}")
        ran = f"script ran {1000 * self.script:.0f} ms before the first screen"
        notes.append(f"page of {self.page:,} bytes compressed; {ran}, {_SLOWER} times slowed")
        return [*notes, *(f"fault: {fault}" for fault in self.faults)]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def rehearse(
    form: Form,
    *,
    people: int = 20,
    habits: Habits = Habits(),
    width: int = 360,
    height: int = 740,
    pictures: Path | None = None,
    browser: Path | None = None,
    rng: Any = None,
    done: Callable[[], object] | None = None,
) -> Rehearsal:
    """Pilot a form's page with invented people, in a real browser, at a collector of its own.

    Each person opens the page in one of the form's languages in turn, reads what is shown, answers
    by chance, and sends the report or leaves. Nobody waits: the time is reckoned from the words
    that are shown and from what is pressed, by `Habits`. What the page does is found, not assumed:
    the words, the presses, the height of screens, the script that runs, and whatever goes wrong.

    Parameters
    ----------
    form : Form
    people : int
    habits : Habits
    width, height : int
        Of the screen, in CSS pixels.
    pictures : Path, optional
        A folder in which each screen is kept as a picture, once for each language.
    browser : Path, optional
        A Chromium; one on the command path if left out.
    rng : seed or Generator, optional
        The analyst's dice, which decide who answers what; what devices draw is not theirs.
    done : callable, optional
        Called after each person, for a progress bar.

    Raises
    ------
    MissingExtra
        If playwright is not installed.
    InputError
        If there is no browser, a number means nothing, or the page is for a tablet or wants codes.

    >>> from askance.survey.survey_file import load_survey
    >>> from askance.survey.publish import publish
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> rehearse(form, people=0)
    Traceback (most recent call last):
    askance_collect.errors.InputError: people: got 0; allowed: a whole number in [1, 10,000]
    """
    people = read_integer(people, "people", "a whole number in [1, 10,000]", 1, 10_000)
    _need_own_devices(form)
    size = {
        "width": read_integer(width, "width", "pixels in [200, 4,000]", 200, 4_000),
        "height": read_integer(height, "height", "pixels in [200, 4,000]", 200, 4_000),
    }
    dice, faults, lengths = random_stream(rng, "rehearse"), Counter[str](), set[int]()
    crowd = [_Person.invent(form, i, habits, dice) for i in range(people)]

    def drive() -> tuple[list[_Walk], float]:
        walks, scripts = list[_Walk](), list[float]()
        with open_chromium(browser) as opened, _collector(form) as url:
            for person in crowd[:1] * _OPENINGS:
                with _tab(opened, url, person.language, size, faults, lengths) as tab:
                    scripts.append(_measure_script(tab, url))
            for i, person in enumerate(crowd):
                folder = pictures if i < len(form.languages) else None
                with _tab(opened, url, person.language, size, faults, lengths) as tab:
                    tab.goto(url)
                    walks.append(_walk(tab, form, person, faults, folder))
                if done is not None:
                    done()
        return walks, min(scripts)

    # In a thread of its own: the driver refuses to run where an event loop does, as in notebooks.
    with ThreadPoolExecutor(1) as thread:
        walks, script = thread.submit(drive).result()
    if len(lengths) > 1:
        faults[f"messages of {', '.join(map(str, sorted(lengths)))} bytes"] += 1
    return _summarise(form, walks, faults, script)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Person:
    """An invented respondent: language, reading speed, habits and random generator."""

    language: str
    speed: float
    habits: Habits
    dice: np.random.Generator

    @classmethod
    def invent(cls, form: Form, index: int, habits: Habits, dice: np.random.Generator) -> "_Person":
        speed = habits.reading_speed * _SPREAD ** dice.standard_normal()
        language = form.languages[index % len(form.languages)]
        return cls(language=language, speed=float(speed), habits=habits, dice=dice)

    def happens(self, chance: float) -> bool:
        return bool(self.dice.random() < chance)

    def seconds(self, stay: "_Stay") -> float:
        return 60 * stay.words / self.speed + self.habits.press_seconds * stay.presses

    def leaves(self, seconds: float) -> bool:
        return self.happens(1 - (1 - self.habits.dropout) ** (seconds / 60))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Stay:
    """One person's reading and presses on one screen."""

    words: int = 0
    presses: int = 0
    tall: float = 0.0
    lines: Mapping[str, int] = field(default_factory=dict)

    def read(self, screen: Json) -> "_Stay":
        """Read what has not been read on this screen yet."""
        visible = Counter(line for line, _ in screen["lines"])
        words, read_before = dict(screen["lines"]), Counter(self.lines)
        fresh = sum(words[line] * many for line, many in (visible - read_before).items())
        return _Stay(
            words=self.words + fresh,
            presses=self.presses,
            tall=max(self.tall, screen["tall"]),
            lines=read_before | visible,
        )

    def pressed(self, times: int) -> "_Stay":
        return replace(self, presses=self.presses + times)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    """One person's visit: each screen with the seconds spent on it, and how it ended."""

    stays: Mapping[str, _Stay]
    seconds: Mapping[str, float]
    left_at: str | None
    understood: bool | None


def _need_own_devices(form: Form) -> None:
    """Refuse a page that begins with an interviewer, or with a code that nobody was sent."""
    if form.for_tablet:
        raise InputError(
            "form",
            got="a page that an interviewer carries",
            allowed="one that people open themselves",
            remedy="rehearse the survey without tablet = true: the questions are the same",
        )
    if form.tokens is not None:
        raise InputError(
            "form",
            got="a page that asks for an invitation code",
            allowed="one that anybody may answer",
            remedy="rehearse the survey without [tokens]: the questions are the same",
        )


@contextmanager
def _collector(form: Form) -> Iterator[str]:
    """Serve the page from a collector whose reports are forgotten."""
    collect = import_module("askance_collect.collect")
    page = render_page(form)
    with tempfile.TemporaryDirectory() as folder:
        store = collect.open_store(Path(folder, "reports.db"), form)
        try:
            app = collect.create_app(form, page.bytes, page.headers, page.sha256, store, None)
            with collect.serving(app) as url:
                yield url
        finally:
            store.close()


@contextmanager
def _tab(
    browser: Any,
    url: str,
    language: str,
    size: dict[str, int],
    faults: Counter[str],
    lengths: set[int],
) -> Iterator[Any]:
    """Open a window of its own, and listen to what it says and sends."""
    context = browser.new_context(viewport=size, locale=language, reduced_motion="reduce")
    home = urlsplit(url).netloc

    def watch(request: Any) -> None:
        if urlsplit(request.url).netloc not in ("", home):
            faults[f"a request to {urlsplit(request.url).netloc}"] += 1
        if request.method == "POST":
            lengths.add(len(request.post_data or ""))

    try:
        tab = context.new_page()
        tab.set_default_timeout(_PATIENCE)
        tab.on("request", watch)
        tab.on("pageerror", lambda error: faults.update([f"the page: {error}"]))
        tab.on("console", lambda line: faults.update([f"the page: {line.text}"]))
        yield tab
    finally:
        context.close()


def _measure_script(tab: Any, url: str) -> float:
    """Measure for how long the page's script runs until the first screen is there, slowed.

    The browser's own sum of script leaves out all that runs behind an ``await``, which is nearly
    all of it: so its stack is looked at every fifth of a millisecond. A layout that script waits
    for counts as script.
    """
    tab.goto(f"{url}report")  # the process that will run the page is there, and can be watched
    session = tab.context.new_cdp_session(tab)
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    session.send("Profiler.enable")
    session.send("Profiler.setSamplingInterval", {"interval": 200})
    session.send("Profiler.start")
    tab.goto(url)
    tab.wait_for_selector("h1")
    profile = session.send("Profiler.stop")["profile"]
    session.detach()
    return _sum_own_time(profile, url) / 1e6


def _sum_own_time(profile: Json, url: str) -> float:
    """Add up the microseconds in which a function of the page itself was on the stack."""
    calls = {node["id"]: node for node in profile["nodes"]}
    caller = {
        child: node_id for node_id, node in calls.items() for child in node.get("children", ())
    }

    @cache
    def own(node_id: int) -> bool:
        return calls[node_id]["callFrame"]["url"] == url or (
            node_id in caller and own(caller[node_id])
        )

    spent = zip(profile["samples"], profile["timeDeltas"], strict=True)
    return float(sum(delta for node_id, delta in spent if own(node_id)))


def _walk(
    tab: Any, form: Form, person: _Person, faults: Counter[str], pictures: Path | None
) -> _Walk:
    """Take a person from the first screen to the receipt, or until they leave."""
    stays, understood, left_at = dict[str, _Stay](), None, None
    tab.wait_for_selector("h1")
    while left_at is None:
        screen = tab.evaluate(_LOOK, person.language)
        name = _name_screen(screen, form, person.language)
        if name not in stays and pictures is not None:
            _take_picture(tab, pictures, f"{person.language}-{len(stays):02d}-{name}")
        before = stays.get(name, _Stay())
        stays[name] = before.read(screen)
        _find_faults(screen, stays[name], name, faults)
        if name in _ENDS or stays[name].presses > _DEAD_END:
            break
        stays[name] = stays[name].pressed(_answer_screen(tab, screen, form, person))
        if person.leaves(person.seconds(stays[name]) - person.seconds(before)):
            left_at = name
            tab.locator("button.leave").click()
        else:
            right = _go_on(tab, screen, person)
            stays[name] = stays[name].pressed(1 if right is None else 2)
            understood = right if right is not None else understood
    spent = {name: person.seconds(stay) for name, stay in stays.items()}
    return _Walk(stays=stays, seconds=spent, left_at=left_at, understood=understood)


def _name_screen(screen: Json, form: Form, language: str) -> str:
    """Name a screen, by the same name in all languages."""
    title = _normalise_spaces(screen["title"])
    if screen["kind"] == "question":
        titles = _title_screens(form).items()
        return next(
            (name for name, texts in titles if _matches_text(title, texts[language])), title
        )
    return str(screen["kind"] or "review")


def _title_screens(form: Form) -> dict[str, Mapping[str, str]]:
    """The text of each screen that asks something, by its question, of a list by the first item.

    A comment stands on the screen of the question that it is beside.
    """
    texts = {question.name: question.text for question in form.questions}
    names = list(texts)
    for question in form.questions:
        if isinstance(question, FreeText) and question.is_comment:
            del texts[question.name]
    screens: list[Checklist | Grid] = [*form.checklists, *form.grids]
    for screen in screens:
        texts[names[screen.first_question]] = screen.text
        for index in screen.question_positions[1:]:
            del texts[names[index]]
    return texts


def _normalise_spaces(text: str) -> str:
    return " ".join(text.split())


def _matches_text(title: str, text: str) -> bool:
    """Whether a title matches a text, with any answer piped into it."""
    parts = map(re.escape, around_pipes(_normalise_spaces(text)))
    return re.fullmatch(".*".join(parts), title) is not None


def _take_picture(tab: Any, folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{re.sub(r'[^0-9A-Za-z_-]+', '-', name).strip('-')[:60]}.png"
    size = tab.viewport_size
    tall = tab.evaluate("() => document.documentElement.scrollHeight")
    tab.set_viewport_size(size | {"height": max(size["height"], tall)})
    tab.mouse.move(0, 0)  # what is pointed at looks otherwise
    tab.screenshot(path=file)
    tab.set_viewport_size(size)


def _find_faults(screen: Json, stay: _Stay, name: str, faults: Counter[str]) -> None:
    if screen["wide"]:
        faults[f"{name}: wider than the screen"] += 1
    if screen["hidden"] and screen["kind"] == "question":
        faults[f"{name}: the button to go on is out of sight"] += 1
    if stay.presses > _DEAD_END:
        faults[f"{name}: cannot be left"] += 1


def _answer_screen(tab: Any, screen: Json, form: Form, person: _Person) -> int:
    """Answer a screen's question, if it has one; count the presses."""
    if screen["kind"] == "consent":
        tab.locator("#main input[type=checkbox]").first.check()
        return 1
    if screen["kind"] not in ("question", "practice") or screen["outcome"]:
        return 0
    if rows := tab.locator("#main .grid fieldset").count():
        return _answer_rows(tab, rows, screen, form, person)
    fields = tab.locator("#main fieldset")
    radios, ticks = (
        fields.locator(f"input[type={kind}]:visible") for kind in ("radio", "checkbox")
    )
    many, presses, complaint = radios.count(), 0, bool(screen["complaint"])
    needed = _name_screen(screen, form, person.language) in form.required_questions
    refuses = not needed and (complaint or person.happens(person.habits.blank))
    if many > 1 or (many and refuses):
        some = many if needed else many - 1  # the last is no answer, where none need be given
        radios.nth(many - 1 if refuses else int(person.dice.integers(some))).check()
        presses += 1
    if many == 1 and refuses:
        return presses
    presses += _tick(ticks, person, last=(refuses or complaint) and not many)
    written = fields.locator("textarea:visible, input[type=text]:visible")
    for i in range(written.count()):
        written.nth(i).fill(_invent_text(screen, form, person))
        presses += 1
    return presses


def _answer_rows(tab: Any, rows: int, screen: Json, form: Form, person: _Person) -> int:
    """Choose an answer in each row of a grid; count the presses."""
    needed = _name_screen(screen, form, person.language) in form.required_questions
    for row in range(rows):
        radios = tab.locator("#main .grid fieldset").nth(row).locator("input[type=radio]")
        many = radios.count()
        refuses = not needed and person.happens(person.habits.blank)
        answers = many if needed else many - 1
        radios.nth(many - 1 if refuses else int(person.dice.integers(answers))).check()
    return rows


def _tick(boxes: Any, person: _Person, *, last: bool) -> int:
    """Tick some boxes, or the last one, which is no answer or none of them; count the presses."""
    places = range(boxes.count())
    chosen = [i for i in places if person.happens(0.3)]
    if last:
        chosen = list(places[-1:])
    for i in chosen:
        boxes.nth(i).check()
    return len(chosen)


def _invent_text(screen: Json, form: Form, person: _Person) -> str:
    """Type a number that the question has a place for, or a few words."""
    name = _name_screen(screen, form, person.language)
    lines = {question.name: getattr(question, "line", None) for question in form.questions}
    open_in = {question.name: getattr(question, "open", ()) for question in form.questions}
    line = lines.get(name)
    if not isinstance(line, Line):
        return "…"
    low, high = next(iter(open_in[name]), (0, line.ticks))
    number = f"{float(line.value_at(int(person.dice.integers(low, high)) + 1)):.15g}"
    return re.sub(r"\.\d{3}$", r"\g<0>0", number)  # three decimals might be thousands


def _go_on(tab: Any, screen: Json, person: _Person) -> bool | None:
    """Press the main button and wait for what comes; say who was right about the practice."""
    replies = tab.locator(".outcome .buttons:not(:last-child) button")
    right = None
    if screen["outcome"] and replies.count() == 2:
        right = person.happens(person.habits.comprehension)
        replies.nth(int(right)).click()
    before = tab.locator("#main").inner_text()
    tab.locator("#main button.main:visible").first.click()
    for _ in range(_PATIENCE // 50):
        if tab.evaluate(_WENT_ON, before):
            break
        tab.wait_for_timeout(50)
    return right


def _summarise(
    form: Form, walks: Sequence[_Walk], faults: Counter[str], script: float
) -> Rehearsal:
    """Summarise everybody's visits, screen by screen."""
    positions: dict[str, list[int]] = {}
    for walk in walks:
        for order, name in enumerate(walk.stays):
            positions.setdefault(name, []).append(order)
    unseen = [name for name in _title_screens(form) if name not in positions]
    faults.update(f"{name}: nobody came to it" for name in unseen)
    arrived = [walk for walk in walks if "receipt" in walk.stays]
    practised = [walk.understood for walk in walks if walk.understood is not None]
    return Rehearsal(
        people=len(walks),
        finished=len(arrived),
        practised=len(practised),
        understood=sum(practised),
        minutes=tuple(sorted(sum(walk.seconds.values()) / 60 for walk in arrived)),
        screens=tuple(
            _summarise_screen(name, walks)
            for name in sorted(positions, key=lambda key: median(positions[key]))
        ),
        page=len(gzip.compress(render_page(form).bytes, 9, mtime=0)),
        script=script,
        faults=tuple(f"{fault} ({times} times)" for fault, times in sorted(faults.items())),
    )


def _summarise_screen(name: str, walks: Sequence[_Walk]) -> ScreenVisit:
    visits = [walk for walk in walks if name in walk.stays]
    stays = [walk.stays[name] for walk in visits]
    return ScreenVisit(
        name=name,
        visitors=len(visits),
        leavers=sum(walk.left_at == name for walk in visits),
        words=median(stay.words for stay in stays),
        seconds=median(walk.seconds[name] for walk in visits),
        presses=median(stay.presses for stay in stays),
        screen_heights=max(stay.tall for stay in stays),
    )
