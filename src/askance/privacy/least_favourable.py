"""Least favourable pairs: the two laws, among all that reports allow, that are hardest to tell."""

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import and_
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels import lattice
from askance.channels.channel import Channel
from askance.errors import InputError
from askance.privacy.losses import messages
from askance.privacy.neyman_pearson import whole
from askance.privacy.tradeoff_function import Point, lower_hull

Network = dict[Hashable, dict[Hashable, int]]


def largest_flow(capacity: Network, source: Hashable, sink: Hashable) -> Network:
    """Give a largest flow, by shortest augmenting paths.

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
    while path := _path(spare, source, sink):
        most = min(spare[start][end] for start, end in path)
        for start, end in path:
            spare[start][end] -= most
            spare[end][start] += most
    return {
        start: {end: most - spare[start][end] for end, most in ends.items()}
        for start, ends in capacity.items()
    }


def _path(spare: Network, source: Hashable, sink: Hashable) -> list[tuple[Hashable, Hashable]]:
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
        """Give the plausibility of every set: the total less the belief of what is outside."""
        return [self.totals[row] - low for low in reversed(self.low[row])]

    def cautious(self) -> list[tuple[int, int]]:
        """Give (pl_x(A), 1 − bel_x′(A)) for every set: its errors, each resolved for the worse."""
        missed = (self.totals[1] - low for low in self.low[1])
        return list(zip(self.high(0), missed, strict=True))

    def bold(self) -> list[tuple[int, int]]:
        """Give (bel_x(A), 1 − pl_x′(A)) for every set: its errors, each resolved for the better."""
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
    rows = whole(read.masses[first]), whole(read.masses[second])
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
    r"""Give one law for each of two answers, in their credal sets, that are hardest to tell apart.

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
        for at, mass, its in _block(read, inner, outer):
            first[at] += mass / read.totals[0]
            second[at] += its / read.totals[1]
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


def _block(read: Events, inner: int, outer: int) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Share out the mass that both laws put between two sets of the chain, in one ratio.

    Under x a message's mass goes to the first such part that it meets, under x′ to the last. That
    one law is a multiple of the other there makes it a flow: messages to answers to messages.
    """
    between = outer & ~inner
    early = _inside(read, 0, lambda mask: mask & between if not mask & inner else 0)
    late = _inside(read, 1, lambda mask: mask & between if not mask & ~outer else 0)
    whole, beside = sum(early.values()), sum(late.values())
    if not (whole and beside):
        for mask, mass in (early or late).items():
            lowest = (mask & -mask).bit_length() - 1
            yield lowest, Fraction(mass if whole else 0), Fraction(mass if beside else 0)
        return
    answers = [at for at in range(read.size) if between >> at & 1]
    network: Network = {
        "from": {("x", mask): mass * beside for mask, mass in early.items()},
        **{("x", mask): {at: whole * beside for at in answers if mask >> at & 1} for mask in early},
        **{at: {("x′", mask): whole * beside for mask in late if mask >> at & 1} for at in answers},
        **{("x′", mask): {"to": mass * whole} for mask, mass in late.items()},
    }
    flow = largest_flow(network, "from", "to")
    for at in answers:
        through = sum(flow[at].values())
        yield at, Fraction(through, beside), Fraction(through, whole)


def _inside(read: Events, row: int, part: Callable[[int], int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for mask, mass in zip(read.focal, read.masses[row], strict=True):
        if mass and part(mask):
            found[part(mask)] = found.get(part(mask), 0) + mass
    return found
