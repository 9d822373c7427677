"""A page is audited as a stranger would: by what it posts."""

import re
from pathlib import Path

import numpy as np
import pytest

import askance as ak
from askance.audit import PageSubject
from askance_collect.respond import render_page

pytestmark = pytest.mark.long

DRAW = re.compile(r"(?<=return )\w+%(\w+)(?=\}\n)")
"""Where the page makes of a random word a number below a bound."""

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


@pytest.fixture(scope="module")
def form():
    return ak.publish(
        ak.parse_survey(b"""
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "milk"
text = "Do you take milk?"
answers = ["yes", "no"]
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "99/100" }
""")
    )


def test_the_page_is_heard_by_what_it_posts(form, binary):
    response = PageSubject(form, "tea", Path(binary)).respond(np.array([0, 1] * 3))
    assert len(response.reports) == 6
    assert set(response.reports) <= {"yes", "no"}
    assert response.traces["length in bytes"].tolist() == [256.0] * 6


def test_a_page_that_draws_otherwise_is_heard_too(form, binary):
    """The broken twin: it draws the last place of every row, whatever the answer."""
    page = render_page(form).bytes.decode()
    assert len(DRAW.findall(page)) == 1
    text = POLICY.sub("", DRAW.sub(r"\1-1", page))
    twin = PageSubject(form, "tea", Path(binary), text.encode())
    assert twin.respond(np.array([0, 1, 0])).reports == ("no", "no", "no")


def test_a_page_whose_report_depends_on_another_question_is_heard_beside_it(form, binary):
    """The broken twin sends of tea what was answered about milk; both are answered by chance."""
    page = POLICY.sub("", render_page(form).bytes.decode())
    assert page.count("<head>") == 1
    twin = page.replace("<head>", f"<head><script>{LEAK}</script>").encode()
    response = PageSubject(form, "tea", Path(binary), twin).respond(np.array([0, 1] * 10))
    assert len(set(response.other_answers["milk"])) == 2
    pairs = zip(response.reports, response.other_answers["milk"], strict=True)
    assert set(pairs) == {("yes", "0, sent 0"), ("no", "1, sent 1")}
    right = PageSubject(form, "tea", Path(binary)).respond(np.array([0] * 20))
    assert set(right.other_answers["milk"]) == {"0, sent 0", "1, sent 1"}
    assert right.reports.count("yes") > 14


LEAK = r"""
const told = (text) => text.replace(/"tea":\d/u, `"tea":${/"milk":(\d)/u.exec(text)?.[1]}`);
const leaked = (body) => (typeof body === "string" && body.includes('"milk"') ? told(body) : body);
const [post, encode] = [globalThis.fetch, TextEncoder.prototype.encode];
globalThis.fetch = (place, options) => post(place, { ...options, body: leaked(options?.body) });
TextEncoder.prototype.encode = function (text) { return encode.call(this, leaked(text)); };
"""


def test_a_page_that_does_not_start_is_told(form, binary):
    """Its policy lets no other script run than the one that it was made with."""
    page = DRAW.sub(r"\1-1", render_page(form).bytes.decode()).encode()
    with pytest.raises(ak.AskanceError, match="a page that does not start"):
        PageSubject(form, "tea", Path(binary), page).respond(np.array([0]))
