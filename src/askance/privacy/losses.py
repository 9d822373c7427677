"""Privacy losses of finite channels: local, and by sets of answers, as Shafer and Walley do."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels import frame as lattice
from askance.channels.channel import Channel
from askance.errors import InputError
from askance.exact.level import loss_within
from askance.privacy.guarantee import Guarantee, Notion
from askance.typing import Floats


@checked
def local_loss(channel: Channel) -> Guarantee:
    r"""Local differential privacy: the smallest ε of a channel, from its matrix.

    .. math:: e^\varepsilon = \max_{y, x, x'} Q(y \mid x) / Q(y \mid x')

    Parameters
    ----------
    channel : Channel
        Computed exactly on its table where it has one.

    Returns
    -------
    Guarantee
        Of notion LOCAL; infinite where a report is possible for one answer and not for another.

    References
    ----------
    Kasiviswanathan, Lee, Nissim, Raskhodnikova & Smith (2011), Definition 2.4, applied to one
    person's answer.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Warner
    >>> local_loss(Warner(truth="3/4").channel(Frame(["yes", "no"]))).value
    Fraction(3, 1)
    """
    rows, exact = units(channel)
    return worst_pair(
        Notion.LOCAL,
        channel.frame.answers,
        between_rows(rows, exact=exact),
        lambda column: f"by {channel.reports[column]!r}",
    )


@checked
def shafer_loss(channel: Channel) -> Guarantee:
    r"""Shafer loss: ε of local differential privacy for reports read as messages.

    .. math:: e^{\varepsilon_S} = \max_{E, x, x'} m_x(E) / m_{x'}(E)

    A message is the set of answers that a report means, so reports with equal meanings count as
    one; 0/0 is ignored and a/0 is infinite. It bounds what anyone learns who takes the message as
    it is.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 1, with 0/0 ignored.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> loss = shafer_loss(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"])))
    >>> loss.value, loss.pair_epsilons.round(4).tolist()
    (Fraction(6, 1), [[0.0, 1.7918], [1.7918, 0.0]])
    """
    read = messages(channel)
    return worst_pair(
        Notion.SHAFER,
        channel.frame.answers,
        between_rows(read.masses, exact=read.exact),
        lambda at: f"by {' or '.join(channel.output.names(int(read.masks[at])))!r}",
    )


@checked
def belief_loss(channel: Channel) -> Guarantee:
    r"""Belief loss: the largest log-ratio of beliefs between two answers, over all sets.

    .. math:: e^{\varepsilon_{bel}} = \max_{A, x, x'} bel_x(A) / bel_{x'}(A)

    All 2^l sets are looked at. Never more than Shafer's loss; a bound on it does not bound
    Shafer's.

    Raises
    ------
    InputError
        If messages are about more than 24 answers.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemma 2.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> belief_loss(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(6, 1)
    """
    read = messages(channel, every_set=True)
    return _over_events(Notion.BELIEF, channel, read.beliefs(), exact=read.exact)


@checked
def plausibility_loss(channel: Channel) -> Guarantee:
    r"""Plausibility loss: the largest log-ratio of plausibilities between two answers.

    .. math:: e^{\varepsilon_{pl}} = \max_{A, x, x'} pl_x(A) / pl_{x'}(A)

    Same bounds and errors as `belief_loss`.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemma 2.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> plausibility_loss(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(9, 4)
    """
    read = messages(channel, every_set=True)
    return _over_events(Notion.PLAUSIBILITY, channel, read.plausibilities(), exact=read.exact)


@checked
def walley_loss(channel: Channel, *, diagonal: bool = False) -> Guarantee:
    r"""Walley loss: the largest log-ratio of plausibility to belief under another answer.

    .. math:: e^{\varepsilon_W} = \max_{x \ne x'} \max_y
              \frac{\sum_{E \ni y} m_x(E)}{m_{x'}(\{y\})}

    The maximum of pl/bel over all events is attained at single answers, since plausibility is
    subadditive and belief superadditive. Whoever resolves a vague report as they like learns no
    more than this.

    Parameters
    ----------
    channel : Channel
    diagonal : bool
        Whether an answer counts beside itself, as the definition says literally. pl/bel under one
        answer measures how vague its reports are, not what they tell; `pairs` holds it always.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 13, over distinct pairs of answers.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> walley_loss(q).value, walley_loss(q).pairs[0][0]
    (Fraction(9, 1), Fraction(4, 1))
    """
    read = messages(channel)
    high, low = read.contours(), read.singles()
    return worst_pair(
        Notion.WALLEY,
        channel.frame.answers,
        largest_ratios(high, low, exact=read.exact),
        lambda at: f"at {channel.output.answers[at]!r}",
        diagonal=diagonal,
    )


@checked
def is_shafer_private(channel: Channel, epsilon: object = None, *, ratio: object = None) -> bool:
    """Say whether Shafer's loss is at most ε: never yes unless it is so.

    Parameters
    ----------
    channel : Channel
    epsilon : number, optional
        ε. A float is a logarithm to double precision: a loss keeps to it whose own logarithm,
        rounded to the nearest double, does. Every other number is compared exactly.
    ratio : number, optional
        e^ε instead, compared exactly.

    Raises
    ------
    InputError
        If not exactly one is given, or it is neither in [0, 10000], or [1, e^10000] for the ratio,
        nor infinite.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 1.

    >>> import math
    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> is_shafer_private(q, ratio=6), is_shafer_private(q, math.log(6)), is_shafer_private(q, 1.7)
    (True, True, False)
    """
    return loss_within(shafer_loss(channel).value, epsilon, ratio)


@checked
def is_walley_private(
    channel: Channel, epsilon: object = None, *, ratio: object = None, diagonal: bool = False
) -> bool:
    """Say whether Walley's loss is at most ε: never yes unless it is so.

    Same bounds and errors as `is_shafer_private`; the diagonal as in `walley_loss`.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 13 and Lemma 14.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> is_walley_private(q, 2.2), is_walley_private(q, 1.8)
    (True, False)
    """
    return loss_within(walley_loss(channel, diagonal=diagonal).value, epsilon, ratio)


def _over_events(
    notion: Notion, channel: Channel, values: npt.NDArray[Any], *, exact: bool
) -> Guarantee:
    return worst_pair(
        notion,
        channel.frame.answers,
        between_rows(values[:, 1:], exact=exact),
        lambda at: f"for {' or '.join(channel.output.names(at + 1))!r}",
    )


Ratio = Fraction | float
Cell = tuple[Ratio, int]

_SLACK = 2.0**-40  # more than two sums of 4,000 doubles, and their ratio, lose
_CLOSE = 1e-12  # more than the ratio of two rounded doubles loses
_SMALLEST = 1e-290  # doubles below lose digits
_AT_ONCE = 1 << 20  # so many entries are compared at a time, which bounds the memory


def largest_ratios(
    above: npt.NDArray[Any], below: npt.NDArray[Any], *, exact: bool
) -> list[list[Cell]]:
    """For each two rows the largest ratio and where it is, with 0/0 left out and a/0 = ∞.

    Parameters
    ----------
    above : array, shape (k, m)
    below : array, shape (l, m)
        No row all zero; whole numbers as doubles, or objects with exact arithmetic, where
        ``exact``.
    exact : bool
        If not, the ratio is rounded up by more than what sums of doubles can lose.

    >>> rows = np.array([[1.0, 6.0, 3.0], [6.0, 1.0, 3.0]])
    >>> largest_ratios(rows[:1], rows, exact=True)
    [[(Fraction(1, 1), 0), (Fraction(6, 1), 1)]]
    """
    step = max(_AT_ONCE // below.shape[1], 1)
    parts = [slice(at, at + step) for at in range(0, len(below), step)]
    with np.errstate(divide="ignore", invalid="ignore"):
        if above.dtype != object:
            return [
                [cell for part in parts for cell in _over(row, below[part], exact)] for row in above
            ]
        near, under = _nearly(above), _nearly(below)
        if near is None or under is None:
            return [[_of_objects(row, other) for other in below] for row in above]
        return [
            [
                cell
                for part in parts
                for cell in _over_objects(row, below[part], rough / under[part])
            ]
            for row, rough in zip(above, near, strict=True)
        ]


def _over(row: npt.NDArray[Any], below: npt.NDArray[Any], exact: bool) -> Iterator[Cell]:
    """Compare one row with several.

    Division keeps the order up to ties, and whole doubles whose ratio rounds to one are equal.
    """
    ratios = row / below
    tops = np.fmax.reduce(ratios, axis=1)
    tied = ratios == tops[:, None]
    firsts, ties = tied.argmax(axis=1).tolist(), tied.sum(axis=1).tolist()
    for other, (top, at) in enumerate(zip(tops.tolist(), firsts, strict=True)):
        if top == math.inf:
            yield math.inf, at
        elif not exact:
            yield top * (1 + _SLACK), at
        elif ties[other] == 1 or top == 1:
            yield Fraction(int(row[at]), int(below[other, at])), at
        else:
            places = np.flatnonzero(tied[other]).tolist()
            cells = (
                (Fraction(int(row[place]), int(below[other, place])), -place) for place in places
            )
            found, back = max(cells)
            yield found, -back


def _nearly(rows: npt.NDArray[Any]) -> Floats | None:
    """Doubles in proportion to exact numbers, up to rounding; None if some are too small."""
    most = Fraction(max(rows.flat) or 1)
    found = np.array([[float(entry / most) for entry in row] for row in rows])
    return None if np.any((rows > 0) & (found < _SMALLEST)) else found


def _over_objects(row: npt.NDArray[Any], below: npt.NDArray[Any], ratios: Floats) -> Iterator[Cell]:
    """Compare one row with several, exactly where doubles do not tell which ratio is larger."""
    tops = np.fmax.reduce(ratios, axis=1)
    close = (ratios >= (tops * (1 - _CLOSE))[:, None]) | np.isinf(ratios)
    for other, top in zip(below, close, strict=True):
        places = np.flatnonzero(top).tolist()
        firsts: dict[tuple[Any, Any], int] = {}
        for at in places:
            firsts.setdefault((row[at], other[at]), at)
        cells = ((Fraction(a) / b if b else math.inf, -at) for (a, b), at in firsts.items())
        found, back = max(cells)
        yield found, -back


def _of_objects(above: npt.NDArray[Any], below: npt.NDArray[Any]) -> Cell:
    sure = (below == 0) & (above > 0)
    if sure.any():
        return math.inf, int(np.argmax(sure))
    pairs = enumerate(zip(above, below, strict=True))
    found, back = max((Fraction(a) / b, -at) for at, (a, b) in pairs if b)
    return found, -back


def between_rows(rows: npt.NDArray[Any], *, exact: bool) -> list[list[Cell]]:
    """Compare the rows of one array: the ratio of a row over itself is 1.

    >>> between_rows(np.array([[3.0, 1.0], [1.0, 3.0]]), exact=True)[1]
    [(Fraction(3, 1), 1), (Fraction(1, 1), 0)]
    """
    cells = largest_ratios(rows, rows, exact=exact)
    for at, row in enumerate(cells):
        row[at] = Fraction(1), 0
    return cells


def worst_pair(
    notion: Notion,
    answers: Sequence[str],
    cells: Sequence[Sequence[Cell]],
    named: Callable[[int], str],
    *,
    diagonal: bool = False,
) -> Guarantee:
    """Fill the matrix of pairs of answers and find its worst entry.

    Parameters
    ----------
    notion : Notion
    answers : sequence of str
    cells : sequence of sequence of tuple
        The worst ratio of one row over another, and the column at which it is attained.
    named : callable
        Names a column.
    diagonal : bool
        Whether an answer beside itself counts.
    """
    rows = range(len(answers))
    worst: Ratio = Fraction(1)
    where = "by every report alike"
    for x in rows:
        for other in rows:
            value, column = cells[x][other]
            if (x != other or diagonal) and value > worst:
                worst, where = (
                    value,
                    f"{named(column)} between {answers[x]!r} and {answers[other]!r}",
                )
    return Guarantee(notion, worst, where, tuple(tuple(v for v, _ in row) for row in cells))


_EXACT_TOTAL = 1 << 50  # sums of whole numbers up to this are doubles, exactly
_EXACT_DOUBLES = 1 << 14  # so many fractions, and sums of them, are taken before it is too slow


@final
@dataclass(frozen=True, slots=True, eq=False)
class Messages:
    """Messages are sets of answers: reports with equal meanings are one message.

    Attributes
    ----------
    masks : array of int, shape (m,)
        The messages, ascending.
    masses : array, shape (k, m)
        Whole numbers over a common total, as doubles or as integers; fractions; or, where there are
        too many doubles for fractions, doubles.
    size : int
        How many answers the messages are about.
    exact : bool
        Whether sums of these masses are exact.
    """

    masks: npt.NDArray[Any]
    masses: npt.NDArray[Any]
    size: int
    exact: bool

    def beliefs(self) -> npt.NDArray[Any]:
        """Belief of every set, shape (k, 2^l), over the same totals as the masses.

        Raises
        ------
        InputError
            If messages are about more than 24 answers.
        """
        return lattice.subset_sums(self._dense(), copy=False)

    def plausibilities(self) -> npt.NDArray[Any]:
        """Plausibility of every set, shape (k, 2^l), likewise; without cancellation."""
        if not self.exact:
            return lattice.meeting_sums(self._dense(), copy=False)
        beliefs = self.beliefs()
        found: npt.NDArray[Any] = beliefs[:, -1:] - beliefs[:, ::-1]
        return found

    def contours(self) -> npt.NDArray[Any]:
        """Plausibility of every single answer, shape (k, l)."""
        held = [(self.masks >> at & 1).astype(bool) for at in range(self.size)]
        return np.stack([self.masses @ column.astype(self.masses.dtype) for column in held], axis=1)

    def singles(self) -> npt.NDArray[Any]:
        """Belief of every single answer, shape (k, l)."""
        found = np.zeros((len(self.masses), self.size), dtype=self.masses.dtype)
        for at in range(self.size):
            column = np.flatnonzero(self.masks == 1 << at)
            if len(column):
                found[:, at] = self.masses[:, column[0]]
        return found

    def _dense(self) -> npt.NDArray[Any]:
        if self.size > lattice.LARGEST:
            raise InputError(
                "Channel.output",
                got=f"{self.size} answers",
                allowed=f"at most {lattice.LARGEST}, to look at every set of them",
                remedy="local_loss, shafer_loss and walley_loss need no more than the messages",
            )
        dense = np.zeros((len(self.masses), 1 << self.size), dtype=self.masses.dtype)
        dense[:, self.masks.astype(np.int64)] = self.masses
        return dense


def messages(channel: Channel, *, every_set: bool = False) -> Messages:
    """Read a channel by meaning, for its messages or for every set of answers.

    >>> from askance.channels.frame import Frame
    >>> rows = [[Fraction(2, 5), Fraction(1, 2), Fraction(1, 10)]] * 2
    >>> named = {"a": ["a"], "either": ["a", "b"], "a again": ["a"]}
    >>> read = messages(Channel(Frame(["a", "b"]), named, rows))
    >>> read.masks.tolist(), read.masses.tolist()
    ([1, 3], [[5.0, 5.0], [5.0, 5.0]])
    """
    size = len(channel.output)
    rows, exact = units(channel, len(channel.frame) << size if every_set else channel.matrix.size)
    masks = np.array(channel.meanings, dtype=np.int64 if size < 63 else object)
    order = np.argsort(masks, kind="stable")
    ranked = masks[order]
    first = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    return Messages(ranked[first], np.add.reduceat(rows[:, order], first, axis=1), size, exact)


def units(channel: Channel, sums: int = 0) -> tuple[npt.NDArray[Any], bool]:
    """The rows in numbers whose sums are exact, if there are such; shape (k, m).

    Doubles are read as fractions where there are not too many of them, or of sums of them.

    >>> from askance.mechanisms.randomised_response import Warner
    >>> from askance.channels.frame import Frame
    >>> units(Warner(truth="3/4").channel(Frame(["yes", "no"])))[0].tolist()
    [[3.0, 1.0], [1.0, 3.0]]
    """
    if channel.table is not None:
        if channel.table.total <= _EXACT_TOTAL:
            return np.rint(channel.matrix * channel.table.total), True
        return np.array(channel.table.rows, dtype=object), True
    if max(channel.matrix.size, sums) <= _EXACT_DOUBLES:
        return np.array(exact_rows(channel), dtype=object), True
    return channel.matrix, False


def exact_rows(channel: Channel) -> Sequence[Sequence[Fraction]]:
    """The rows as fractions: the deployed integers, or the doubles as they are."""
    if channel.table is not None:
        return [channel.table.row(at) for at in range(len(channel.frame))]
    return [[Fraction(entry) for entry in row] for row in channel.matrix.tolist()]
