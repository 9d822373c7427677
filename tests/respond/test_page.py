"""The page: the same bytes for everyone, small, closed, and what its policy says it is."""

import base64
import gzip
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from askance.survey import load_survey, publish
from askance_collect.respond import render_frame, render_page
from askance_collect.wire import Form, body_size, read_question, to_base64url

TOKENS = {
    "issuer": "https://issuer.example/",
    "keys": [{"name": "all", "n": to_base64url((2**2047 + 1).to_bytes(256, "big"))}],
}
SEAL = "A" * 43 + "E" + "A" * 86
BROWSER = Path("src/askance_collect/respond/browser")
PIECES = BROWSER.with_name("built")
SURVEYS = Path("src/askance/survey")
FRAMED = {"frame", "alone", "hpke", "refusal", "spell"}
"""Modules, and a style, of the frame for the pages of others."""
PARTS = re.compile(
    r"<style>(?P<style>.*)</style>.*<script type=\"application/json\" id=\"form\">(?P<form>.*)"
    r"</script>\n<script type=\"module\">(?P<script>.*)</script>",
    re.DOTALL,
)


@pytest.fixture(scope="module")
def parts(affairs_form):
    return PARTS.search(render_page(affairs_form).bytes.decode()).groupdict()


def words(language):
    file = BROWSER.with_name("languages") / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8"))["words"]


