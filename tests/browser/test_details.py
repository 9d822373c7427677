"""Titles, names, progress, what is wrong with a field, and a press that is double."""

import pytest
from test_pin import operated
from test_skips import NO, english
from test_texts import begin, form_of, write

from askance.survey import load_survey, publish
from askance_collect.wire import Form

DESCRIPTION = """() => {
  const box = document.activeElement;
  const field = box.type === "radio" ? box.closest("[role=radiogroup]") : box;
  const texts = (name) => (field.getAttribute(name) ?? "").split(" ").filter(Boolean)
    .map((id) => document.getElementById(id).innerText);
  const [error] = texts("aria-errormessage");
  return [field.getAttribute("aria-invalid"), error, texts("aria-describedby").includes(error)];
}"""
"""Of the field that has the focus: whether it is invalid, and the text that says why."""

PROGRESS = "node => [node.labels[0].innerText, node.value, node.max, node.matches(':only-of-type')]"
COUNTED = "nodes => nodes.map(({ innerText }) => innerText.trim())"


def title(someone):
    return someone.page.title()


@pytest.fixture
def marriage(collect, forms, person):
    """Seat somebody who has come to the first question: marriage(width=…)."""

    def seat(**settings):
        someone = person(collect(forms["marriage"]).url, **settings)
        someone.consent()
        someone.practise()
        return someone

    return seat


def test_the_title_says_which_screen_is_shown_and_nothing_of_an_answer(collect, forms, person):
    someone, titles = person(collect(forms["marriage"]).url), []
    for _ in someone.screens(1, 0, 2, 0):
        titles.append(title(someone))
    named = [item.removesuffix(" – Marriage and faith") for item in dict.fromkeys(titles)]
    assert named == [
        "Marriage and faith",
        "A practice question",
        "Question 1 of 4",
        "Before the first protected question",
        *(f"Question {number} of 4" for number in (2, 3, 4)),
        "Your answers",
        "Look before you send",
        "Not confirmed yet",
        "Your report has arrived",
        "You have answered in this window",
    ]


def test_where_questions_are_passed_over_no_title_tells_which(collect, person):
    form = english("skips")
    someone = person(collect(form).url)
    someone.consent()
    someone.practise()
    survey = form.document["title"]["en"]
    titles = [title(someone) for _ in someone.everything()]
    assert set(titles[:-1]) == {survey}
    assert title(someone) == f"Your answers – {survey}"


def test_progress_is_a_bar_that_counts_what_is_asked_of_this_person(collect, person):
    someone = person(collect(english("skips")).url)
    someone.consent()
    someone.practise()
    bar = someone.page.get_by_role("progressbar")
    before = bar.evaluate(PROGRESS)
    someone.answer(NO)
    if someone.page.locator(".card").count():
        assert bar.count() == 0
        someone.proceed()
    after = bar.evaluate(PROGRESS)
    for replies, value, most, _ in (before, after):
        assert replies == f"Question {value:g} of {most:g}"
    assert (after[1], after[2]) == (before[1] + 1, before[2] - 1)
    heading = someone.page.get_by_role("heading", level=1)
    assert heading.evaluate("node => node.ariaDescribedByElements[0].innerText") == after[0]


@pytest.mark.parametrize("name", ["marriage", "evening", "money", "worldly", "texts"])
def test_what_is_asked_is_said_once_and_names_the_controls(
    collect, forms, person, money_words, name
):
    words = money_words() if name == "money" else None
    someone, observed = person(collect(forms[name]).url, words=words), 0
    someone.consent()
    for heading in someone.everything():
        element = someone.page.locator("#asked")
        if not element.count():
            continue
        observed += 1
        text = element.inner_text()
        assert text in (heading, *someone.page.locator("h2.ask").all_inner_texts())
        named = "nodes => nodes.map((node) => node.ariaLabelledByElements.map(({ id }) => id))"
        assert someone.page.locator("main fieldset").evaluate_all(named) == [["asked"]]
        role = someone.page.locator("main fieldset").get_attribute("role")
        assert someone.page.get_by_role(role, name=text, exact=True).count() == 1
        assert someone.page.locator("main legend").count() == 0
    assert observed > 2


def test_a_field_that_is_wrong_is_marked_and_says_why_until_it_is_changed(collect, forms, person):
    someone = person(collect(forms["evening"]).url)
    someone.proceed()
    text = "Tick the box to take part, or close this page. Nothing has been sent."
    assert someone.page.evaluate(DESCRIPTION) == ["true", text, True]
    someone.page.keyboard.press("Space")
    assert someone.page.locator("[aria-invalid]").count() == 0
    someone.proceed()
    someone.proceed()
    someone.practise()
    invalid = someone.page.locator("main input.number")
    for typed in ("", "1000000"):
        invalid.fill(typed)
        someone.proceed()
        state, why, is_described = someone.page.evaluate(DESCRIPTION)
        assert (state, is_described) == ("true", True)
        assert why == someone.page.locator("#complaint").inner_text() != ""
        invalid.press_sequentially("1")
        assert someone.page.locator("[aria-invalid]").count() == 0


