"""Ask inside a LimeSurvey that runs: python tools/live_limesurvey.py ADDRESS [FOLDER for pictures].

ADDRESS ends in `index.php`. The account named by LIMESURVEY_USER (by default "admin"), of the
password in LIMESURVEY_PASSWORD, may post unfiltered HTML, and JSON-RPC is on. A survey is made as
docs/how-to/ask-in-your-platform.md says, with that page's own script. People answer it in a real
Chromium: some go back, some go on in another tab, one breaks off. What LimeSurvey exports, by its
own page and to citric, is held against what the tags reported, and estimated. The survey is
deleted at the end. Try it on a LimeSurvey of your own, on this machine.
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any
from xml.sax.saxutils import escape

from citric import Client
from PIL import Image
from playwright.sync_api import Browser, FrameLocator, Locator, Page, sync_playwright

from askance import publish
from askance.survey import load_survey
from askance_collect.respond import render_frame
from js import main as build_package

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "how-to" / "ask-in-your-platform.md"
SURVEY = """\
askance = "survey-1"
title = "Marriage"
minimum = 5
consent = "We count how many, and cannot learn who. Taking part is your choice."

[[question]]
name = "affair"
text = "Since you married, have you had an affair?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }

[[question]]
name = "income"
text = "What did you earn last year, after tax?"
line = { lower = 0, upper = 120000, step = 5000, unit = "euros" }
mechanism = { name = "cuts", number = 1, between = [5000, 115000] }
"""
PEOPLE = [(yes, income) for yes in ("yes", "no", "no", "no") for income in (15_000, 40_000)]
OPEN = """{ const attach = Element.prototype.attachShadow; Element.prototype.attachShadow =
  function (how) { return attach.call(this, { ...how, mode: "open" }); }; }"""
"""A closed root is opened before all else: so could any page, and so must this one."""
REPORTS = """() => { const nodes = [...document.querySelectorAll("askance-question")];
  return nodes.length === 2 && nodes.every((node) => node.report)
    && Object.assign({}, ...nodes.map((node) => node.report.cells)); }"""
COLOURS = 64
THEMES = "fruity_twentythree", "fruity", "vanilla"


class Files(SimpleHTTPRequestHandler):
    """Give files to the pages of another address."""

    def end_headers(self) -> None:
        """Allow it."""
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Keep silent."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=folder))
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def main(address: str, pictures: Path | None) -> None:
    """Make the survey, have it answered, and estimate what is exported."""
    with (
        TemporaryDirectory() as name,
        serving(Path(name)) as files,
        Client(f"{address}/admin/remotecontrol", *login()) as client,
    ):
        folder = Path(name)
        build_package(folder)
        print(f"LimeSurvey {client.get_server_version()}")
        (folder / "study.toml").write_text(SURVEY, encoding="utf-8")
        form = publish(load_survey(folder / "study.toml"))
        (folder / "study.form.json").write_bytes(form.bytes)
        (folder / "study.frame.html").write_bytes(render_frame(form).bytes)
        for theme in THEMES:
            lines = as_imported(files, form.fingerprint, theme)
            rows = tried(client, address, lines, folder, pictures if theme == THEMES[0] else None)
            print(f"{theme}: {rows} answered, one broke off; exported is what was reported")
        for export in ("page.csv", "complete.csv", "complete.json"):
            print(f"\n{export}", flush=True)
            command = [sys.executable, "-m", "askance", "estimate", folder / "study.form.json"]
            subprocess.run([*command, folder / export], check=True)  # noqa: S603  our own


def tried(client: Client, address: str, lines: str, folder: Path, pictures: Path | None) -> int:
    """Ask one survey, and see that all exports have what was reported; how many answered."""
    survey = client.import_survey(io.BytesIO(lines.encode()))
    try:
        client.activate_survey(survey)
        rows = answer_pages(f"{address}/{survey}", pictures)
        export_by_page(address, survey, folder / "page.csv")
        for kind, status in product(("csv", "json"), ("complete", "all")):
            client.save_responses(
                folder / f"{status}.{kind}", survey, file_format=kind, completion_status=status
            )
    finally:
        client.delete_survey(survey)
    everybody = [*rows, dict.fromkeys(rows[0], "")]
    for export in ("page.csv", "complete.csv", "complete.json", "all.csv", "all.json"):
        exported = cells_of(folder / export)
        if exported != (rows if export.startswith("complete") else everybody):
            raise SystemExit(f"{export} has {exported}; reported was {rows}")
    return len(rows)


def login() -> tuple[str, str]:
    """The account's name and password."""
    return os.environ.get("LIMESURVEY_USER", "admin"), os.environ["LIMESURVEY_PASSWORD"]


