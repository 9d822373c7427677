"""Every screen, in both themes: accessible, readable at 320 px, in words that promise no more."""

import copy
import json
import re

import pytest

from askance_collect.wire import Form

NARROWING = [1, 0, 1, 0, 0]
SURVEYS = {
    "marriage": (1, 0, 2, 0),
    "evening": ("7", 1, "4300", 0),
    "money": ((2, "71"), NARROWING, 1, 0, 1),
    "worldly": (0, 1, 1),
    "texts": ((0, "Both of them"), "2", "Tea", 0, "More light\n\nMore books"),
}
BANNED = re.compile(
    r"\b(anonym\w*|fake\w*|lie|lies|lying|lied|lotter\w*|secure\w*|security|encrypt\w*"
    r"|differential\w*|Lüge\w*|lügen|gelogen|verschlüssel\w*|Lotterie)\b",
    re.IGNORECASE,
)
SMALL = """() => [...document.querySelectorAll("button, .option, select, summary, .number")]
  .filter((node) => node.checkVisibility())
  .map((node) => [node.innerText, node.getBoundingClientRect()])
  .filter(([, box]) => box.height < 44 || box.width < 44).map(([name]) => name)"""

ENLARGED = f"""times => {{
  document.documentElement.style.fontSize = `${{112.5 * times}}%`;
  const left = (node) => node.getBoundingClientRect().left;
  const edges = [...document.querySelector("#bar").children].map(left);
  const across = document.documentElement.scrollWidth;
  return [across, ({SMALL})(), left(document.querySelector("h1")), edges];
}}"""
BAR = """at => {
  scrollTo(0, at);
  const bar = document.querySelector("main > .buttons:last-child");
  const { bottom, height } = bar.getBoundingClientRect();
  return [bottom, height, getComputedStyle(bar).position];
}"""
FOCUSED = """() => {
  const bar = document.querySelector("main > .buttons:last-child");
  const controls = [...document.querySelectorAll("main input, summary")];
  return controls.filter((node) => node.checkVisibility()).map((node) => {
    node.blur();
    node.focus();
    return [node, bar].map((one) => one.getBoundingClientRect().y);
  });
}"""


@pytest.fixture
def chance(money_words):
    """The words that a survey's answers need; chance of its own where they need none."""
    return lambda name: money_words() if name == "money" else None


def unfold(page):
    page.evaluate(
        "() => document.querySelectorAll('details').forEach((node) => (node.open = true))"
    )


def fits(page, screen):
    """Nothing scrolls sideways, and everything is big enough, also where letters are doubled."""
    for width, times in ((320, 1), (640, 2), (1280, 1)):
        page.set_viewport_size({"width": width, "height": 700})
        across, small, margin, edges = page.evaluate(ENLARGED, times)
        assert across <= width, screen
        assert small == [], screen
        assert min(edges) >= margin - 0.5, screen
    page.evaluate("() => { document.documentElement.style.fontSize = '' }")


def has_its_buttons_at_hand(page, screen):
    """Without scrolling, over nothing that has the focus; in a low window they hide nothing."""
    for index, height in ((0, 740), (9999, 740), (0, 400)):
        page.set_viewport_size({"width": 360, "height": height})
        bottom, tall, pinned = page.evaluate(BAR, index)
        if height == 740:
            assert bottom <= 740, screen
            assert tall <= 90, screen
        else:
            assert pinned == "static"
    page.set_viewport_size({"width": 360, "height": 740})
    for control, bar in page.evaluate(FOCUSED):
        assert control < bar, screen


def promises_no_more_than_the_numbers(page, screen):
    assert not BANNED.search(page.locator("body").inner_text()), screen
    if screen == "card":
        assert len(re.findall(r"\w+", page.locator(".card").inner_text())) <= 120
    assert len(page.locator("h1").all()) == 1, screen


@pytest.mark.parametrize("name", SURVEYS)
def test_every_screen_keeps_nobody_out(collect, forms, person, axe, chance, name):
    """One walk, on which all is looked at that every screen must hold."""
    someone = person(collect(forms[name]).url, words=chance(name))
    observed = []
    for screen in someone.screens(*SURVEYS[name]):
        if screen == "practice" or screen.startswith(("card", "question", "answers")):
            has_its_buttons_at_hand(someone.page, screen)
        unfold(someone.page)
        promises_no_more_than_the_numbers(someone.page, screen)
        fits(someone.page, screen)
        someone.page.set_viewport_size({"width": 360, "height": 700})
        problems, remaining = axe(someone.page)
        assert problems == [], screen
        assert remaining > 5
        observed.append(screen)
    assert {"practice outcome", "card", "review", "not sent", "receipt"} <= set(observed)


