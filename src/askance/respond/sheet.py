"""A sheet to print for who will not use a screen: dice, cards or a spinner decide as the form says.

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

from askance.arguments import checked
from askance.errors import InputError
from askance.respond.by_hand import DEVICES, Plan, Step
from askance.respond.on_paper import OnPaper, on_paper
from askance.wire.answer_question import Choice, TableQuestion
from askance.wire.form import Form
from askance.wire.question import Number, Question, RangeQuestion
from askance.wire.text_question import FreeText

SIZES = "a4", "letter"
"""The sizes of paper."""

_STYLE = """
@page{size:PAPER;margin:14mm 16mm}
*{box-sizing:border-box}
html{font:POINTSpt/1.4 system-ui,"Liberation Sans",Arial,sans-serif;color:#000;background:#fff}
body{margin:0}
main{break-after:page}
main:last-of-type{break-after:auto}
header{display:flex;justify-content:space-between;gap:1em;border-bottom:2pt solid;margin-bottom:1em}
header p{margin:0 0 .2em;white-space:nowrap;font-weight:700}
h1,h2,h3{font-size:1em;margin:0;line-height:1.25}
h1{font-size:1.25em}
h2{margin:1.2em 0 .4em}
h3{white-space:pre-line}
p{margin:.4em 0;white-space:pre-line}
section{break-inside:avoid;margin:1.2em 0}
.kept{break-inside:WHOLE}
h2,h3{break-after:avoid}
aside{border-inline-start:2pt solid;padding-inline-start:.8em;margin:.6em 0 0;break-inside:avoid}
ol{margin:.4em 0;padding-inline-start:1.4em;break-inside:avoid}
li{margin:.2em 0}
.chances{display:flex;gap:1.5em;align-items:center;flex-wrap:wrap;break-inside:avoid}
table{border-collapse:collapse;margin:.6em 0;break-inside:avoid}
th,td{border:.6pt solid;padding:.3em .7em;text-align:start;vertical-align:top}
th{background:#eee;print-color-adjust:exact}
td:first-child{font-variant-numeric:tabular-nums;white-space:nowrap;font-weight:700}
ul{list-style:none;margin:.5em 0 0;padding:0}
ul li{display:flex;gap:.6em;align-items:baseline;margin:.35em 0}
.box{flex:none;width:.95em;height:.95em;border:1.2pt solid;align-self:center}
.key{font-size:SMALLem;color:#444}
.form{font-size:SMALLem;color:#444;border-top:.6pt solid #444;padding-top:.4em}
.key::before{content:"["}.key::after{content:"]"}
.line{border-bottom:.8pt solid;height:1.9em}
.short{display:inline-block;width:7em;margin-inline-end:.5em}
img{display:block;max-width:60%;max-height:60mm;margin:.5em 0}
svg{display:block;width:DISCmm;height:DISCmm}
svg path,svg circle{stroke:#000;stroke-width:1;print-color-adjust:exact}
svg text{font-size:15px;font-weight:700;text-anchor:middle;dominant-baseline:central}
.cards{display:grid;grid-template-columns:repeat(5,1fr);margin-top:1em;padding:0 .5pt .5pt 0}
.cards p{margin:0 -.5pt -.5pt 0;border:.5pt dashed;height:22mm;display:grid;place-items:center;
font-size:24pt;text-decoration:underline;break-inside:avoid}
@media screen{body{max-width:190mm;margin:8mm auto;padding:0 4mm}
main{margin-bottom:20mm}}
"""


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
    >>> from askance.respond import render_sheets
    >>> sheet = render_sheets(form, copies=2).decode()
    >>> "Throw a die." in sheet, sheet.count("<td>1–4</td><td>your true answer</td>")
    (True, 2)
    """
    _need("device", device, DEVICES)
    _need("size", size, SIZES)
    one = on_paper(form, "tick", device=device, copies=copies, first=first, language=language)
    pages = [page for number in one.numbers for page in _pages(one, number)]
    cards = max((plan.sides for plan in one.plans.values() if plan.device == "cards"), default=0)
    if cards:
        faces = "".join(f"<p>{face}</p>" for face in range(1, cards + 1))
        title = _say(one, "cut_out")
        pages.append(f'<main><h1>{title}</h1><div class="cards">{faces}</div></main>')
    return _document(one, pages, size, large=large).encode()


def _need(where: str, got: str, allowed: tuple[str, ...]) -> None:
    if got not in allowed:
        raise InputError(where, got=got, allowed=", ".join(allowed))


def _document(one: OnPaper, pages: list[str], size: str, *, large: bool) -> str:
    paper = "A4" if size == "a4" else "letter"
    style = _STYLE.replace("PAPER", paper).replace("POINTS", "18" if large else "11")
    style = style.replace("SMALL", "1" if large else ".85")
    style = style.replace("WHOLE", "auto" if large else "avoid")  # which fills pages of large print
    style = style.replace("DISC", "105" if large else "70").strip()
    digest = b64encode(sha256(style.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:"
    title = escape(one.text("title"))
    return (
        f'<!DOCTYPE html>\n<html lang="{one.language}" dir="{one.direction}">'
        '<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{title}</title><style>{style}</style></head><body>\n"
        + "\n".join(pages)
        + "\n</body></html>\n"
    )


def _pages(one: OnPaper, number: int) -> Iterator[str]:
    """Write one copy: what is kept, and what is handed in."""
    title = f"<h1>{escape(one.text('title'))}</h1>"
    kept = "".join(
        _kept(one, at, question)
        for at, question in one.questions
        if question.name in one.plans or isinstance(question, RangeQuestion)
    )
    sheet = _say(one, "sheet", number=number)
    consent, contact = (escape(one.text(part)) for part in ("consent", "contact"))
    keep = f"<h2>{_say(one, 'keep')}</h2><p>{_say(one, 'keep_why')}</p>" if kept else ""
    about = "".join(f"<p>{text}</p>" for text in (consent, contact) if text)
    asked = "".join(_asked(one, at, question) for at, question in one.questions)
    hand = f"<h2>{_say(one, 'hand_in')}</h2><p>{_say(one, 'leave')}</p>{asked}"
    yield f"<main><header>{title}</header>{about}{keep}{kept}</main>"
    of = f'<p class="form" dir="ltr">SHA-256 {one.form.fingerprint[:16]}…</p>'
    yield f"<main><header>{title}<p>{sheet}</p></header>{hand}{of}</main>"


def _say(one: OnPaper, name: str, **blanks: object) -> str:
    return escape(one.say(name, **blanks), quote=False)


def _kept(one: OnPaper, at: int, question: Question) -> str:
    """Write how to answer one question, and what that protects."""
    text = escape(question.text[one.language].strip(), quote=False)
    parts = [f"<h3>{at}. {text}</h3>"]
    plan = one.plans.get(question.name)
    if plan is not None:
        parts.append(_steps(one, question, plan))
    if isinstance(question, RangeQuestion):
        parts.append(_aside([one.say("by_range")]))
    parts.append(_aside(one.protects(question)))
    return f'<section class="kept">{"".join(parts)}</section>'


def _aside(sentences: Iterable[str]) -> str:
    told = "".join(f"<p>{escape(sentence, quote=False)}</p>" for sentence in sentences)
    return f"<aside>{told}</aside>" if told else ""


def _steps(one: OnPaper, question: Question, plan: Plan) -> str:
    thrown = f"dice_{plan.sides}_{plan.times}" if plan.device == "dice" else plan.device
    device, over = one.say(thrown, sides=plan.sides), one.say(f"over_{plan.device}")
    listed = "".join(
        f"<li>{escape(step.format(device=device, over=over), quote=False)}</li>"
        for step in one.lines("steps")
    )
    rows = "".join(
        f"<tr><td>{_faces(step)}</td><td>{_does(one, question, step)}</td></tr>"
        for step in plan.steps
    )
    head = f"<tr><th>{_say(one, 'came')}</th><th>{_say(one, 'tick')}</th></tr>"
    disc = _disc(plan) if plan.device == "spinner" else ""
    table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    return f'<ol>{listed}</ol><div class="chances">{disc}{table}</div>'


def _faces(step: Step) -> str:
    return step.first if step.first == step.last else f"{step.first}–{step.last}"


def _does(one: OnPaper, question: Question, step: Step) -> str:
    return "<br>".join(escape(line, quote=False) for line in one.does(question, step))


def _disc(plan: Plan) -> str:
    """Draw the spinner: each sector's angle is its chance."""
    drawn, begin = [], Fraction(0)
    for at, step in enumerate(plan.steps):
        end = begin + step.share
        middle = _point(begin + step.share / 2, 68 if step.share >= _NARROW else 110)
        shade = "#fff" if at % 2 == 0 else "#ddd"
        if step.share == 1:
            drawn.append(f'<circle r="100" fill="{shade}"/>')
        else:
            far = int(step.share > Fraction(1, 2))
            path = f"M0 0L{_point(begin, 100)}A100 100 0 {far} 1 {_point(end, 100)}Z"
            drawn.append(f'<path d="{path}" fill="{shade}" data-share="{step.share}"/>')
        x, y = middle.split()
        drawn.append(f'<text x="{x}" y="{y}">{step.first}</text>')
        begin = end
    return f'<svg viewBox="-120 -120 240 240" role="img">{"".join(drawn)}<circle r="2"/></svg>'


def _point(turn: Fraction, radius: int) -> str:
    """Where a part of a turn, clockwise from above, ends: two coordinates."""
    angle = 2 * math.pi * float(turn)
    return f"{radius * math.sin(angle):.6f} {-radius * math.cos(angle):.6f}"


def _asked(one: OnPaper, at: int, question: Question) -> str:
    """Write one question with its boxes."""
    text = escape(question.text[one.language].strip(), quote=False)
    heading = _heading(one, at - 1)
    match question:
        case TableQuestion():
            body = f"<p>{_say(one, 'do_chance', at=at)}</p>{_boxes(one.replies(question))}"
        case Choice():
            body = f"{_boxes(one.replies(question))}{_aside(one.protects(question))}"
        case FreeText():
            lines = '<div class="line"></div>' * max(2, question.lines)
            body = f"<p>{_say(one, 'write_text', limit=question.limit)}</p>{lines}"
        case Number():
            unit = escape(question.unit[one.language], quote=False)
            told = escape(one.number(question), quote=False)
            body = f'<p>{told}</p><span class="line short"></span>{unit}'
        case _:
            note = "do_chance" if question.name in one.plans else "in_range"
            ranges = [(told, told) for told in one.ranges(question)]
            body = f"<p>{_say(one, note, at=at)}</p>{_boxes(ranges)}"
    pictured = "".join(_pictures(one, at - 1))
    return f"{heading}<section><h3>{at}. {text}</h3>{pictured}{body}</section>"


def _heading(one: OnPaper, at: int) -> str:
    """Write the title and the text of the section that begins at a question."""
    begun = [part for part in one.form.document.get("sections", ()) if part["at"] == at]
    told = "".join(
        f"<h2>{escape(part['title'][one.language], quote=False)}</h2>"
        for part in begun
        if "title" in part
    )
    texts = (part["text"][one.language] for part in begun if "text" in part)
    return told + "".join(f"<p>{escape(text.strip(), quote=False)}</p>" for text in texts)


def _pictures(one: OnPaper, at: int) -> Iterator[str]:
    for picture in one.form.images:
        if picture.question == at:
            alt = escape(picture.image.alt[one.language])
            yield f'<img src="{picture.image.uri}" alt="{alt}">'


def _boxes(boxes: list[tuple[str, str]]) -> str:
    """Write boxes to tick, each with what is entered for it where that reads otherwise."""
    listed = []
    for text, key in boxes:
        beside = f'<span class="key">{escape(key, quote=False)}</span>' if key != text else ""
        told = f'<span class="box"></span><span>{escape(text, quote=False)}</span>{beside}'
        listed.append(f"<li>{told}</li>")
    return f"<ul>{''.join(listed)}</ul>"
