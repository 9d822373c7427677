"""Back goes back: the browser's buttons are steps, languages change in place, faults are told."""

import pytest
from test_door import free_port, saved_page
from test_skips import NO, YES, english

from askance_collect.wire import Form

HISTORY = "[history.length, history.state]"
ELSEWHERE = "data:text/html,<h1>Elsewhere</h1>"
CHECKED = "[...document.querySelectorAll('main input')].findIndex((control) => control.checked)"


def heading_after(someone, action):
    """Do something that leads to another screen, and give the heading of that."""
    before = someone.heading()
    action()
    someone.page.wait_for_function(
        "before => document.querySelector('h1')?.innerText !== before", arg=before
    )
    return someone.heading()


@pytest.fixture
def second_question(collect, forms, person):
    """Somebody at the second question, whose first has been answered."""
    someone = person(collect(forms["marriage"]).url)
    someone.consent()
    someone.practise()
    someone.answer(1)
    return someone


def settled(someone):
    someone.page.wait_for_function("() => history.state === 1")


def test_back_and_forward_of_the_browser_are_steps(second_question):
    page, card = second_question.page, second_question.heading()
    question = heading_after(second_question, page.go_back)
    assert page.evaluate(CHECKED) == 1
    second_question.page.locator("input[type=radio]").nth(0).check()
    settled(second_question)
    heading_after(second_question, page.go_back)
    settled(second_question)
    assert heading_after(second_question, page.go_forward) == question
    assert page.evaluate(CHECKED) == 0  # typed anew, and not sent on
    settled(second_question)
    assert heading_after(second_question, page.go_forward) == card
    settled(second_question)
    page.go_forward()  # nothing was seen beyond
    settled(second_question)
    assert second_question.heading() == card


def test_the_button_of_a_screen_keeps_what_was_chosen_there(second_question):
    second_question.proceed()
    second_question.page.locator("input[type=radio]").nth(1).check()
    second_question.press("Back")
    second_question.press("Back")
    second_question.proceed()
    second_question.proceed()
    assert second_question.page.evaluate(CHECKED) == 1


def test_the_entries_hold_one_number_and_are_as_many_for_everybody(collect, person):
    url, places = collect(english("skips")).url, []
    for first in (YES, NO):
        someone = person(url)
        someone.consent()
        someone.practise()
        someone.answer(first)
        observed = [someone.heading()]
        observed.append(heading_after(someone, someone.page.go_back))
        settled(someone)
        observed.append(heading_after(someone, someone.page.go_forward))
        settled(someone)
        assert observed[0] == observed[2]
        places.append((someone.page.evaluate(HISTORY), observed[0]))
    assert places[0][0] == places[1][0]
    assert places[0][0][1] == 1
    assert places[0][1] != places[1][1]


def test_one_answer_is_changed_and_back_leads_to_the_review(second_question):
    second_question.answer(0, 2, 0)
    review = second_question.heading()
    second_question.page.get_by_role("button", name="Change").first.click()
    second_question.page.locator("input[type=radio]").nth(2).check()
    assert heading_after(second_question, second_question.page.go_back) == review
    settled(second_question)


def test_what_is_bound_is_never_drawn_anew_by_going_back(second_question):
    second_question.answer(0, 2, 0)
    body_result, storage_result = second_question.body(), second_question.storage()
    for _ in range(2):
        second_question.page.go_back()
        settled(second_question)
    assert (second_question.body(), second_question.storage()) == (body_result, storage_result)
    second_question.send()
    second_question.page.wait_for_function("() => history.state === 0")
    second_question.page.go_forward()
    second_question.page.wait_for_function("() => history.state === 0")
    assert second_question.heading() == "Your report has arrived"
    assert len(second_question.posts()) == 1


@pytest.mark.parametrize("begun", [False, True])
def test_once_somebody_has_left_back_does_not_lead_into_the_survey(collect, forms, person, begun):
    someone = person(ELSEWHERE)
    someone.open(collect(forms["marriage"]).url)
    if begun:
        someone.consent()
        someone.practise()
        someone.answer(1)
    someone.press("Leave now")
    someone.page.wait_for_url("about:blank")
    someone.page.go_back()
    someone.page.get_by_role("heading", name="Elsewhere").wait_for()


def test_answers_are_not_lost_unasked(collect, forms, person):
    someone, dialogs = person(collect(forms["marriage"]).url), []
    page = someone.page
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.dismiss()))
    reload = "() => void location.reload()"

    def warned():
        before = len(dialogs)
        page.evaluate(reload)
        page.wait_for_timeout(300)
        return len(dialogs) > before

    page.locator("input[type=checkbox]").check()
    someone.proceed()
    someone.practise()
    page.locator("input[type=radio]").nth(1).check()
    heading = someone.heading()
    assert warned()
    assert someone.heading() == heading
    someone.proceed()
    assert warned()
    someone.answer(0, 2, 0)
    someone.reveal()
    assert warned()
    someone.send()
    assert not warned()
    someone.page.wait_for_selector("h1")


