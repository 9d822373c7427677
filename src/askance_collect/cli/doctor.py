"""Whether reports arrive, from where this is typed: what is on the way, in sentences."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import click

from askance_collect.cli.documents import FILE, form_at
from askance_collect.collect.doctor import NOTES, Diagnosis, Obstacle, Problem, VisitStep, diagnose

_STEPS: Mapping[VisitStep, str] = MappingProxyType(
    {
        VisitStep.PAGE: "opening the page",
        VisitStep.QUERY: "opening the page with a query string",
        VisitStep.STATUS: "asking whether reports are taken",
        VisitStep.REPORT: "posting a test report",
        VisitStep.OLD_BROWSER: "posting as a browser without Sec-Fetch-Site does",
    }
)
_SENTENCES: Mapping[Problem, str] = MappingProxyType(
    {
        Problem.NO_REPLY: "no reply ({value})",
        Problem.NOT_PRIVATE: "no TLS: what is sent can be read and changed on the way, and "
        "the page refuses to work",
        Problem.MOVED: "status {status} sends on to {value}",
        Problem.BLOCKED: "blocked with status {status}, not by the collector: a proxy or a "
        "firewall",
        Problem.GATEWAY: "status {status}: a proxy does not reach the collector",
        Problem.TOO_LARGE: "status 413: a proxy takes no body of {sent} bytes (nginx: "
        "client_max_body_size)",
        Problem.RATE_LIMITED: "status 429, not by the collector: a proxy lets too few requests "
        "through",
        Problem.OTHER_SERVER: "something else answers there, with status {status}: another part "
        "of the host, a sign-in page, or a proxy with a page of its own",
        Problem.NO_SLASH: "the page lies at {value}, without a slash at the end, so that its "
        "reports go to {address}: have the proxy redirect {value} to {value}/ and hand on all that "
        "lies below (nginx: location {value}/)",
        Problem.OTHER_FORM: "another form is asked there: {value}",
        Problem.CLOSED: "the survey takes no reports: it is closed, or its quotas are full",
        Problem.REFUSED: "the collector itself refused it, with the code {name}",
        Problem.BODY_CHANGED: "the body was changed on the way: the collector received other bytes",
        Problem.PAGE_CHANGED: "the page was rewritten on the way: these are not the bytes that the "
        "collector handed out",
        Problem.HEADER_MISSING: "the header {name} was taken out ({value} is missing)",
        Problem.HEADER_CHANGED: "the header {name} was changed or sent twice: {value}",
        Problem.HEADER_ADDED: "the header {name} was added: {value}",
        Problem.REDIRECTED: "the address leads to {value}",
        Problem.COMPRESSED: "compressed on the way, which changes nothing in it",
        Problem.NO_HSTS: "no Strict-Transport-Security: a visit by http:// can be led elsewhere",
    }
)
_NOT_FOLLOWED = ": the page follows no redirection, since a browser may make a GET of a POST there"
_REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "origin": "have the proxy hand on Host, Origin and Sec-Fetch-Site as they came (nginx: "
        "proxy_set_header Host $http_host)",
        "size": "a body of another length arrived",
        "not-json": "the body was changed on the way",
        "shape": "the body was changed on the way, or the collector is of an older version",
        "not-found": "the proxy hands requests on to another path",
        "method": "the collector is of an older version, or the proxy changed the method",
        "busy": "it has too much to do at present",
    }
)
"""What to do about a refusal, by its code."""


@click.command()
@click.argument("url")
@click.option(
    "--form", "published", type=FILE, help="The published form that is to be asked there."
)
@click.option(
    "--timeout", "seconds", type=click.FloatRange(0, min_open=True), default=60, show_default=True
)
def doctor(url: str, published: Path | None, seconds: float) -> None:
    """Visit the survey at URL as a stranger; post a test report.

    Names what blocks, loses or rewrites anything on the way. The collector acknowledges the test
    report, and neither keeps nor counts it. The exit status is 1 if something is lost.
    """
    form = None if published is None else form_at(published)
    diagnosis = diagnose(url, form, seconds=seconds)
    click.echo(f"page {diagnosis.page or 'not opened'}")
    if diagnosis.page_sha256:
        click.echo(f"page SHA-256 {diagnosis.page_sha256}")
    if diagnosis.form:
        click.echo(f"form SHA-256 {diagnosis.form}")
    if diagnosis.arrived:
        click.echo(f"a test report of {diagnosis.sent} bytes arrived unchanged; it is not kept")
    else:
        click.echo("no test report arrived")
    for obstacle in diagnosis.obstacles:
        click.echo(_sentence(obstacle, diagnosis))
    click.echo(
        "not to be seen from outside: whether anybody on the way keeps a log of addresses or"
    )
    click.echo("of bodies; who ends TLS can")
    raise SystemExit(diagnosis.lost)


def _sentence(obstacle: Obstacle, diagnosis: Diagnosis) -> str:
    """Write an obstacle as a sentence, with what replied."""
    sentence = _SENTENCES[obstacle.problem].format(
        status=obstacle.status,
        name=obstacle.name,
        value=obstacle.value,
        address=obstacle.address,
        sent=diagnosis.sent,
    )
    if obstacle.problem is Problem.MOVED and obstacle.step not in (VisitStep.PAGE, VisitStep.QUERY):
        sentence += _NOT_FOLLOWED
    remedy = _REFUSED.get(obstacle.name, "") if obstacle.problem is Problem.REFUSED else ""
    marks = "note" if obstacle.problem in NOTES else "LOST"
    server = f" [{obstacle.server}]" if obstacle.server else ""
    return f"{marks}  {_STEPS[obstacle.step]}: {sentence}{': ' if remedy else ''}{remedy}{server}"
