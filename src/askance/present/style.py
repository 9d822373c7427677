"""The one house style: a palette for light, dark and print, and how matplotlib wears it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, final

from askance.errors import MissingExtra

WIDTH = 420
"""Width of a figure in pixels: legible on a phone, natural beside the text on a desk."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colours of a page, by what they are for.

    Attributes
    ----------
    paper, ink, quiet : str
        Ground, text, and text that steps back.
    rule, tint, panel : str
        Hairlines, the body of bars and bands, and the ground of boxes: they carry no meaning alone.
    accent, mark : str
        What was estimated, and what it is compared with.
    """

    paper: str
    ink: str
    quiet: str
    rule: str
    tint: str
    panel: str
    accent: str
    mark: str

    def declarations(self) -> str:
        """Spell the palette as CSS custom properties.

        >>> LIGHT.declarations()[:17]
        '--paper: #fbfaf7;'
        """
        return " ".join(f"--{name}: {colour};" for name, colour in asdict(self).items())


LIGHT = Palette(
    paper="#fbfaf7",
    ink="#1d2426",
    quiet="#566063",
    rule="#d9d8d1",
    tint="#cce3de",
    panel="#f2f1ec",
    accent="#0b6259",
    mark="#a8440f",
)

DARK = Palette(
    paper="#14191a",
    ink="#e9ece9",
    quiet="#a5b0af",
    rule="#333d3e",
    tint="#224a45",
    panel="#1c2324",
    accent="#74cdbd",
    mark="#f0a06a",
)

PRINT = Palette(
    paper="#ffffff",
    ink="#000000",
    quiet="#4a4a4a",
    rule="#c8c8c8",
    tint="#d3e6e2",
    panel="#ffffff",
    accent="#08504a",
    mark="#8c3507",
)


def contrast(first: str, second: str) -> float:
    """Give the contrast ratio of two colours, as WCAG 2.2 defines it.

    Parameters
    ----------
    first, second : str
        Colours as ``#rrggbb``.

    >>> round(contrast("#000000", "#ffffff"), 6)
    21.0
    """
    dim, bright = sorted((_luminance(first), _luminance(second)))
    return (bright + 0.05) / (dim + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (red, green, blue)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@contextmanager
def house_style() -> Iterator[None]:
    """Dress every matplotlib figure drawn inside: the page and a notebook show the same figure.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    >>> import matplotlib
    >>> with house_style():
    ...     matplotlib.rcParams["svg.fonttype"]
    'none'
    """
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingExtra("matplotlib", "plot") from None
    with mpl.rc_context(rc=_settings(mpl)):
        yield


def _settings(mpl: Any) -> Any:
    return {
        "figure.figsize": (WIDTH / 72, WIDTH / 72 * 0.6),
        "figure.dpi": 72,
        "figure.facecolor": LIGHT.paper,
        "savefig.facecolor": "none",
        "axes.facecolor": "none",
        "axes.edgecolor": LIGHT.quiet,
        "axes.labelcolor": LIGHT.quiet,
        "axes.labelsize": 13.5,
        "axes.labelpad": 6,
        "axes.linewidth": 0.8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.prop_cycle": mpl.cycler(color=[LIGHT.accent, LIGHT.mark, LIGHT.quiet]),
        "axes.axisbelow": True,
        "grid.color": LIGHT.rule,
        "grid.linewidth": 0.8,
        "xtick.color": LIGHT.quiet,
        "ytick.color": LIGHT.quiet,
        "xtick.major.pad": 9,
        "xtick.labelsize": 13.5,
        "ytick.labelsize": 13.5,
        "text.color": LIGHT.ink,
        "font.size": 14,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "lines.linewidth": 2,
        "lines.markersize": 7,
        "patch.linewidth": 0,
        "legend.frameon": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "askance",
        "text.parse_math": False,
    }
