"""The page for an ethics board: every risk of the documents, and only those that concern a form."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from pages import HOSTILE, Reader

import askance as ak
from askance.present import render_board
from askance_collect.errors import InputError
from askance_collect.respond import render_page

EXPLAINED = Path(__file__).parents[2] / "docs" / "explanation"
HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\ncontact = "us"\n'
PLAIN = '[[question]]\nname = "age"\ntext = "Age?"\nanswers = ["young", "old"]\n'
COIN = '[[question]]\nname = "tea"\ntext = "Tea?"\nanswers = ["yes", "no"]\n'
SEAL = ak.engines.make_seal_key().public
WARNER = COIN + 'mechanism = { name = "warner", truth = "3/4" }\n'


def form_of(*parts, head=HEAD):
    return ak.publish(ak.parse_survey("".join([head, *parts]).encode()))


def page_of(form):
    return render_board(form, ak.check(form))


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def sections(page, marks):
    text = (EXPLAINED / page).read_text(encoding="utf-8")
    parts = re.split(rf"^{marks} ", text, flags=re.M)[1:]
    return {part.splitlines()[0]: part for part in parts}


def published():
    """Published forms that, among them, have whatever a form can have."""
    folder = Path(ak.__file__).parents[1] / "askance_collect" / "wire" / "vectors"
    for version in ("1", "2"):
        text = (folder / version / "forms.json").read_text(encoding="utf-8")
        for item in json.loads(text)["good"]:
            if item["name"] not in {"ranges", "groups"}:  # no answer can be estimated from these
                yield item["form"]


@pytest.fixture(scope="module")
def pages():
    """Each form with its page; a survey that has steps beside them."""
    forms = [ak.wire.Form.read(document) for document in published()]
    forms.append(ak.publish(ak.load_survey("examples/student-life.toml")))
    forms.append(ak.wire.Form.read(form_of(WARNER).document | {"askance": "form-2", "seal": SEAL}))
    return [(form.document, page_of(form)) for form in forms]


def weaknesses_in(page):
    return [match.removeprefix("w-") for match in re.findall(r'<li id="(w-[\w-]+)">', page)]


def attackers_in(page):
    rows = re.findall(r"<tr><th scope=\"row\"><b>([^<]+)</b><br>(.*?)</tr>", page)
    return {name: re.findall(r'href="#w-([\w-]+)"', row) for name, row in rows}


@pytest.mark.long
def test_every_known_weakness_is_told_of_the_forms_that_it_concerns(pages):
    text = (EXPLAINED / "weaknesses.md").read_text(encoding="utf-8")
    anchor_results = [
        anchor(match) for match in re.findall(r"^(?:### |## (?=False))(.+)$", text, re.M)
    ]
    weaknesses = [weaknesses_in(page) for _, page in pages]
    assert {item for several in weaknesses for item in several} == set(anchor_results)
    for several in weaknesses:
        assert several == [
            anchor_result for anchor_result in anchor_results if anchor_result in several
        ]


@pytest.mark.long
def test_every_attacker_is_told_with_what_the_threat_model_lets_remain(pages):
    text = (EXPLAINED / "threats.md").read_text(encoding="utf-8")
    expected, result = {}, {}
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        rows = [row for row in part.splitlines() if row.startswith("| <a id")]
        expected[part.splitlines()[0]] = set(re.findall(r"weaknesses\.md#([\w-]+)", "".join(rows)))
    for _, page in pages:
        for name, value in attackers_in(page).items():
            assert set(value) == expected[name] & set(weaknesses_in(page))
            result[name] = result.get(name, set()) | set(value)
    assert result == expected


def test_of_sealed_reports_the_page_says_for_whom_and_what_is_seen_all_the_same():
    """The twin's form has no key, and its page says nothing of one."""
    form = form_of(WARNER)
    page = page_of(ak.wire.Form.read(form.document | {"askance": "form-2", "seal": SEAL}))
    number = hashlib.sha256(SEAL.encode()).hexdigest()
    result = (
        "The holder of the private half of that key opens it",
        "see that somebody took part, when, and to which question",
        "They cannot read it",
        "survey&#39;s own page are not sealed",
        number,
    )
    assert [message for message in result if message not in page] == []
    assert [message for message in result if message in page_of(form)] == []
    assert "the-page-around-a-question" in weaknesses_in(page)
    assert "A page around the question" in attackers_in(page)


