"""Interval privacy: cut the line, or a ring, at random, or narrow it; report the piece."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, final

from askance.channels.channel import Channel
from askance.channels.cut_variants import RingChannel
from askance.channels.frame import Frame
from askance.channels.number_law import EVEN, law_written, read_law, step_sizes, tick_weights
from askance.channels.range_channel import RangeChannel, Stretches, piece_written
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.line import Floor, Line
from askance_collect.exact.ratio import chance, read_integer, read_ratio
from askance_collect.wire.question import MOST_CUTS


class AbstractRangeMechanism(ABC):
    """A recipe for numbers on a line.

    ``progressive`` says whether a person is asked one step narrower at a time and may stop at any.
    """

    __slots__ = ()
    name: ClassVar[str]
    progressive: ClassVar[bool]

    @abstractmethod
    def channel(self, line: "Line") -> "RangeChannel | RingChannel":
        """Yield the exact law of the ranges on this line."""

    @abstractmethod
    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""


@final
@dataclass(frozen=True, slots=True, init=False)
class Ring(AbstractRangeMechanism):
    """Random cuts on a ring, the line with its ends joined; the arc with the answer is reported.

    With two cuts the report is the inside or the outside.

    Parameters
    ----------
    floor : number
        The least share of people, by the declared sizes, on each arc; at most one over `number`.
    number : int
        How many cuts are drawn, in [2, 16]. A form asks two; more of them stay in Python.
    law : "even", distribution, callable, or sequence of number, one for each inner tick
        Each cut is drawn by it, from those that keep the floor together.
    sizes : "even", distribution, callable, or sequence of number, one for each step
        How many people are thought to be in each step: declared, published, never fitted.

    Raises
    ------
    InputError
        If the floor is not in (0, 1/number]; from `channel`, if no ticks keep it.

    References
    ----------
    Ding & Ding (2022), Example 3.

    >>> Ring(floor="1/4").channel(Line(0, 4, 1)).cell_chance(1, 3)
    Fraction(1, 3)
    >>> Ring(floor="1/6", number=3).channel(Line(0, 6, 1)).cell_chance(5, 1)
    Fraction(3, 10)
    """

    name: ClassVar[str] = "ring"
    progressive: ClassVar[bool] = False
    floor: Fraction
    number: int
    law: Any
    sizes: Any

    def __init__(
        self, *, floor: object, number: int = 2, law: Any = EVEN, sizes: Any = EVEN
    ) -> None:
        allowed = f"an integer in [2, {MOST_CUTS}]"
        count = read_integer(number, "Ring.number", allowed, 2, MOST_CUTS)
        object.__setattr__(self, "floor", least_share(floor, "Ring.floor", ranges=count))
        object.__setattr__(self, "number", count)
        object.__setattr__(self, "law", read_law(law, "Ring.law"))
        object.__setattr__(self, "sizes", read_law(sizes, "Ring.sizes"))

    @checked
    def channel(self, line: Line) -> RingChannel:
        """Yield the exact law of the ranges on this line."""
        weights = tick_weights(line, self.law, "Ring.law")
        floor = floor_on(line, self.sizes, self.floor, (), "Ring")
        return RingChannel(line, weights, floor, self.number)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        laws = {"law": law_written(self.law), "sizes": law_written(self.sizes)}
        number = {"number": str(self.number)} if self.number != 2 else {}
        return {"floor": str(self.floor), **number, **laws}


def cut_count(number: object, where: str) -> int:
    """Read how many cuts are drawn.

    >>> cut_count(2, "Cuts.number")
    2
    """
    return read_integer(number, where, f"an integer in [1, {MOST_CUTS}]", maximum=MOST_CUTS)


def least_share(floor: object, where: str, *, ranges: int = 1) -> Fraction:
    """Check the least share of people that a range must hold.

    Raises
    ------
    InputError
        If it is not in (0, 1), or not in (0, 1/m] where each of m ranges must hold it.

    >>> least_share("1/5", "Ring.floor", ranges=2)
    Fraction(1, 5)
    """
    read = read_ratio(floor, where)
    if not 0 < read < 1 or read * ranges > 1:
        many = "two sides cannot both hold more than half"
        if ranges > 2:
            many = f"{ranges} ranges cannot each hold more than 1/{ranges}"
        raise InputError(
            where,
            got=str(floor),
            allowed=f"a share in {f'(0, 1/{ranges}]' if ranges > 1 else '(0, 1)'}",
            remedy=many if ranges > 1 else "",
        )
    return read


def floor_on(line: Line, sizes: Any, share: Fraction, opened: Stretches, where: str) -> Floor:
    """Count the floor in whole units: a share of the sizes of the steps that are not open.

    >>> floor_on(Line(0, 4, 1), "even", Fraction(2, 5), (), "Ring")
    Floor(minimum=2)
    """
    counted = list(step_sizes(line, sizes, f"{where}.sizes"))
    for low, high in opened:
        counted[low:high] = [0] * (high - low)
    return Floor(counted, max(-(-share * sum(counted) // 1), 1))


Stretch = tuple[Fraction, Fraction]
"""Above the first number, up to the second."""


def read_open(stretches: Any, where: str) -> tuple[Stretch, ...]:
    """Read the stretches ``(low, high]`` in which an answer is sent exactly.

    Raises
    ------
    InputError
        If they are not pairs of numbers that ascend without touching.

    >>> read_open([[0, 1], ["5/2", 4]], "open")
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(5, 2), Fraction(4, 1)))
    """
    listed = isinstance(stretches, Sequence) and not isinstance(stretches, str)
    pairs = stretches if listed else [stretches]
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise InputError(where, got=stretches, allowed="pairs of numbers [[low, high], …]")
    ends = [read_ratio(end, where) for pair in pairs for end in pair]
    if any(low >= high for low, high in pairwise(ends)):
        raise InputError(
            where,
            got=", ".join(map(str, ends)),
            allowed="stretches above low, up to high, that ascend and do not touch",
        )
    return tuple(zip(ends[::2], ends[1::2], strict=True))


def on_ticks(line: Line, stretches: Sequence[Stretch], where: str) -> tuple[tuple[int, int], ...]:
    """Find the ticks at which stretches end.

    Raises
    ------
    InputError
        If one does not end at ticks of the line, or they fill it.

    >>> on_ticks(Line(10, 30, 5), [(Fraction(15), Fraction(25))], "open")
    ((1, 3),)
    """
    ticks = [[(end - line.value_at(0)) / line.step for end in stretch] for stretch in stretches]
    are_ticks = all(
        tick.denominator == 1 and 0 <= tick <= line.ticks for pair in ticks for tick in pair
    )
    if not are_ticks or [0, line.ticks] in ticks:
        raise InputError(
            where,
            got=open_written(stretches),
            allowed=f"ends from {line.value_at(0)} to {line.upper} by steps of {line.step}, and "
            "not the whole line",
        )
    return tuple((int(low), int(high)) for low, high in ticks)


def open_written(stretches: Sequence[Stretch]) -> str:
    """Write stretches as a survey file would.

    >>> open_written([(Fraction(0), Fraction(5, 2))])
    '[[0, 5/2]]'
    """
    return f"[{', '.join(f'[{low}, {high}]' for low, high in stretches)}]"


@final
@dataclass(frozen=True, slots=True, init=False)
class Cuts(AbstractRangeMechanism):
    """Interval privacy by independent random cuts: the cell ``(lower, upper]`` is reported.

    One cut asks "is it t or less, or more than t?" (Case I interval censoring); two cuts ask which
    of at most three ranges holds the answer (Case II).

    Parameters
    ----------
    number : int
        How many cuts are drawn; equal ones count once.
    law : "even", distribution, callable, or sequence of number, one for each inner tick
        Of one cut. A distribution of SciPy, or a cumulative function, gives each tick what it has
        within half a step of it.
    between : pair of numbers, optional
        Draw only from the ticks in this closed interval. Outside it the distribution of the
        answers cannot be learnt.
    open : sequence of (low, high)
        The acceptable range: an answer above low and up to high is sent exactly, as its step.

    Raises
    ------
    InputError
        If a parameter cannot be right; from `channel`, if the law has no mass on the line.

    References
    ----------
    Ding & Ding (2022), Definition 2, the canonical interval mechanism, equation (4).

    >>> Cuts(number=1).channel(Line(0, 4, 1)).cut_weights
    (1, 1, 1)
    >>> Cuts(law=[1, 2, "1/2"], open=[(0, 1)]).channel(Line(0, 4, 1))
    RangeChannel(line=Line(...), number=1, floor=None, withhold=False, open=((0, 1),))
    """

    name: ClassVar[str] = "cuts"
    progressive: ClassVar[bool] = False
    number: int
    law: Any
    between: Stretch | None
    open: tuple[Stretch, ...]

    def __init__(
        self,
        *,
        number: int = 1,
        law: Any = EVEN,
        between: Sequence[object] | None = None,
        open: Sequence[Any] = (),
    ) -> None:
        if between is not None and (not isinstance(between, list | tuple) or len(between) != 2):
            raise InputError("Cuts.between", got=between, allowed="two numbers [low, high]")
        ends = tuple(read_ratio(end, "Cuts.between") for end in between) if between else None
        object.__setattr__(self, "number", cut_count(number, "Cuts.number"))
        object.__setattr__(self, "law", read_law(law, "Cuts.law"))
        object.__setattr__(self, "between", ends)
        object.__setattr__(self, "open", read_open(open, "Cuts.open"))

    @checked
    def channel(self, line: Line) -> RangeChannel:
        """Yield the exact law of the cuts on this line."""
        low, high = self.between or (line.lower, line.upper)
        law_weights = tick_weights(line, self.law, "Cuts.law")
        weights = [
            weight if low <= line.value_at(tick) <= high else 0
            for tick, weight in enumerate(law_weights, start=1)
        ]
        if not any(weights):
            raise InputError(
                "Cuts.between",
                got=f"[{low}, {high}]",
                allowed=f"an interval with a tick between {line.lower} and {line.upper}",
            )
        opened = on_ticks(line, self.open, "Cuts.open")
        return RangeChannel(line, weights, self.number, open=opened)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        between = {"between": f"[{self.between[0]}, {self.between[1]}]"} if self.between else {}
        law = {"law": law_written(self.law)} if self.law != EVEN else {}
        opened = {"open": open_written(self.open)} if self.open else {}
        return {"number": str(self.number), **law, **between, **opened}


@final
@dataclass(frozen=True, slots=True, init=False)
class TwoCuts(AbstractRangeMechanism):
    """Two cuts drawn jointly: at most three ranges; the range with the answer is sent.

    Of two candidates both cut, independently. Of more, the first two cut that leave every range
    more than a quarter of people, by the declared sizes, whoever is asked; so a third never can.
    Then reports are as near to equal thirds as is wanted: any coverage above 1/3 can be had, where
    two independent cuts often fall together.

    Parameters
    ----------
    number : int
        How many candidates are drawn, in [2, 16].
    law : "even", distribution, callable, or sequence of number, one for each inner tick
        Of one candidate.
    sizes : "even", distribution, callable, or sequence of number, one for each step
        How many people are thought to be in each step: declared, published, never fitted.

    Raises
    ------
    InputError
        If a parameter cannot be right; from `channel`, if no cut leaves a quarter on either side.

    References
    ----------
    Ding & Ding (2022), Theorem 1, Case II.

    >>> thirds = TwoCuts(number=16, law=[0, 1, 0, 1, 0]).channel(Line(0, 6, 1))
    >>> float(thirds.cell_chance(2, 4))
    0.999969482421875
    """

    name: ClassVar[str] = "two_cuts"
    progressive: ClassVar[bool] = False
    number: int
    law: Any
    sizes: Any

    def __init__(self, *, number: int = 2, law: Any = EVEN, sizes: Any = EVEN) -> None:
        count = read_integer(
            number, "TwoCuts.number", f"an integer in [2, {MOST_CUTS}]", 2, MOST_CUTS
        )
        object.__setattr__(self, "number", count)
        object.__setattr__(self, "law", read_law(law, "TwoCuts.law"))
        object.__setattr__(self, "sizes", read_law(sizes, "TwoCuts.sizes"))

    @checked
    def channel(self, line: Line) -> RangeChannel:
        """Yield the exact law of the cuts on this line."""
        weights = tick_weights(line, self.law, "TwoCuts.law")
        if self.number == 2:
            return RangeChannel(line, weights, 2)
        sizes = step_sizes(line, self.sizes, "TwoCuts.sizes")
        return RangeChannel(line, weights, self.number, floor=above_a_quarter(sizes))

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        laws = {"law": law_written(self.law), "sizes": law_written(self.sizes)}
        return {"number": str(self.number), **laws}


def above_a_quarter(sizes: Sequence[int]) -> Floor:
    """Least size of a range such that there cannot be four of them.

    >>> above_a_quarter([1] * 8)
    Floor(minimum=3)
    """
    return Floor(sizes, sum(sizes) // 4 + 1)


@final
@dataclass(frozen=True, slots=True, init=False)
class Selective(AbstractRangeMechanism):
    r"""Send a range with chance ρ if it holds at least a share τ of people, else nothing.

    That nothing was sent then tells something too: the odds of two answers shift by at most
    1 / (1 − ρ), which is no bound where ρ = 1.

    Parameters
    ----------
    floor : number
        τ, the least share of people, by the declared sizes, that a range must hold to be sent; of
        those outside the acceptable range.
    send_chance : number
        ρ, the chance that such a range is sent. The form deploys 1 − ρ as its blank share.
    number : int
        How many cuts are drawn.
    law : "even", distribution, callable, or sequence of number, one for each inner tick
    sizes : "even", distribution, callable, or sequence of number, one for each step
        How many people are thought to be in each step: declared, published, never fitted.
    open : sequence of (low, high)
        The acceptable range: an answer above low and up to high is sent exactly, as its step.

    Raises
    ------
    InputError
        If a parameter cannot be right; from `channel`, if no range on the line is large enough.

    References
    ----------
    Ding & Ding (2022), Definition 5, (τ, ρ)-selective mechanisms; that they are flat holds for
    what is sent, not for what is withheld.

    >>> channel = Selective(floor="1/2", send_chance="3/4").channel(Line(0, 4, 1))
    >>> [str(channel.null_chance(step)) for step in range(4)]
    ['1/3', '0', '0', '1/3']
    """

    name: ClassVar[str] = "selective"
    progressive: ClassVar[bool] = False
    floor: Fraction
    send_chance: Fraction
    number: int
    law: Any
    sizes: Any
    open: tuple[Stretch, ...]

    def __init__(
        self,
        *,
        floor: object,
        send_chance: object,
        number: int = 1,
        law: Any = EVEN,
        sizes: Any = EVEN,
        open: Sequence[Any] = (),
    ) -> None:
        share = chance(send_chance, "Selective.send_chance")
        if not share:
            raise InputError(
                "Selective.send_chance", got=str(send_chance), allowed="a probability in (0, 1]"
            )
        object.__setattr__(self, "floor", least_share(floor, "Selective.floor"))
        object.__setattr__(self, "send_chance", share)
        object.__setattr__(self, "number", cut_count(number, "Selective.number"))
        object.__setattr__(self, "law", read_law(law, "Selective.law"))
        object.__setattr__(self, "sizes", read_law(sizes, "Selective.sizes"))
        object.__setattr__(self, "open", read_open(open, "Selective.open"))

    @checked
    def channel(self, line: Line) -> RangeChannel:
        """Yield the exact law of the ranges on this line, before chance sends nothing."""
        weights = tick_weights(line, self.law, "Selective.law")
        opened = on_ticks(line, self.open, "Selective.open")
        floor = floor_on(line, self.sizes, self.floor, opened, "Selective")
        return RangeChannel(line, weights, self.number, floor=floor, withhold=True, open=opened)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        opened = {"open": open_written(self.open)} if self.open else {}
        return {
            "floor": str(self.floor),
            "sent": str(self.send_chance),
            "number": str(self.number),
            "law": law_written(self.law),
            "sizes": law_written(self.sizes),
            **opened,
        }


SIDE_BLIND, EXAMPLE_4 = "side-blind", "example-4"
STOPPINGS = (SIDE_BLIND, EXAMPLE_4)
"""Pass over a candidate that leaves either side too small; stop if the answer's own side is."""

