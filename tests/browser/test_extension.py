"""What stands above a page can do all that the threat model leaves open; this shows that it can."""

import json

import pytest

from askance_collect.respond import respond

ABOVE = """
    window.seen = { marks: [], draws: [], sent: [] };
    addEventListener("change", ({ target }) => {
        if (target.type === "radio") seen.marks.push(target.closest("label").innerText.trim());
    }, true);
    const draw = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = (into) => {
        const drawn = draw(into);
        seen.draws.push(...drawn);
        return drawn;
    };
    const post = fetch.bind(window);
    window.fetch = (where, what) => {
        if (what?.body !== undefined) seen.sent.push(what.body);
        return window.kept ? Promise.reject(new TypeError("kept back")) : post(where, what);
    };
"""
"""What an extension may run in a page, before any of the page's own."""
ANSWERS = (1, 0, 2, 0)


@pytest.fixture
def watched(collect, forms, person):
    """A survey in a browser with an extension; its collector, and the person."""
    collector = collect(forms["marriage"])
    return collector, person(collector.url, script=ABOVE)


def _read_seen(someone):
    return someone.page.evaluate("window.seen")


def test_an_extension_sees_answers_draws_and_that_somebody_took_part(watched):
    collector, someone = watched
    someone.take(*ANSWERS)
    before = _read_seen(someone)
    labels = [answer.wording["en"] for answer in collector.form.questions[0].answers]
    assert labels[ANSWERS[0]] in before["marks"]
    assert len(before["draws"]) > 20
    assert before["sent"] == []
    someone.send()
    (messages,) = _read_seen(someone)["sent"]
    assert json.loads(messages)["answers"] == collector.reports()[0]


def test_an_extension_posts_what_it_likes(watched):
    collector, someone = watched
    values = {question.name: 0 for question in collector.form.questions}
    body = respond(collector.form, values).body(collector.form.size).decode("ascii")
    text = "body => fetch('report', { method: 'POST', body }).then((reply) => reply.status)"
    assert someone.page.evaluate(text, body) == 201
    assert collector.reports() == [json.loads(body)["answers"]]


def test_an_extension_keeps_a_message_back_and_the_page_says_that_it_is_not_confirmed(watched):
    collector, someone = watched
    someone.take(*ANSWERS)
    someone.page.evaluate("window.kept = true")
    someone.proceed()
    someone.page.wait_for_selector("text=Not confirmed yet")
    assert collector.reports() == []


def test_an_extension_asks_something_else(watched):
    collector, someone = watched
    someone.consent()
    someone.practise()
    someone.page.locator("h1").evaluate("(node) => { node.textContent = 'Did you ever steal?'; }")
    assert someone.heading() == "Did you ever steal?"
    someone.answer(*ANSWERS)
    someone.reveal()
    someone.send()
    assert len(collector.reports()) == 1
