"""Whether a mechanism gives away what is stated and no more, from its reports alone."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from askance.audit.auditor import FAILURE, Audit
from askance.audit.auditor import audit as audited
from askance.audit.form_subject import FormSubject
from askance.audit.page_subject import PageSubject
from askance.audit.subject import AbstractSubject
from askance.audit.subjects import ProgramSubject
from askance.cli.typed import split_list, unquote
from askance.results import in_terminal
from askance_collect.cli.documents import FILE, echo_json, form_at, save
from askance_collect.errors import InputError
from askance_collect.exact.ratio import spelt
from askance_collect.wire.form import Form

_GLOSS = """\
at least: a limit from below, ε for losses; all of them hold together
stated: what the form's whole numbers, or --epsilon, allow; ! marks more"""
_LIMITS = (
    "It cannot prove that a mechanism is private: what is too rare for these draws was not seen.",
    "It says nothing about what answers were collected, nor by whom.",
)
_LEAD = (
    "Each mechanism was asked {draws:,} times. What its reports give away was bounded from below, "
    "and stands beside what is stated. A right mechanism is found fault with at most once in "
    "{once:,.0f} such audits."
)
_CAPTION = (
    "A dot: what a report gives away at least. An upright mark: what is stated. A dot to the right "
    "of its mark is a fault; where there is no mark, nothing bounds the loss."
)


@click.command()
@click.argument("form", type=FILE, required=False, default=None)
@click.option("--question", multiple=True, help="Only this one; may be given again.")
@click.option("--page", is_flag=True, help="Drive the respondent's page in a browser.")
@click.option("--browser", type=FILE, help="A Chromium, if not the one on the command path.")
@click.option("--program", help="A command that reads answers and writes reports, one a line.")
@click.option("--one-by-one", is_flag=True, help="Time it: each answer waits for the last report.")
@click.option("--answers", help="Of a program without a FORM: yes,no.")
@click.option("--epsilon", help="What is stated of the local loss, if not the form's.")
@click.option("--ratio", help="Instead of --epsilon: e to it, exactly.")
@click.option("--draws", type=click.IntRange(1), help="Reports to look at (100000; of a page 500).")
@click.option("--failure", type=float, default=FAILURE, show_default=True, help="False alarms.")
@click.option("--seed", type=int, help="Of the analyst's dice: who is asked when.")
@click.option("--html", "page_file", type=FILE, help="Write the report with its plots.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def audit(form: Path | None, as_json: bool, page_file: Path | None, **options: Any) -> None:
    """Audit whether reports give away more than is stated.

    Every protected question of FORM (or a survey file) as a device answers it; with --page as its
    page does in a browser; with --program an outside command, beside FORM or by itself. Prints
    lower bounds on each privacy loss and checks of how reports are drawn. The exit status is 0
    where nothing is wrong, 1 where a fault was found, 2 where the audit could not be made.
    """
    options = {name: spelt(value) for name, value in options.items()}
    subjects = list(_subjects(form, options))
    draws = int(options["draws"] or (500 if options["page"] else 100_000))
    audits = _run_audits(subjects, options, draws)
    if page_file is not None:
        save(page_file, _page(form, audits, draws))
    if as_json:
        echo_json([result.to_dict() for result in audits])
    else:
        text = "\n\n".join(map(in_terminal, audits))
        click.echo(f"{text}\n\n{_GLOSS}")
    sys.exit(int(not all(result.passed for result in audits)))


def _run_audits(
    subjects: list[AbstractSubject], options: dict[str, Any], draws: int
) -> list[Audit]:
    console, audits = Console(stderr=True), []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("draw and look", total=draws * len(subjects))
        for i, subject in enumerate(subjects):

            def done(many: int, before: int = i * draws) -> None:
                progress.update(bar, completed=before + many)

            result = audited(
                subject,
                epsilon=options["epsilon"],
                ratio=options["ratio"],
                draws=draws,
                failure=options["failure"],
                rng=options["seed"],
                done=done,
            )
            audits.append(result)
    return audits


def _subjects(path: Path | None, options: dict[str, Any]) -> Iterator[AbstractSubject]:
    """Say what is to be audited."""
    if path is None:
        yield _program_alone(options)
        return
    if options["answers"] is not None:
        raise InputError("--answers", got="a FORM too", allowed="one of the two")
    form = form_at(path)
    names = options["question"] or _protected(form)
    if options["program"] is not None:
        if len(names) != 1:
            allowed = "one question that the program answers: --question NAME"
            raise InputError("audit", got=f"{len(names)} questions", allowed=allowed)
        stated = FormSubject(form, names[0]).stated
        command = tuple(shlex.split(options["program"]))
        yield ProgramSubject(command, stated.frame.answers, stated, options["one_by_one"])
        return
    for name in names:
        if options["page"]:
            yield PageSubject(form, name, options["browser"])
        else:
            yield FormSubject(form, name)


def _program_alone(options: dict[str, Any]) -> ProgramSubject:
    if options["program"] is None or options["answers"] is None:
        allowed = "a FORM, or --program with --answers"
        raise InputError("audit", got="nothing to audit", allowed=allowed)
    answers = tuple(unquote(answer.strip()) for answer in split_list(options["answers"]))
    command = tuple(shlex.split(options["program"]))
    return ProgramSubject(command, answers, None, options["one_by_one"])


def _protected(form: Form) -> tuple[str, ...]:
    """Name the questions whose report a device draws."""
    names = tuple(question.name for question in form.questions if question.is_randomised)
    if not names:
        allowed = "a form with a question that a mechanism protects"
        raise InputError("audit", got="questions that are asked plainly", allowed=allowed)
    return names


def _page(path: Path | None, audits: list[Audit], draws: int) -> str:
    from askance.present.result_page import render_results

    return render_results(
        "An audit" if path is None else f"An audit of {path.name}",
        audits,
        kind="audit",
        lead=_LEAD.format(draws=draws, once=1 / audits[0].failure),
        caption=_CAPTION,
        key="what is stated",
        command=shlex.join(["askance", *sys.argv[1:]]),
        limits=_LIMITS,
    )
