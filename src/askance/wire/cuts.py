"""A protected number whose line is cut at random; the report is the cell that holds the answer."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, ClassVar, final

from askance.exact.floor import Floor
from askance.exact.line import Line
from askance.exact.table import LARGEST_TOTAL
from askance.wire.canonical import keep_unchangeable
from askance.wire.parts import is_cell, is_index, read_blank, read_line, read_wording

MOST_CUTS = 16
"""The most candidates that one question draws."""


@final
@dataclass(frozen=True, slots=True)
class CutsQuestion:
    """A protected number: ``number`` candidate cuts fall on inner ticks by ``weights``.

    The value ``(a, b)`` reads "above tick a, up to tick b"; tick 0 as the lower end means "no lower
    limit" and the last tick as the upper end means "no upper limit", so that every report is true.

    Attributes
    ----------
    floor : Floor, optional
        The least size of a reported cell. A candidate that would leave a side of the current range
        smaller is passed over before anyone knows on which side the answer is; or, with
        ``withhold``, all candidates cut and a smaller cell is not sent.
    withhold : bool
    open : tuple of (int, int)
        Ticks ``(a, b]`` inside which an answer is sent exactly, as its step; a cell means its steps
        outside them. The floor has size 0 there.
    narrow : bool
        Asked one step narrower at a time; the person may stop at any step.
    """

    kind: ClassVar[str] = "cuts"
    name: str
    text: Mapping[str, str]
    line: Line
    unit: Mapping[str, str]
    number: int
    weights: tuple[int, ...]
    typed: bool
    blank: tuple[int, int]
    about: Mapping[str, Any]
    floor: Floor | None = None
    withhold: bool = False
    open: tuple[tuple[int, int], ...] = ()
    narrow: bool = False
    _whole: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit about")
        object.__setattr__(self, "_whole", self.narrow or self._may_stay_whole())

    def accepts(self, step: int) -> bool:
        """Say whether an answer in this step is sent exactly."""
        low, high = self._opened_at(step)
        return low <= step < high

    def allows(self, value: object) -> bool:
        """Say whether some draw of the cuts, and some answer, send this cell."""
        if not is_cell(value, self.line.ticks) or value[0] >= value[1]:
            return False
        low, high = value
        start, end = self._opened_at(low)
        if start <= low and high <= end:
            return high == low + 1
        inner = [tick for tick in (low, high) if 0 < tick < self.line.ticks]
        if not inner:
            return self._whole
        cut = len(inner) <= self.number and all(self.weights[tick - 1] for tick in inner)
        return cut and self._keeps(low, high)

    def _opened_at(self, tick: int) -> tuple[int, int]:
        """Give the last stretch sent exactly that begins at a tick or below; nothing if none."""
        at = bisect_right(self.open, tick, key=itemgetter(0))
        return self.open[at - 1] if at else (0, 0)

    def _may_stay_whole(self) -> bool:
        if self.floor is None or self.withhold:
            return False
        drawn = (tick for tick, weight in enumerate(self.weights, start=1) if weight)
        return any(not self.floor.divides(0, tick, self.line.ticks) for tick in drawn)

    def _keeps(self, low: int, high: int) -> bool:
        """Say whether a cell with a drawn end is sent: by both rules it must be large enough.

        With cuts passed over, what lies beyond each end was once a side of a range too.
        """
        if self.floor is None:
            return True
        outer = () if self.withhold else ((0, low), (high, self.line.ticks))
        beyond = [side for side in outer if side[0] < side[1]]
        return all(self.floor.keeps(*cell) for cell in ((low, high), *beyond))

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return len(f"[{self.line.ticks},{self.line.ticks}]")


def read_cuts(raw: Any, languages: Sequence[str]) -> CutsQuestion:
    """Read a question that is asked by random cuts."""
    line, cuts, typed, ask = read_line(raw["line"]), raw["cuts"], raw["typed"], raw["ask"]
    number, weights = cuts["number"], tuple(cuts["weights"])
    if any(type(weight) is not int or weight < 0 for weight in (number, *weights)):
        raise ValueError("whole, non-negative weights")
    if len(weights) != line.ticks - 1 or not 0 < sum(weights) <= LARGEST_TOTAL:
        raise ValueError("one weight for each inner tick, with a sum in [1, 2^48]")
    if not 1 <= number <= MOST_CUTS or type(typed) is not bool:
        raise ValueError(f"1 to {MOST_CUTS} cuts, and typed as true or false")
    opened = _opened(cuts["open"], line.ticks)
    floor, withhold = _floor(cuts["floor"], line.ticks, opened)
    if ask not in ("cells", "narrow") or (withhold and ask == "narrow"):
        raise ValueError('ask as "cells", or as "narrow" where nothing is withheld')
    if floor is not None and not _cuts_somewhere(floor, weights, withhold):
        raise ValueError("a floor that some cut keeps: no range could ever be sent")
    return CutsQuestion(
        raw["name"],
        read_wording(raw["text"], languages),
        line,
        read_wording(raw["line"]["unit"], languages),
        number,
        weights,
        typed,
        read_blank(raw["blank"]),
        raw["about"],
        floor,
        withhold,
        opened,
        ask == "narrow",
    )


def _opened(raw: Any, ticks: int) -> tuple[tuple[int, int], ...]:
    if type(raw) is not list:
        raise ValueError("open as a list of ranges [a, b]")
    ranges = tuple((low, high) for low, high in raw)
    ends = [-1, *(end for one in ranges for end in one)]
    ascending = all(is_index(end, ticks + 1) and end > ends[at] for at, end in enumerate(ends[1:]))
    if not ascending or (0, ticks) in ranges:
        raise ValueError("open as ascending ranges of ticks that do not touch or fill the line")
    return ranges


def _floor(raw: Any, ticks: int, opened: tuple[tuple[int, int], ...]) -> tuple[Floor | None, bool]:
    if raw is None:
        return None, False
    floor, rule = Floor(raw["sizes"], raw["least"]), raw["rule"]
    if len(floor.sizes) != ticks or rule not in ("skip", "withhold"):
        raise ValueError('one size for each step, and the rule "skip" or "withhold"')
    if any(floor.size(low, high) for low, high in opened):
        raise ValueError("a size of 0 for each step that is sent exactly")
    return floor, rule == "withhold"


def _cuts_somewhere(floor: Floor, weights: Sequence[int], withhold: bool) -> bool:
    enough = any if withhold else all
    ticks = [tick for tick, weight in enumerate(weights, start=1) if weight]
    n = len(floor.sizes)
    return any(enough((floor.keeps(0, tick), floor.keeps(tick, n))) for tick in ticks)
