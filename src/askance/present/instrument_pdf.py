"""The instrument of a study as PDF: all questions and answers as `describe_instrument` has them.

It is set by matplotlib, which draws figures already, so that nothing else is needed to archive it.
Equal forms give equal bytes. Where no font here has a sign, the page `instrument.html` has it.
"""

from collections.abc import Iterator
from io import BytesIO
from textwrap import wrap
from typing import Any
from warnings import catch_warnings, simplefilter

from askance.present.codebook import describe_instrument
from askance_collect.arguments import checked
from askance_collect.errors import MissingExtra
from askance_collect.wire.form import Form

_PAPER = 8.27, 11.69  # inches, A4
_MARGIN, _LEADING = 0.09, 0.0155  # of the width, of the height
_SIGNS = 92  # on a line of text
_STYLES = {"# ": (17.0, "bold", 46), "## ": (12.0, "bold", 70)}
"""By the mark of Markdown before a heading: its size, its weight, and the signs on a line."""


@checked
def render_instrument(form: Form) -> bytes:
    """Typeset all questions and answers of a form as PDF, on A4, with its fingerprint below.

    Parameters
    ----------
    form : Form

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> ak.present.render_instrument(form)[:5]
    b'%PDF-'
    """
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_pdf import PdfPages
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "plot") from error
    out = BytesIO()
    fonts: Any = {"pdf.fonttype": 42, "text.parse_math": False}
    with rc_context(fonts), catch_warnings():
        simplefilter("ignore")
        with PdfPages(out, metadata={"CreationDate": None}) as pages:
            for number, lines in enumerate(_break_pages(form), start=1):
                figure = Figure(figsize=_PAPER)
                for y, text, size, weight in lines:
                    figure.text(_MARGIN, y, text, size=size, weight=weight, va="top")
                below = f"{form.fingerprint}   {number}"
                figure.text(_MARGIN, 0.035, below, size=7, color="0.35")
                pages.savefig(figure)
    return out.getvalue()


_Line = tuple[float, str, float, str]
"""How high it stands, its text, its size and its weight."""


def _break_pages(form: Form) -> Iterator[list[_Line]]:
    """Set lines below each other, and begin a page where a question has no room."""
    page, y = list[_Line](), 0.94
    for block in _list_blocks(describe_instrument(form)):
        height = sum(_LEADING * size / 10 for _, size, _ in block)
        if page and y - height < 0.07 and height < 0.8:
            yield page
            page, y = [], 0.94
        for text, size, weight in block:
            if y < 0.07:
                yield page
                page, y = [], 0.94
            page.append((y, text, size, weight))
            y -= _LEADING * size / 10
    yield page


def _list_blocks(markdown: str) -> Iterator[list[tuple[str, float, str]]]:
    """List blocks of wrapped lines: the title with what stands below it, and each question."""
    block: list[tuple[str, float, str]] = []
    for line in markdown.splitlines():
        mark = next((mark for mark in _STYLES if line.startswith(mark)), "")
        if mark == "## ":
            yield block
            block = []
        size, weight, width = _STYLES.get(mark, (10.0, "normal", _SIGNS))
        hanging = "   " if line.startswith("- ") else ""
        texts = wrap(line.removeprefix(mark), width, subsequent_indent=hanging) or [""]
        block += [(text, size, weight) for text in texts]
    yield block
