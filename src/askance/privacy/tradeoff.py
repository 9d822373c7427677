"""Telling two answers apart from one report: the best possible errors, view by view.

Both errors are concave in the test, so mixing tests does not help and the curve need not be convex.
An optimal test accuses for sure on a set A, by chance on a set around it, and never outside: the
curve is the lowest of the chords between the points of nested sets. A reader who resolves vague
reports as badly for the test as possible sees the least favourable pair of laws.
"""

import math
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import reduce
from itertools import pairwise, permutations
from operator import and_
from typing import final

import numpy as np
import numpy.typing as npt

from askance.channels import frame as lattice
from askance.channels.channel import Channel
from askance.privacy.losses import messages, some_pairs, two_answers, units
from askance.privacy.tradeoff_function import (
    Point,
    TradeoffFunction,
    ascending,
    lower_hull,
    neyman_pearson,
    to_integers,
)
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_integer as read_whole

Network = dict[Hashable, dict[Hashable, int]]


def largest_flow(capacity: Network, source: Hashable, sink: Hashable) -> Network:
    """A largest flow, by shortest augmenting paths.

    Parameters
    ----------
    capacity : nested dict
        How much each node can pass on to each other.
    source, sink : hashable

    References
    ----------
    Edmonds & Karp (1972), section 1.2.

    >>> flow = largest_flow({"s": {"a": 3, "b": 1}, "a": {"t": 2}, "b": {"t": 2}}, "s", "t")
    >>> flow["s"]
    {'a': 2, 'b': 1}
    """
    spare: Network = {}
    for start, ends in capacity.items():
        for end, most in ends.items():
            spare.setdefault(start, {})[end] = most
            spare.setdefault(end, {}).setdefault(start, 0)
    while path := _shortest_path(spare, source, sink):
        most = min(spare[start][end] for start, end in path)
        for start, end in path:
            spare[start][end] -= most
            spare[end][start] += most
    return {
        start: {end: most - spare[start][end] for end, most in ends.items()}
        for start, ends in capacity.items()
    }


def _shortest_path(
    spare: Network, source: Hashable, sink: Hashable
) -> list[tuple[Hashable, Hashable]]:
    """Find a shortest path with room left, edge by edge."""
    came: dict[Hashable, Hashable] = {source: source}
    queue = deque([source])
    while queue and sink not in came:
        node = queue.popleft()
        for end, room in spare[node].items():
            if room and end not in came:
                came[end] = node
                queue.append(end)
    edges = []
    node = sink
    while node in came and node != source:
        edges.append((came[node], node))
        node = came[node]
    return edges[::-1]


MOST_ANSWERS = 16
"""There are 2^l sets."""


@final
@dataclass(frozen=True, slots=True)
class Events:
    """What two rows say of every set A of answers, indexed by mask.

    Attributes
    ----------
    size : int
        l, how many answers there are to make sets of.
    focal : tuple of int
        The messages.
    masses : pair of tuple of int
        Their masses in each row, up to a factor.
    low : pair of list of int
        Belief of every set in each row.
    """

    size: int
    focal: tuple[int, ...]
    masses: tuple[tuple[int, ...], tuple[int, ...]]
    low: tuple[list[int], list[int]]

    @property
    def totals(self) -> tuple[int, int]:
        """What each row sums to."""
        return self.low[0][-1], self.low[1][-1]

    def high(self, row: int) -> list[int]:
        """The plausibility of every set: the total less the belief of what is outside."""
        return [self.totals[row] - low for low in reversed(self.low[row])]

    def cautious(self) -> list[tuple[int, int]]:
        """(pl_x(A), 1 − bel_x′(A)) for every set: its errors, each resolved for the worse."""
        missed = (self.totals[1] - low for low in self.low[1])
        return list(zip(self.high(0), missed, strict=True))

    def bold(self) -> list[tuple[int, int]]:
        """(bel_x(A), 1 − pl_x′(A)) for every set: its errors, each resolved for the better."""
        return list(zip(self.low[0], reversed(self.low[1]), strict=True))


def events(channel: Channel, first: int, second: int, most: int = MOST_ANSWERS) -> Events:
    """Go through every set of answers that messages are about.

    Raises
    ------
    InputError
        If there are more answers than ``most``.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> events(q, 0, 1).low
    ([0, 6, 1, 10], [0, 1, 6, 10])
    """
    read = messages(channel)
    if read.size > most:
        raise InputError(
            "tradeoff",
            got=f"messages about {read.size} answers",
            allowed=f"at most {most} for this view, which goes through their sets",
            remedy="View.MESSAGES needs no more than the messages",
        )
    rows = to_integers(read.masses[first]), to_integers(read.masses[second])
    focal = tuple(int(mask) for mask in read.masks)
    dense = np.zeros((2, 1 << read.size), dtype=object)
    dense[:, focal] = rows
    low: list[list[int]] = lattice.subset_sums(dense).tolist()
    return Events(read.size, focal, rows, (low[0], low[1]))


