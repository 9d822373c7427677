"""The page in a second engine: Debian's Firefox, driven by WebDriver BiDi."""

import base64
import json
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from swapper import Answer, canary, swaps
from test_pin import CHANGED, KEPT, LEFT, TITLE, operated
from test_swaps import AWAY, OTHER, TRY, studied

from askance.survey import load_survey, publish
from askance_collect.respond import render_page
from askance_collect.wire import Form

FOLDER, ROOT = Path(__file__).parent, Path(__file__).parents[2]
AXE = ROOT / "node_modules/axe-core/axe.min.js"
SWAPPED = 20
SAYS = "document.querySelector('h1')?.textContent"


@pytest.fixture(scope="module")
def driven():
    """How a script that drives Firefox is started."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    assert firefox, "Firefox is not installed (Debian: firefox-esr): the page cannot be tested"
    node = shutil.which("node")
    assert node
    return lambda script, *words: [node, FOLDER / script, firefox, *words]


@pytest.fixture(scope="module")
def visit(driven):
    """Visit pages in one Firefox, step by step: visit(open=URL, until=…, tell=…)."""
    command = driven("visits.mjs")
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True, encoding="utf-8") as run:

        def step(**kind):
            run.stdin.write(f"{json.dumps(kind)}\n")
            run.stdin.flush()
            document = json.loads(run.stdout.readline())
            assert "failed" not in document, (kind, document)
            return document["told"]

        yield step
        run.stdin.close()


@pytest.fixture(scope="module")
def take(driven):
    """Take a survey in Firefox; say what was seen, shown and sent."""

    def done(url, language):
        command = driven("firefox.mjs", AXE, url, language)
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    return done


@pytest.mark.parametrize(
    ("example", "language"),
    [
        ("affairs", "en"),
        pytest.param("income", "de", marks=pytest.mark.wide),
        pytest.param("student-life", "en", marks=pytest.mark.wide),
    ],
)
def test_firefox_sends_what_it_shows_and_keeps_nothing(collect, take, example, language):
    form = publish(load_survey(ROOT / f"examples/{example}.toml"))
    assert _take_survey(collect(form), form, take, language)["away"] is None


@pytest.mark.wide
def test_firefox_goes_on_later_by_the_code(collect, take, tmp_path):
    survey = (ROOT / "examples/affairs.toml").read_text("utf-8")
    (tmp_path / "later.toml").write_text(survey.replace("consent =", "later = 7\nconsent =", 1))
    form = publish(load_survey(tmp_path / "later.toml"))
    result = _take_survey(collect(form), form, take, "en")
    away, titles = result["away"], [screen["title"] for screen in result["screens"]]
    assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}", away["code"])
    assert [key.partition(":")[0] for key in away["lasting"]] == ["askance-later"]
    locked = next(iter(away["lasting"].values())).rpartition(" ")[2]
    assert b"draws" not in base64.b64decode(locked)
    assert "This survey was begun on this device" in titles
    index_result = titles.index("Go on later")
    assert titles[index_result - 1] in titles[index_result:]  # where it was left off


@pytest.mark.wide
def test_firefox_keeps_the_report_of_a_tablet_and_nothing_else(collect, take, tmp_path):
    survey = (ROOT / "examples/affairs.toml").read_text("utf-8")
    (tmp_path / "door.toml").write_text(survey.replace("consent =", "tablet = true\nconsent =", 1))
    collector = collect(publish(load_survey(tmp_path / "door.toml")))
    take_result = take(collector.url, "en")
    body = take_result["shown"].encode()
    assert take_result["receipt"] == [json.loads(body)["id"], sha256(body).hexdigest()]
    assert take_result["kept"] == {"cookie": ""}
    assert [take_result["posts"], collector.reports()] == [0, []]
    assert [take_result["strangers"], take_result["said"]] == [[], []]
    assert [screen for screen in take_result["screens"] if screen["broken"] or screen["wide"]] == []
    titles = [screen["title"] for screen in take_result["screens"]]
    assert [titles[0], titles[-1]] == ["For the interviewer", "Your report is kept"]


@pytest.mark.wide
def test_in_firefox_a_verifier_opens_the_page_and_no_swap_of_it(visit, forms):
    with studied(forms["marriage"]) as (operator, link, page):
        assert visit(open=link, until=SAYS, tell=SAYS) == TITLE
        iter_result = iter(swaps(page, b"<title>other</title>", operator.home, SWAPPED))
        operator.answers["/"] = lambda: next(iter_result)
        visit(open="about:blank")
        judged = f"{SAYS} && !{SAYS}.startsWith('Checking')"
        assert visit(open=link, until=judged, tell=SAYS) == OTHER
        visit_result = visit(tell=f"({TRY})({json.dumps([link.partition('#')[2], SWAPPED - 1])})")
        assert next(iter_result, None) is None
        assert set(visit_result) <= {OTHER, AWAY}
        assert sum(visit_result.values()) == SWAPPED - 1
        assert operator.calls == []


@pytest.mark.wide
def test_in_firefox_a_pinned_page_stays_but_for_a_header_that_erases(visit, forms):
    form = Form.read(forms["marriage"].document | {"askance": "form-2", "pin": True})
    page, pinned = render_page(form).bytes, "document.querySelector('#pinned')"
    with operated(form) as operator:
        assert KEPT in visit(open=operator.home, until=pinned, tell=f"{pinned}.textContent")
        for item in swaps(page, b"<title>other</title>", operator.home, SWAPPED):
            operator.answers["/"] = item
            stays = f"{SAYS} === {json.dumps(TITLE)} && {pinned}"
            visit(open=operator.home, until=stays)
        assert operator.calls == []
        erases = {"clear-site-data": '"*"'}
        operator.answers["/"] = Answer(kind="erases", body=page, headers=erases)
        visit(open=operator.home, until=f"{pinned}?.textContent.includes({json.dumps(CHANGED)})")
        assert visit(tell=f"({LEFT})()") == [0, []]
        other = b"<script>" + canary(operator.home, 0) + b"</script>"
        operator.answers["/"] = Answer(kind="other", body=other)
        assert visit(open=operator.home, tell="document.title") == "canary"
        assert operator.calls


BEGIN = """(async () => {
  document.querySelector("input[type=checkbox]").click();
  document.querySelector("button.main").click();
  document.querySelector("input[type=radio]").click();
  document.querySelector("button.main").click();
  document.querySelectorAll(".outcome .buttons button")[1].click();
  [...document.querySelectorAll("button.main")].at(-1).click();
})()"""


def test_in_firefox_back_is_a_step_and_a_language_is_chosen_in_place(collect, forms, visit):
    field, lang = "document.querySelector('.number')", "document.documentElement.lang"
    visit(open=collect(forms["evening"]).url, until=SAYS)
    visit(tell=BEGIN, until=SAYS)
    visit(until=f"{field} && history.state === 1", tell=f"{field}.value = '7.5'")
    visit_result = visit(tell=SAYS)
    visit(tell="history.back()")
    visit(
        until=f"{SAYS} !== {json.dumps(visit_result)} && history.state === 1",
        tell="history.forward()",
    )
    visit(until=f"{SAYS} === {json.dumps(visit_result)} && history.state === 1")
    assert visit(tell=f"{field}.value") == "7.5"
    visit(tell="document.querySelector('#bar select').focus()")
    for key, tag in (("ArrowDown", "de"), ("ArrowUp", "en")):
        visit(press=[key], until=f"{lang} === '{tag}'")
        assert visit(tell=f"{field}.value") == "7.5"
        assert visit(tell="document.activeElement.tagName") == "SELECT"


WRONG = """(() => {
  const box = document.activeElement;
  const said = document.getElementById(box.getAttribute("aria-errormessage")).innerText;
  return [box.getAttribute("aria-invalid"), said !== "", document.title];
})()"""


@pytest.mark.wide
def test_in_firefox_a_wrong_field_says_so_and_a_double_click_is_one(collect, forms, visit):
    bar, number = "document.querySelector('progress')", "document.querySelector('input.number')"
    visit(open=collect(forms["evening"]).url, until=SAYS)
    survey = visit(tell="document.title")
    visit(tell="document.querySelector('button.main').click()")
    assert visit(tell=WRONG) == ["true", True, survey]
    visit(tell=BEGIN)
    visit(until=f"{number} && {bar}")
    visit(tell="document.querySelector('button.main').click()")
    assert visit(tell=WRONG) == ["true", True, f"Question 1 of 4 – {survey}"]
    assert visit(tell=f"[{bar}.value, {bar}.max, {bar}.labels[0].innerText]")[1] == 4
    event = "new InputEvent('input', { bubbles: true })"
    visit(tell=f"{number}.value = '1.000', {number}.dispatchEvent({event})")
    visit(tell="document.querySelector('button.main').click()")
    visit_result = visit(tell="document.querySelector('#complaint').innerText")
    assert visit_result.startswith("This can mean two numbers: 1000 or 1.")
    visit(tell=f"{number}.value = '7.5', {number}.dispatchEvent({event})")
    assert visit(tell="document.querySelectorAll('[aria-invalid]').length") == 0
    for title in ("Before the first protected question", "Question 2 of 4"):
        visit(doubleClick="main button.main", until=f"document.title.startsWith('{title}')")
    assert visit(tell="document.querySelector('.complaint').innerText") == ""


def _take_survey(collector, form, take, language):
    """Have a survey taken, and hold it to all that holds in any browser."""
    take_result = take(collector.url, language)
    body = take_result["shown"].encode()
    assert take_result["posts"] == 1
    assert len(body) == form.size
    assert take_result["receipt"][:2] == [json.loads(body)["id"], sha256(body).hexdigest()]
    assert collector.reports() == [json.loads(take_result["shown"])["answers"]]
    assert [take_result["strangers"], take_result["said"]] == [[], []]
    assert "answers" not in json.dumps(take_result["kept"])
    assert [screen for screen in take_result["screens"] if screen["broken"] or screen["wide"]] == []
    assert min(screen["passes"] for screen in take_result["screens"]) > 5
    titles = {" ".join(screen["title"].split()) for screen in take_result["screens"]}
    texts = {" ".join(question.text[language].split()) for question in form.questions}
    assert len(texts & titles) >= len(texts) - len(form.skips)
    return take_result
