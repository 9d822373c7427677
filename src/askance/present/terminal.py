"""Tables for a terminal: what was learnt, how a rehearsal went, what respondents risk."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, final
from unicodedata import category

import numpy as np

from askance.arguments import checked
from askance.errors import MissingExtra
from askance.present.findings import (
    GLOSSES,
    Quantity,
    count,
    doubt,
    in_short,
    left_open,
    one_look,
    percent_level,
    promise,
    quantities,
    ticked,
    without,
    worded,
)
from askance.privacy.guarantee import Guarantee, Notion
from askance.survey.deployed import Analysis, Check, figure, minimum_of
from askance.typing import Floats

if TYPE_CHECKING:
    from askance.privacy.coverage import CoverageLaw


try:
    from rich.console import Console, ConsoleOptions, Group, RenderableType
    from rich.constrain import Constrain
    from rich.padding import Padding
    from rich.segment import Segment
    from rich.table import Table
    from rich.text import Text
except ImportError as error:
    raise MissingExtra("rich", "survey") from error

if TYPE_CHECKING:
    from askance.survey import CheckedQuestion, Finding
    from askance.survey.deployed import ReportPreview
    from askance.survey.ticked import ListFinding

_WORTH = "Worth: how many plain, truthful answers would have told as much."

_Part = Text | Padding | Constrain | Group
_WIDE, _NAME = 80, 24


@checked
def estimate_table(analysis: Analysis) -> Group:
    """Tabulate every estimate with its confidence interval, for a terminal of 80 columns or more.

    Parameters
    ----------
    analysis : Analysis
        By `askance.survey.analyse`.

    Returns
    -------
    rich Group
        What ``rich.console.Console().print`` prints.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.engines.Counts(1020, sent))
    >>> from rich.console import Console
    >>> Console(width=80).print(estimate_table(analysis))
                                                    Estimate   95 % interval  Worth
    ...
    Since you married, have you had an affair?
    1,000 reports, 20 blank
      yes                                             32.4 %  27.5 to 37.5 %    334
      no                                              67.6 %  62.5 to 72.5 %    334
    ...
    """
    return _table(analysis, rehearsal=False)


@checked
def rehearsal_table(analysis: Analysis) -> Group:
    """Tabulate a rehearsal: the guarantee in words, the truth, the estimate, what it was worth.

    Parameters
    ----------
    analysis : Analysis
        By `askance.survey.analyse`, with the truth that is known.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> known = {"affair": {"yes": 0.3225}}
    >>> analysis = ak.analyse(form, ak.engines.Counts(1020, sent), truth=known)
    >>> from rich.console import Console
    >>> Console(width=80).print(rehearsal_table(analysis))
                                              Truth  Estimate   95 % interval  Worth
    ...
      yes                                    32.2 %    32.4 %  27.5 to 37.5 %    334
    ...
    """
    return _table(analysis, rehearsal=True)


@checked
def risk_tables(check: Check, *, details: bool = False) -> Group:
    """Tabulate the privacy guarantees of a form: first on one page, then question by question.

    What holds of several questions is said once, at the end.

    Parameters
    ----------
    check : Check
        By `askance.survey.check`.
    details : bool
        Whether to say what each figure means of each question, and to draw the histograms.

    >>> import askance as ak
    >>> from rich.console import Console
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> Console(width=80).print(risk_tables(ak.check(form)))
    Marriage and faith
    ...
    No report is more than 6 times as likely from one answer as from another.
    ...
    """
    told = [_told(question) for question in check.questions]
    shared = _shared(check, told)
    parts: list[_Part] = [summary_table(check), *_heading("In detail")]
    for question, sentences in zip(check.questions, told, strict=True):
        parts += _question(question, [one for one in sentences if one not in shared], details)
    for trait in check.traits:
        heading = f"Together, about {trait.name}: {', '.join(trait.questions)}"
        parts += [_text(""), _text(heading, "bold"), *_guarantees(trait.guarantees, details=True)]
        if not trait.guarantees:
            parts.append(_text("Nothing bounds what they tell together."))
    common = [f"{', '.join(names)}: {one}" for one, names in shared.items()] + _manipulated(check)
    if common:
        parts += [*_heading("Of several questions"), *map(_text, common)]
    if glosses := [] if details else _glosses(check):
        parts += [*_heading("The figures"), *map(_text, glosses)]
    return Group(Trimmed(Group(*parts)))


@checked
def summary_table(check: Check) -> Group:
    """Tabulate a form on one page: what is asked, how each report is protected, how precise it is.

    Parameters
    ----------
    check : Check
        By `askance.survey.check`.

    >>> import askance as ak
    >>> from rich.console import Console
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> Console(width=80).print(summary_table(ak.check(form)))
    Marriage and faith
    form SHA-256 ...
    ...
    Since you married, have you had an affair? (affair)                 ± 5.2 points
      No report is more than 6 times as likely from one answer as from another.
    ...
    """
    parts: list[_Part] = [
        _text(check.title, "bold"),
        _text(f"form SHA-256 {check.fingerprint}", "dim"),
        _text(""),
    ]
    middle = [one.precision[len(one.precision) // 2 :][:1] for one in check.questions]
    sizes = [n for several in middle for n, _ in several]
    head = f"95 % interval from {count(sizes[0])} reports" if sizes else ""
    parts.append(_aligned([("Question", head)], [len(head)], "dim"))
    widths = [max((len(width) for several in middle for _, width in several), default=0)]
    for question, several in zip(check.questions, middle, strict=True):
        width = several[0][1] if several else ""
        parts.append(_aligned([(f"{question.text} ({question.name})", width)], widths))
        if question.protection:
            parts.append(Padding(_text(question.protection, "dim"), (0, 0, 0, 2), expand=False))
    parts += [_text(f"\n{line}", "dim") for line in _spreads(check)]
    parts += [_text("")] if check.warnings else []
    parts += [_text(f"Note. {warning}", "yellow") for warning in check.warnings]
    return Group(Trimmed(Group(*parts)))


@final
@dataclass(frozen=True, slots=True)
class Trimmed:
    """What is printed without a blank at the end of any line: what pads a table, or was wrapped at.

    Attributes
    ----------
    printed : rich renderable

    >>> from rich.console import Console
    >>> Console(width=9).print(Trimmed("as it is, printed"))
    as it is,
    printed
    """

    printed: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """Print each line up to its last sign."""
        for line in console.render_lines(self.printed, options, pad=False):
            while line and not line[-1].text.rstrip():
                line.pop()
            *whole, last = line or [Segment("")]
            yield from (*whole, Segment(last.text.rstrip(), last.style), Segment.line())


def _table(analysis: Analysis, rehearsal: bool) -> Group:
    heading = percent_level(f.estimate.level for f in analysis.findings if not f.suppressed)
    columns = [*("Truth",) * rehearsal, "Estimate", heading, "Worth"]
    findings = [worded(finding) for finding in analysis.findings]
    rows = [_rows(finding, rehearsal) for finding in findings]
    cells = [columns, *(row[1:] for block in rows for row in block)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    parts: list[_Part] = [_aligned([("", *columns)], widths, "dim")]
    for finding, block in zip(findings, rows, strict=True):
        parts.append(_text(f"\n{finding.text}", "bold"))
        words = promise(finding) if rehearsal else ()
        counted = _counted(finding, minimum_of(analysis.form))
        parts += [_text(line, "dim") for line in (*words, counted)]
        told = doubt(finding.fit.found, finding.fit.doubted and not finding.suppressed)
        parts += [_text(line, "bold red") for line in told]
        parts += [_aligned(block, widths)] if block else []
        if finding.manipulation and not finding.suppressed:
            parts.append(_text(finding.manipulation.told, "dim"))
        parts += [_text(line, "dim") for line in left_open(finding)]
    for one in analysis.lists:
        parts += _listed(one, widths, rehearsal)
    parts += [_text(f"\n{one.question}: {one.told}", "dim") for one in analysis.attention]
    if open_note := one_look(analysis.fieldwork):
        parts.append(_text(f"\n{open_note}", "bold"))
    if analysis.left_out:
        parts.append(_text(f"\n{without(analysis.left_out)}", "bold"))
    if any(row[-1] for block in rows for row in block):
        parts.append(_text(f"\n{_WORTH}", "dim"))
    return Group(Trimmed(Group(*parts)))


def _rows(finding: "Finding", rehearsal: bool) -> list[tuple[str, ...]]:
    return _cells(quantities(finding), rehearsal, worths=finding.protected)


def _cells(
    held: Iterable[Quantity], rehearsal: bool, *, worths: bool = False
) -> list[tuple[str, ...]]:
    return [
        (
            f"  {one.name}",
            *(one.truth_told,) * rehearsal,
            one.told,
            one.interval,
            one.worth if worths else "",
        )
        for one in held
    ]


def _listed(found: "ListFinding", widths: Sequence[int], rehearsal: bool) -> list[_Part]:
    """Set what was learnt of a list to tick: each item, and both of each two."""
    parts: list[_Part] = [_text(f"\n{found.text}", "bold")]
    shares = ("Ticked by", found.items), ("Both ticked by", found.pairs)
    for told, several in shares:
        if block := _cells(ticked(several), rehearsal):
            parts += [_text(told, "dim"), _aligned(block, widths)]
    if len(parts) == 1:
        parts.append(_text("withheld: too few reports", "dim"))
    return parts


def _aligned(rows: Iterable[tuple[str, ...]], widths: Sequence[int], style: str = "") -> Constrain:
    table = Table.grid(expand=True, padding=(0, 2, 0, 0))
    table.add_column(ratio=1, overflow="fold")
    for width in widths:
        table.add_column(justify="right", no_wrap=True, min_width=width)
    for row in rows:
        table.add_row(*(_text(cell, style) for cell in row))
    return Constrain(table, max(_WIDE, _NAME + sum(widths) + 2 * len(widths)))


def _counted(finding: "Finding", least: int) -> str:
    several = "" if finding.reports == 1 else "s"
    told = f"{count(finding.reports)} report{several}, {count(finding.blank)} blank"
    if finding.not_asked:
        told += f", {count(finding.not_asked)} not asked"
    few = f"; withheld: fewer than the minimum of the survey, {count(least)}"
    return told + few if finding.suppressed else told


def _spreads(check: Check) -> list[str]:
    """Say for which people shares and intervals are given; by question where they differ."""
    found: dict[str, list[str]] = {}
    for question in check.questions:
        found.setdefault(question.spread, []).append(question.name)
    common = max(found, key=lambda spread: len(found[spread]))
    parts = [
        f"{spread} ({', '.join(names)})" for spread, names in found.items() if spread != common
    ]
    return [
        f"Shares of people and intervals: {', '.join([*parts, 'else ' * bool(parts) + common])}."
    ]


def _told(question: "CheckedQuestion") -> list[str]:
    """List what there is to say of a question in sentences, figures aside."""
    told = in_short(question)
    if question.preview is not None:
        told += [*question.preview.told, *question.preview.learnt]
    return told


def _shared(check: Check, told: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Find the sentences that hold of several questions, with the names of these.

    Those of groups by chance stay below the name of their group.
    """
    names: dict[str, list[str]] = {}
    for question, sentences in zip(check.questions, told, strict=True):
        grouped = question.kind == "table" and not question.by_answer
        for sentence in () if grouped else dict.fromkeys(sentences):
            names.setdefault(sentence, []).append(question.name)
    return {sentence: of for sentence, of in names.items() if len(set(of)) > 1}