def rows_of(channel: Channel, x: str, other: str) -> tuple[int, int]:
    """Find two different answers.

    Raises
    ------
    InputError
        If an answer is not in the frame, or both are the same.
    """
    if x == other:
        raise InputError("tradeoff", got=f"{x!r} twice", allowed="two different answers")
    return channel.frame.index(x), channel.frame.index(other)


Law = dict[str, Fraction]


@checked
def least_favourable(channel: Channel, x: str, other: str) -> tuple[Law, Law]:
    r"""Least favourable pair: a law in each credal set, such that the two are hardest to separate.

    .. math:: T(p, p') = T^{pe}, \quad p \in \mathcal{C}(m_x),\; p' \in \mathcal{C}(m_{x'})

    A reader who resolves vague reports as badly for the test as possible need consider no other
    pair, whatever the type I error allowed.

    Parameters
    ----------
    channel : Channel
    x, other : str
        The innocent answer, and the one that a test looks for.

    Returns
    -------
    pair of dict of str to Fraction
        Chances of each answer that messages are about; exact.

    Raises
    ------
    InputError
        If an answer is not in the frame, both are the same, or messages are about over 16 answers.

    References
    ----------
    Huber & Strassen (1973), Theorem 4.1.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> least_favourable(q, "yes", "no")[0]
    {'yes': Fraction(3, 5), 'no': Fraction(2, 5)}
    """
    read = events(channel, *rows_of(channel, x, other))
    first, second = [Fraction(0)] * read.size, [Fraction(0)] * read.size
    for inner, outer in pairwise(chain(read)):
        for answer, mass, its in _share_block(read, inner, outer):
            first[answer] += mass / read.totals[0]
            second[answer] += its / read.totals[1]
    names = channel.output.answers
    return dict(zip(names, first, strict=True)), dict(zip(names, second, strict=True))


def chain(read: Events) -> list[int]:
    """List the nested sets on which pessimistic tests accuse, from none to all.

    Sets with the same errors form a lattice, since plausibility is submodular; the smallest is
    taken.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> chain(events(q, 0, 1))
    [0, 2, 3]
    """
    corners: list[Point] = [*read.cautious()]
    attained: dict[Point, list[int]] = {point: [] for point in lower_hull(corners)}
    for mask, point in enumerate(corners):
        if point in attained:
            attained[point].append(mask)
    sets = [reduce(and_, masks) for masks in attained.values()][:-1]
    everything = (1 << read.size) - 1
    return [*([0] if sets[0] else []), *sets, everything]


def blocks(read: Events) -> list[tuple[int, int, int]]:
    """List the sets between two of the chain, with the masses that both laws put there.

    The least favourable pair has one likelihood ratio in each. It is that of every answer in the
    set, also of one to which neither law gives a chance.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> blocks(events(q, 0, 1))  # "no", then "yes", in tenths
    [(2, 4, 6), (1, 6, 4)]
    """
    corners = read.cautious()
    return [
        (
            outer & ~inner,
            corners[outer][0] - corners[inner][0],
            corners[inner][1] - corners[outer][1],
        )
        for inner, outer in pairwise(chain(read))
    ]


