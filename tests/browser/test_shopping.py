"""Someone who shops for a record gets the same one or none; and what binds them tells no answer."""

import json

import pytest

ANSWERS = {"marriage": (1, 0, 2, 0), "evening": ("7.5", 1, "3200", 0)}
OTHERS = {"marriage": (0, 1, 0, 1), "evening": ("3", 0, "6000", 1)}


def reloaded(someone, url):
    someone.page.reload()


def leave_and_return(someone, url):
    someone.page.locator("button.leave").click()
    someone.page.wait_for_url("about:blank")
    someone.open(url)


def back_and_forth(someone, url):
    someone.page.goto("about:blank")
    someone.page.go_back()


def typed_again(someone, url):
    someone.open(url)


def shop(someone, url, name, variant):
    """Come again, and answer otherwise if the page lets one; give what would be sent."""
    variant(someone, url)
    someone.page.wait_for_selector("h1")
    someone.consent()
    if not someone.page.locator("pre.bytes").count():
        someone.practise()
        someone.answer(*OTHERS[name])
    return json.loads(someone.body())


def read_storage(someone):
    (text,) = someone.storage().values()
    return json.loads(text)


@pytest.mark.parametrize(
    ("variant", "language"),
    [(reloaded, "en"), (leave_and_return, "de"), (back_and_forth, "en"), (typed_again, "de")],
)
def test_whoever_comes_again_gets_the_same_record(collect, forms, person, variant, language):
    collector = collect(forms["evening"])
    someone = person(collector.url, language=language)
    someone.take(*ANSWERS["evening"])
    document = json.loads(someone.body())
    assert shop(someone, collector.url, "evening", variant) == document
    someone.send()
    assert collector.reports() == [document["answers"]]
    assert someone.console == []


@pytest.mark.parametrize("variant", [reloaded, leave_and_return])
def test_whoever_comes_again_before_the_records_keeps_the_draws(collect, forms, person, variant):
    collector = collect(forms["marriage"])
    someone = person(collector.url)
    someone.consent()
    someone.practise()
    someone.answer(*ANSWERS["marriage"])
    draws = read_storage(someone)
    assert set(draws) == {"draws", "id"}
    variant(someone, collector.url)
    someone.page.wait_for_selector("h1")
    assert read_storage(someone) == draws
    someone.consent()
    someone.practise()
    someone.answer(*ANSWERS["marriage"])
    assert read_storage(someone) == draws
    assert json.loads(someone.body())["id"] == draws["id"]


@pytest.mark.parametrize(
    ("old", "new", "variant"),
    [
        ("    leave() {", "    leave() { forget(storage, key);", leave_and_return),
        ("hold({ id: kept.id, values, dropped: [] });", "kept = {...kept, values};", reloaded),
    ],
)
def test_a_page_that_lets_people_shop_is_caught(twin, collect, forms, person, old, new, variant):
    twin("draft", old, new)
    collector = collect(forms["evening"])
    someone = person(collector.url, words=[9, 0, 40, 90, 0, 30, 60, 2, 0])
    someone.take(*ANSWERS["evening"])
    document = json.loads(someone.body())
    assert shop(someone, collector.url, "evening", variant) != document


def before_records(collect, form, person):
    """Give the last screen before the records, for two ways of chance, and what they would send."""
    url, screens, reports = collect(form).url, [], []
    for words in ([19, 9, 19, 999, 0, 20], [0, 0, 0, 0, 0, 20]):
        someone = person(url, words=words)
        someone.consent()
        someone.practise()
        someone.answer(*ANSWERS["marriage"])
        assert someone.heading() == "Your answers"
        screens.append(someone.page.locator("main").inner_html())
        reports.append(json.loads(someone.body())["answers"])
    return screens, reports


def test_before_the_records_are_bound_nothing_drawn_is_shown(collect, forms, person):
    screens, reports = before_records(collect, forms["marriage"], person)
    assert screens[0] == screens[1]
    assert reports[0] != reports[1]


def test_a_page_that_shows_what_was_drawn_is_caught(twin, collect, forms, person):
    twin(
        "review",
        "answerText(visit, index), index));",
        "answerText(visit, index) + visit.draft.draws(index), index));",
    )
    screens, _ = before_records(collect, forms["marriage"], person)
    assert screens[0] != screens[1]