def _heading(said: str) -> list[_Part]:
    return [_text(f"\n{said}", "bold underline")]


def _question(question: "CheckedQuestion", told: Sequence[str], details: bool) -> list[_Part]:
    parts: list[_Part] = [_text("")]
    parts.append(_text(f"{question.text} ({question.name})", "bold"))
    parts += map(_text, told)
    if question.preview is not None:
        parts += _foreseen(question.preview, details)
    parts += _guarantees(question.guarantees, details, question.spread)
    if question.precision:
        widths = ", ".join(f"{width} from {count(n)}" for n, width in question.precision)
        said = f"Precision of a 95 % interval: {widths} reports, {question.spread}"
        parts.append(_text(_wrapped(said), "dim"))
    return parts


def _manipulated(check: Check) -> list[str]:
    """Say how far false reports move each estimate, all in a sentence; names of one figure once."""
    names: dict[str, list[str]] = {}
    supposing = False
    for question in check.questions:
        if (moved := question.manipulation) is not None and moved.plainly:
            plainly = "" if moved.unit == "points" else f" (plainly {moved.plainly})"
            which, star = ", unbiased," * moved.unbiased, "*" * bool(moved.people)
            far = f"{which} by {moved.far}{star}{plainly}"
            names.setdefault(far, []).append(question.name)
            supposing |= bool(moved.people)
            head = f"{count(moved.false)} false reports among {count(moved.reports)}"
            share = f"a plain share by {100 * moved.false / moved.reports:.1f} points"
    if not names:
        return []
    told = "; ".join(f"{', '.join(alike)}{far}" for far, alike in names.items())
    supposed = " (*: people as supposed above)" * supposing
    return [f"{head} can move {share} at most; {told}{supposed}."]


