"""An invitation counts once: exchanged before the first question, and joined to no report."""

import json
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

import askance as ak
from askance_collect.collect import serving
from askance_collect.tokens import create_exchange, create_issuer
from askance_collect.wire import Form, from_base64url, pss_verify, to_base64url, token_message

SURVEY = """
askance = "survey-1"
title = "Exams"
consent = "Say it or leave."
contact = "Write to study@example.org"
[[question]]
name = "cheated"
text = "Have you ever cheated in an exam?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""
CODE_HEADING = "Your invitation code"
PRACTICE = "A practice question"


@pytest.fixture(scope="module")
def issuers(tmp_path_factory):
    """Two issuers, the second of which nobody asked, each with its address."""
    folder = tmp_path_factory.mktemp("issuers")
    made_issuers = [create_issuer(folder / f"{name}.issuer") for name in ("ours", "theirs")]
    with (
        serving(create_exchange(made_issuers[0])) as ours,
        serving(create_exchange(made_issuers[1])) as theirs,
    ):
        yield [*zip(made_issuers, (ours, theirs), strict=True)]
    for made_issuer in made_issuers:
        made_issuer.close()


@pytest.fixture(scope="module")
def form_of(issuers):
    """Make a form with the keys of issuers, and an address: form_of(address, later=14)."""

    def make(address, groups=1, codes=None, **more):
        keys = [key for issuer, _ in issuers[:groups] for key in issuer.public_keys]
        listed = [
            {"name": name, "n": to_base64url(key.modulus.to_bytes(256, "big"))}
            for name, key in zip("ab", keys, strict=False)
        ]
        for key, many in zip(listed, codes or (), strict=False):
            key["codes"] = many
        tokens = {"issuer": address, "keys": listed}
        document = ak.publish(ak.parse_survey(SURVEY.encode())).document
        return Form.read(document | {"askance": "form-2", "tokens": tokens} | more)

    return make


@pytest.fixture
def invited(issuers, form_of, collect, person):
    """Seat somebody with a code before the exchange: invited(…)."""

    started = {}

    def seat(form=None, code=None, **how):
        issuer, address = issuers[0]
        questions = form or form_of(address)
        if questions.fingerprint not in started:
            started[questions.fingerprint] = collect(questions)
        collector = started[questions.fingerprint]
        code = issuer.invite(1)[0] if code is None else code
        someone = person(f"{collector.url}#pid=7&code={code}" if code else collector.url, **how)
        someone.collector, someone.code = collector, code
        someone.consent()
        assert someone.heading() == CODE_HEADING
        return someone

    return seat


def exchange(someone):
    someone.press_main("Exchange the code")
    someone.page.get_by_role("heading", name=PRACTICE).wait_for()


def complaint(someone):
    line = someone.page.locator("#complaint:not(:empty)")
    line.wait_for()
    return line.inner_text()


def to(someone, path):
    return [item for item in someone.posts() if urlsplit(item.url).path == path]


def finish(someone, answer=0):
    someone.practise()
    someone.answer(answer)
    return someone.body()


def test_a_code_in_the_address_becomes_a_token_that_is_sent_behind_the_report(invited):
    someone = invited()
    assert someone.page.locator("#code").input_value() == someone.code
    exchange(someone)
    assert someone.page.url.endswith("/#pid=7")
    assert someone.code not in json.dumps(someone.storage())
    finish_result = finish(someone)
    someone.send()
    (questions,), (report,) = to(someone, "/sign"), to(someone, "/report")
    assert report.post_data == finish_result
    assert len(finish_result) == someone.collector.form.posted_size
    document = json.loads(questions.post_data)
    assert set(document) == {"blinded", "code"}
    assert document["code"] == someone.code
    assert someone.code not in finish_result
    assert document["blinded"] not in finish_result
    assert "cheated" not in questions.post_data
    assert {urlsplit(item.url).netloc for item in someone.sent} == {
        urlsplit(someone.collector.url).netloc,
        urlsplit(questions.url).netloc,
    }
    assert list(someone.storage().values()) == ["receipt"]
    assert len(someone.collector.reports()) == 1
    assert someone.console == []


def test_by_way_of_a_verifier_a_code_buys_a_token_and_one_report_is_kept(
    issuers, form_of, verified, person
):
    issuer, address = issuers[0]
    link, collector = verified(form_of(address))
    (code,) = issuer.invite(1)
    someone = person(f"{link}&code={code}")
    someone.consent()
    assert someone.page.locator("#code").input_value() == code
    exchange(someone)
    assert someone.page.evaluate("() => location.hash").count("code=") == 0
    assert f"sha256={link.partition('sha256=')[2]}" in someone.page.url.replace("%3A", ":")
    someone.page.reload()
    someone.page.get_by_role("heading", name="Exams").wait_for()
    someone.consent()
    assert someone.heading() == PRACTICE
    finish_result = finish(someone)
    someone.send()
    (questions,), (report,) = to(someone, "/sign"), to(someone, "/report")
    assert report.post_data == finish_result
    assert len(finish_result) == collector.form.posted_size
    assert code not in finish_result
    assert len(collector.reports()) == 1
    assert {urlsplit(item.url).netloc for item in someone.sent} == {
        urlsplit(where).netloc for where in (link, collector.url, questions.url)
    }
    assert list(someone.storage().values()) == ["receipt"]
    assert someone.console == []


def test_nobody_comes_to_a_question_without_a_token(invited):
    someone = invited(code="")
    someone.press_main("Exchange the code")
    assert complaint(someone).startswith("There is no such code")
    assert to(someone, "/sign") == []
    someone.page.locator("#code").fill("0" * 16)
    someone.press_main("Exchange the code")
    assert complaint(someone).startswith("There is no such code")
    someone.press("Back")
    assert someone.heading() == "Exams"
    someone.consent()
    assert someone.heading() == CODE_HEADING
    someone.page.reload()
    assert someone.page.locator("h1").inner_text() == "Exams"
    assert all(json.loads(item.post_data)["code"] == "0" * 16 for item in to(someone, "/sign"))


def test_a_code_counts_once_however_it_is_typed(invited, issuers):
    first = invited()
    exchange(first)
    code = first.code
    second = invited(code="")
    second.page.locator("#code").fill(f" {code[:8].lower()}-{code[8:]} ")
    second.press_main("Exchange the code")
    assert complaint(second).startswith("This code has been exchanged already")
    assert second.page.evaluate("document.activeElement.id") == "code"


@pytest.mark.parametrize("reloaded", [False, True])
def test_an_answer_that_was_lost_is_asked_for_again(invited, reloaded):
    someone = invited()
    someone.page.route("**/sign", lambda route: (route.fetch(), route.abort()))
    someone.press_main("Exchange the code")
    assert complaint(someone).startswith("The code could not be exchanged just now")
    someone.page.unroute("**/sign")
    if reloaded:
        someone.page.reload()
        someone.consent()
        assert someone.page.locator("#code").input_value() == someone.code
    exchange(someone)
    bodies = {item.post_data for item in to(someone, "/sign")}
    assert len(bodies) == 1
    finish(someone)
    someone.send()
    assert len(someone.collector.reports()) == 1


@pytest.mark.parametrize("beyond", [False, True], ids=["signed", "beyond its modulus"])
def test_what_another_key_has_signed_is_no_token(invited, issuers, form_of, beyond):
    other, address = issuers[1]
    someone = invited(form_of(address), code=other.invite(1)[0])
    if beyond:  # what one key blinds may be too large for another, by chance: so it is said here
        refused = json.dumps({"error": {"code": "wrong", "message": "blinded"}})
        someone.page.route("**/sign", lambda route: route.fulfill(status=422, body=refused))
    someone.press_main("Exchange the code")
    assert complaint(someone).startswith("What came back does not fit the key of this survey")
    assert "token" not in json.loads(next(iter(someone.storage().values())))


def test_a_token_outlives_a_reload_and_is_not_bought_twice(invited):
    someone = invited()
    exchange(someone)
    someone.page.reload()
    someone.consent()
    assert someone.heading() == PRACTICE
    finish(someone)
    someone.page.reload()
    someone.consent()
    assert someone.page.locator("pre.bytes").count() == 1
    someone.send()
    assert len(to(someone, "/sign")) == 1
    assert len(someone.collector.reports()) == 1


def test_traffic_is_equal_whatever_the_answer(invited):
    observed = []
    for answer in (0, 1):
        someone = invited()
        exchange(someone)
        finish(someone, answer)
        someone.send()
        observed.append(
            [
                (item.method, urlsplit(item.url).path, len(item.post_data or ""))
                for item in someone.sent
            ]
        )
    assert observed[0] == observed[1]


def test_a_token_is_put_away_with_its_visit(invited, issuers, form_of):
    someone = invited(form_of(issuers[0][1], later=14))
    exchange(someone)
    someone.practise()
    someone.answer(0)
    someone.press("Go on later")
    someone.press_main("Put away")
    element = someone.page.locator("p.away")
    element.wait_for()
    lying = someone.page.evaluate("() => JSON.stringify({...localStorage})")
    (token,) = (json.loads(text)["token"] for text in someone.storage().values() if "token" in text)
    assert token not in lying
    other = type(someone)(someone.page.context.new_page()).open(someone.collector.url)
    other.page.locator("#code").fill(element.inner_text())
    other.press_main("Go on")
    other.page.locator("#code").wait_for(state="detached")
    other.body()
    other.send()
    assert len(someone.collector.reports()) == 1
    assert to(other, "/sign") == []


def test_the_screen_says_how_many_groups_of_codes_its_keys_tell_apart(invited, issuers, form_of):
    address = issuers[0][1]
    texts = [
        invited(form_of(address, groups=groups)).page.locator("main").inner_text()
        for groups in (1, 2)
    ]
    text = "This survey has 2 keys, each for one group of codes."
    assert [text in screen for screen in texts] == [False, True]


def test_the_screen_names_the_group_of_a_code_and_how_many_are_in_it(invited, issuers, form_of):
    form = form_of(issuers[0][1], groups=2, codes=(12_000, 50))
    someone = invited(form)
    element = someone.page.locator("main [role=status]")
    assert element.inner_text() == (
        "Your code is one of 12,000 of the group “a”. Which of them it is, the token does not say."
    )
    someone.page.locator("#code").fill(f" 1{someone.code[1:]}")
    assert element.inner_text().startswith("Your code is one of 50 of the group “b”.")
    someone.page.locator("#code").fill("2")
    assert element.inner_text() == ""
    someone.page.locator("#code").fill(someone.code.lower())
    assert "12,000" in element.inner_text()
    exchange(someone)


def test_a_form_that_counts_no_codes_is_told_of(invited):
    text = invited().page.locator("main [role=status]").inner_text()
    assert text.endswith("you may be alone in it.")


def token_of(someone):
    """What is shown to be sent, behind the report: the key of its token, prefix and signature."""
    size = someone.collector.form.size
    raw = from_base64url(someone.body()[size:])
    return raw[0], raw[1:33], raw[33:]


@pytest.mark.parametrize("minimum", [1, 50])
def test_a_key_for_each_person_is_refused_by_the_page(
    issuers, form_of, collect, person, monkeypatch, minimum
):
    """Whoever gives each person a key cannot also say it of the keys, whatever the minimum is."""
    with ExitStack() as cheating:
        deployed = _with_a_key_for_each(monkeypatch, cheating, form_of, issuers, minimum)
        someone = person(collect(deployed).url)
    assert someone.page.locator("h1").inner_text() == "This page cannot be used"


def test_a_page_that_takes_a_key_for_each_person_names_them(
    issuers, form_of, collect, person, monkeypatch, twin
):
    twin("tokens", '"codes?": [2, 1e9]', '"codes?": [1, 1e9]')
    with ExitStack() as cheating:
        deployed = _with_a_key_for_each(monkeypatch, cheating, form_of, issuers, 1)
        collector = collect(deployed)
    (code,) = issuers[0][0].invite(1)
    someone = person(f"{collector.url}#code={code}")
    someone.collector = collector
    someone.consent()
    exchange(someone)
    finish(someone)
    assert token_of(someone)[0] == 0  # nobody else has a code under this key


def _with_a_key_for_each(monkeypatch, cheating, form_of, issuers, minimum):
    """Have a collector deploy what no reader of a form takes: keys of a single code."""
    patch = cheating.enter_context(monkeypatch.context())
    patch.setattr("askance_collect.wire.form.conform", lambda *_: None)
    patch.setattr("askance_collect.wire.token.conform", lambda *_: None)
    patch.setattr("askance_collect.wire.token._need_crowds", lambda *_: None)
    return form_of(issuers[0][1], groups=2, codes=(1, 1), about={"minimum": minimum})


MARKS = 3, 5
"""By which a cheating issuer multiplies what it signed, for each person another."""


def _visit_marked(invited, issuers, form, mark):
    """Exchange a code at an issuer that marks what it has signed."""
    someone = invited(form)
    modulus = issuers[0][0].public_keys[0].modulus

    def sign(route):
        document = json.loads(route.request.post_data)
        good = int.from_bytes(
            issuers[0][0].sign(document["code"], from_base64url(document["blinded"]))
        )
        marked = to_base64url((good * mark % modulus).to_bytes(256, "big"))
        cross = {"Access-Control-Allow-Origin": "*"}
        route.fulfill(body=json.dumps({"signature": marked}), headers=cross)

    someone.page.route("**/sign", sign)
    someone.press_main("Exchange the code")
    return someone


def test_what_was_signed_for_one_person_alone_is_no_token(invited, issuers, form_of):
    someone = _visit_marked(invited, issuers, form_of(issuers[0][1]), MARKS[0])
    assert complaint(someone).startswith("What came back does not fit the key of this survey")
    assert to(someone, "/report") == []


def test_a_page_that_looks_at_no_signature_is_marked(invited, issuers, form_of, twin):
    """With the one check left out, an issuer reads from every token whose it is."""
    twin("tokens", "!== encoded) return undefined", "=== 0n) return undefined")
    form, key = form_of(issuers[0][1], languages=["en"]), issuers[0][0].public_keys[0]
    for mark in MARKS:
        someone = _visit_marked(invited, issuers, form, mark)
        someone.page.get_by_role("heading", name=PRACTICE).wait_for()
        finish(someone)
        _, prefix, signature = token_of(someone)
        message = token_message(form.fingerprint, prefix)
        number = int.from_bytes(signature)
        named = [
            item
            for item in MARKS
            if pss_verify(
                message,
                (number * pow(item, -1, key.modulus) % key.modulus).to_bytes(256, "big"),
                key,
            )
        ]
        assert named == [mark]


def test_the_screen_of_the_exchange_keeps_nobody_out(invited, axe):
    someone = invited(code="")
    someone.page.set_viewport_size({"width": 320, "height": 740})
    someone.press_main("Exchange the code")
    complaint(someone)
    assert axe(someone.page)[0] == []
    box = someone.page.get_by_label(CODE_HEADING)
    assert box.get_attribute("aria-describedby") == "complaint"
    assert someone.page.evaluate("document.documentElement.scrollWidth") <= 320
