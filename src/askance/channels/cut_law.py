"""Laws of cuts on the whole line, in whole units and by name: mechanisms before deployment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from askance.channels.number_law import UNITS, ContinuousLaw, continuous_law, tick_weights
from askance.channels.range_channel import RangeChannel, read_cells
from askance.results import doubles
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import read_integer

MOST_CUTS = 64
"""The most cuts that are reasoned about; a form draws at most 16."""
MOST_ON_RING = 16
"""The most cuts of a ring: more lose digits when they are reasoned about."""


def cut_count(number: object, where: str) -> int:
    """Read how many cuts are reasoned about.

    >>> cut_count(2, "CutLaw.number")
    2
    """
    return read_integer(number, where, f"an integer in [1, {MOST_CUTS}]", maximum=MOST_CUTS)


@final
@dataclass(frozen=True, slots=True, init=False)
class CutLaw:
    """Independent cuts with one law; the report is the piece of the line that holds the answer.

    For reasoning before anything is deployed: laws and answers are continuous. `on_line` writes the
    law in whole numbers on a line, which is what a respondent's device draws from.

    Parameters
    ----------
    law : distribution or callable
        G, the law of one cut: a frozen distribution of SciPy, or a cumulative function.
    number : int
        m, how many cuts are drawn.
    ring : bool
        Whether the two outermost pieces are one: with two cuts the report is "between them" or
        "not between them". Of 2 to 16 cuts.
    open : sequence of (lower, upper)
        The acceptable range A: whoever's number is in it tells it exactly. Disjoint, ascending.
    open_cells : sequence of int
        The acceptable range as a union of random cells: whoever has k − 1 cuts below the number,
        for one of these k, tells it exactly. Not all of 1 … number + 1, and without `ring`, `open`.

    Raises
    ------
    InputError
        If the law is none, `number` is not in [1, 64], a ring has not 2 to 16 cuts, `open` is not
        made of disjoint ascending intervals, or `open_cells` are unknown or given with the others.

    References
    ----------
    Ding & Ding (2022), the canonical interval mechanism (4), and Example 3 for the ring.

    >>> from scipy import stats
    >>> CutLaw(stats.logistic(50, 10)).on_line(Line(0, 80, 20), total=100).cut_weights
    (12, 44, 44)
    """

    law: ContinuousLaw
    number: int
    ring: bool
    open: tuple[tuple[float, float], ...]
    open_cells: tuple[int, ...]

    @checked
    def __init__(
        self,
        law: Any,
        number: int = 1,
        *,
        ring: bool = False,
        open: Sequence[tuple[float, float]] = (),
        open_cells: Sequence[int] = (),
    ) -> None:
        count = cut_count(number, "CutLaw.number")
        if ring and not 2 <= count <= MOST_ON_RING:
            raise InputError(
                "CutLaw.ring", got=f"{count} cuts", allowed=f"2 to {MOST_ON_RING} cuts"
            )
        pieces = doubles(open, "CutLaw.open")
        paired, ends = not pieces.size or pieces.shape[1:] == (2,), pieces.ravel()
        ascends = paired and (ends[1:] >= ends[:-1]).all() and (ends[::2] < ends[1::2]).all()
        if not ascends:
            raise InputError("CutLaw.open", got=open, allowed="disjoint ascending intervals")
        cells = read_cells(open_cells, count, "CutLaw.open_cells")
        if cells and (ring or pieces.size):
            raise InputError(
                "CutLaw.open_cells", got=cells, allowed="cells of a line, no ring and no `open`"
            )
        attributes = {"law": continuous_law(law, "CutLaw.law"), "number": count, "ring": ring}
        attributes["open_cells"] = cells
        for name, value in (attributes | {"open": tuple(map(tuple, pieces.tolist()))}).items():
            object.__setattr__(self, name, value)

    @checked
    def on_line(self, line: Line, *, total: int = UNITS) -> RangeChannel:
        """Write the law as whole numbers on the inner ticks of a line.

        Each tick takes what G has within half a step of it. Cuts beyond the inner ticks are drawn
        anew, which changes the coverage: judge the channel that this returns.

        Parameters
        ----------
        line : Line
        total : int
            What the weights sum to.

        Raises
        ------
        InputError
            If the law has no mass between the ends of the line, or it is a ring or has an
            acceptable range.
        """
        if self.ring or self.open or self.open_cells:
            obstacle = "a ring" if self.ring else "an acceptable range"
            remedy = "ask for Cuts(law=…, open=…).channel(line), whose stretches end on its ticks"
            if self.ring:
                remedy = "a ring on a line has a floor, so ask for Ring(floor=…).channel(line)"
            elif self.open_cells:
                remedy = "ask for OpenCellChannel(Cuts(law=…).channel(line), cells)"
            raise InputError(
                "CutLaw.on_line", got=obstacle, allowed="cuts into pieces", remedy=remedy
            )
        least = line.ticks
        units = read_integer(total, "total", f"an integer in [{least}, 2^40]", least, 1 << 40)
        return RangeChannel(
            line, tick_weights(line, self.law, "CutLaw.on_line", units), self.number
        )