def test_axe_would_find_something(collect, forms, person, axe):
    someone = person(collect(forms["marriage"]).url)
    someone.page.evaluate("() => document.querySelector('.main').replaceChildren()")
    assert [item[:2] for item in axe(someone.page)[0]] == [("light", "button-name")]


def test_axe_would_find_what_cannot_be_read_in_the_dark(collect, forms, person, axe):
    someone = person(collect(forms["marriage"]).url)
    grey = "@media (prefers-color-scheme: dark) { h1 { color: #333 } }"
    someone.page.evaluate(
        """css => { const added = new CSSStyleSheet(); added.replaceSync(css);
        document.adoptedStyleSheets.push(added) }""",
        grey,
    )
    assert [item[:2] for item in axe(someone.page)[0]] == [("dark", "color-contrast")]


@pytest.mark.parametrize("name", ["evening", "money"])
def test_german_words_promise_no_more_than_the_numbers(collect, forms, person, chance, name):
    someone = person(collect(forms[name]).url, language="de", words=chance(name))
    for screen in someone.screens(*SURVEYS[name]):
        unfold(someone.page)
        promises_no_more_than_the_numbers(someone.page, screen)


def test_long_words_and_right_to_left_fit_a_small_screen(collect, forms, person):
    document = copy.deepcopy(forms["marriage"].document)
    word = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente" * 2
    text = json.dumps(document).replace('{"en":', '{"ar":').replace('["en"]', '["ar"]')
    for plain in ("Marriage and faith", "Fairly", "years", "Three or more", "How old are you?"):
        text = text.replace(f'"ar": "{plain}"', f'"ar": "{word}"')
    someone = person(collect(Form.read(text)).url, width=320)
    for screen in someone.screens(3, 0, 2, 0):
        assert someone.page.evaluate("() => document.documentElement.scrollWidth") <= 320, screen
        assert someone.page.evaluate("() => getComputedStyle(document.body).direction") == "rtl"
        if screen == "question 1":
            unfold(someone.page)
            assert "60 يرسلون «\u2068Yes\u2069»" in someone.page.locator(".odds").inner_text()


def test_groups_and_coins_from_right_to_left(collect, forms, person, axe):
    text = json.dumps(forms["worldly"].document)
    text = text.replace('{"en":', '{"ar":').replace('["en"]', '["ar"]')
    someone = person(collect(Form.read(text)).url)
    page, replies = someone.page, ""
    for screen in someone.screens(*SURVEYS["worldly"]):
        unfold(page)
        assert page.evaluate("() => getComputedStyle(document.body).direction") == "rtl"
        fits(page, screen)
        assert axe(page)[0] == [], screen
        replies += page.locator("main").inner_text()
    assert re.search("المجموعة «\u2068Group [12]\u2069»", replies)
    assert "يحميك هو \u2068a birthday\u2069" in replies


def test_texts_from_right_to_left(collect, forms, person, axe):
    text = json.dumps(forms["texts"].document)
    text = text.replace('{"en":', '{"ar":').replace('["en"]', '["ar"]')
    someone = person(collect(Form.read(text)).url)
    page, replies = someone.page, ""
    for screen in someone.screens(*SURVEYS["texts"]):
        unfold(page)
        fits(page, screen)
        assert axe(page)[0] == [], screen
        replies += page.locator("main").inner_text()
    assert "«\u2068More light\n\nMore books\u2069»" in replies


def test_groups_and_coins_by_keyboard_alone(collect, forms, person):
    collector = collect(forms["worldly"])
    someone = person(collector.url)
    go, keys = someone.press_keys, someone.page.keyboard
    go("I have read this. I am taking part of my own free will.", "Begin")
    go("Tea", "Continue", "No, they cannot be sure", "Continue", "Yes", "Continue", "Continue")
    assert "Chance put you in the group" in someone.page.locator("main").inner_text()
    go("Yes")
    keys.press("ArrowDown")
    go("How much it tells")
    assert someone.page.get_by_text("No record is more than").is_visible()
    go("Continue", "Yes")
    keys.press("ArrowDown")
    keys.press("Enter")
    go("Show what is sent", "Send")
    someone.page.wait_for_selector(".receipt")
    (remaining,) = collector.reports()
    assert remaining["joint"] == 1
    assert someone.console == []


