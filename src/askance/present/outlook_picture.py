"""What reports will look like, drawn before anybody is asked: one picture for a whole survey."""

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from askance.errors import InputError
from askance.present.figures import dress_histogram
from askance.present.style import DARK, LIGHT, WIDTH, house_style
from askance.present.svg import inline

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from askance.survey.check import Check
    from askance.survey.outlook import Outlook

_MARGIN, _LETTERS = 16, 54
_LINE, _BAR, _HISTOGRAM, _AXIS, _GAP = 19, 26, 96, 48, 30
_BARS = 2 * _BAR + _LINE + 8


def outlook_picture(check: "Check") -> str:
    """Draw the typical and the worst report of every question that never lies, and the coverages.

    Parameters
    ----------
    check : Check

    Returns
    -------
    str
        An SVG file, light or dark as its reader's screen is.

    Raises
    ------
    InputError
        If reports to every question may lie, or are the answers themselves.
    MissingExtra
        If matplotlib is not installed.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/income.toml"))
    >>> outlook_picture(ak.check(form))[:70]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 ...'
    """
    seen = [(one.text, one.outlook) for one in check.questions if one.outlook is not None]
    if not seen:
        raise InputError(
            "picture",
            got="no question whose reports rule answers out and never lie",
            allowed="a survey that asks something by ranges or sets",
        )
    blocks = [
        (_wrapped(text, 44), [_wrapped(told) for told in one.told], one) for text, one in seen
    ]
    heights = [
        _LINE * (len(title) + sum(map(len, told))) + _BARS + _HISTOGRAM + _AXIS + _GAP
        for title, told, _ in blocks
    ]
    with house_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(WIDTH / 72, (sum(heights) + _MARGIN) / 72))
        top = sum(heights) + _MARGIN
        for (title, told, one), height in zip(blocks, heights, strict=True):
            _block(figure, top - _MARGIN, title, told, one)
            top -= height
        said = " ".join(f"{text} {' '.join(one.told)}" for text, one in seen)
        drawn = inline(figure, "outlook", f"What reports will look like: {check.title}", said)
    return _alone(drawn)


def _wrapped(text: str, letters: int = _LETTERS) -> list[str]:
    return wrap(text, letters) or [""]


def _block(
    figure: "Figure", top: float, title: list[str], told: list[list[str]], outlook: "Outlook"
) -> None:
    """Draw one question downwards from here: its text, the two reports, the histogram."""
    for line in title:
        top -= _LINE
        _write(figure, top, line, weight="bold")
    _, whole = figure.get_size_inches() * 72
    held = outlook.typical_held, outlook.worst_held
    for lines, stretches, colour in zip(told, held, (LIGHT.accent, LIGHT.mark), strict=True):
        for line in lines:
            top -= _LINE
            _write(figure, top, line)
        top -= _BAR
        ax = figure.add_axes(
            (_MARGIN / WIDTH, (top + 6) / whole, 1 - 2 * _MARGIN / WIDTH, 12 / whole)
        )
        ax.set(xlim=(0, 1), ylim=(0, 1))
        ax.axis("off")
        ax.hlines(0.5, 0, 1, color=LIGHT.rule, linewidth=2, zorder=0)
        for low, high in stretches:
            ax.axvspan(low, high, facecolor=colour)
    top -= _LINE
    _write(figure, top, outlook.ends[0], color=LIGHT.quiet)
    _write(figure, top, outlook.ends[1], right=True, color=LIGHT.quiet)
    _law(figure, (top - 8 - _HISTOGRAM) / whole, _HISTOGRAM / whole, outlook)


def _law(figure: "Figure", bottom: float, height: float, outlook: "Outlook") -> None:
    ax = figure.add_axes((_MARGIN / WIDTH, bottom, 1 - 2 * _MARGIN / WIDTH, height))
    outlook.law.plot(ax=ax)
    dress_histogram(ax)
    mean = f"{100 * outlook.law.mean:.0f} of 100"
    ax.set(xlabel=f"people a report fits (triangle: on average {mean})", ylabel="", yticks=[])
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100"])
    for label, side in zip(ax.get_xticklabels()[::4], ("left", "right"), strict=True):
        label.set(horizontalalignment=side)
    ax.spines["left"].set_visible(False)
    ax.tick_params(length=0, pad=4)


def _write(figure: "Figure", at: float, told: str, *, right: bool = False, **style: Any) -> None:
    whole = figure.get_size_inches()[1] * 72
    x = 1 - _MARGIN / WIDTH if right else _MARGIN / WIDTH
    figure.text(x, (at + 4) / whole, told, ha="right" if right else "left", **style)


def _alone(drawn: str) -> str:
    """Let the figure stand alone: it brings its name space, its colours and its ground."""
    colours = (
        f"svg {{ {LIGHT.declarations()} background: var(--paper); font-family: sans-serif }} "
        f"@media (prefers-color-scheme: dark) {{ svg {{ {DARK.declarations()} }} }}"
    )
    named = drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    head, _, rest = named.partition(">")
    return f"{head}><style>{colours}</style>{rest}\n"
