"""Swaps of the page for one person: none of them runs by way of the verifier.

A hundred here, a thousand by `make swaps`; a verifier that does not compare lets them run.
"""

import base64
import hashlib
import os
import re
from contextlib import contextmanager

import pytest
from swapper import KINDS, Answer, canary, operating, swaps

from askance_collect.respond import render_page, render_verifier, verified_link
from askance_collect.wire import Form

SWAPS = int(os.environ.get("SWAPS", "100"))
OTHER = "This is not the page that was published"
AWAY = "The page could not be fetched"
TRY = """async ([link, number]) => {
  const told = {};
  const main = document.getElementById("main");
  const said = () => main.querySelector("h1").textContent;
  for (let at = 0; at < number; at += 1) {
    const judged = new Promise((resolve, reject) => {
      const seen = new MutationObserver(() => {
        if (said().startsWith("Checking")) return;
        seen.disconnect();
        resolve();
      });
      seen.observe(main, { childList: true });
      setTimeout(() => reject(new Error(`swap ${at} was opened: ${document.title}`)), 30000);
    });
    location.hash = `${link}&n=${at}`;
    await judged;
    told[said()] = (told[said()] ?? 0) + 1;
  }
  return told;
}"""
COMPARED = re.compile(r"(?<=return )(\w+)===\w+(?=\?\{text:)")


@contextmanager
def studied(form, change=lambda verifier: verifier):
    """Serve the page of a form and its verifier: the operator, the link, and the published page."""
    published = {}
    with operating(published) as operator:
        form = Form.read(form.document | {"collector": operator.home})
        page = render_page(form)
        verifier = change(render_verifier(form, operator.home, "The ethics board").bytes)
        published["/"] = Answer(kind="published", body=page.bytes)
        published["/verifier.html"] = Answer(kind="verifier", body=verifier)
        published["/report"] = Answer(kind="report", body=b"{}")
        library = operator.home.replace("127.0.0.1", "localhost")
        link = verified_link(f"{library}verifier.html", operator.home, page.sha256)
        yield operator, link, page.bytes


def uncomparing(verifier):
    """Make the twin that opens whatever it finds, under the same policy."""
    text = verifier.decode()
    script = re.search(r'<script type="module">(.*)</script>', text, re.DOTALL)[1]
    changed = COMPARED.sub(r"\1", script)
    assert changed != script
    before, after = (
        base64.b64encode(hashlib.sha256(item.encode()).digest()).decode()
        for item in (script, changed)
    )
    assert text.count(before) == 1
    return text.replace(script, changed).replace(before, after).encode()


def unguarded(verifier):
    """Make the twin that opens whatever it finds, and has no policy."""
    return re.sub(rb"<meta http-equiv.*\n", b"", uncomparing(verifier), count=1)


def test_none_of_many_swaps_runs(forms, person):
    with studied(forms["marriage"]) as (operator, link, page):
        iter_result = iter(swaps(page, render_page(forms["evening"]).bytes, operator.home, SWAPS))
        operator.answers["/"] = lambda: next(iter_result)
        someone = person(link)
        someone.page.get_by_role("heading", name=OTHER).wait_for()
        value = someone.page.evaluate(TRY, [link.partition("#")[2], SWAPS - 1])
        assert next(iter_result, None) is None
        assert set(value) <= {OTHER, AWAY}
        assert sum(value.values()) == SWAPS - 1
        assert operator.calls == []
        assert operator.asked.count("/") == SWAPS


RUNS = {
    unguarded: {"no policy", "a script before", "two members", "a refresh"},
    uncomparing: {"a refresh"},
}
"""What each twin lets run: the policy alone keeps out all but what needs no script."""


@pytest.mark.parametrize("twin", RUNS)
def test_what_does_not_compare_lets_them_run(forms, person, twin):
    with studied(forms["marriage"], twin) as (operator, link, page):
        ran = set()
        someone = person(link)
        for item in swaps(page, b"<title>other</title>", operator.home, len(KINDS)):
            if item.kind not in {*RUNS[unguarded], "one bit", "another script"}:
                continue
            operator.answers["/"] = lambda element=item: element
            operator.calls.clear()
            someone.page.goto("about:blank")
            someone.page.goto(link)
            someone.page.wait_for_timeout(200)
            if operator.calls:
                ran.add(item.kind)
    assert ran == RUNS[twin]


def test_the_page_is_opened_whatever_headers_come_with_it_and_they_run_nothing(forms, person):
    with studied(forms["marriage"]) as (operator, link, page):
        someone = person(link)
        for name, value in {
            "content-type": "text/javascript; charset=utf-16",
            "refresh": f"0;url={operator.home}canary?refreshed",
            "link": f"<{operator.home}canary?link>;rel=preload;as=script",
            "content-disposition": "attachment",
            "content-security-policy": "script-src *",
            "service-worker-allowed": "/",
        }.items():
            operator.answers["/"] = Answer(kind=name, body=page, headers={name: value})
            someone.page.goto("about:blank")
            someone.open(link)
            someone.page.get_by_role("heading", name="Marriage and faith").wait_for()
        assert operator.calls == []


def test_a_second_answer_is_not_asked_for(forms, person):
    with studied(forms["marriage"]) as (operator, link, page):
        calls = canary(operator.home, 0)
        bad = Answer(kind="second", body=b"<script>" + calls + b"</script>" + page)
        answers = iter([Answer(kind="first", body=page), bad, bad])
        operator.answers["/"] = lambda: next(answers)
        someone = person(link)
        someone.page.get_by_role("heading", name="Marriage and faith").wait_for()
        someone.consent()
        someone.practise()
        assert operator.asked.count("/") == 1
        assert operator.calls == []
