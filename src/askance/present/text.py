"""Tables for a terminal: what was learnt, how a rehearsal went, what respondents risk."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from unicodedata import category

from askance.errors import MissingExtra
from askance.present.histogram import histogram
from askance.present.left_open import left_open
from askance.present.promise import MOST_WORDS, promise
from askance.present.quantity import quantities
from askance.present.worded import worded
from askance.present.wording import count, percent_level

try:
    from rich.console import Group
    from rich.constrain import Constrain
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text
except ImportError as error:
    raise MissingExtra("rich", "survey") from error

if TYPE_CHECKING:
    from askance.survey.analyse import Analysis, Finding
    from askance.survey.check import Check, CheckedQuestion
    from askance.survey.outlook import Outlook

_WIDE, _NAME = 80, 24


def estimate_table(analysis: "Analysis") -> Group:
    """Set out every estimate with its interval, readable from 80 columns upwards.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 310, 1: 520, 2: 170}
    >>> analysis = ak.analyse(form, ak.Counts(1000, sent))
    >>> from rich.console import Console
    >>> Console(width=80).print(estimate_table(analysis))
                                                    Estimate   95 % interval  Worth
    ...
    Since you married, have you had an affair?
    1,000 reports, 0 blank
      yes                                             32.3 %  27.8 to 37.0 %    334
      no                                              67.7 %  63.0 to 72.2 %    334
    ...
    """
    return _table(analysis, rehearsal=False)


def rehearsal_table(analysis: "Analysis") -> Group:
    """Set out a rehearsal: the promise in words, the truth, the estimate, what it was worth.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 310, 1: 520, 2: 170}
    >>> known = {"affair": {"yes": 0.3225}}
    >>> analysis = ak.analyse(form, ak.Counts(1000, sent), truth=known)
    >>> from rich.console import Console
    >>> Console(width=80).print(rehearsal_table(analysis))
                                              Truth  Estimate   95 % interval  Worth
    ...
      yes                                    32.2 %    32.3 %  27.8 to 37.0 %    334
    ...
    """
    return _table(analysis, rehearsal=True)


def risk_tables(check: "Check") -> Group:
    """Set out what each respondent risks, question by question, then trait by trait.

    >>> import askance as ak
    >>> from rich.console import Console
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> Console(width=80).print(risk_tables(ak.check(form)))
    Marriage and faith
    ...
    No report is more than 6 times as likely from one answer as from another.
    ...
    """
    parts: list[Text | Padding] = [
        _text(check.title, "bold"),
        _text(f"form {check.fingerprint}", "dim"),
    ]
    for question in check.questions:
        parts += [_text(""), *_question(question)]
    for trait in check.traits:
        heading = f"Together, about {trait.name}: {', '.join(trait.questions)}"
        parts += [_text(""), _text(heading, "bold"), *_guarantees(trait.guarantees)]
    parts += [_text(f"\nNote. {warning}", "yellow") for warning in check.warnings]
    return Group(*parts)


def _table(analysis: "Analysis", rehearsal: bool) -> Group:
    heading = percent_level(f.estimate.level for f in analysis.findings if not f.suppressed)
    columns = [*("Truth",) * rehearsal, "Estimate", heading, "Worth"]
    findings = [worded(finding, analysis.form) for finding in analysis.findings]
    rows = [_rows(finding, rehearsal) for finding in findings]
    cells = [columns, *(row[1:] for block in rows for row in block)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    parts: list[Text | Constrain] = [_aligned([("", *columns)], widths, "dim")]
    for finding, block in zip(findings, rows, strict=True):
        parts.append(_text(f"\n{finding.text}", "bold"))
        words = promise(finding) if rehearsal else ()
        parts += [_text(line, "dim") for line in (*words, _counted(finding))]
        parts += [_aligned(block, widths)] if block else []
        open_left = left_open(finding, analysis.form.question(finding.name))
        parts += [_text(line, "dim") for line in open_left]
    return Group(*parts)


def _rows(finding: "Finding", rehearsal: bool) -> list[tuple[str, ...]]:
    return [
        (
            f"  {held.name}",
            *(held.truth_told,) * rehearsal,
            held.told,
            held.interval,
            held.worth if finding.protected else "",
        )
        for held in quantities(finding)
    ]


def _aligned(rows: Iterable[tuple[str, ...]], widths: Sequence[int], style: str = "") -> Constrain:
    table = Table.grid(expand=True, padding=(0, 2, 0, 0))
    table.add_column(ratio=1, overflow="fold")
    for width in widths:
        table.add_column(justify="right", no_wrap=True, min_width=width)
    for row in rows:
        table.add_row(*(_text(cell, style) for cell in row))
    return Constrain(table, max(_WIDE, _NAME + sum(widths) + 2 * len(widths)))


def _counted(finding: "Finding") -> str:
    several = "" if finding.reports == 1 else "s"
    told = f"{count(finding.reports)} report{several}, {count(finding.blank)} blank"
    return f"{told}; withheld: fewer than the minimum of the survey" if finding.suppressed else told


def _question(question: "CheckedQuestion") -> list[Text | Padding]:
    told: list[Text | Padding] = [_text(f"{question.text} ({question.name})", "bold")]
    most = MOST_WORDS if question.kind == "table" else len(question.words)
    told += [_text(sentence) for sentence in question.words[:most]]
    if len(question.words) > most:
        told.append(_text(f"… and so for {len(question.words) - most} more.", "dim"))
    if question.outlook is not None:
        told += _foreseen(question.outlook)
    told += _guarantees(question.guarantees)
    if question.precision:
        widths = ", ".join(f"{width} from {count(n)}" for n, width in question.precision)
        told.append(_text(f"Precision of a 95 % interval: {widths} reports", "dim"))
    return told


def _foreseen(outlook: "Outlook") -> list[Text]:
    """Set out the typical and the worst report, the law as a histogram, and what is learnt."""
    told = [_text(sentence) for sentence in (*outlook.told, *outlook.learnt)]
    counted = "; ".join([outlook.spread, *outlook.notes])
    heading = f"What share of people a report fits, and how many of 100 reports do ({counted}):"
    return [*told, _text(heading, "dim"), *map(_text, histogram(outlook.law))]


def _guarantees(guarantees: Iterable[tuple[str, str, str]]) -> list[Padding]:
    """Set each guarantee on a line with its figure, what it promises below, indented."""
    return [
        Padding(_text(told, style), (0, 0, 0, indent), expand=False)
        for label, value, meaning in guarantees
        for told, style, indent in ((f"{label}: {value}", "", 2), (meaning, "dim", 4))
    ]


def _text(told: str, style: str = "") -> Text:
    """Take a text as it is: no markup is read in it, no control character reaches the terminal."""
    clean = (
        "\N{REPLACEMENT CHARACTER}" if category(sign) == "Cc" and sign != "\n" else sign
        for sign in told
    )
    return Text("".join(clean), style=style)