def _wrapped(said: str) -> str:
    """Break a line where no sign is parted from its number."""
    tied = wrap(said.replace("± ", "±\0"), _WIDE, break_long_words=False, break_on_hyphens=False)
    return "\n".join(tied).replace("\0", " ")


def _foreseen(preview: "ReportPreview", details: bool) -> list[Text]:
    """Draw how many reports fit which share of people: in a line, or as a histogram."""
    counted = "; ".join([preview.spread, *preview.notes])
    if not details:
        return [_text(f"Reports by people they fit, {counted}: {sparkline(preview.law)}")]
    heading = f"What share of people a report fits, and how many of 100 reports do ({counted}):"
    return [_text(heading, "dim"), *map(_text, histogram(preview.law))]


def _guarantees(guarantees: Iterable[Guarantee], details: bool, spread: str = "") -> list[Padding]:
    """Set all guarantees in a line; in detail each on its own, with what it promises below."""
    if not details:
        told = _joined(guarantees, spread)
        return [Padding(_text(told), (0, 0, 0, 2), expand=False)] if told else []
    lines = []
    for one in guarantees:
        lines += [(f"{one.notion.label}: {figure(one)}", "", 2), (one.promise, "dim", 4)]
    return [
        Padding(_text(told, style), (0, 0, 0, indent), expand=False)
        for told, style, indent in lines
    ]


