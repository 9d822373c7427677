"""The analyst's page: one self-contained file that asks for nothing from anywhere."""

import hashlib
from base64 import b64encode
from importlib.resources import files
from typing import TYPE_CHECKING

from askance.errors import MissingExtra
from askance.present.shown import show
from askance.present.style import DARK, LIGHT, PRINT
from askance.present.worded import worded
from askance.present.wording import count, percent_level

if TYPE_CHECKING:
    from askance.survey.analyse import Analysis

LIMITS = (
    "It says nothing about any one person. What a single report can give away is said with each "
    "question.",
    "It speaks of those who took part. Whether they stand for anyone else depends on how they were "
    "invited, and no interval here covers that.",
    "It takes answers as given. People who misread the question or answered untruthfully are in "
    "the figures; the lines on random and misleading answers show how much that could matter.",
    "Each interval holds for its own question. Among many questions, some intervals miss.",
    "A protected answer costs precision: “worth” says how many plain answers would tell as much.",
)


def render_analysis(analysis: "Analysis") -> str:
    """Write the analyst's page.

    One HTML file, at most 500 kB for surveys of usual length, without a script and without a
    request; finished in light, in dark and on paper. Equal analyses give equal bytes: there is no
    date in it.

    Raises
    ------
    MissingExtra
        If Jinja2 or matplotlib is not installed.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.Counts(1020, sent))
    >>> page = render_analysis(analysis)
    >>> page[:15], "<script" in page, len(page) < 150_000
    ('<!doctype html>', False, True)
    """
    try:
        from jinja2 import Environment, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        raise MissingExtra("jinja2", "plot") from None
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters["tie"] = _tie
    form, style = analysis.form, _style()
    shown = [
        show(worded(finding, form), form.question(finding.name), at)
        for at, finding in enumerate(analysis.findings, 1)
    ]
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    prints = [("Form, SHA-256", analysis.form_fingerprint)]
    if analysis.data_fingerprint:
        prints.append(("Reports, SHA-256", analysis.data_fingerprint))
    return environment.from_string(_template("analysis.html")).render(
        title=form.document["title"][form.languages[0]],
        style=Markup(style),  # noqa: S704  the project's own file
        style_hash=digest,
        language=form.languages[0],
        reports=count(analysis.reports),
        findings=shown,
        svg=Markup,
        protected=sum(one.protected for one in shown),
        rehearsal=any(one.rehearsed for one in shown),
        interval=percent_level(f.estimate.level for f in analysis.findings if not f.suppressed),
        limits=LIMITS,
        command=analysis.command,
        prints=prints,
    )


def _tie(text: str) -> str:
    """Keep a percent sign on the line of its number."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _template(name: str) -> str:
    return (files("askance.present") / "templates" / name).read_text(encoding="utf-8")


def _style() -> str:
    light, dark, paper = (palette.declarations() for palette in (LIGHT, DARK, PRINT))
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f"@media print {{ :root {{ {paper} }} }}\n" + _template("analysis.css")
    )
