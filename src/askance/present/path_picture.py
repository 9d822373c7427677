"""Draw the respondent's path through a mechanism as a decision tree that reads downwards."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape as escaped
from typing import final
from unicodedata import east_asian_width

from askance.channels.frame import Frame
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.mechanisms.respondent_path import (
    Draw,
    Outcome,
    OwnAnswer,
    PathTree,
    SentReport,
    respondent_path,
)
from askance.present.figures import make_standalone
from askance_collect.arguments import checked
from askance_collect.exact.ratio import percent

_ROW, _INDENT, _TEXT, _TOP = 30, 24, 15, 8
_LETTER, _BOLD = 8.4, 9.6  # the width of a usual letter at this size, in a wide typeface
_LEAST = 320  # the width of a picture, whose letters are then as large on a phone as the text
_SIMPLE = 1_000  # the largest denominator of a chance that is written as a fraction
_UNWRITABLE = re.compile("[\0-\x1f\ud800-\udfff\ufffe\uffff]")  # in an XML file, or in one line


@checked
def path_picture(mechanism: AbstractMechanism, frame: Frame) -> str:
    """Draw the decision tree of a randomised response mechanism: coin, instruction, report.

    Each fork of chance names what is drawn, with the chance of each side; each fork of the own
    answer names the answers; a path ends with the report that is sent. Everything in it comes from
    `respondent_path`, whose branches are the chances that are deployed.

    Parameters
    ----------
    mechanism : AbstractMechanism
    frame : Frame

    Returns
    -------
    str
        An SVG file, light or dark as its reader's screen is.

    Raises
    ------
    InputError
        If the recipe is not for these answers.

    >>> import askance as ak
    >>> picture = path_picture(ak.mechanisms.Crosswise(harmless="1/4"), ak.Frame(["yes", "no"]))
    >>> picture[:38], "just one" in picture
    ('<svg xmlns="http://www.w3.org/2000/svg', True)
    """
    path = respondent_path(mechanism, frame)
    return make_standalone(path_drawing(path, "path", f"What a respondent does: {mechanism.name}"))


@final
@dataclass(frozen=True, slots=True)
class Invited:
    """A fork that an invitation takes, by naming a group; chance does where it names none.

    Attributes
    ----------
    groups : tuple of (str, PathTree)
        How the path goes on in each group.
    """

    groups: tuple[tuple[str, PathTree], ...]


def path_drawing(path: PathTree | Invited, name: str, title: str) -> str:
    """Draw a path as one ``<svg>`` element for a page; what it says is its description too.

    >>> path_drawing(SentReport("yes"), "q1", "Plainly")[:38]
    '<svg viewBox="0 0 320 46" width="320" '
    """
    rows = list(_list_rows(path, 0))
    height = _ROW * len(rows) + 2 * _TOP
    description = _escape(
        "; ".join(" ".join(filter(None, (row.chance, row.text, row.report))) for row in rows)
    )
    body = "".join(_draw_row(row, i, _find_parent(rows, i)) for i, row in enumerate(rows))
    width = max(_LEAST, round(max(row.width for row in rows)))
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-labelledby="{name}-title {name}-text">'
        f'<title id="{name}-title">{_escape(title)}</title>'
        f'<desc id="{name}-text">{description}</desc>'
        f"{body}</svg>"
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _PathLine:
    """A line of the drawing.

    Attributes
    ----------
    depth : int
    chance : str
        Of a side of a coin; empty for other lines.
    text : str
    report : str
        The report, where the path ends here.
    coin : bool
        Whether the line says what is drawn.
    """

    depth: int
    chance: str = ""
    text: str = ""
    report: str = ""
    coin: bool = False

    @property
    def starts(self) -> float:
        """Where its words begin."""
        return self.depth * _INDENT + 4

    @property
    def width(self) -> float:
        """About how far its words reach."""
        words = _BOLD * _count_letters(self.chance + self.report) + _LETTER * _count_letters(
            self.text
        )
        return self.starts + words + 12 * bool(self.chance) + 34 * bool(self.report)


def _escape(text: str) -> str:
    r"""Spell a text for XML: control characters become the mark of replacement.

    >>> _escape("yes & \x01no")
    'yes &amp; �no'
    """
    return escaped(_UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text))


def _count_letters(text: str) -> int:
    """How many usual letters are as wide; those of East Asia count twice.

    >>> _count_letters("yes"), _count_letters("はい")
    (3, 4)
    """
    return sum(1 + (east_asian_width(letter) in {"W", "F"}) for letter in text)


def _list_rows(path: PathTree | Invited, depth: int) -> Iterator[_PathLine]:
    """List the lines below a fork, each path down to its report."""
    match path:
        case SentReport():
            yield _PathLine(depth=depth, report=path.report)
        case Draw():
            yield _PathLine(depth=depth, text=path.device, coin=True)
            for outcome in path.outcomes:
                yield from _list_side(outcome, depth + 1)
        case OwnAnswer():
            for answer, then in path.next_steps:
                yield from _list_with_head(then, _PathLine(depth=depth, text=f"answer “{answer}”"))
        case Invited():
            yield _PathLine(depth=depth, text="An invitation, else chance", coin=True)
            for group, then in path.groups:
                yield from _list_with_head(then, _PathLine(depth=depth + 1, text=group))


def _list_side(outcome: Outcome, depth: int) -> Iterator[_PathLine]:
    text = (
        ""
        if isinstance(outcome.next_step, SentReport) and outcome.label == outcome.next_step.report
        else outcome.label
    )
    yield from _list_with_head(
        outcome.next_step, _PathLine(depth=depth, chance=_write_chance(outcome.chance), text=text)
    )


def _list_with_head(then: PathTree, head: _PathLine) -> Iterator[_PathLine]:
    """A line with its report, or with what follows it below."""
    if isinstance(then, SentReport):
        yield _PathLine(depth=head.depth, chance=head.chance, text=head.text, report=then.report)
        return
    yield head
    yield from _list_rows(then, head.depth + 1)


def _write_chance(chance: Fraction) -> str:
    return str(chance) if chance.denominator <= _SIMPLE else f"{percent(chance)} %"


def _find_parent(rows: list[_PathLine], index: int) -> int | None:
    """The line that a line hangs from: the last one above it that stands further out."""
    depth = rows[index].depth
    return next((above for above in range(index - 1, -1, -1) if rows[above].depth < depth), None)


def _draw_row(row: _PathLine, index: int, parent: int | None) -> str:
    middle = _TOP + _ROW * index + _ROW / 2
    parts = []
    if parent is not None:
        x, top = row.starts - _INDENT + 8, _TOP + _ROW * parent + _ROW / 2 + 10
        parts.append(
            f'<path d="M{x:g} {top:g}V{middle:g}H{row.starts - 4:g}" fill="none" '
            'stroke="var(--rule)" stroke-width="1.5"/>'
        )
    x, spans = row.starts, []
    if row.chance:
        spans.append(f'<tspan fill="var(--accent)" font-weight="650">{row.chance}</tspan>')
    if row.text:
        fill = "var(--quiet)" if row.coin else "var(--ink)"
        spans.append(f'<tspan fill="{fill}">{_escape(row.text)}</tspan>')
    if row.report:
        spans.append(
            f'<tspan fill="var(--quiet)">→ </tspan>'
            f'<tspan fill="var(--mark)" font-weight="650">{_escape(row.report)}</tspan>'
        )
    words = "<tspan>  </tspan>".join(spans)
    attributes = f'x="{x:g}" y="{middle + 5:g}" font-size="{_TEXT}" xml:space="preserve"'
    parts.append(f"<text {attributes}>{words}</text>")
    return "".join(parts)
