"""Least favourable pairs: the two laws that a pessimistic test has to fear most."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import and_

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.privacy.tradeoffs.events import Events, events, rows_of
from askance.privacy.tradeoffs.flow import Network, largest_flow
from askance.privacy.tradeoffs.piecewise import Point, lower_hull

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
    >>> from askance.mechanisms.abstain import Abstain
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
    >>> from askance.mechanisms.abstain import Abstain
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
    >>> from askance.mechanisms.abstain import Abstain
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