def _share_block(read: Events, inner: int, outer: int) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Share out the mass that both laws put between two sets of the chain, in one ratio.

    Under x a message's mass goes to the first such part that it meets, under x′ to the last. That
    one law is a multiple of the other there makes it a flow: messages to answers to messages.
    """
    between = outer & ~inner
    early = _masses_inside(read, 0, lambda mask: mask & between if not mask & inner else 0)
    late = _masses_inside(read, 1, lambda mask: mask & between if not mask & ~outer else 0)
    early_total, late_total = sum(early.values()), sum(late.values())
    if not (early_total and late_total):
        for mask, mass in (early or late).items():
            lowest = (mask & -mask).bit_length() - 1
            yield lowest, Fraction(mass if early_total else 0), Fraction(mass if late_total else 0)
        return
    answers = [answer for answer in range(read.size) if between >> answer & 1]
    network: Network = {
        "from": {("x", mask): mass * late_total for mask, mass in early.items()},
        **{
            ("x", mask): {
                answer: early_total * late_total for answer in answers if mask >> answer & 1
            }
            for mask in early
        },
        **{
            answer: {("x′", mask): early_total * late_total for mask in late if mask >> answer & 1}
            for answer in answers
        },
        **{("x′", mask): {"to": mass * early_total} for mask, mass in late.items()},
    }
    flow = largest_flow(network, "from", "to")
    for answer in answers:
        through = sum(flow[answer].values())
        yield answer, Fraction(through, late_total), Fraction(through, early_total)


def _masses_inside(read: Events, row: int, part: Callable[[int], int]) -> dict[int, int]:
    inside: dict[int, int] = {}
    for mask, mass in zip(read.focal, read.masses[row], strict=True):
        if mass and part(mask):
            inside[part(mask)] = inside.get(part(mask), 0) + mass
    return inside


TestOutcome = tuple[tuple[str, ...], int, int]
"""Names between which a test makes no difference, and their masses under either answer."""


@final
class View(Enum):
    """How someone who tests a report reads it; each member's value says it in one sentence."""

    REPORTS = "report by report, whatever they mean"
    MESSAGES = "message by message: sets of answers, taken as they are"
    PESSIMISTIC = "answer by answer, each vague report resolved against the one who tests"
    OPTIMISTIC = "the pessimistic curve turned around: errors that a sensible test stays below"
    ATTACKER = "answer by answer, each vague report resolved in favour of the one who tests"


_REPEATED = tuple(view for view in View if view is not View.ATTACKER)


@checked
def tradeoff(
    channel: Channel, x: str, other: str, *, view: View = View.REPORTS, times: int = 1
) -> TradeoffFunction:
    r"""Trade-off function (f-DP): the least type II error at each type I error, of x against x′.

    .. math::

       T^{msg}(\alpha) &= \inf\{1 - \sum_E m_{x'}(E) \varphi(E) :
                           \sum_E m_x(E) \varphi(E) \le \alpha\} \\
       T^{pe}(\alpha) &= \inf\{1 - \underline{E}_{x'} \varphi : \overline{E}_x \varphi
                           \le \alpha\} \\
       T^{op}(\alpha) &= 1 - T^{pe}(1 - \alpha) \\
       T^{att}(\alpha) &= \inf\{1 - \overline{E}_{x'} \varphi : \underline{E}_x \varphi
                           \le \alpha\}

    Lower and upper expectations are Choquet integrals for belief and plausibility. The curves by
    message certify Shafer's loss and the attacker's curves Walley's: the loss is at most ε exactly
    when they lie nowhere below `error_floor`, for all ordered pairs of answers. The pessimistic
    curve certifies neither.

    Parameters
    ----------
    channel : Channel
        Computed exactly; rows of doubles are taken as the fractions that they are.
    x, other : str
        The innocent answer, and the one that the test looks for.
    view : View
    times : int
        k, how many independent reports of the same answer the test sees. Reports are resolved
        jointly: the pessimistic test for k is that of the least favourable pair, k times. The
        attacker's curve has no such form: over k reports it is bounded by
        ``error_floor(ratio=walley_loss(channel).value ** k)``.

    Returns
    -------
    TradeoffFunction
        Exact. Convex but for the optimistic and the attacker's, which need not be.

    Raises
    ------
    InputError
        If an answer is not in the frame, if both are the same, or if messages are about more
        answers than can be gone through: 16 for the pessimistic, 10 for the attacker's curve; if
        ``times`` is no whole number from 1, too large to go through, or over 1 for the attacker's.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Theorem 18, as corrected; Huber & Strassen (1973), Theorem 4.1, for
    the pessimistic curve.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> [tradeoff(q, "yes", "no", view=view).beta(0.05) for view in View]
    [0.7, 0.7, 0.925, 0.9666666666666667, 0.55]
    """
    x_row, other_row = rows_of(channel, x, other)
    if view in READ:
        channel, x_row, other_row = two_answers(channel, x_row, other_row)
    if times != 1:
        curve = neyman_pearson(*repeated(*_masses(laws_of(channel, x_row, other_row, view)), times))
        return curve.reflected() if view is View.OPTIMISTIC else curve
    match view:
        case View.REPORTS:
            rows, _ = units(channel)
            return neyman_pearson(rows[x_row], rows[other_row])
        case View.MESSAGES:
            masses = messages(channel).masses
            return neyman_pearson(masses[x_row], masses[other_row])
        case View.ATTACKER:
            return attack_curve(events(channel, x_row, other_row, MOST_NESTED))
    read = events(channel, x_row, other_row)
    alarms, misses = read.totals
    corners = [(Fraction(a) / alarms, Fraction(b) / misses) for a, b in lower_hull(read.cautious())]
    curve = TradeoffFunction(corners)
    return curve.reflected() if view is View.OPTIMISTIC else curve