Cell = tuple[int, int]


def final_ranges(
    weights: Sequence[int], number: int, floor: Floor, stopping: str
) -> dict[Cell, list[Fraction]]:
    """For each range that can be left the chance of it from each step, counting all draws.

    >>> chances = final_ranges([1, 1, 1], 1, Floor([1] * 4, 2), "example-4")
    >>> [str(chance) for chance in chances[0, 4]]
    ['1/3', '0', '0', '1/3']
    """
    n, total = len(floor.sizes), sum(weights) ** number
    chances: dict[Cell, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * n)
    for step in range(n):
        for (low, high, _), units in _count_narrowed(
            step, weights, number, floor, stopping
        ).items():
            chances[low, high][step] += Fraction(units, total)
    return dict(chances)


def _count_narrowed(
    step: int, weights: Sequence[int], number: int, floor: Floor, stopping: str
) -> dict[tuple[int, int, bool], int]:
    """Count the draws after which an answer in a step has each range, and whether it stopped."""
    states = {(0, len(floor.sizes), False): 1}
    for _ in range(number):
        after: dict[tuple[int, int, bool], int] = defaultdict(int)
        for state, units in states.items():
            for tick, weight in enumerate(weights, start=1):
                if weight:
                    after[_next_state(state, tick, step, floor, stopping)] += units * weight
        states = dict(after)
    return states