def hashed(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_everyone_gets_the_same_bytes(affairs_form):
    page = render_page(affairs_form)
    again = render_page(Form.read(affairs_form.bytes))
    assert page == again
    assert page.sha256 == hashlib.sha256(page.bytes).hexdigest()


ELSEWHERE = (
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC0", "PYTHONUTF8": "0"},
    {"PYTHONHASHSEED": "2", "LC_ALL": "tr_TR.UTF-8", "TZ": "XYZ-14", "PYTHONOPTIMIZE": "1"},
    {"PYTHONHASHSEED": "random", "LC_ALL": "C.UTF-8", "TZ": "ABC+12", "COLUMNS": "20"},
)
BUILT = """
import sys
from pathlib import Path
from askance_collect.respond import render_page
if sys.argv[1].endswith(".toml"):
    from askance.survey import load_survey, publish
    form = publish(load_survey(sys.argv[1]))
else:
    from askance_collect.wire.form import read_form
    form = read_form(Path(sys.argv[1]))
print(form.fingerprint, render_page(form).sha256)
"""


@pytest.mark.long
def test_a_survey_gives_the_same_bytes_on_any_machine(tmp_path):
    survey = Path("examples/student-life.toml").resolve()
    form = publish(load_survey(survey))
    written = tmp_path / "student-life.form.json"
    written.write_bytes(form.bytes)
    for index, settings in enumerate(ELSEWHERE):
        path = tmp_path / f"höme {index}"
        path.mkdir()
        completed = subprocess.run(
            [sys.executable, "-c", BUILT, survey if index == 0 else written],
            cwd=path,
            env=os.environ | settings | {"HOME": str(path), "TMPDIR": str(path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert completed.stdout.split() == [form.fingerprint, render_page(form).sha256], settings


def test_the_page_names_the_version_that_built_it(affairs_form):
    named = f'<meta name="generator" content="Askance {version("askance")}">'
    assert render_page(affairs_form).bytes.decode().count(named) == 1


def test_the_policy_names_the_style_and_the_script_and_nothing_else(affairs_form, parts):
    page = render_page(affairs_form)
    policy = page.headers["content-security-policy"]
    assert policy == (
        f"default-src 'none'; script-src {hashed(parts['script'])}; "
        f"style-src {hashed(parts['style'])}; img-src data:; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; "
        "frame-ancestors 'none'"
    )
    inside = re.search(r'Policy" content="([^"]*)"', page.bytes.decode())[1]
    assert policy == f"{inside}; frame-ancestors 'none'"


def test_the_headers_keep_nothing_and_tell_nobody(affairs_form):
    headers = render_page(affairs_form).headers
    assert headers["cache-control"] == "no-store, no-transform"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    with pytest.raises(TypeError):
        headers["set-cookie"] = "no"


def test_a_collector_elsewhere_is_the_only_place_to_connect_to(affairs_form):
    form = Form.read(affairs_form.document | {"collector": "https://example.org:8443/survey/"})
    assert (
        "connect-src https://example.org:8443;"
        in render_page(form).headers["content-security-policy"]
    )


def test_the_questions_stand_in_the_page_as_fingerprinted(affairs_form, parts):
    assert parts["form"].encode() == affairs_form.bytes
    assert f'start("{affairs_form.fingerprint}");' in parts["script"]


def test_wording_cannot_break_out_of_its_place(affairs_form):
    hostile = {"en": '</script><script>alert(1)</script>"&{script}'}
    page = render_page(
        Form.read(affairs_form.document | dict.fromkeys(["title", "consent", "contact"], hostile))
    )
    text = page.bytes.decode()
    assert text.count("<script") == 2
    contact = re.search('<div id="contact".*?</div>', text)[0]
    assert contact.count("<") == 2 + 2 * len(affairs_form.languages)
    assert f"<title>{html.escape(hostile['en'])}</title>" in text


def test_the_page_fetches_nothing(affairs_form):
    text = render_page(affairs_form).bytes.decode()
    assert re.findall(r'(?:src|href|action)="([^"]*)"', text) == ["data:,"]
    assert "url(" not in text
    assert "@import" not in text
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)


def in_groups(question):
    """Let chance choose between two groups, the second of which is asked as the first."""
    table = question["table"]
    rows = [row + row for row in table["rows"]]
    reports = [
        report | {"name": f"{group}: {report['name']}"}
        for group in ("1", "2")
        for report in question["reports"]
    ]
    groups = [
        {"name": name, "label": {"en": name}, "reports": len(table["rows"][0])}
        for name in ("1", "2")
    ]
    table = {"total": 2 * table["total"], "rows": rows}
    return question | {"groups": groups, "reports": reports, "table": table}


def grouped(form):
    """Ask a question of two groups by chance."""
    document = form.document
    requests, *others = document["questions"]
    questions = [in_groups(requests), *others]
    return Form.read(document | {"askance": "form-2", "questions": questions})


def explained(form):
    """Let each of these groups see another screen first."""
    document = grouped(form).document
    groups = [{"first": first} for first in ("card", "picture")]
    return Form.read(document | {"evidence": {"question": 0, "groups": groups}})


def invited(form):
    """Let an invitation choose the group of that question."""
    document = grouped(form).document
    requests, *others = document["questions"]
    questions = [requests | {"assigned": "invitation"}, *others]
    return Form.read(document | {"questions": questions})


def with_questions(form, questions):
    """Ask other questions in a form."""
    size = body_size([read_question(question, form.languages) for question in questions])
    return Form.read(form.document | {"questions": questions, "size": size})


def everything(form):
    """Ask for a range step by step, of whole numbers, some sent exactly; for three alike; sets."""
    questions = form.document["questions"]
    cut = next(
        question for question in questions if question["kind"] == "cuts" and not question["typed"]
    )
    narrowed = {"cuts": cut["cuts"] | {"open": [[48, 53]]}, "line": cut["line"] | {"whole": True}}
    names = [{"name": name, "label": {"en": name}} for name in "abc"]
    means = [item | {"means": [index]} for index, item in enumerate(names)]
    table = {"total": 4, "rows": [[2, 1, 1], [1, 2, 1], [1, 1, 2]]}
    equal = {"answers": names, "reports": means, "table": table, "blank": [0, 1], "about": {}}
    named = {"kind": "table", "name": "alike", "text": {"en": "?"}}
    sets = [{"name": name, "label": {"en": name}, "means": [0, 1, 2]} for name in "wxyz"]
    always = {"table": {"total": 4, "rows": [[1, 1, 1, 1]] * 3}, "reports": sets, "name": "sets"}
    narrow = cut | {"name": "narrowed", "ask": "narrow"} | narrowed
    return with_questions(form, [*questions, narrow, named | equal, named | equal | always])


def tossed(form):
    """Ask a question by a coin in the world too."""
    document = form.document
    labels = document["questions"][0]["answers"]
    table = {"total": 4, "rows": [[1, 3], [3, 1]]}
    coin = {
        "text": {"en": "?"},
        "answers": labels,
        "means": [[1], [0]],
        "table": table,
        "about": {},
    }
    joint = {
        "kind": "choice",
        "name": "joint",
        "text": {"en": "?"},
        "answers": labels,
        "coin": coin,
    }
    return Form.read(document | {"askance": "form-2", "questions": [*document["questions"], joint]})


def in_words(form):
    """Ask for a text too."""
    more = {"kind": "text", "name": "more", "text": {"en": "?"}, "limit": 9, "lines": 1}
    questions = [*form.document["questions"], more]
    size = body_size([read_question(question, form.languages) for question in questions])
    return Form.read(form.document | {"askance": "form-2", "questions": questions, "size": size})


def commented(form):
    """Ask for a text beside a plain answer."""
    text = {"en": "?"}
    labels = [{"name": name, "label": text} for name in ("yes", "no")]
    plain = {"kind": "choice", "name": "tea", "text": text, "answers": labels}
    further = {
        "kind": "text",
        "name": "aside",
        "text": text,
        "limit": 9,
        "lines": 1,
        "beside": True,
    }
    questions = [*form.document["questions"], plain, further]
    size = body_size([read_question(question, form.languages) for question in questions])
    return Form.read(form.document | {"askance": "form-2", "questions": questions, "size": size})


def piped(form):
    """Take up the answer to a plain question in the text of another."""
    labels = [{"name": name, "label": {"en": name}} for name in ("yes", "no")]
    texts = {"early": {"en": "?"}, "late": {"en": "{early|it}?"}}
    requests = [
        {"kind": "choice", "name": name, "text": text, "answers": labels}
        for name, text in texts.items()
    ]
    requests[1]["piped"] = True
    questions = [*form.document["questions"], *requests]
    size = body_size([read_question(question, form.languages) for question in questions])
    begins = {"at": len(questions) - 1, "title": {"en": "!"}, "text": {"en": "!"}}
    sections = [*form.document["sections"], begins]
    more = {"questions": questions, "size": size, "sections": sections}
    return Form.read(form.document | more)


def needing(form):
    """Let nobody leave out the first question."""
    first, *others = form.document["questions"]
    newer = {"askance": "form-2", "questions": [first | {"needed": True}, *others]}
    return Form.read(form.document | newer)


def in_sections(form):
    """Begin a section at the first question, in an order by chance."""
    section = {"at": 0, "title": {"en": "!"}, "text": {"en": "!"}, "order": "random"}
    return Form.read(form.document | {"askance": "form-2", "sections": [section]})


def with_skips(form):
    """Ask a question with a table again of those who gave another answer than the first."""
    document = form.document
    questions = document["questions"]
    first = next(index for index, question in enumerate(questions) if question["kind"] == "table")
    entire = with_questions(form, [*questions, questions[first] | {"name": "again"}])
    skip = {"question": len(questions), "after": first, "answered": [0], "send": 0}
    pair = [questions[first]["name"], "again"]
    added = {"skips": [skip], "about": {"traits": [{"name": pair[0], "questions": pair}]}}
    if begun := document.get("sections"):
        added["sections"] = [*begun, begun[0] | {"at": len(questions)}]
    return Form.read(entire.document | {"askance": "form-2"} | added)


def to_tick(form):
    """Ask two plain questions as one list, two as a grid, a quota on the first; keep the page."""
    questions, text = form.document["questions"], {"en": "!"}
    answers = [{"name": name, "label": text} for name in ("yes", "no")]
    plain = {"kind": "choice", "text": text, "answers": answers}
    result = {"at": len(questions), "text": text, "items": [text, text], "none": text}
    quota = {"question": len(questions), "answer": 0, "most": 9}
    rows = {"at": len(questions) + 2, "text": text, "items": [text, text]}
    names = ("one", "two", "three", "four")
    entire = with_questions(form, [*questions, *(plain | {"name": name} for name in names)])
    remaining = {"later": 14, "tokens": TOKENS, "pin": True, "seal": SEAL}
    combined = {"checklists": [result], "grids": [rows], "quotas": [quota]}
    return Form.read(entire.document | combined | remaining)


SAVED = {"saved": True, "collector": "https://example.org/survey/"}
TABLET, COST = {"tablet": True} | SAVED, {"open": {"work": 18, "rate": 30}}


def of_numbers(form, further=TABLET):
    """Ask for no named answers in another way, so a number is practised; on a tablet, or not."""
    read_result = Form.read(everything(form).document | {"askance": "form-2"} | further)
    return with_questions(
        read_result,
        [question for question in read_result.document["questions"] if question["kind"] != "table"],
    )


def sent_back(form):
    """Lead people back to a panel when they are done."""
    return Form.read(form.document | {"ending": {"url": "https://panel.example/done?who={pid}"}})


def thanked(form):
    """Thank people in the survey's own words, and lead them nowhere."""
    ending = {"thanks": {"en": "See you in spring."}}
    return Form.read(form.document | {"askance": "form-2", "ending": ending})


def with_sealed_text(form):
    """Ask for a text that only the study's key opens."""
    question = {"kind": "sealed", "name": "locked", "text": {"en": "?"}, "limit": 9, "lines": 1}
    document = form.document | {"askance": "form-2", "seal": SEAL}
    return with_questions(Form.read(document), [*document["questions"], question])


def looked(form):
    """Show a logo, in colours of the study's own."""
    logo = {"image": "data:image/svg+xml;base64,PHN2Zy8+", "alt": {"en": "A dot"}}
    colours = {"light": "#7a1fa2", "dark": "#d59be8"}
    look = {"colours": colours, "logo": logo}
    return Form.read(form.document | {"askance": "form-2", "look": look})


def illustrated(form):
    """Show an image beside the first question."""
    dot = {"image": "data:image/svg+xml;base64,PHN2Zy8+", "alt": {"en": "A dot"}}
    images = [dot | {"at": [{"question": 0}]}]
    return Form.read(form.document | {"askance": "form-2", "images": images})


def in_its_own_words(form):
    """Bring words in a language that the page has none of."""
    document = json.loads(form.bytes.decode().replace('"en":', '"nl":').replace('["en"]', '["nl"]'))
    words = {"nl": {"checked": True, "words": {"leave": "Nu weg", "step": "{of}: vraag {at}"}}}
    return Form.read(document | {"askance": "form-2", "words": words})


def in_both(form, every=None):
    """Give a form in English and in German, whose page needs every module but few, or another."""
    worded = everything(commented(in_words(needing(tossed(invited(form))))))
    entire = every or to_tick(
        illustrated(looked(sent_back(with_skips(piped(in_sections(worded))))))
    )
    document = entire.document
    if every is None:
        words = {"de": {"checked": True, "words": {"leave": "Sofort weg"}}}
        document |= {"words": words}

    def twice(part):
        if isinstance(part, list):
            return [twice(item) for item in part]
        if not isinstance(part, dict):
            return part
        return (
            {"en": part["en"], "de": part["en"]}
            if set(part) == {"en"}
            else {key: twice(value) for key, value in part.items()}
        )

    return Form.read(twice(document) | {"languages": ["en", "de"]})


def kept_apart(form):
    """Give a form whose protected and plain answers are kept in two stores."""
    return Form.read(form.document | {"askance": "form-2", "apart": True})


@pytest.mark.parametrize(
    "habit",
    [
        *("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function("),
        *("Math.random", "Date.", "Date(", "performance.", "localStorage", "cookie", "indexedDB"),
        *("sendBeacon", "XMLHttpRequest", "WebSocket", "serviceWorker", "import("),
        *("Math.max(...", "Math.min(..."),  # some browsers take no more than 65,536 arguments
    ],
)
def test_the_script_has_no_bad_habits(parts, habit):
    assert habit not in parts["script"]


def test_the_network_is_touched_in_one_place(parts):
    assert parts["script"].count("fetch(") == 1
    assert parts["script"].count("getRandomValues(") == 1


def test_every_part_is_in_the_page_once(affairs_form):
    numbers = (of_numbers(affairs_form, further) for further in (TABLET, COST))
    entire, tablet, costly = (
        PARTS.search(render_page(form).bytes.decode()) for form in (in_both(affairs_form), *numbers)
    )
    frame = PARTS.search(render_frame(in_both(affairs_form)).bytes.decode())
    evidence = PARTS.search(render_page(explained(affairs_form)).bytes.decode())
    match = PARTS.search(render_page(kept_apart(thanked(affairs_form))).bytes.decode())
    counted = publish(load_survey("examples/item-count.toml"))
    lists = PARTS.search(render_page(counted).bytes.decode())
    sealed = PARTS.search(render_page(with_sealed_text(affairs_form)).bytes.decode())
    elsewhere = {"cups": tablet, "saved": tablet, "tablet": tablet, "open": costly}
    elsewhere |= {"evidence": evidence, "apart": match, "thanks": match, "items": lists}
    elsewhere |= dict.fromkeys(("hpke", "sealed"), sealed)
    elsewhere |= dict.fromkeys(FRAMED, frame)
    for path in (PIECES / "browser").glob("*.js"):
        page = elsewhere.get(path.stem, entire)
        assert page["script"].count(f"\n{path.read_text('utf-8')}") == 1, path.name
    for path in (PIECES / "browser").glob("*.css"):
        style = elsewhere.get(path.stem, entire)["style"]
        assert style.count(path.read_text("utf-8")) == 1, path.name


def test_a_page_carries_the_words_of_its_own_languages(affairs_form):
    document = affairs_form.bytes.decode()
    german = Form.read(document.replace('{"en":', '{"de-AT":').replace('["en"]', '["de-AT"]'))
    assert "Sofort weg" in render_page(german).bytes.decode()
    assert "Sofort weg" not in render_page(affairs_form).bytes.decode()
    assert "Leave now" not in render_page(german).bytes.decode()
    assert "This page cannot be used" not in render_page(german).bytes.decode()
    mixed = Form.read(document.replace('{"en":', '{"nl":').replace('["en"]', '["nl"]'))
    assert "Leave now" in render_page(mixed).bytes.decode()


def test_a_page_goes_without_what_its_form_has_no_use_for(affairs_form):
    makers = (
        grouped,
        tossed,
        in_sections,
        with_skips,
        in_words,
        looked,
        in_its_own_words,
        illustrated,
    )
    forms = affairs_form, *(make(affairs_form) for make in makers)
    pages = [render_page(form).bytes.decode() for form in forms]
    features = (
        ("groups", "Chance put you in the group"),
        ("coin", "What protects you is"),
        ("sections",),
        ("skips",),
        ("texts", '("textarea",', "In your own words", ".words{"),
        ("look", ".logo", "--accent:#7a1fa2"),
        ("tongue", "Nu weg", '"step":["at","of"]'),
        ("pictures", ".picture{"),
    )
    by_invitation = render_page(invited(affairs_form)).bytes.decode()
    assert "invited" in modules_in(by_invitation)
    assert "Your invitation put you" in by_invitation
    assert not any("Your invitation put you" in page for page in pages)
    for index, (module, *parts) in enumerate(features, 1):
        assert [number for number, page in enumerate(pages) if module in modules_in(page)] == [
            index
        ]
        for part in parts:
            assert [number for number, page in enumerate(pages) if part in page] == [index]


def modules_in(script):
    """Name the modules whose parts a script is joined from."""
    parts = (PIECES / "browser").glob("*.js")
    return {path.stem for path in parts if path.read_text("utf-8") in script}


def words_in(script):
    """Give the keys of the English words that a script brings, and the names in its parts."""
    brought = re.search(r'^WORDS_OF\["en"\]=\{(.*)\};$', script, re.MULTILINE)[1]
    keys = set(re.findall(r"(?:^|,)(\w+):", re.sub(r'"(?:[^"\\]|\\.)*"', '""', brought)))
    named = set()
    for module in modules_in(script):
        facts = PIECES / f"browser/{module}.js.json"
        named.update(json.loads(facts.read_text("utf-8"))["names"])
    return keys, named


def test_a_page_goes_without_the_modules_and_words_that_its_form_has_no_use_for(affairs_form):
    named = [
        question for question in affairs_form.document["questions"] if question["kind"] == "table"
    ]
    entire, less = (
        PARTS.search(render_page(form).bytes.decode())["script"]
        for form in (everything(affairs_form), with_questions(affairs_form, named))
    )
    fields = {"typed", "narrow", "exact"}, ("Stop here",)
    numbers = {"number", "whole"}, ("Type a number from",)
    odds = {"alike", "sets"}, ("each of the other answ", "groups of answers")
    for modules, parts in (fields, numbers, odds):
        assert modules <= modules_in(entire)
        assert not modules & modules_in(less)
        assert all(part in entire and part not in less for part in parts)
    page = PARTS.search(render_page(publish(load_survey("examples/income.toml"))).bytes.decode())
    assert {"dots", "ratio"} <= modules_in(less) - modules_in(page["script"])
    for part in ("In words", "one of these", "No record is"):
        assert part in less
        assert part not in page["script"]
    assert ".dots" not in page["style"]
    for script in (entire, less):
        brought, named = words_in(script)
        assert brought == {key for key in words("en") if {key, key.removesuffix("Hint")} & named}


def test_every_import_is_of_something_that_is_exported():
    exported = {
        path.name: set(
            re.findall(r"^export (?:async )?(?:class|const|function) (\w+)", path.read_text(), re.M)
        )
        for path in BROWSER.glob("*.js")
    }
    for path in BROWSER.glob("*.js"):
        for names, source in re.findall(
            r'^import \{ (.*) \} from "\./(.*)";', path.read_text(), re.M
        ):
            assert set(names.split(", ")) <= exported[source], path.name


def test_every_word_is_said_somewhere():
    further = BROWSER.with_name("hosted"), Path(__file__).parents[2] / "js"
    files = [file for folder in (BROWSER, *further) for file in folder.glob("*.js")]
    script = "".join(path.read_text("utf-8") for path in files)
    endings = {
        "closed",
        "conflict",
        "already",
        "replaced",
        "unknown",
        "full",
        "screened",
        "unsealed",
    }
    used = set(re.findall(r"\bwords\.(\w+)(?!\")\b", script)) | endings
    names = (path.read_text("utf-8") for path in SURVEYS.glob("*.py"))
    used |= set(re.findall(r'"(name[A-Z]\w+)"', "".join(names)))  # what a form names itself
    alone = {f"{key}Alone" for key in used} & set(words("en"))
    assert set(words("en")) == used | {f"{end}Hint" for end in endings} | alone
    assert {"withdrawAlone", "refusedAlone"} == alone


def test_nobody_is_sent_to_a_contact_that_the_form_does_not_name(affairs_form):
    document = json.loads(
        affairs_form.bytes.decode()
        .replace('{"en":', '{"de":"Anders","en":')
        .replace('["en"]', "[]")
    )
    entire = document | {"languages": ["en", "de"]}

    def page(**contact):
        return render_page(Form.read(entire | {"contact": contact})).bytes.decode()

    above = {"en": "write to the contact above and", "de": "an den Kontakt oben und"}
    elsewhere = {"en": "turn to whoever invited you and", "de": "die Sie eingeladen hat, und"}
    for named in ({"en"}, {"de"}, {"en", "de"}, set()):
        page_result = page(**{tag: "office@example.org" if tag in named else " " for tag in above})
        for tag in above:
            assert (above[tag] in page_result) == (tag in named)
            assert (elsewhere[tag] in page_result) == (tag not in named)
        assert ("or write to the contact above.</p></noscript>" in page_result) == bool(named)


@pytest.mark.parametrize(
    ("name", "limit"), [("affairs", 25_700), ("income", 33_000), ("student-life", 45_000)]
)
def test_the_page_is_light(name, limit):
    form = publish(load_survey(f"examples/{name}.toml"))
    assert len(gzip.compress(render_page(form).bytes, 9, mtime=0)) <= limit


HOSTILE = "</script><!-- <script> */ // `${x}` \\ \\u2028 \" ' {of} \n }"
PARSED = """
import { readFileSync } from "node:fs";
import { SourceTextModule } from "node:vm";
for (const path of process.argv.slice(1)) new SourceTextModule(readFileSync(path, "utf-8"));
"""


@pytest.mark.long
def test_each_script_is_one_well_formed_module_whatever_a_form_brings(affairs_form, tmp_path):
    node = shutil.which("node")
    assert node, "node is not installed: the script cannot be checked"
    own = json.loads(in_its_own_words(affairs_form).bytes)
    own["words"]["nl"]["words"] |= {"leave": HOSTILE, "language": HOSTILE}
    text = {"nl": HOSTILE}
    questions = [question | {"text": text} for question in own["questions"]]
    hostile = Form.read(own | {"questions": questions} | dict.fromkeys(["title", "contact"], text))
    numbers = (of_numbers(affairs_form, further) for further in (TABLET, COST))
    forms = [hostile, in_both(affairs_form), *(in_both(affairs_form, number) for number in numbers)]
    paths = []
    for render in (render_page, render_frame):
        for form in forms:
            paths.append(tmp_path / f"{len(paths)}.mjs")
            script = PARTS.search(render(form).bytes.decode())["script"]
            paths[-1].write_text(script, encoding="utf-8")
            assert "</script" not in script.lower()
    command = [node, "--no-warnings", "--experimental-vm-modules", "--input-type=module"]
    done = subprocess.run([*command, "-e", PARSED, *paths], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_a_report_costs_weighs_little_and_nothing_where_it_costs_nothing(affairs_form):
    def weight(document):
        return len(gzip.compress(render_page(Form.read(document)).bytes, 9, mtime=0))

    plain = affairs_form.document
    costly = plain | {"askance": "form-2"} | COST
    assert weight(costly) - weight(plain) < 2_000
    assert b"challenge" not in render_page(affairs_form).bytes


def test_tokens_weigh_little_and_nothing_where_there_are_none(affairs_form):
    def weight(document):
        return len(gzip.compress(render_page(Form.read(document)).bytes, 9, mtime=0))

    plain = affairs_form.document
    assert weight(plain | {"askance": "form-2", "tokens": TOKENS}) - weight(plain) < 4_000
    assert b"tokens" not in render_page(affairs_form).bytes