READ = (View.REPORTS, View.MESSAGES)
"""Views in which every oracle is truth, lie or "don't know" between two answers."""


@checked
def worst_tradeoff(
    channel: Channel, *, view: View = View.REPORTS, times: int = 1
) -> TradeoffFunction:
    r"""Trade-off function (f-DP) of a channel: the lowest over all ordered pairs of answers.

    .. math:: T(\alpha) = \min_{x \ne x'} T_{x, x'}(\alpha)

    No test between any two answers errs less. It need not be convex, and different pairs may be the
    worst at different α; `worst_test` names the pair. The optimistic curve is the pessimistic one
    turned around.

    Same parameters, bounds and errors as `tradeoff`.

    Parameters
    ----------
    channel : Channel
    view : str
        As in `tradeoff`.
    times : int
        How many reports of one answer.

    References
    ----------
    Dong, Roth & Su (2022), Definition 2.3: f-differential privacy holds for every pair.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> worst_tradeoff(q).beta([0.05, 0.25]).round(6).tolist()
    [0.7, 0.25]
    """
    if view is View.OPTIMISTIC:
        return worst_tradeoff(channel, view=View.PESSIMISTIC, times=times).reflected()
    answers = channel.frame.answers
    pairs = some_pairs([channel]) if view in READ else permutations(range(len(answers)), 2)
    curves = (
        tradeoff(channel, answers[x], answers[other], view=view, times=times) for x, other in pairs
    )
    worst = next(curves, None)
    if worst is None:
        raise InputError("worst_tradeoff", got="one answer", allowed="two or more answers")
    return reduce(TradeoffFunction.minimum, curves, worst)


def laws_of(channel: Channel, x: int, other: int, view: View) -> list[TestOutcome]:
    """List what a test sees, with what its names are and the masses of both answers, in units.

    A pessimistic test sees single answers; those between two sets of its chain are as one.

    Raises
    ------
    InputError
        If the view has no laws of which reports are drawn independently.
    """
    match view:
        case View.REPORTS:
            rows, _ = units(channel)
            names = [(name,) for name in channel.reports]
            return list(zip(names, to_integers(rows[x]), to_integers(rows[other]), strict=True))
        case View.MESSAGES:
            read = messages(channel)
            wordings = channel.output.wordings(int(mask) for mask in read.masks)
            masses = to_integers(read.masses[x]), to_integers(read.masses[other])
            return list(zip([(name,) for name in wordings], *masses, strict=True))
        case View.ATTACKER:
            raise InputError(
                "view",
                got=view.name,
                allowed="for several reports "
                + ", ".join(allowed_view.name for allowed_view in _REPEATED),
                remedy="error_floor(ratio=walley_loss(channel).value ** times) bounds it",
            )
    parts = blocks(events(channel, x, other))
    return [(channel.output.names(part), first, second) for part, first, second in parts]


def _masses(laws: list[TestOutcome]) -> tuple[list[int], list[int]]:
    return [first for _, first, _ in laws], [second for _, _, second in laws]


MOST_COUNTS = 20_000
"""Of so many repeated outcomes at the most, in any order: a second or two in whole numbers."""


def repeated(
    first: Sequence[int], second: Sequence[int], times: int
) -> tuple[list[int], list[int]]:
    """Both laws of so many independent outcomes: how often each ratio comes, in any order.

    Parameters
    ----------
    first, second : sequence of int, shape (m,)
    times : int

    Raises
    ------
    InputError
        If ``times`` is no whole number from 1, or there are more than 20,000 different counts.

    >>> repeated([3, 1], [1, 3], 2)
    ([1, 6, 9], [9, 6, 1])
    """
    k = read_whole(times, "times", "a whole number from 1")
    atoms: dict[Fraction | float, tuple[int, int]] = {}
    for mass, other_mass in zip(first, second, strict=True):
        if mass or other_mass:
            key = Fraction(other_mass, mass) if mass else math.inf
            had = atoms.get(key, (0, 0))
            atoms[key] = had[0] + mass, had[1] + other_mass
    counts = math.comb(k + len(atoms) - 1, len(atoms) - 1)
    if counts > MOST_COUNTS:
        raise InputError(
            "times",
            got=f"{k} reports of {len(atoms)} likelihood ratios, {counts:,} counts",
            allowed=f"at most {MOST_COUNTS:,} counts",
            remedy="Ledger().spend(channel, times).tradeoff() is for many messages",
        )
    states = [(k, 1, 1)]
    *others, last = atoms.values()
    for mass, other_mass in others:
        states = [
            (
                remaining - n,
                p * math.comb(remaining, n) * mass**n,
                q * math.comb(remaining, n) * other_mass**n,
            )
            for remaining, p, q in states
            for n in range(remaining + 1)
        ]
    laws = [(p * last[0] ** remaining, q * last[1] ** remaining) for remaining, p, q in states]
    return [p for p, _ in laws], [q for _, q in laws]


