"""A sensitive survey from end to end, on real answers, with the real collector."""

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, final

import msgspec
from rich.console import Console
from rich.progress import Progress

from askance.analysis.analyse import analyse_deployed
from askance.analysis.form_results import Analysis
from askance.cli.typed_request import takes_request
from askance.engines.count import count_reports
from askance.present.analysis_page import render_analysis
from askance.present.terminal import format_line, rehearsal_table
from askance.study.people import Recorded, fetch, read_answers, send_all
from askance.survey.deployed import DeployedForm
from askance.survey.publish import deployed_at
from askance_collect.cli.documents import save
from askance_collect.cli.request_options import Arg
from askance_collect.collect.store import open_store
from askance_collect.errors import DocumentError
from askance_collect.wire.canonical_json import fingerprint
from askance_collect.wire.form import Form

_PACKED, _CLONED = (Path(__file__).parents[up] / "examples" for up in (1, 3))
EXAMPLES = _PACKED if _PACKED.is_dir() else _CLONED
"""Where the example is from every folder: a wheel brings it along, a clone has it at its root."""
SURVEY = EXAMPLES / "affairs.toml"
ANSWERS = EXAMPLES / "affairs-answers.csv"


@final
class DemoRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A survey and the answers to rehearse it with.

    Attributes
    ----------
    survey : Path
        A survey file, or a published form.
    answers : Path
        A CSV table with a column for each question.
    page : Path
        Where to write the analyst's page.
    """

    survey: Annotated[Path, Arg(flag="")] = SURVEY
    answers: Annotated[Path, Arg(flag="")] = ANSWERS
    page: Path = Path("out/demo.html")


@takes_request()
def demo(request: DemoRequest) -> None:
    """Rehearse SURVEY with recorded ANSWERS, a CSV table."""
    survey, answers, page = request.survey, request.answers, request.page
    # It runs in a process of its own; whether it is installed shows here.
    import_module("askance_collect.cli.serve")
    console = Console()
    deployed = deployed_at(survey)
    form = deployed.form
    recorded = read_answers(answers, form)
    console.print(format_line(form.document["title"][form.languages[0]], "bold"))
    console.print(
        format_line(f"{len(recorded.people):,} people, form SHA-256 {form.fingerprint[:16]}…")
    )
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "reports.db")
        published = Path(folder, "demo.form.json")
        published.write_bytes(form.bytes)
        with _collector(published, store) as url:
            _send_reports(console, url, form, recorded)
        analysis = _analyse_reports(deployed, store, recorded, _command_line(survey, answers))
    page.parent.mkdir(parents=True, exist_ok=True)
    save(page, render_analysis(analysis))
    console.print(rehearsal_table(analysis))
    console.print(format_line(f"The analyst's page: {page}"))
    if survey.parent == _PACKED:
        console.print("Write your own next: askance new survey.toml")
    else:
        console.print("Try it by hand, and open the address that this prints:")
        console.print(f"  askance serve {shlex.quote(str(_relative_path(survey)))}", soft_wrap=True)


def _command_line(survey: Path, answers: Path) -> str:
    """What to type to rehearse it again."""
    packed = survey == SURVEY and answers == ANSWERS
    places = [] if packed else [str(_relative_path(path)) for path in (survey, answers)]
    return shlex.join(["askance", "demo", *places])


def _relative_path(path: Path) -> Path:
    """Name a file from the folder where one stands, if it is below it."""
    folder = Path.cwd()
    return path.relative_to(folder) if path.is_relative_to(folder) else path


@contextmanager
def _collector(form: Path, store: Path) -> Iterator[str]:
    """Run the collector as its own process on a free port; give its address, then stop it."""
    command = ["serve", str(form), "--store", str(store), "--port", "0"]
    process = subprocess.Popen(  # noqa: S603 our own command, with a path of our own making
        [sys.executable, "-m", "askance", *command], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        first = process.stdout.readline()
        if "http" not in first:
            raise DocumentError("collector", got="no address", allowed="a collector that starts")
        yield first.split()[-1]
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _send_reports(console: Console, url: str, form: Form, recorded: Recorded) -> None:
    """Take the form from the collector, as devices do, and send everyone's report."""
    served = Form.read(fetch(f"{url}form.json"))
    if served.fingerprint != form.fingerprint:
        raise DocumentError("form.json", got=served.fingerprint, allowed=form.fingerprint)
    page = fetch(url)
    digest = fingerprint(page)[:16]
    console.print(format_line(f"asking at {url}, page of {len(page):,} bytes, SHA-256 {digest}…"))
    with Progress(console=console) as progress:
        bar = progress.add_task("privatised and sent", total=len(recorded.people))
        send_all(url, served, recorded.people, lambda: progress.advance(bar))


def _analyse_reports(
    deployed: DeployedForm, store: Path, recorded: Recorded, command: str
) -> Analysis:
    """Close the survey, count the reports, and estimate with the true shares for comparison."""
    collector_store = open_store(store)
    collector_store.close_survey()
    collector_store.close()
    return analyse_deployed(
        deployed,
        count_reports(store, deployed.form),
        command=command,
        data_fingerprint=fingerprint(store.read_bytes()),
        truth=recorded.truth,
    )
