"""A printable sheet for people without a screen: dice, cards or a spinner decide as the form says.

Each copy has two parts. One stays with the person: how to answer, with the chances of the form. The
other is handed in: boxes to tick, and for a number the ranges that chance has cut for this copy
before anybody answers.
"""

import math
from base64 import b64encode
from collections.abc import Iterable, Iterator
from fractions import Fraction
from hashlib import sha256
from html import escape
from importlib.resources import files

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.respond.by_hand import DEVICES, DevicePlan, Step
from askance_collect.respond.on_paper import OnPaper, on_paper
from askance_collect.wire.form import Form
from askance_collect.wire.question import (
    Choice,
    FreeText,
    Number,
    Question,
    RangeQuestion,
    TableQuestion,
)

SIZES = "a4", "letter"
"""The sizes of paper."""

_STYLE = "\n" + (files("askance_collect.respond") / "sheet.css").read_text("utf-8")

_NARROW = Fraction(1, 16)
"""Of a sector below this the letter stands outside."""


@checked
def render_sheets(
    form: Form,
    *,
    device: str = "dice",
    copies: int = 1,
    first: int = 1,
    size: str = "a4",
    large: bool = False,
    language: str | None = None,
) -> bytes:
    """Write a form as sheets to print: an HTML page by itself, with the chances of the form.

    By the device, each answer's reports have exactly the chances of the form's table. The ranges of
    a number are drawn afresh for each copy, from the operating system's bits: its cuts do not hang
    on the answer, and the piece that is ticked is what a device would have sent.

    Parameters
    ----------
    form : Form
    device : str
        ``"dice"`` (up to three throws of a die of six or ten sides), ``"cards"`` or ``"spinner"``.
    copies : int
        1 to 10,000.
    first : int
        The number of the first sheet, 1 or more.
    size : str
        ``"a4"`` or ``"letter"``.
    large : bool
        18 points or more, everywhere.
    language : str, optional
        One of the form's; its first that there are words of, if left out.

    Returns
    -------
    bytes
        HTML in UTF-8, without a script, that requests nothing.

    Raises
    ------
    InputError
        If something of the form cannot be asked on paper as it is published, a device does not have
        its chances, or an argument means nothing.

    >>> import askance as ak
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "warner", truth = "5/6" }
    ... '''))
    >>> from askance_collect.respond import render_sheets
    >>> sheet = render_sheets(form, copies=2).decode()
    >>> "Throw a die." in sheet, sheet.count("<td>1–4</td><td>your true answer</td>")
    (True, 2)
    """
    _need("device", device, DEVICES)
    _need("size", size, SIZES)
    paper = on_paper(form, "tick", device=device, copies=copies, first=first, language=language)
    pages = [page for number in paper.numbers for page in _pages(paper, number)]
    cards = max((plan.sides for plan in paper.plans.values() if plan.device == "cards"), default=0)
    if cards:
        faces = "".join(f"<p>{face}</p>" for face in range(1, cards + 1))
        title = _say(paper, "cut_out")
        pages.append(f'<main><h1>{title}</h1><div class="cards">{faces}</div></main>')
    return _document(paper, pages, size, large=large).encode()


def _need(where: str, name: str, allowed: tuple[str, ...]) -> None:
    if name not in allowed:
        raise InputError(where, got=name, allowed=", ".join(allowed))