Chord = tuple[int, int, int, int]
Line = tuple[Fraction, Fraction]

MOST_NESTED = 10
"""Of so many answers at the most: there are 3^l nested pairs of sets."""

_SHORT = 1e-5  # in type I error
_TOLERANCE = 1e-9  # chords so near the lowest in doubles are compared exactly


def attack_curve(read: Events) -> TradeoffFunction:
    """The lowest chord between nested sets at each type I error.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Theorem 18, as corrected: at the vertices of the comonotone tests.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> from askance.privacy.tradeoff import events
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> attack_curve(events(q, 0, 1)).exact[1]
    (Fraction(1, 10), Fraction(1, 10))
    """
    corners = read.bold()
    inner, outer = nested(read.size)
    chords = sorted({corners[a] + corners[b] for a, b in zip(inner, outer, strict=True)})
    wholes = read.totals * 2
    values = np.array(
        [[entry / total for entry, total in zip(chord, wholes, strict=True)] for chord in chords]
    )
    levels = sorted(set(read.low[0]))
    places = {level: i for i, level in enumerate(levels)}
    starts, ends = (np.array([places[chord[end]] for chord in chords]) for end in (0, 2))
    knots: list[tuple[Fraction, Fraction]] = []
    for step, (start, end) in enumerate(pairwise(levels)):
        over = np.flatnonzero((starts <= step) & (ends > step))
        near = _find_lowest_chords(values, over, start / read.totals[0], end / read.totals[0])
        lines = {(_height(chords[i], start), _height(chords[i], end)) for i in near.tolist()}
        knots += [(start + part * (end - start), beta) for part, beta in _envelope(lines)]
    scaled = [(alpha / read.totals[0], beta / read.totals[1]) for alpha, beta in knots]
    return TradeoffFunction(ascending(scaled))


def nested(size: int) -> tuple[list[int], list[int]]:
    """List all pairs of nested sets, the first inside the second.

    >>> len(nested(3)[0]) == 3**3
    True
    """
    masks = np.arange(1 << size)
    inner, outer = np.nonzero((masks[:, None] & ~masks[None, :]) == 0)
    return inner.tolist(), outer.tolist()


def _find_lowest_chords(
    values: Floats, over: npt.NDArray[np.intp], start: float, end: float
) -> npt.NDArray[np.intp]:
    """Find, in doubles, which of the chords over a step may be lowest somewhere in it.

    Of chords so short that doubles do not tell their slope, none is left out.
    """
    long = values[over, 2] - values[over, 0] > _SHORT
    short, over = over[~long], over[long]
    a0, b0, a1, b1 = values[over].T
    slope = (b1 - b0) / (a1 - a0)
    start_heights, end_heights = b0 + slope * (start - a0), b0 + slope * (end - a0)
    order = np.lexsort((end_heights, start_heights))
    lowest = np.minimum.accumulate(end_heights[order])
    before = np.concatenate([[np.inf], lowest])[: len(order)]
    candidates = over[order[end_heights[order] <= before + _TOLERANCE]]
    return np.concatenate([short, candidates])


def _height(chord: Chord, level: int) -> Fraction:
    a0, b0, a1, b1 = chord
    return b0 + Fraction((b1 - b0) * (level - a0), a1 - a0)


def _envelope(lines: Iterable[Line]) -> list[tuple[Fraction, Fraction]]:
    """Follow the lowest of the lines given by their heights at 0 and 1."""
    start, end = min(lines)
    corners, part = [(Fraction(0), start)], Fraction(0)
    while True:
        steeper = [
            ((line[0] - start) / (end - start - line[1] + line[0]), line[1] - line[0], line)
            for line in lines
            if line[1] - line[0] < end - start
        ]
        crossing = min((cross for cross in steeper if part <= cross[0] < 1), default=None)
        if crossing is None:
            return [*corners, (Fraction(1), end)]
        part, _, (start, end) = crossing
        corners.append((part, start + part * (end - start)))