def test_choices_are_wrong_together(marriage):
    someone = marriage()
    someone.proceed()
    text = "Choose one. “I’d rather not answer” is a choice too."
    assert someone.page.evaluate(DESCRIPTION) == ["true", text, True]
    someone.page.keyboard.press("Space")
    assert someone.page.locator("[aria-invalid]").count() == 0


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_screen_of_several_fields_lists_what_is_wrong_with_links_to_each(
    collect, person, axe, language
):
    someone = begin(person(collect(form_of()).url, language=language))
    write(someone, "x" * 43)
    someone.proceed()
    page = someone.page
    links = page.locator(".problems a")
    complaints = page.locator(".complaint").evaluate_all(COUNTED)
    assert links.evaluate_all(COUNTED) == complaints
    assert len(set(complaints)) == 2
    assert page.evaluate("document.activeElement.matches('.problems h2')")
    assert axe(page)[0] == []
    address, entries = page.url, page.evaluate("history.length")
    for link, field in zip(links.all(), ("radio", "textarea"), strict=True):
        link.click()
        assert page.evaluate("document.activeElement.type") == field
        assert page.evaluate(DESCRIPTION)[0] == "true"
    assert (page.url, page.evaluate("history.length")) == (address, entries)
    someone.page.locator("input[type=radio]").first.check()
    assert links.evaluate_all(COUNTED) == complaints[1:]
    write(someone, "x")
    assert links.count() == 0
    someone.proceed()
    assert page.locator("#overlong").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_protected_is_filled_where_colours_are_forced(marriage, scheme):
    someone = marriage(scheme=scheme)
    someone.page.emulate_media(forced_colors="active")
    width = """node => {
      const { borderTopWidth, width } = getComputedStyle(node, "::before");
      return [parseFloat(borderTopWidth), parseFloat(width)];
    }"""
    thin, size = someone.page.locator(".badge.open").evaluate(width)
    assert thin <= size / 4
    someone.answer(0)
    someone.proceed()
    full, size = someone.page.locator(".badge.guarded").evaluate(width)
    assert full >= size / 2 - 0.1


def complained(someone):
    return someone.page.locator(".complaint").evaluate_all(COUNTED)


def test_a_double_click_goes_one_screen_on_and_complains_of_nothing(marriage):
    someone = marriage()
    someone.page.locator("input[type=radio]").first.check()
    someone.page.locator("main button.main").dblclick()
    assert someone.heading() == "Before the first protected question"
    someone.page.locator("main button.main").dblclick()
    assert title(someone).startswith("Question 2 of 4")
    assert complained(someone) == [""]


def test_a_double_tap_goes_one_screen_on_and_complains_of_nothing(collect, forms, chromium, seated):
    context = chromium.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale="en"
    )
    someone = seated(context.new_page()).open(collect(forms["marriage"]).url)
    someone.consent()
    someone.practise()
    someone.page.locator("input[type=radio]").first.check()
    for word in ("Before the first protected question", "Question 2 of 4"):
        box = someone.page.locator("main button.main").bounding_box()
        position = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for _ in range(2):
            someone.page.touchscreen.tap(*position)
        assert title(someone).startswith(word)
        someone.page.wait_for_timeout(550)
    assert complained(someone) == [""]
    context.close()


@pytest.mark.parametrize("control", ["input[type=radio]", "main button.main"])
def test_a_key_that_is_held_goes_one_screen_on_and_complains_of_nothing(marriage, control):
    someone = marriage()
    someone.answer(0)
    someone.proceed()
    someone.page.locator("input[type=radio]").first.check()
    someone.page.locator(control).first.focus()
    for _ in range(8):
        someone.page.keyboard.down("Enter")
    someone.page.keyboard.up("Enter")
    assert title(someone).startswith("Question 3 of 4")
    assert complained(someone) == [""]


def test_a_language_is_chosen_after_the_practice_question_and_it_stays_answered(person, collect):
    someone = person(collect(publish(load_survey("examples/student-life.toml"))).url)
    someone.consent()
    someone.page.locator("input[type=radio]").first.check()
    someone.proceed()
    someone.page.locator(".outcome .buttons button").nth(1).click()

    def shown():
        page = someone.page
        chosen = page.locator("main input").evaluate_all("all => all.map((one) => one.checked)")
        sides, text = page.locator(".outcome dd").count(), page.locator(".feedback").inner_text()
        return chosen, sides, bool(text), page.locator("main button.main").count()

    before = shown()
    assert before[1:] == (2, True, 1)
    someone.page.locator("#bar select").select_option("de")
    assert shown() == before
    someone.proceed()
    assert someone.page.locator(".outcome").count() == 0


def test_a_fault_in_the_bar_at_the_top_stops_nobody(collect, forms, person, twin):
    twin("header", "  renderContact(visit);\n  hooks", "  throw new Error('broken');\n  hooks")
    someone = person(collect(forms["marriage"]).url)
    table = someone.page.get_by_role("alert").filter(has_text="did not work")
    table.wait_for()
    assert someone.heading() == "Marriage and faith"
    someone.consent()
    assert someone.heading() == "A practice question"
    someone.press("Leave now")
    someone.page.wait_for_url("about:blank")


def test_what_comes_after_somebody_has_left_touches_nothing(forms, person):
    form = Form.read(forms["marriage"].document | {"askance": "form-2", "pin": True})
    with operated(form) as operator:
        someone = person(operator.home, opened=False)
        page, content = someone.page, []
        page.route("**/worker.js*", lambda route: content.append(route), times=1)
        someone.open(operator.home)
        someone.consent()
        page.wait_for_function("() => history.state === 1")
        page.evaluate("() => { history.go = () => {}; window.setTimeout = () => 0; }")
        someone.press("Leave now")
        assert page.locator("body *").count() == 0
        for route in content:
            route.continue_()
        page.evaluate("async () => void (await navigator.serviceWorker.ready)")
        page.wait_for_timeout(300)
        assert content
        assert someone.console == []