def test_the_ban_can_fail():
    assert BANNED.search("This page is anonymous.")
    assert BANNED.search("Ihre Angaben sind verschlüsselt.")


def test_the_odds_are_said_both_ways_with_one_denominator(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    replies = {}
    for screen in someone.screens(*SURVEYS["marriage"]):
        someone.page.evaluate(
            "() => document.querySelectorAll('.odds details').forEach((node) => (node.open = true))"
        )
        replies[screen] = someone.page.locator("main").inner_text()
    assert (
        "Of 100 people whose answer is “Yes”, 60 send “Yes”, 10 send “No”" in replies["question 1"]
    )
    assert (
        "Of 100 people whose answer is “No”, 10 send “Yes”, 60 send “No”" in replies["question 1"]
    )
    blank = "Of 100 people who answer, 5 send nothing, by chance, whatever the answer."
    assert blank in replies["question 1"]
    assert "Sent as you give it" in replies["question 0"]
    assert "may differ from your answer on purpose" in replies["question 2"]
    assert "always true, but broad on purpose" in replies["question 3"]
    assert "(ε" not in replies["question 1"]


def test_answers_that_leave_as_given_are_not_said_to_stay(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    someone.take(*SURVEYS["marriage"])
    texts = someone.page.locator(".sides > div:first-child dt").all_inner_texts()
    assert texts == ["Your answer", *["Your answer (stays here)"] * 3]


def test_a_blank_is_put_down_to_chance_only_where_chance_can_leave_it(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    someone.take(4, 2, 4, 2)
    texts = someone.page.locator(".out .hint").all_inner_texts()
    own, chance = "It tells that you gave no answer.", "It looks the same whether you, or chance"
    assert [line[: len(chance)] for line in texts] == [own[:40], chance, own[:40], own[:40]]


def test_odds_that_all_answers_share_are_said_once(collect, forms, person):
    document = copy.deepcopy(forms["marriage"].document)
    (questions,) = [
        question for question in document["questions"] if question["name"] == "any_affair"
    ]
    names = [f"Party {letter}" for letter in "ABCDEF"]
    labels = [{"name": name, "label": {"en": name}} for name in names]
    means = [{**label, "means": [index]} for index, label in enumerate(labels)]
    rows = [[5 if index == column else 1 for column in range(6)] for index in range(6)]
    questions |= {"answers": labels, "reports": means, "table": {"total": 10, "rows": rows}}
    document["questions"] = [questions]
    person_result = person(collect(Form.read(document)).url)
    rows[5] = [0, 0, 0, 0, 0, 10]
    unlike = person(collect(Form.read(document)).url)
    for someone in (person_result, unlike):
        someone.consent()
        someone.practise()
        someone.proceed()
    text = "Of 100 people, whatever their answer, 50 send it, 10 send each of the other answers."
    blank = (
        "Of 100 people who answer, 5 send nothing, by chance, whatever the answer. For the rest:"
    )
    assert person_result.page.locator(".odds p").all_inner_texts() == [blank, text]
    assert unlike.page.locator(".odds p").all_inner_texts() == [blank]
    assert len(unlike.page.locator(".odds details li").all()) == 6


DOTS = """node => [...node.children].reduce(
  (found, {className}) => ({...found, [className]: (found[className] ?? 0) + 1}), {})"""


def pictures(page):
    """Give of every picture of the odds what it says aloud, and its dots by their shape."""
    return [
        (item.get_attribute("aria-label"), item.evaluate(DOTS))
        for item in page.locator(".dots").all()
    ]


def test_a_hundred_dots_show_what_the_words_say(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    someone.consent()
    assert [dots for _, dots in pictures(someone.page)] == [
        {"": 75, "ring": 25},
        {"": 25, "ring": 75},
    ]
    someone.practise()
    someone.answer(0)
    someone.proceed()
    first, second = pictures(someone.page)
    shares = "60 send “Yes”, 10 send “No”, and 30 send “Don’t know”"
    text = f"Of 100 people whose answer is “Yes”, {shares}."
    assert first == (text, {"": 60, "ring": 10, "square": 30})
    assert second[1] == {"": 10, "ring": 60, "square": 30}
    assert someone.page.locator(".key li").all_inner_texts() == ["Yes", "No", "Don’t know"]
    assert not someone.page.get_by_text(text).is_visible()
    someone.page.get_by_text("In words").click()
    assert someone.page.get_by_text(text).is_visible()


def test_whoever_is_neither_of_two_whole_counts_is_drawn_as_one_of_them(collect, forms, person):
    document = copy.deepcopy(forms["marriage"].document)
    document["questions"][1]["table"] = {"total": 8, "rows": [[5, 2, 1], [2, 5, 1]]}
    someone = person(collect(Form.read(document)).url)
    someone.consent()
    someone.practise()
    someone.answer(0)
    someone.proceed()
    assert pictures(someone.page)[0] == (
        "Of 100 people whose answer is “Yes”, 62 or 63 send “Yes”, 25 send “No”, "
        "and 12 or 13 send “Don’t know”.",
        {"": 62, "ring": 25, "square": 12, "either": 1},
    )
    assert someone.page.locator(".key li").last.inner_text() == "one of these"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dots_keep_their_shapes_where_colours_are_forced(collect, forms, person, scheme):
    someone = person(collect(forms["marriage"]).url, scheme=scheme)
    someone.page.emulate_media(forced_colors="active")
    someone.consent()
    widths = "nodes => nodes.map(node => parseFloat(getComputedStyle(node).borderTopWidth) * 2)"
    full, thin = someone.page.locator(".key i").evaluate_all(widths)
    size = someone.page.locator(".key i").first.evaluate("node => node.offsetWidth")
    assert full >= size - 1
    assert thin <= size / 2


def test_without_javascript_one_paragraph_says_so(collect, forms, chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(collect(forms["marriage"]).url)
    page.wait_for_timeout(2200)
    assert re.findall("needs JavaScript|has not started", page.locator("main").inner_text()) == [
        "needs JavaScript"
    ]
    context.close()


def test_paper_has_no_buttons(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    someone.page.emulate_media(media="print")
    assert [item.is_visible() for item in someone.page.locator("button").all()] == [False, False]


def test_the_fold_out_gives_the_ratio_rounded_up(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    someone.consent()
    someone.practise()
    someone.answer(0)
    someone.proceed()
    unfold(someone.page)
    assert "more than 6 times as likely" in someone.page.locator("main").inner_text()
    assert "ε\u00a0=\u00a01.792" in someone.page.locator("main").inner_text()


def test_focus_moves_to_the_heading_of_each_screen(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    focused = "() => document.activeElement === document.querySelector('h1')"
    someone.consent()
    assert someone.page.evaluate(focused)
    someone.practise()
    assert someone.page.evaluate(focused)
    someone.answer(1)
    assert someone.page.evaluate(focused)


def test_nothing_moves_and_a_person_who_chooses_nothing_is_told(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    someone.consent()
    someone.practise()
    someone.proceed()
    complaint = someone.page.locator(".complaint")
    assert complaint.get_attribute("role") == "alert"
    assert "Choose one" in complaint.inner_text()
    assert someone.page.evaluate("() => document.getAnimations().length") == 0
    someone.choose(0)
    assert complaint.inner_text() == ""


def test_a_complaint_goes_as_soon_as_it_is_heeded(collect, forms, person):
    someone = person(collect(forms["evening"]).url)
    complaint = someone.page.locator(".complaint")
    someone.proceed()
    assert complaint.inner_text().startswith("Tick the box")
    someone.page.locator("input[type=checkbox]").check()
    assert complaint.inner_text() == ""
    someone.proceed()
    someone.practise()
    someone.proceed()
    assert complaint.inner_text().startswith("Type a number")
    someone.page.locator("input.number").press_sequentially("7")
    assert complaint.inner_text() == ""


def test_line_breaks_in_a_text_are_seen(collect, forms, person):
    """A list in the consent, an address in the contact: breaks stay, other white space does not."""
    marriage = forms["marriage"].document
    broken = {
        "consent": "You may\n  – stop,\n  – leave.\n\n\nNothing   is kept.",
        "contact": "Ada\nOslo",
    }
    result = {key: dict.fromkeys(marriage["languages"], text) for key, text in broken.items()}
    someone = person(collect(Form.read(marriage | result)).url)
    paragraphs = someone.page.locator("main > h1 ~ p").all_inner_texts()
    assert paragraphs[:2] == ["You may\n– stop,\n– leave.", "Nothing is kept."]
    assert someone.page.locator("#contact p").inner_text() == "Ada\nOslo"