@pytest.mark.long
def test_what_a_form_has_switches_its_rows(pages):
    for document, page in pages:
        questions, ending, about = document["questions"], document.get("ending", {}), set()
        content = {
            "a-code-in-other-hands": "tokens" in document,
            "a-crowd-that-is-stated": "tokens" in document,
            "answering-again": "tokens" not in document,
            "reports-that-wait-on-a-tablet": "tablet" in document,
            "a-visit-that-is-put-away": "later" in document,
            "a-quota-that-fills": "quotas" in document,
            "the-page-around-a-question": "within" in ending or "seal" in document,
            "a-coin-that-stays": any("coin" in question for question in questions),
            "in-peoples-own-words": any(question["kind"] == "text" for question in questions),
            "stopping-early": any(question.get("ask") == "narrow" for question in questions),
        }
        about |= {name for name, is_held in content.items() if is_held}
        assert about == set(weaknesses_in(page)) & set(content)
        assert ("An interviewer" in attackers_in(page)) == ("tablet" in document)
        assert ("have this survey in a frame" in page) == ("within" in ending)
        assert ("seals the report on the respondent" in page) == ("seal" in document)
        assert ("Seal key, SHA-256" in page) == ("seal" in document)
        assert ("offers a link back" in page) == ("url" in ending)
        assert ("An invitation link can choose" in page) == any(
            "assigned" in question for question in questions
        )
        assert ("Spent tokens are stored too" in page) == ("tokens" in document)
        keys = document.get("tokens", {"keys": []})["keys"]
        counted = any("codes" in key for key in keys)
        assert ("the smallest, “south”, has 50." in page) == counted
        assert ("does not say how many codes there are" in page) == (bool(keys) and not counted)


@pytest.mark.long
@pytest.mark.parametrize("name", ["affairs", "income", "student-life"])
def test_it_asks_for_nothing_from_anywhere(name):
    form = ak.publish(ak.load_survey(f"examples/{name}.toml"))
    page = page_of(form)
    reader = Reader(page)
    assert not reader.all("src")
    assert not reader.all("style")
    assert not [
        index for index in reader.all("href") if not index.startswith("#") and index != "data:,"
    ]
    assert not re.search(r"https?://|@import|url\(", page)
    assert not {"script", "form", "iframe"} & {tag for tag, _ in reader.tags}
    ids = reader.all("id")
    assert len(ids) == len(set(ids))
    assert {index[1:] for index in reader.all("href") if index.startswith("#")} <= set(ids)
    assert form.fingerprint in page
    assert render_page(form).sha256 in page
    assert page == page_of(form)


def test_every_text_and_every_figure_of_the_check_is_in_it():
    form = ak.publish(ak.load_survey("examples/affairs.toml"))
    words = " ".join("".join(Reader(page_of(form)).words).replace("\xa0", " ").split())
    for question in ak.check(form).questions:
        assert question.text in words
        assert question.protection in words
        for result in (
            *question.sentences,
            *(guarantee.promise for guarantee in question.guarantees),
        ):
            assert result in words
    assert "ε = 1.791760 (ratio 6)" in words
    assert form.document["contact"]["en"] in words


def test_hostile_texts_are_only_texts():
    text = HOSTILE.replace('"', '\\"')
    form = ak.publish(
        ak.parse_survey(
            (HEAD + WARNER)
            .replace('"T"', f'"{text}"')
            .replace('"Tea?"', f'"{text}"')
            .replace('"C"', f'"{text}"')
            .replace('"us"', f'"{text}"')
            .encode()
        )
    )
    page = page_of(form)
    reader = Reader(page)
    assert "script" not in {tag for tag, _ in reader.tags}
    assert "".join(reader.words).count("</title><script>alert(1)</script>") >= 4
    assert "{{ 7*7 }}" in page


def test_a_question_may_be_named_as_a_part_of_the_page():
    ids = Reader(page_of(form_of(WARNER.replace('"tea"', '"who"')))).all("id")
    assert len(ids) == len(set(ids))


def test_a_check_of_another_form_is_refused():
    form, other = form_of(WARNER), form_of(PLAIN)
    with pytest.raises(InputError, match=r"check: got.*pass askance\.check"):
        render_board(form, ak.check(other))


def test_who_is_named_by_nobody_is_told():
    assert "names no contact" in page_of(form_of(WARNER, head=HEAD.replace('"us"', '""')))


@pytest.mark.parametrize("number", [1, 2])
def test_what_one_report_gives_away_is_said_of_one_question_or_of_all_together(number):
    text = "".join(
        f"""
[[question]]
name = "q{index}"
text = "Q{index}?"
answers = ["yes", "no"]
mechanism = {{ name = "warner", truth = "3/4" }}
"""
        for index in range(number)
    )
    form = ak.publish(ak.parse_survey(f"{HEAD}{text}".encode()))
    page = " ".join(render_board(form, ak.check(form)).split())
    assert ("reveals about a protected question no more than is stated above" in page) == (
        number == 1
    )
    assert ("But a report contains them all" in page) == (number > 1)
    assert "one report gives away no more" not in page