def _next_state(
    state: tuple[int, int, bool], tick: int, step: int, floor: Floor, stopping: str
) -> tuple[int, int, bool]:
    low, high, stopped = state
    if stopped or not low < tick < high:
        return state
    side = (tick, high) if tick <= step else (low, tick)
    if stopping == SIDE_BLIND:
        return (*side, False) if floor.allows_cut(low, tick, high) else state
    return (*side, False) if floor.allows_range(*side) else (low, high, True)


@final
@dataclass(frozen=True, slots=True, init=False)
class Progressive(AbstractRangeMechanism):
    """Draw candidate cuts in turn; one narrows the range only if both its sides keep a floor.

    Whether a candidate counts is decided before anyone looks on which side the answer is, and only
    the final range is sent. So the report is as flat as that of a single cut. The person is asked
    before every step, and may stop at any.

    Parameters
    ----------
    number : int
        How many candidates are drawn.
    floor : number
        The least share of people, by the declared sizes, that a range holds; at most 1/2. Of those
        outside the acceptable range.
    law : "even", distribution, callable, or sequence of number, one for each inner tick
        Of one candidate.
    sizes : "even", distribution, callable, or sequence of number, one for each step
        How many people are thought to be in each step: declared, published, never fitted.
    open : sequence of (low, high)
        The acceptable range: an answer above low and up to high is sent exactly, as its step.
    stopping : "side-blind" or "example-4"
        The printed Example 4 stops if the side *that holds the answer* is too small, which tells
        that it is there. It can be computed (`final_law`), to compare, but not published.

    Raises
    ------
    InputError
        If a parameter cannot be right; from `channel`, if no cut keeps the floor, or stopping looks
        at the answer.

    References
    ----------
    Ding & Ding (2022), Example 4; the side-blind rule is ours.

    >>> Progressive(number=2, floor="1/2").channel(Line(0, 4, 1)).cell_chance(0, 2)
    Fraction(5, 9)
    """

    name: ClassVar[str] = "progressive"
    progressive: ClassVar[bool] = True
    number: int
    floor: Fraction
    law: Any
    sizes: Any
    open: tuple[Stretch, ...]
    stopping: str

    def __init__(
        self,
        *,
        number: int,
        floor: object,
        law: Any = EVEN,
        sizes: Any = EVEN,
        open: Sequence[Any] = (),
        stopping: str = SIDE_BLIND,
    ) -> None:
        rule: object = stopping
        if not isinstance(rule, str) or rule not in STOPPINGS:
            raise InputError("Progressive.stopping", got=stopping, allowed=" or ".join(STOPPINGS))
        object.__setattr__(self, "number", cut_count(number, "Progressive.number"))
        object.__setattr__(self, "floor", least_share(floor, "Progressive.floor", ranges=2))
        object.__setattr__(self, "law", read_law(law, "Progressive.law"))
        object.__setattr__(self, "sizes", read_law(sizes, "Progressive.sizes"))
        object.__setattr__(self, "open", read_open(open, "Progressive.open"))
        object.__setattr__(self, "stopping", stopping)

    @checked
    def channel(self, line: Line) -> RangeChannel:
        """Yield the exact law of the ranges on this line, for people who never stop."""
        if self.stopping == EXAMPLE_4:
            raise InputError(
                "Progressive.stopping",
                got=EXAMPLE_4,
                allowed=SIDE_BLIND,
                remedy="this rule looks at the side that holds the answer, so that stopping there "
                "reveals what the range hides; final_law computes it for comparison",
            )
        weights, floor, opened = self._law_on(line)
        return RangeChannel(line, weights, self.number, floor=floor, open=opened)

    @checked
    def final_law(self, line: Line) -> Channel:
        """Compute the chance of every final range for every step of the line, by either rule.

        Parameters
        ----------
        line : Line
            Of at most 60 steps, and here without an acceptable range.

        Returns
        -------
        Channel
            From the steps, each named ``(lower, upper]``, to the ranges; each means on its face the
            steps in it. Compare the chances in a column: equal ones tell nothing.

        Raises
        ------
        InputError
            If the line has more steps, or an answer could be sent exactly.

        >>> line = Line(0, 4, 1)
        >>> leaky = Progressive(number=1, floor="1/2", stopping="example-4").final_law(line)
        >>> leaky.matrix[:, leaky.column("(0, 4]")].round(3).tolist()  # stopped: not (1, 3]
        [0.333, 0.0, 0.0, 0.333]
        """
        if self.open or line.ticks > 60:
            raise InputError(
                "Progressive.final_law",
                got=f"{line.ticks} steps and {len(self.open)} stretches that are sent exactly",
                allowed="at most 60 steps, and nothing that is sent exactly",
            )
        weights, floor, _ = self._law_on(line)
        chances = final_ranges(weights, self.number, floor, self.stopping)
        names = [piece_written(line, step, step + 1) for step in range(line.ticks)]
        meant = {piece_written(line, *cell): names[slice(*cell)] for cell in sorted(chances)}
        rows = [[chances[cell][step] for cell in sorted(chances)] for step in range(line.ticks)]
        return Channel(Frame(names), meant, rows)

    def _law_on(self, line: Line) -> tuple[tuple[int, ...], Floor, Stretches]:
        weights = tick_weights(line, self.law, "Progressive.law")
        opened = on_ticks(line, self.open, "Progressive.open")
        return weights, floor_on(line, self.sizes, self.floor, opened, "Progressive"), opened

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        opened = {"open": open_written(self.open)} if self.open else {}
        return {
            "number": str(self.number),
            "floor": str(self.floor),
            "law": law_written(self.law),
            "sizes": law_written(self.sizes),
            "stopping": self.stopping,
            **opened,
        }