def _joined(guarantees: Iterable[Guarantee], spread: str) -> str:
    """Name every figure in a line: losses that are equal together, shares with whose they are."""
    shares, others = [], dict[tuple[str, str], list[str]]()
    for one in guarantees:
        label, value = one.notion.label, figure(one)
        if one.notion.is_width:
            shares.append(f"{label}: {value}")
        else:
            apart = one.notion is Notion.FLATNESS or not one.notion.is_loss
            others.setdefault((value, label * apart), []).append(label)
    told = [f"{', '.join(several)}: {value}" for (value, _), several in others.items()]
    return "; ".join([*([", ".join([*shares, spread])] if shares else []), *told])


def _glosses(check: Check) -> list[str]:
    """Explain each figure that is given, once."""
    given = [one for question in check.questions for one in question.guarantees]
    given += [one for trait in check.traits for one in trait.guarantees]
    used = dict.fromkeys(one.notion for one in given)
    return [f"{one.label}: {GLOSSES[one]}." for one in used if one in GLOSSES]


def _text(told: str, style: str = "") -> Text:
    """Take a text as it is: no markup is read in it, no control character reaches the terminal."""
    clean = (
        "\N{REPLACEMENT CHARACTER}" if category(sign) == "Cc" and sign != "\n" else sign
        for sign in told
    )
    return Text("".join(clean), style=style)


def said(told: str, style: str = "") -> Trimmed:
    """Take a line as it is, to be printed alone.

    >>> from rich.console import Console
    >>> Console(width=9).print(said("all [as it is]"))
    all [as
    it is]
    """
    return Trimmed(_text(told, style))


_WIDEST = 40
_BINS = 10
_BLOCKS = "▁▂▃▄▅▆▇█"


def histogram(law: "CoverageLaw") -> tuple[str, ...]:
    """Draw how many of 100 reports leave each tenth of all people possible, in 70 columns.

    Parameters
    ----------
    law : CoverageLaw

    >>> from askance.privacy.coverage import CoverageLaw
    >>> law = CoverageLaw(values=[0.25, 0.35, 1], chances=[0.25, 0.25, 0.5], n=0)
    >>> for line in histogram(law):
    ...     print(line)
      20 to 30 %   25  ████████████████████
      30 to 40 %   25  ████████████████████
      40 to 50 %    0
      50 to 60 %    0
      60 to 70 %    0
      70 to 80 %    0
      80 to 90 %    0
     90 to 100 %   50  ████████████████████████████████████████
    """
    held = _tenths(law)
    used = np.flatnonzero(held > 0)
    scale = _WIDEST / held.max()
    return tuple(
        f"{f'{10 * tenth} to {10 * tenth + 10} %':>12}{_count(float(held[tenth])):>5}  "
        f"{'█' * round(held[tenth] * scale)}".rstrip()
        for tenth in range(used[0], used[-1] + 1)
    )


def sparkline(law: "CoverageLaw") -> str:
    """Draw the same in a line: how many reports leave each tenth of all people possible.

    >>> from askance.privacy.coverage import CoverageLaw
    >>> sparkline(CoverageLaw(values=[0.25, 0.35, 1], chances=[0.125, 0.375, 0.5], n=0))
    '0 % ··▂▆·····█ 100 %'
    """
    held = _tenths(law)
    tall = np.ceil(held / held.max() * len(_BLOCKS) - 1e-9).astype(int)
    return f"0 % {''.join(_BLOCKS[height - 1] if height else '·' for height in tall)} 100 %"


def _tenths(law: "CoverageLaw") -> Floats:
    at = np.clip(np.ceil(law.values * _BINS - 1e-9).astype(int) - 1, 0, _BINS - 1)
    return np.bincount(at, law.chances, _BINS).astype(float)


def _count(share: float) -> str:
    return "<1" if 0 < share < 0.005 else f"{100 * share:.0f}"