def test_a_language_is_chosen_by_arrow_and_nothing_typed_is_lost(collect, forms, person):
    someone = person(collect(forms["evening"]).url)
    page, keys = someone.page, someone.page.keyboard
    someone.consent()
    someone.practise()
    page.locator(".number").fill("7.5")
    page.locator("#bar select").focus()
    for key, language in (("ArrowDown", "de"), ("ArrowUp", "en")):
        before = page.title()
        keys.press(key)
        page.wait_for_function("lang => document.documentElement.lang === lang", arg=language)
        assert page.locator(".number").input_value() == "7.5"
        assert page.evaluate("document.activeElement.tagName") == "SELECT"
        assert page.title() != before
    keys.press("Tab")
    assert page.evaluate("document.activeElement.className") == "leave"


def test_a_saved_page_has_its_steps_and_a_framed_one_leaves_its_host_alone(
    collect, forms, person, tmp_path, hosted
):
    port = free_port()
    home, page = saved_page(forms["marriage"], port, tmp_path)
    collect(home, port=port)
    someone = person(page)
    someone.consent()
    practice = someone.heading()
    someone.practise()
    assert heading_after(someone, someone.page.go_back) == practice
    text = (tmp_path / "survey.html").read_bytes()
    host = b'<iframe sandbox="allow-scripts" src="/survey" width="400" height="600"></iframe>'
    someone.page.goto(hosted({"/": b"<h1>Host</h1>" + host, "/survey": text}))
    before = someone.page.evaluate(HISTORY)
    frame = someone.page.frames[1]
    frame.locator("input[type=checkbox]").check()
    frame.get_by_role("button", name="Begin").click()
    frame.get_by_role("heading", name=practice).wait_for()
    assert someone.page.evaluate(HISTORY) == before


BROKEN = "throw new Error('broken')"


def test_a_screen_that_fails_says_so_and_what_was_answered_is_kept(collect, forms, person, twin):
    begins = "  const draws = draft.draws(index);"
    twin("questions", begins, f"  if (index === 2 && !globalThis.mended) {BROKEN};\n{begins}")
    collector = collect(forms["marriage"])
    someone = person(collector.url)
    someone.consent()
    someone.practise()
    someone.answer(1, 0)
    assert someone.heading() == "Something on this page did not work"
    someone.press("Back")
    assert someone.page.evaluate(CHECKED) == 0
    someone.proceed()
    assert someone.heading() == "Something on this page did not work"
    someone.page.evaluate("() => void (globalThis.mended = true)")
    someone.press("Try again")
    someone.answer(2, 0)
    someone.reveal()
    someone.send()
    assert collector.reports()[0]["children"] == 1
    assert len(someone.posts()) == 1


def test_a_button_that_fails_leaves_what_was_typed_and_says_so(collect, forms, person, twin):
    gives = "    draft.give(index, answer);"
    twin("questions", gives, f"    if (!globalThis.mended) {BROKEN};\n{gives}")
    someone = person(collect(forms["marriage"]).url)
    someone.consent()
    someone.practise()
    someone.page.locator("input[type=radio]").nth(1).check()
    someone.proceed()
    table = someone.page.get_by_role("alert").filter(has_text="did not work")
    table.wait_for()
    assert someone.page.evaluate(CHECKED) == 1
    someone.page.evaluate("() => void (globalThis.mended = true)")
    someone.proceed()
    assert someone.heading() == "Before the first protected question"
    assert someone.page.locator("#fault").count() == 0


def test_a_fault_while_sending_sends_the_same_message_again(collect, forms, person, twin):
    replies = "  if (answer.id) visit.finish"
    twin("review", replies, f"  if (!globalThis.mended) {BROKEN};\n{replies}")
    collector = collect(forms["marriage"])
    someone = person(collector.url)
    someone.take(1, 0, 2, 0)
    someone.proceed()
    someone.page.get_by_role("button", name="Send again").wait_for()
    someone.page.evaluate("() => void (globalThis.mended = true)")
    someone.send()
    assert len(collector.reports()) == 1
    first, second = (post.post_data for post in someone.posts())
    assert first == second


def test_a_form_that_ends_in_a_panel_hears_of_one_route_as_of_another(collect, forms, person):
    """A page that somebody is sent on to can count the entries of its tab."""
    document = forms["marriage"].document
    form = Form.read(document | {"askance": "form-2", "ending": {"code": "TEA"}})
    url, lengths = collect(form).url, set()
    for variant in ((), ("Back",)):
        someone = person(url)
        someone.consent()
        someone.practise()
        for name in variant:
            someone.press(name)
            someone.practise()
        someone.answer(1, 0, 2, 0)
        someone.reveal()
        someone.send()
        someone.page.wait_for_function("() => history.state === 0")
        lengths.add(someone.page.evaluate("history.length"))
    assert len(lengths) == 1
