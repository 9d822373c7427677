"""A coin in the world in the browser: the page says whose it is, draws nothing, sends the reply."""

import json
from pathlib import Path

import pytest

from askance_collect.wire import Form

FORMS = Path(__file__).parents[2] / "src/askance_collect/wire/vectors/2/forms.json"


@pytest.fixture(scope="module")
def coins():
    good = json.loads(FORMS.read_text("ascii"))["good"]
    return Form.read(next(item["form"] for item in good if item["name"] == "coins"))


def test_the_reply_is_sent_as_it_is_and_nothing_is_drawn(collect, person, coins):
    collector = collect(coins)
    someone = person(collector.url)
    someone.consent()
    assert "this page draws nothing" in someone.page.locator("main").inner_text()
    assert "What protects you is a birthday" in someone.page.locator("main").inner_text()
    stored = json.loads(next(iter(someone.storage().values())))
    assert stored["draws"] == [[], []]
    someone.answer(1, 2)
    assert json.loads(someone.body())["answers"] == {"joint": 1, "three": 2}
    assert someone.page.get_by_text("Sent as you give it").count() == 2
    someone.send()
    assert collector.reports() == [{"joint": 1, "three": 2}]
    assert someone.console == []