def test_once_the_records_are_shown_no_answer_can_be_changed(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    someone.consent()
    someone.practise()
    someone.answer(*ANSWERS["marriage"])
    change, back = (
        someone.page.locator("main").get_by_role("button", name=name) for name in ("Change", "Back")
    )
    assert (change.count(), back.count()) == (4, 1)
    someone.reveal()
    assert (change.count(), back.count()) == (0, 0)
    assert "No answer can be changed now." in someone.page.locator("main").inner_text()


STEPS = ("drawn", "answered", "shown", "dropped", "taken up", "reloaded", "sent")


def stores(someone, name, answers):
    """Take the survey, and give what the tab keeps after each step."""
    someone.consent()
    result = [someone.storage()]
    someone.practise()
    someone.answer(*answers)
    result.append(someone.storage())
    someone.reveal()
    result.append(someone.storage())
    drops = someone.page.get_by_label("Send nothing for this question")
    for number in (drops.count() - 1, 0):
        drops.nth(number).check()
    result.append(someone.storage())
    for number in (0, drops.count() - 1):
        drops.nth(number).uncheck()
    result.append(someone.storage())
    someone.page.reload()
    someone.page.wait_for_selector("h1")
    someone.consent()
    result.append(someone.storage())
    someone.send()
    result.append(someone.storage())
    return dict(zip(STEPS, result, strict=True))


TWO_TRUTHS = [
    ("marriage", [19, 9, 19, 999, 0, 20], (1, 0, 0, 0), (1, 1, 1, 0)),
    ("evening", [9, 0, 40, 90, 0, 30, 60, 2, 0], ("7.5", 1, "3200", 0), ("7.5", 1, "6000", 1)),
]


@pytest.mark.parametrize(("name", "words", "item", "other"), TWO_TRUTHS)
def test_two_truths_with_one_report_leave_the_same_in_the_tab(
    collect, forms, person, name, words, item, other
):
    url = collect(forms[name]).url
    stores_results = [stores(person(url, words=words), name, answers) for answers in (item, other)]
    assert stores_results[0] == stores_results[1]
    draws, answered, displayed, dropped, taken_up, reloaded, reports = stores_results[0].values()
    assert draws == answered
    assert displayed == taken_up == reloaded
    assert len({json.dumps(element) for element in (draws, displayed, dropped, reports)}) == 4


def test_a_page_that_keeps_an_answer_is_caught(twin, collect, forms, person):
    twin("draft", "values, dropped: [] });", "values, dropped: [], answers });")
    name, words, *truths = TWO_TRUTHS[0]
    url = collect(forms[name]).url
    stores_results = [stores(person(url, words=words), name, answers) for answers in truths]
    assert stores_results[0]["answered"] == stores_results[1]["answered"]
    assert stores_results[0]["shown"] != stores_results[1]["shown"]


def test_what_binds_holds_nothing_beyond_what_is_sent(collect, forms, person):
    form = forms["evening"]
    someone = person(collect(form).url)
    someone.take(*ANSWERS["evening"])
    body = json.loads(someone.body())
    values = [body["answers"][question.name] for question in form.questions]
    assert read_storage(someone) == {"id": body["id"], "values": values, "dropped": []}
    assert someone.page.evaluate("() => [localStorage.length, document.cookie, history.state]") == [
        0,
        "",
        1,
    ]


def test_a_record_can_be_left_blank_and_taken_up_again(collect, forms, person):
    collector = collect(forms["marriage"])
    someone = person(collector.url, words=[19, 9, 19, 999, 0, 20])
    someone.take(*ANSWERS["marriage"])
    document = json.loads(someone.body())
    drop = someone.page.get_by_label("Send nothing for this question").nth(1)
    drop.press("Enter")
    assert someone.posts() == []
    drop.press("Space")
    assert drop.evaluate("node => node === document.activeElement")
    blank = json.loads(someone.body())
    assert blank["answers"] == document["answers"] | {"any_affair": None}
    assert someone.page.locator(".out dd").nth(1).inner_text().startswith("The record is blank.")
    assert read_storage(someone)["dropped"] == [1]
    drop.press("Space")
    assert json.loads(someone.body()) == document
    drop.check()
    someone.page.reload()
    someone.consent()
    assert json.loads(someone.body()) == blank
    assert someone.page.get_by_label("Send nothing").nth(1).is_checked()
    assert someone.page.locator(".sides > div:first-child.out").count() == 4
    someone.send()
    assert collector.reports() == [blank["answers"]]


def test_after_a_failure_the_message_stays_as_it_went_out(collect, forms, person):
    collector = collect(forms["marriage"])
    someone = person(collector.url)
    someone.take(*ANSWERS["marriage"])
    someone.page.get_by_label("Send nothing").first.check()
    body_result = someone.body()
    someone.page.context.set_offline(True)
    someone.press("Send")
    someone.page.get_by_text("The message is still here").wait_for()
    someone.page.context.set_offline(False)
    assert set(read_storage(someone)) == {"id", "values"}
    assert read_storage(someone)["values"][0] is None
    for _ in range(2):
        assert someone.heading() == "Not confirmed yet"
        assert someone.page.locator("main input").count() == 0
        assert someone.body() == body_result
        someone.page.reload()
        someone.consent()
    someone.press("Send again")
    someone.page.wait_for_selector(".receipt")
    assert collector.reports() == [json.loads(body_result)["answers"]]


def test_while_a_message_is_on_its_way_nothing_can_be_dropped(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    someone.take(*ANSWERS["marriage"])
    with someone.on_its_way():
        someone.press("Send")
        someone.page.get_by_text("Sending").wait_for()
        drops = someone.page.get_by_label("Send nothing for this question").all()
        assert [drop.is_disabled() for drop in drops] == [True] * len(drops)
    someone.page.wait_for_selector(".receipt")


DAMAGED = (
    {"values": [None]},
    {"values": [0, 0, 0, 99]},
    {"values": [0, 0, [0, 1], 0]},
    {"values": "0000"},
    {"values": [0, 0, 0, [0, 1]], "dropped": [4]},
    {"values": [0, 0, 0, [0, 1]], "dropped": 0},
    {"values": [0, 0, 0, [0, 1]], "id": "0"},
)


def test_damaged_records_are_drawn_again(collect, forms, person):
    collector = collect(forms["marriage"])
    someone = person(collector.url)
    key = f"askance:{collector.form.fingerprint}"
    entire = {"id": "0" * 32, "values": [0, 0, 0, [0, 1]], "dropped": []}
    for damage in (*DAMAGED, {}):
        text = json.dumps(entire | damage)
        someone.page.evaluate("([key, text]) => sessionStorage.setItem(key, text)", [key, text])
        someone.page.reload()
        someone.consent()
        assert (
            read_storage(someone) == entire
            if damage == {}
            else set(read_storage(someone)) == {"draws", "id"}
        )