def _document(paper: OnPaper, pages: list[str], size: str, *, large: bool) -> str:
    page_size = "A4" if size == "a4" else "letter"
    style = _STYLE.replace("PAPER", page_size).replace("POINTS", "18" if large else "11")
    style = style.replace("SMALL", "1" if large else ".85")
    style = style.replace("WHOLE", "auto" if large else "avoid")  # which fills pages of large print
    style = style.replace("DISC", "105" if large else "70").strip()
    digest = b64encode(sha256(style.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:"
    title = escape(paper.text("title"))
    return (
        f'<!DOCTYPE html>\n<html lang="{paper.language}" dir="{paper.direction}">'
        '<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{title}</title><style>{style}</style></head><body>\n"
        + "\n".join(pages)
        + "\n</body></html>\n"
    )


def _pages(paper: OnPaper, number: int) -> Iterator[str]:
    """Write one copy: what is kept, and what is handed in."""
    title = f"<h1>{escape(paper.text('title'))}</h1>"
    instructions = "".join(
        _write_how_to_answer(paper, position, question)
        for position, question in paper.questions
        if question.name in paper.plans or isinstance(question, RangeQuestion)
    )
    sheet = _say(paper, "sheet", number=number)
    consent, contact = (escape(paper.text(part)) for part in ("consent", "contact"))
    keep = f"<h2>{_say(paper, 'keep')}</h2><p>{_say(paper, 'keep_why')}</p>" if instructions else ""
    about = "".join(f"<p>{text}</p>" for text in (consent, contact) if text)
    questions = "".join(
        _write_question(paper, position, question) for position, question in paper.questions
    )
    hand = f"<h2>{_say(paper, 'hand_in')}</h2><p>{_say(paper, 'leave')}</p>{questions}"
    yield f"<main><header>{title}</header>{about}{keep}{instructions}</main>"
    of = f'<p class="form" dir="ltr">SHA-256 {paper.form.fingerprint[:16]}…</p>'
    yield f"<main><header>{title}<p>{sheet}</p></header>{hand}{of}</main>"


def _say(paper: OnPaper, name: str, **blanks: object) -> str:
    return escape(paper.say(name, **blanks), quote=False)


def _write_how_to_answer(paper: OnPaper, number: int, question: Question) -> str:
    """Write how to answer one question, and what that protects."""
    text = escape(question.text[paper.language].strip(), quote=False)
    parts = [f"<h3>{number}. {text}</h3>"]
    plan = paper.plans.get(question.name)
    if plan is not None:
        parts.append(_steps(paper, question, plan))
    if isinstance(question, RangeQuestion):
        parts.append(_aside([" ".join(paper.explains_ranges(question))]))
    parts.append(_aside(paper.protects(question)))
    return f'<section class="kept">{"".join(parts)}</section>'


def _aside(sentences: Iterable[str]) -> str:
    paragraphs = "".join(f"<p>{escape(sentence, quote=False)}</p>" for sentence in sentences)
    return f"<aside>{paragraphs}</aside>" if paragraphs else ""


def _steps(paper: OnPaper, question: Question, plan: DevicePlan) -> str:
    thrown = f"dice_{plan.sides}_{plan.times}" if plan.device == "dice" else plan.device
    device, over = paper.say(thrown, sides=plan.sides), paper.say(f"over_{plan.device}")
    listed = "".join(
        f"<li>{escape(step.format(device=device, over=over), quote=False)}</li>"
        for step in paper.lines("steps")
    )
    rows = "".join(
        f"<tr><td>{_faces(step)}</td><td>{_write_reports(paper, question, step)}</td></tr>"
        for step in plan.steps
    )
    head = f"<tr><th>{_say(paper, 'came')}</th><th>{_say(paper, 'tick')}</th></tr>"
    disc = _disc(plan) if plan.device == "spinner" else ""
    table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    return f'<ol>{listed}</ol><div class="chances">{disc}{table}</div>'


def _faces(step: Step) -> str:
    return step.first if step.first == step.last else f"{step.first}–{step.last}"


def _write_reports(paper: OnPaper, question: Question, step: Step) -> str:
    return "<br>".join(escape(line, quote=False) for line in paper.does(question, step))


def _disc(plan: DevicePlan) -> str:
    """Draw the spinner: each sector's angle is its chance."""
    shapes, begin = [], Fraction(0)
    for index, step in enumerate(plan.steps):
        end = begin + step.share
        middle = _point(begin + step.share / 2, 68 if step.share >= _NARROW else 110)
        shade = "#fff" if index % 2 == 0 else "#ddd"
        if step.share == 1:
            shapes.append(f'<circle r="100" fill="{shade}"/>')
        else:
            far = int(step.share > Fraction(1, 2))
            path = f"M0 0L{_point(begin, 100)}A100 100 0 {far} 1 {_point(end, 100)}Z"
            shapes.append(f'<path d="{path}" fill="{shade}" data-share="{step.share}"/>')
        x, y = middle.split()
        shapes.append(f'<text x="{x}" y="{y}">{step.first}</text>')
        begin = end
    return f'<svg viewBox="-120 -120 240 240" role="img">{"".join(shapes)}<circle r="2"/></svg>'


def _point(turn: Fraction, radius: int) -> str:
    """Where a part of a turn, clockwise from above, ends: two coordinates."""
    angle = 2 * math.pi * float(turn)
    return f"{radius * math.sin(angle):.6f} {-radius * math.cos(angle):.6f}"


def _write_question(paper: OnPaper, number: int, question: Question) -> str:
    """Write one question with its boxes."""
    text = escape(question.text[paper.language].strip(), quote=False)
    heading = _heading(paper, number - 1)
    match question:
        case TableQuestion():
            body = f"<p>{_say(paper, 'do_chance', at=number)}</p>{_boxes(paper.replies(question))}"
        case Choice():
            body = f"{_boxes(paper.replies(question))}{_aside(paper.protects(question))}"
        case FreeText():
            lines = '<div class="line"></div>' * max(2, question.lines)
            body = f"<p>{_say(paper, 'write_text', limit=question.limit)}</p>{lines}"
        case Number():
            unit = escape(question.unit[paper.language], quote=False)
            limits = escape(paper.number(question), quote=False)
            body = f'<p>{limits}</p><span class="line short"></span>{unit}'
        case _:
            note = "do_chance" if question.name in paper.plans else "in_range"
            ranges = [(interval, interval) for interval in paper.ranges(question)]
            body = f"<p>{_say(paper, note, at=number)}</p>{_boxes(ranges)}"
    pictured = "".join(_pictures(paper, number - 1))
    return f"{heading}<section><h3>{number}. {text}</h3>{pictured}{body}</section>"


def _heading(paper: OnPaper, index: int) -> str:
    """Write the title and the text of the section that begins at a question."""
    begun = [part for part in paper.form.document.get("sections", ()) if part["at"] == index]
    titles = "".join(
        f"<h2>{escape(part['title'][paper.language], quote=False)}</h2>"
        for part in begun
        if "title" in part
    )
    texts = (part["text"][paper.language] for part in begun if "text" in part)
    return titles + "".join(f"<p>{escape(text.strip(), quote=False)}</p>" for text in texts)


def _pictures(paper: OnPaper, index: int) -> Iterator[str]:
    for picture in paper.form.images:
        if picture.question == index:
            alt = escape(picture.image.alt[paper.language])
            yield f'<img src="{picture.image.uri}" alt="{alt}">'


def _boxes(boxes: list[tuple[str, str]]) -> str:
    """Write boxes to tick, each with what is entered for it where that reads otherwise."""
    listed = []
    for text, key in boxes:
        key_box = f'<span class="key">{escape(key, quote=False)}</span>' if key != text else ""
        row = f'<span class="box"></span><span>{escape(text, quote=False)}</span>{key_box}'
        listed.append(f"<li>{row}</li>")
    return f"<ul>{''.join(listed)}</ul>"
