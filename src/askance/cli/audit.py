"""Whether a mechanism gives away what is stated and no more, from its reports alone."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, final

import click
import msgspec

from askance.audit.auditor import ALPHA, Audit
from askance.audit.auditor import audit as audited
from askance.audit.form_subject import FormSubject
from askance.audit.page_subject import PageSubject
from askance.audit.subject import AbstractSubject
from askance.audit.subjects import ProgramSubject
from askance.cli.mechanism_option import AnswerNames
from askance.cli.progress_bar import progress_bar
from askance.cli.typed_request import Browser, Exact, Positive, PrintJson, takes_request
from askance.results import in_terminal
from askance_collect.cli.documents import echo_json, form_at, save
from askance_collect.cli.request_options import Arg
from askance_collect.errors import InputError
from askance_collect.wire.form import Form

_GLOSS = """\
at least: a limit from below, ε for losses; all of them hold together
stated: what the form's whole numbers, or --epsilon, allow; ! marks more"""


@final
class AuditRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is audited, and what is stated of it.

    Attributes
    ----------
    form : Path, optional
        A published form, or a survey file.
    question : tuple of str
        This question only; again for several.
    page : bool
        Drive the respondent's page in a browser, and read what it posts (named answers; needs
        `askance[rehearse]`).
    program : str, optional
        A command that reads answers and writes reports, one a line.
    one_by_one : bool
        With `--program`: give an answer when the last report has come, and look at the times too.
    answers : tuple of str, optional
        With `--program` and no form: the answers it reads, `yes,no`.
    epsilon : str, optional
        What is stated of the local loss, in place of the form's.
    ratio : str, optional
        Instead of `--epsilon`: e^ε, exactly.
    draws : int, optional
        Reports to look at for each question (100,000; of a page 500).
    alpha : float
        The chance of a false alarm for a correct mechanism, for each question.
    seed : int, optional
        The seed of the analyst's random numbers: who is asked when; reports are drawn by fresh bits
        all the same.
    html : Path, optional
        Write the report with its plots.
    """

    form: Annotated[Path | None, Arg(flag="")] = None
    question: tuple[str, ...] = ()
    page: bool = False
    browser: Browser = None
    program: str | None = None
    one_by_one: bool = False
    answers: AnswerNames | None = None
    epsilon: Exact | None = None
    ratio: Exact | None = None
    draws: Positive | None = None
    alpha: float = ALPHA
    seed: int | None = None
    html: Path | None = None
    json: PrintJson = False


@takes_request()
def audit(request: AuditRequest) -> None:
    """Audit whether reports give away more than is stated.

    Every protected question of FORM (or a survey file) as a device answers it; with --page as its
    page does in a browser; with --program an outside command, beside FORM or by itself. Prints
    lower bounds on each privacy loss and checks of how reports are drawn. The exit status is 0
    where nothing is wrong, 1 where a fault was found, 2 where the audit could not be made.
    """
    subjects = list(_subjects(request))
    draws = request.draws or (500 if request.page else 100_000)
    audits = _run_audits(subjects, request, draws)
    if request.html is not None:
        save(request.html, _page(request.form, audits, draws))
    if request.json:
        echo_json([result.to_dict() for result in audits])
    else:
        text = "\n\n".join(map(in_terminal, audits))
        click.echo(f"{text}\n\n{_GLOSS}")
    sys.exit(int(not all(result.passed for result in audits)))


def _run_audits(
    subjects: Sequence[AbstractSubject], request: AuditRequest, draws: int
) -> list[Audit]:
    with progress_bar("draw and look", draws * len(subjects)) as move:
        return [
            audited(
                subject,
                epsilon=request.epsilon,
                ratio=request.ratio,
                draws=draws,
                alpha=request.alpha,
                rng=request.seed,
                progress=partial(lambda before, drawn: move(before + drawn), i * draws),
            )
            for i, subject in enumerate(subjects)
        ]


def _subjects(request: AuditRequest) -> Iterator[AbstractSubject]:
    """Read the subjects to audit."""
    if request.form is None:
        yield _program_alone(request)
        return
    if request.answers is not None:
        raise InputError("--answers", got="a FORM too", allowed="one of the two")
    form = form_at(request.form)
    names = request.question or _protected(form)
    if request.program is not None:
        if len(names) != 1:
            allowed = "one question that the program answers: --question NAME"
            raise InputError("audit", got=f"{len(names)} questions", allowed=allowed)
        stated = FormSubject(form, names[0]).stated_channel
        command = tuple(shlex.split(request.program))
        yield ProgramSubject(command, stated.frame.answers, stated, request.one_by_one)
        return
    for name in names:
        if request.page:
            yield PageSubject(form, name, request.browser)
        else:
            yield FormSubject(form, name)


def _program_alone(request: AuditRequest) -> ProgramSubject:
    if request.program is None or request.answers is None:
        allowed = "a FORM, or --program with --answers"
        raise InputError("audit", got="nothing to audit", allowed=allowed)
    command = tuple(shlex.split(request.program))
    return ProgramSubject(command, request.answers, None, request.one_by_one)


def _protected(form: Form) -> tuple[str, ...]:
    """Name the questions whose report a device draws."""
    names = tuple(question.name for question in form.questions if question.is_randomised)
    if not names:
        allowed = "a form with a question that a mechanism protects"
        raise InputError("audit", got="questions that are asked plainly", allowed=allowed)
    return names


def _page(path: Path | None, audits: list[Audit], draws: int) -> str:
    from askance.present.result_page import render_results
    from askance.present.sentences import load_sentences

    words = load_sentences("notes.toml")

    return render_results(
        "An audit" if path is None else f"An audit of {path.name}",
        audits,
        kind="audit",
        lead=str(words["audit"]["lead"]).format(draws=draws, once=1 / audits[0].alpha),
        caption=str(words["audit"]["caption"]),
        command=shlex.join(["askance", *sys.argv[1:]]),
        limits=tuple(map(str, words["audit_limits"].values())),
    )