def as_imported(files: str, fingerprint: str, theme: str) -> str:
    """The survey as LimeSurvey imports it, with the script of the documentation."""
    section = GUIDE.read_text("utf-8").split("\n## LimeSurvey\n")[1]
    script = re.findall(r"```js\n(.*?)```", section, re.DOTALL)[0]
    for name, file in (("frame", "study.frame.html"), ("isolated.js", "isolated.js")):
        script = script.replace(f"https://…/{name}", f"{files}/{file}")
    script = script.replace("…", fingerprint)
    scripts = {2: script, 3: script.replace('"affair"', '"income"')}
    questions = [(1, 0, 1, "S", "children"), (2, 0, 2, "S", "affair"), (3, 0, 2, "Q", "income")]
    questions.append((4, 0, 3, "S", "remarks"))
    ends = [(5, 3, 2, "T", "above"), (6, 3, 2, "T", "upto")]
    keys = "qid", "parent_qid", "gid", "type", "title"

    def rows_of(rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
        return [dict(zip(keys, row, strict=True), sid=1, question_order=row[0]) for row in rows]

    pages = range(1, 4)
    tables = {
        "groups": [{"gid": i, "sid": 1, "group_order": i} for i in pages],
        "group_l10ns": [{"gid": i, "group_name": f"Page {i}", "language": "en"} for i in pages],
        "questions": rows_of(questions),
        "subquestions": rows_of(ends),
        "question_l10ns": [
            {
                "qid": qid,
                "question": "" if qid in scripts else f"{name.title()}?",
                "script": scripts.get(qid, ""),
                "language": "en",
            }
            for qid, *_, name in (*questions, *ends)
        ],
        "surveys": [
            {
                "sid": 1,
                "language": "en",
                "template": theme,
                "format": "G",
                "allowprev": "Y",
                "showwelcome": "N",
            }
        ],
        "surveys_languagesettings": [
            {"surveyls_survey_id": 1, "surveyls_language": "en", "surveyls_title": "Marriage"}
        ],
    }
    head = "<LimeSurveyDocType>Survey</LimeSurveyDocType><DBVersion>627</DBVersion>"
    written = head + "<languages><language>en</language></languages>"
    for name, rows in tables.items():
        cells = ("".join(f"<{key}>{escape(str(row[key]))}</{key}>" for key in row) for row in rows)
        written += f"<{name}><rows>{''.join(f'<row>{row}</row>' for row in cells)}</rows></{name}>"
    return f"<document>{written}</document>"


@contextmanager
def browsing() -> Iterator[Browser]:
    """Open a browser."""
    binary = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=binary, args=["--no-sandbox"])


def answer_pages(address: str, pictures: Path | None) -> list[dict[str, str]]:
    """Answer as everybody, and then begin and break off; what was reported."""
    rows = []
    with browsing() as browser:
        for index, person in enumerate(PEOPLE):
            context = browser.new_context()
            context.add_init_script(OPEN)
            page = context.new_page()
            page.goto(f"{address}?newtest=Y")
            onward(page, "Page 2")
            if pictures and not index:
                shoot(page, pictures / "asked-in-limesurvey.png")
            rows.append(answered(page, *person))
            onward(page, "Page 3")
            for again in [page] * (index % 3 == 1) + [context.new_page()] * (index % 3 == 2):
                again.goto(address)
                again.locator("#ls-button-previous").click()
                for tag in again.locator("askance-question").all():
                    inside(tag).get_by_text("Given. It cannot be changed any more.").wait_for()
                onward(again, "Page 3")
                page = again
            onward(page, "Your survey responses have been recorded.")
            context.close()
        page = browser.new_page()
        page.goto(f"{address}?newtest=Y")
        onward(page, "Page 2")
    return rows


def onward(page: Page, label: str) -> None:
    """Send a page, and wait for the next."""
    page.locator("#ls-button-submit").click()
    page.get_by_text(label).wait_for()


def answered(page: Page, affair: str, income: int) -> dict[str, str]:
    """Answer both questions; what was reported."""
    tags = page.locator("askance-question")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            raise SystemExit(f"the page is wider than a screen of {width}")
    affairs, incomes = (inside(tags.nth(i)) for i in range(2))
    affairs.get_by_label(affair, exact=True).check()
    below = incomes.locator("label", has_text="or less")
    cut = int(re.sub(r"\D", "", below.inner_text()))
    incomes.get_by_label("or less" if income <= cut else "More than").check()
    for question in (affairs, incomes):
        question.get_by_role("button", name="Give this answer").click()
    return dict(page.wait_for_function(REPORTS).json_value())


def inside(tag: Locator) -> Locator | FrameLocator:
    """What a tag asks in: its frame; or itself, where all was given."""
    tag.evaluate('(node) => customElements.whenDefined("askance-question").then(() => node.ready)')
    return tag.frame_locator("iframe") if tag.locator("iframe").count() else tag


def shoot(page: Page, path: Path) -> None:
    """Take the picture of the documentation."""
    page.set_viewport_size({"width": 720, "height": 830})
    inside(page.locator("askance-question").nth(1)).get_by_role("button").wait_for()
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(COLOURS).save(path, optimize=True)


def export_by_page(address: str, survey: int, path: Path) -> None:
    """Export as somebody does who presses buttons; they lie under notices to the administrator."""
    with browsing() as browser:
        page = browser.new_page()
        page.goto(f"{address}/admin/authentication/sa/login")
        for name, value in zip(("user", "password"), login(), strict=True):
            page.locator(f"[name={name}]").fill(value)
        page.locator("[name=login_submit]").click()
        page.locator("[name=login_submit]").wait_for(state="detached")
        page.goto(f"{address}/admin/export/sa/exportresults/surveyid/{survey}")
        page.get_by_label("CSV", exact=True).dispatch_event("click")
        page.get_by_text("Question code", exact=True).dispatch_event("click")
        with page.expect_download() as saved:
            page.locator("#exportresultsubmitbutton").dispatch_event("click")
        saved.value.save_as(path)


def cells_of(path: Path) -> list[dict[str, str]]:
    """What an export has in the columns of the form."""
    text = path.read_text("utf-8-sig")
    rows: Any = csv.DictReader(io.StringIO(text), delimiter=text[4])
    if path.suffix == ".json":
        rows = json.loads(text)["responses"]
    ours = {"affair": "affair", "income[above]": "income_above", "income[upto]": "income_upto"}
    return [{name: row[theirs] or "" for theirs, name in ours.items()} for row in rows]


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]) if sys.argv[2:] else None)
