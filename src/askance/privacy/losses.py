"""Privacy losses of finite channels: local, and by sets of answers, as Shafer and Walley do.

Beside what a report changes stands what it lets anyone guess: how often the best guess of one
person's answer is wrong, and the advantage over guessing without a report.

A column's largest ratio is that of its largest entry over its least, so the worst of all pairs of
rows is found in one pass over the columns. Ratios of one row over all others are computed when they
are asked for.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from askance.channels import frame as lattice
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.privacy.guarantee import AlikePairs, Guarantee, Notion, Pairs, PairsByRow, Ratio
from askance.results import json_of, result_frame, result_stream
from askance.typing import Booleans, Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_within
from askance_collect.exact.ratio import cautious, read_ratio


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
    if channel.oracle is not None:
        return _oracle_guarantee(Notion.LOCAL, channel, channel.oracle.ratio)
    rows, exact = units(channel)
    return worst_pair(
        Notion.LOCAL,
        channel.frame.answers,
        Ratios.between(rows, exact=exact),
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
    if channel.oracle is not None:  # each set is sent by one kind of report
        return _oracle_guarantee(Notion.SHAFER, channel, channel.oracle.ratio)
    read = messages(channel)
    return worst_pair(
        Notion.SHAFER,
        channel.frame.answers,
        Ratios.between(read.masses, exact=read.exact),
        lambda column: f"by {' or '.join(channel.output.names(int(read.masks[column])))!r}",
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
    if channel.oracle is not None and channel.oracle.coded == "names":
        return _oracle_guarantee(Notion.BELIEF, channel, channel.oracle.ratio)
    read = messages(channel, every_set=True)
    return _worst_event(Notion.BELIEF, channel, read.beliefs(), exact=read.exact)


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
    if channel.oracle is not None and channel.oracle.coded == "names":
        return _oracle_guarantee(Notion.PLAUSIBILITY, channel, channel.oracle.ratio)
    read = messages(channel, every_set=True)
    return _worst_event(Notion.PLAUSIBILITY, channel, read.plausibilities(), exact=read.exact)


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
    if channel.oracle is not None:
        off_diagonal, on_diagonal = channel.oracle.resolved
        loss = _oracle_guarantee(
            Notion.WALLEY, channel, max(off_diagonal, on_diagonal) if diagonal else off_diagonal
        )
        return replace(loss, pairs=AlikePairs(len(channel.frame), off_diagonal, on_diagonal))
    read = messages(channel)
    high, low = read.contours(), read.singles()
    return worst_pair(
        Notion.WALLEY,
        channel.frame.answers,
        Ratios.between(high, low, exact=read.exact),
        lambda answer: f"at {channel.output.answers[answer]!r}",
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

    Parameters
    ----------
    channel : Channel
    epsilon, ratio
        The bound, or e to its power: one of them.

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


def _oracle_guarantee(notion: Notion, channel: Channel, worst: Fraction | float) -> Guarantee:
    """Make the guarantee of a loss that is the same between any two answers."""
    first, other, *_ = channel.frame.answers
    where = f"between any two answers, such as {first!r} and {other!r}"
    attained = where if worst > 1 else "by every report alike"
    return Guarantee.for_equal_pairs(notion, len(channel.frame), worst, attained)


def _worst_event(
    notion: Notion, channel: Channel, values: npt.NDArray[Any], *, exact: bool
) -> Guarantee:
    return worst_pair(
        notion,
        channel.frame.answers,
        Ratios.between(values[:, 1:], exact=exact),
        lambda event: f"for {' or '.join(channel.output.names(event + 1))!r}",
    )


_EXACT_TOTAL = 1 << 50  # sums of whole numbers up to this are doubles, exactly
_EXACT_DOUBLES = (
    1 << 14
)  # so many doubles, and sums of them, are taken exactly before it is too slow
_PART = 1 << 16  # messages whose members are written out at a time
_FEW_MEMBERS = 4  # answers in a message, on average, whose masses are sooner added one by one


@final
@dataclass(frozen=True, slots=True, eq=False)
class Messages:
    """Messages are sets of answers: reports with equal meanings are one message.

    Attributes
    ----------
    masks : array of int, shape (m,)
        The messages, ascending.
    masses : array, shape (k, m)
        Whole numbers over a common total, as doubles or as integers; or, where there are too many
        doubles for that, doubles.
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
        sums: npt.NDArray[Any] = beliefs[:, -1:] - beliefs[:, ::-1]
        return sums

    def contours(self) -> npt.NDArray[Any]:
        """Plausibility of every single answer, shape (k, l)."""
        if self.masses.dtype == object:
            return _integer_sums(self.masses, _members(self.masks, self.size))
        sums = np.zeros((len(self.masses), self.size), dtype=self.masses.dtype)
        for start in range(0, len(self.masks), _PART):
            part = slice(start, start + _PART)
            members = _members(self.masks[part], self.size)
            sums += self.masses[:, part] @ members.astype(self.masses.dtype)
        return sums

    def singles(self) -> npt.NDArray[Any]:
        """Belief of every single answer, shape (k, l)."""
        beliefs = np.zeros((len(self.masses), self.size), dtype=self.masses.dtype)
        single = np.array([1 << answer for answer in range(self.size)], dtype=self.masks.dtype)
        places = np.searchsorted(self.masks, single)
        places[places == len(self.masks)] = 0
        answers = np.flatnonzero(self.masks[places] == single)
        beliefs[:, answers] = self.masses[:, places[answers]]
        return beliefs

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


def _members(masks: npt.NDArray[Any], size: int) -> Booleans:
    """Say which message, a row, leaves which answer possible."""
    if masks.dtype != object:
        width, packed = 8, masks.astype("<i8").tobytes()
    else:
        width = -(-size // 8)
        packed = b"".join(mask.to_bytes(width, "little") for mask in masks.tolist())
    parts = np.frombuffer(packed, dtype=np.uint8).reshape(-1, width)
    return np.unpackbits(parts, axis=1, count=size, bitorder="little").view(bool)


def _integer_sums(masses: npt.NDArray[Any], members: Booleans) -> npt.NDArray[Any]:
    """Add large whole numbers exactly: one by one where few are held, else in parts as doubles."""
    totals = np.zeros((len(masses), members.shape[1]), dtype=object)
    answers, columns = np.nonzero(members.T)
    if len(columns) <= _FEW_MEMBERS * len(members):
        some, firsts = np.unique(answers, return_index=True)
        totals[:, some] = np.add.reduceat(masses[:, columns], firsts, axis=1)
        return totals
    bits, member_doubles = 52 - len(members).bit_length(), members.astype(np.float64)
    longest, part = max(map(int.bit_length, masses.ravel().tolist())), (1 << bits) - 1
    for shift in range(0, longest, bits):
        sums = (masses >> shift & part).astype(np.float64) @ member_doubles
        totals += sums.astype(np.int64).astype(object) << shift
    return totals


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


def some_pairs(channels: Sequence[Channel]) -> Iterator[tuple[int, int]]:
    """Ordered pairs of answers, by position; one pair if oracles treat all answers equally.

    >>> from askance.mechanisms.randomised_response import KAry
    >>> many = Frame([f"page {i}" for i in range(1000)])
    >>> list(some_pairs([KAry(truth="1/2").channel(many)]))
    [(0, 1)]
    """
    if all(channel.oracle is not None for channel in channels):
        return iter([(0, 1)])
    return permutations(range(len(channels[0].frame)), 2)


def two_answers(channel: Channel, x: int, other: int) -> tuple[Channel, int, int]:
    """Restrict a channel to two answers; an oracle's without its matrix.

    Between two answers a pure oracle is truth, lie or "don't know": a report that leaves one of
    them possible and not the other is ρ times as likely from one, and all others are as likely from
    either. Reports that differ in what they say of the two are different messages.

    >>> from askance.mechanisms.frequency_oracles import HadamardResponse
    >>> many = Frame([f"page {i}" for i in range(1000)])
    >>> pair, _, _ = two_answers(HadamardResponse(truth="3/4").channel(many), 7, 8)
    >>> pair.reports, pair.table.rows
    (('page 7, not page 8', 'page 8, not page 7', 'both or neither'), ((3, 1, 4), (1, 3, 4)))
    """
    oracle = channel.oracle
    if oracle is None or x == other:
        return channel, x, other
    named = [channel.frame.answers[position] for position in (x, other)]
    rows = {report.format(*named): pair for report, pair in oracle.between.items()}
    if len(rows) < len(oracle.between):  # such as "x" and "x, not x": quoted, none is read twice
        rows = {report.format(*map(repr, named)): pair for report, pair in oracle.between.items()}
    meanings = {name: [name] for name in rows}
    return (
        Channel(Frame(named), meanings, [*zip(*rows.values(), strict=True)], output=Frame(rows)),
        0,
        1,
    )


def units(channel: Channel, sums: int = 0) -> tuple[npt.NDArray[Any], bool]:
    """The rows in numbers whose sums are exact, if there are such; shape (k, m).

    Doubles are read as whole numbers of a power of two where there are not too many of them, or of
    sums of them.

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
        return _whole_parts(channel.matrix), True
    return channel.matrix, False


def _whole_parts(matrix: Floats) -> npt.NDArray[Any]:
    """Write doubles as whole numbers of one power of two, which all of them are."""
    parts = [[entry.as_integer_ratio() for entry in row] for row in matrix.tolist()]
    common = max(denominator for row in parts for _, denominator in row)
    rows = [
        [numerator * (common // denominator) for numerator, denominator in row] for row in parts
    ]
    return np.array(rows, dtype=object)


def exact_rows(channel: Channel) -> Sequence[Sequence[Fraction]]:
    """The rows as fractions: the deployed integers, or the doubles as they are."""
    if channel.table is not None:
        total, rows = channel.table.total, channel.table.rows
        fractions = {entry: Fraction(entry, total) for entry in set().union(*rows)}
        return [tuple(map(fractions.__getitem__, row)) for row in rows]
    return [[Fraction(entry) for entry in row] for row in channel.matrix.tolist()]


_LARGEST = 1 << 61  # sums of two such products fit into 64 bits


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Guessing:
    """What the best guess between two answers achieves, at a stated prior.

    Attributes
    ----------
    guarantee : Guarantee
        The weighted advantage, exact.
    first_weight : Fraction
        w, the prior chance of the first answer of the pair.
    pair : tuple of str
        The two answers, in order.
    """

    guarantee: Guarantee
    first_weight: Fraction
    pair: tuple[str, str]

    @property
    def error(self) -> Fraction:
        """The average error probability of the best guess: (1 − advantage)/2."""
        return (1 - Fraction(self.guarantee.value)) / 2

    @property
    def words(self) -> str:
        """The promise to one person, in one sentence."""
        most = cautious(1 - self.error, math.ceil)
        right = f"A guess from the report is right at most {most} times"
        if self.first_weight == Fraction(1, 2):
            return f"{right} in 100, if both answers are equally likely beforehand."
        percent = f"{float(100 * self.first_weight):g}"
        return f"{right} in 100, if {self.pair[0]!r} has {percent} chances in 100 beforehand."

    def to_dict(self) -> Json:
        """Write the advantage, the prior and the error of the best guess for JSON."""
        return json_of(self, "guarantee first_weight pair error")

    def _frame(self) -> dict[str, Any]:
        first, second = self.pair
        return {
            "first": [first],
            "second": [second],
            "prior of the first": [float(self.first_weight)],
            "error": [float(self.error)],
        }

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def guessing(
    channel: Channel, *, first_weight: object = "1/2", between: tuple[str, str] | None = None
) -> Guessing:
    r"""Bayes error and advantage of the best guess between two answers from a report.

    .. math:: \tfrac12 \bigl(1 - \lVert w\, p_x - (1 - w)\, p_{x'} \rVert_1\bigr)

    is the average error probability of the best guess, where x has chance w and x′ has chance 1 − w
    beforehand.

    Parameters
    ----------
    channel : Channel
    first_weight : probability
        w in (0, 1), the prior chance of the first answer of the pair.
    between : pair of str, optional
        The two answers, in order. By default the ordered pair at which guessing is easiest.

    Raises
    ------
    InputError
        If w is not in (0, 1), an answer is unknown, or the two are the same.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), equation (1).

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth="3/8", lie="1/8").channel(Frame(["yes", "no"]))
    >>> guessing(q).error, guessing(q).words[:58]
    (Fraction(3, 8), 'A guess from the report is right at most 62.5 times in 100')
    """
    w = prior_weight(first_weight, "guessing.first_weight")
    answers, distance = channel.frame.answers, distances(channel, w)
    candidates = [
        (distance(x, other), (answers[x], answers[other])) for x, other in _pairs(channel, between)
    ]
    value, pair = max(candidates, key=lambda candidate: candidate[0])
    where = f"between {pair[0]!r} and {pair[1]!r}"
    judged = Guarantee(Notion.ADVANTAGE, value, where)
    return Guessing(guarantee=judged, first_weight=w, pair=pair)


def prior_weight(weight: object, where: str = "first_weight") -> Fraction:
    """Read the chance that a guesser gives the first of two answers beforehand.

    >>> prior_weight(0.4)
    Fraction(2, 5)
    """
    read = read_ratio(weight, where)
    if not 0 < read < 1:
        raise InputError(where, got=str(weight), allowed="a probability in (0, 1)")
    return read


def advantage_limit(limit: object, weight: Fraction) -> Fraction:
    """Read a bound δ on the weighted advantage.

    Raises
    ------
    InputError
        If δ is below |1 − 2w|, which whoever ignores the report reaches, if it is 0, or if it is 1
        or more.

    >>> advantage_limit("1/4", Fraction(1, 2))
    Fraction(1, 4)
    """
    read, least = read_ratio(limit, "advantage"), abs(1 - 2 * weight)
    if read >= 1 or read < least or read == 0:
        nearest = f"the least that can hold is {least}: guessing without a report attains it"
        remedies = [
            (read >= 1, "1 bounds nothing: leave the constraint out"),
            (read == 0, "at 0 no report says anything"),
            (True, nearest),
        ]
        raise InputError(
            "advantage",
            got=str(limit),
            allowed=f"a bound in [{least}, 1), above 0" if least else "a bound in (0, 1)",
            remedy=next(remedy for holds, remedy in remedies if holds),
        )
    return read


def _pairs(channel: Channel, between: tuple[str, str] | None) -> list[tuple[int, int]]:
    if between is None:
        pairs = list(some_pairs([channel]))
    else:
        x, other = (channel.frame.index(answer) for answer in between)
        pairs = [(x, other)] if x != other else []
    if not pairs:
        raise InputError(
            "guessing.between",
            got=between or f"{len(channel.frame)} answer",
            allowed="two different answers",
        )
    return pairs


def distances(channel: Channel, w: Fraction) -> Callable[[int, int], Fraction]:
    """Compare rows by ‖w Q(·|x) − (1 − w) Q(·|x′)‖₁, exactly; x and x′ are positions.

    In whole numbers, of a machine's size where they fit.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Warner
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> distances(q, Fraction(1, 2))(0, 1)
    Fraction(1, 2)
    """
    above, below = w.numerator, w.denominator - w.numerator
    if channel.oracle is not None:  # between any two answers alike
        constant = distances(two_answers(channel, 0, 1)[0], w)(0, 1)
        return lambda *_: constant
    if channel.table is not None:
        total, rows = channel.table.total, channel.table.rows
    else:
        fractions = exact_rows(channel)
        total = math.lcm(*(entry.denominator for row in fractions for entry in row))
        rows = tuple(tuple(int(entry * total) for entry in row) for row in fractions)
    small = w.denominator * total <= _LARGEST
    units = np.array(rows, dtype=np.int64 if small else object)
    denominator = w.denominator * total
    return lambda x, other: Fraction(
        int(np.abs(above * units[x] - below * units[other]).sum()), denominator
    )


@checked
def advantage(channel: Channel, *, first_weight: object = "1/2") -> Guarantee:
    r"""Bayes advantage: by how much a report helps to guess between two answers, at worst.

    .. math:: \max_{x \ne x'} \lVert w\, p_x - (1 - w)\, p_{x'} \rVert_1

    With w = ½ this is the total variation distance: someone who holds the two answers equally
    likely beforehand guesses right with chance (1 + advantage) / 2.

    Parameters
    ----------
    channel : Channel
    first_weight : probability
        w in (0, 1), the prior chance of x, the first answer of the pair; over ordered pairs either
        answer is the first once.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), equation (1), the constraint on the weighted ℓ₁ norm.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> advantage(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(1, 2)
    """
    w = prior_weight(first_weight, "advantage.first_weight")
    answers, distance = channel.frame.answers, distances(channel, w)
    worst, where = abs(1 - 2 * w), "with a single answer"
    for x, other in some_pairs([channel]):
        if (difference := distance(x, other)) >= worst:
            worst, where = difference, f"between {answers[x]!r} and {answers[other]!r}"
    return Guarantee(Notion.ADVANTAGE, worst, where)


Cell: TypeAlias = tuple[Ratio, int]
"""The largest ratio of a row over another, and the first column that attains it."""

Worst: TypeAlias = tuple[Ratio, int, int, int]
"""The largest ratio of all, the row, the other row and the column."""

_SLACK = 2.0**-40  # more than two sums of 4,000 doubles, and their ratio, lose
_CLOSE = 1e-12  # more than the ratio of two rounded doubles loses
_SMALLEST = 1e-290  # doubles below lose digits
_AT_ONCE = 1 << 20  # so many entries are compared at a time, which bounds the memory
_FEW = 8  # rows, whose ratios are sooner all computed than the worst is looked for
_WIDE = 64  # times as many columns as rows: too much to keep for ratios that nobody may ask for


@final
@dataclass(frozen=True, slots=True, eq=False)
class RankedEntries:
    """Numbers in rows that compare as their ranks do.

    Attributes
    ----------
    ranks : array, shape (k, m)
        The numbers themselves, where they are doubles; else their places among ``values``.
    values : tuple of (int or Fraction), or None
        All numbers there are, ascending.
    near : array of float, or None
        Doubles in proportion to them, up to rounding; None if some are too small.
    """

    ranks: npt.NDArray[Any]
    values: tuple[Any, ...] | None = None
    near: Floats | None = None

    @classmethod
    def of(cls, rows: npt.NDArray[Any]) -> "RankedEntries":
        """Rank numbers of any size, that are not doubles."""
        if rows.dtype != object:
            return cls(_read_only_view(rows))
        listed = rows.tolist()
        values = tuple(sorted(set().union(*listed)))
        places = {value: rank for rank, value in enumerate(values)}
        ranks = np.array([[places[entry] for entry in row] for row in listed], dtype=np.int64)
        most = Fraction(values[-1] or 1)
        near = np.array([float(value / most) for value in values])
        small = any(
            value > 0 and double < _SMALLEST
            for value, double in zip(values, near.tolist(), strict=True)
        )
        return cls(_read_only_view(ranks), values, None if small else _read_only_view(near))

    def doubles(self, ranks: npt.NDArray[Any]) -> Floats | None:
        """Some of the numbers, by their ranks, as doubles in proportion to them."""
        if self.values is None:
            return ranks
        return None if self.near is None else self.near[ranks]

    def positive(self, ranks: npt.NDArray[Any]) -> Booleans:
        """Say which of some numbers, by their ranks, are not zero."""
        zeros = self.values is None or not self.values[0]
        return ranks > 0 if zeros else np.ones(ranks.shape, dtype=bool)

    def value(self, rank: Any) -> Any:
        """One number, exactly, by its rank."""
        return int(rank) if self.values is None else self.values[rank]


def _read_only_view(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    view = values.view()
    view.setflags(write=False)
    return view


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ratios:
    """The largest ratio of each row over each other, with 0/0 left out and a/0 = ∞.

    Attributes
    ----------
    above, below : RankedEntries
        As many rows each.
    exact : bool
        If not, ratios are rounded up by more than what sums of doubles can lose.
    own : bool
        Whether both are one, so that the ratio of a row over itself is 1.

    >>> rows = RankedEntries.of(np.array([[1.0, 6.0, 3.0], [6.0, 1.0, 3.0]]))
    >>> ratios = Ratios(rows, rows, exact=True, own=True)
    >>> ratios(0), ratios.worst()
    ((Fraction(1, 1), Fraction(6, 1)), (Fraction(6, 1), 0, 1, 1))
    """

    above: RankedEntries
    below: RankedEntries
    exact: bool
    own: bool

    def __len__(self) -> int:
        return len(self.above.ranks)

    @classmethod
    def between(
        cls, above: npt.NDArray[Any], below: npt.NDArray[Any] | None = None, *, exact: bool
    ) -> "Ratios":
        """Compare the rows of one array with those of another, or with each other.

        Parameters
        ----------
        above, below : array, shape (k, m)
            No row all zero; whole numbers as doubles, or objects with exact arithmetic, where
            ``exact``.
        exact : bool
        """
        over = RankedEntries.of(above)
        return cls(over, over if below is None else RankedEntries.of(below), exact, below is None)

    def __call__(self, x: int) -> tuple[Ratio, ...]:
        """Give the largest ratio of one row over each."""
        return tuple(value for value, _ in self.cells(x))

    def cells(self, x: int) -> list[Cell]:
        """Give the largest ratio of one row over each, and where it is."""
        step = max(_AT_ONCE // self.below.ranks.shape[1], 1)
        parts = [self.below.ranks[start : start + step] for start in range(0, len(self), step)]
        row = self.above.ranks[x]
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.above.values is None:
                cells = [cell for part in parts for cell in _compare_rows(row, part, self.exact)]
            else:
                ratio_of: dict[tuple[int, int], Ratio] = {}
                cells = [
                    cell for part in parts for cell in self._compare_ranks(row, part, ratio_of)
                ]
        if self.own:
            cells[x] = Fraction(1), 0
        return cells

    def _compare_ranks(
        self, row: npt.NDArray[Any], below: npt.NDArray[Any], ratio_of: dict[tuple[int, int], Ratio]
    ) -> Iterator[Cell]:
        """Compare one row with several, exactly where doubles do not decide which is larger."""
        close = self.above.positive(row) | self.below.positive(below)
        rough, under = self.above.doubles(row), self.below.doubles(below)
        if rough is not None and under is not None:
            ratios = rough / under
            tops = np.fmax.reduce(ratios, axis=1)
            close &= (ratios >= (tops * (1 - _CLOSE))[:, None]) | np.isinf(ratios)
        for other, top in zip(below, close, strict=True):
            places = np.flatnonzero(top)
            firsts: dict[tuple[int, int], int] = {}
            pairs = zip(row[places].tolist(), other[places].tolist(), strict=True)
            for column, pair in zip(places.tolist(), pairs, strict=True):
                firsts.setdefault(pair, column)
            for pair in firsts.keys() - ratio_of.keys():
                ratio_of[pair] = self._ratio(*pair)
            largest, back = max((ratio_of[pair], -column) for pair, column in firsts.items())
            yield largest, -back

    def _ratio(self, above: Any, below: Any) -> Ratio:
        under = self.below.value(below)
        return Fraction(self.above.value(above)) / under if under else math.inf

    def worst(self, *, diagonal: bool = False) -> Worst | None:
        """Find the largest ratio, the first pair of rows that attains it, and its first column.

        Parameters
        ----------
        diagonal : bool
            Whether a row over itself counts.

        Returns
        -------
        tuple of (Fraction or float), int, int, int, or None
            None if no ratio is above 1.
        """
        if len(self) == 1 and not diagonal:
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = _ColumnExtremes.of(
                self.above.ranks, self.below.ranks, distinct_rows=not (diagonal or self.own)
            )
            value, attained = self._find_largest(ends.highs, ends.lows)
            if not value > 1:
                return None
            x = int(self._find_attaining(value, ends, attained).any(axis=1).argmax())
        cells = enumerate(self.cells(x))
        return next(
            (value, x, other, column)
            for other, (ratio, column) in cells
            if ratio == value and (diagonal or x != other)
        )

    def _find_largest(
        self, highs: npt.NDArray[Any], lows: npt.NDArray[Any]
    ) -> tuple[Ratio, Booleans]:
        """Find the largest of the ratios of some pairs, and say which pairs attain it."""
        if self.above.values is None:
            ratios = highs / lows * (1 if self.exact else 1 + _SLACK)
            top = float(np.fmax.reduce(ratios, axis=None))
            tied = ratios == top
            if top == math.inf or not self.exact:
                return top, tied
        else:
            tied = self.above.positive(highs) | self.below.positive(lows)
        pairs = list(zip(highs[tied].tolist(), lows[tied].tolist(), strict=True))
        ratio_of = {pair: self._ratio(*pair) for pair in set(pairs)}
        most = max(ratio_of.values())
        winners = {pair for pair, ratio in ratio_of.items() if ratio == most}
        tied[tied] = [pair in winners for pair in pairs]
        return most, tied

    def _find_attaining(
        self, value: Ratio, ends: "_ColumnExtremes", attained: Booleans
    ) -> Booleans:
        """Say which entries attain the largest ratio, among the columns that do."""
        columns = np.flatnonzero(attained.any(axis=0))
        above, below = self.above.ranks[:, columns], ends.lows_of_others(columns, len(self))
        if not self.exact:  # where a ratio of doubles may overflow, too
            rounded: Booleans = above / below * (1 + _SLACK) == float(value)
            return rounded
        if value == math.inf:
            return self.above.positive(above) & ~self.below.positive(below)
        attaining = np.zeros(above.shape, dtype=bool)
        for highs, lows, attained_row in zip(ends.highs, ends.lows, attained, strict=True):
            attaining |= (
                (above == highs[columns]) & (below == lows[columns]) & attained_row[columns]
            )
        return attaining


@final
@dataclass(frozen=True, slots=True, eq=False)
class _ColumnExtremes:
    """The largest entry above and the least below of each column: of two rows, where asked so.

    Attributes
    ----------
    highs, lows : array, shape (1 or 2, m)
        One of them in each column has the largest ratio.
    low, next_low : array, shape (m,)
        The least entry below, and the next one.
    least : array of int, shape (m,), or None
        Which row has the least entry below; None if that of the same row counts, too.
    """

    highs: npt.NDArray[Any]
    lows: npt.NDArray[Any]
    low: npt.NDArray[Any]
    next_low: npt.NDArray[Any]
    least: npt.NDArray[np.int64] | None

    @classmethod
    def of(
        cls, above: npt.NDArray[Any], below: npt.NDArray[Any], *, distinct_rows: bool
    ) -> "_ColumnExtremes":
        """Go through the columns of two arrays of as many rows."""
        if not distinct_rows:
            low = below.min(axis=0)
            return cls(above.max(axis=0)[None], low[None], low, low, None)
        rows, most, least = np.arange(above.shape[1]), above.argmax(axis=0), below.argmin(axis=0)
        high, low = above[most, rows], below[least, rows]
        rest, others = above.copy(), below.copy()
        rest[most, rows], others[least, rows] = above.min(), below.max()
        next_high, next_low, same = rest.max(axis=0), others.min(axis=0), most == least
        highs = np.stack([np.where(same, next_high, high), high])
        lows = np.stack([low, np.where(same, next_low, low)])
        return cls(highs, lows, low, next_low, least)

    def lows_of_others(self, columns: npt.NDArray[np.int64], rows: int) -> npt.NDArray[Any]:
        """For each row, the least entries below among the other rows."""
        others_low = np.repeat(self.low[None, columns], rows, axis=0)
        if self.least is not None:
            others_low[self.least[columns], np.arange(len(columns))] = self.next_low[columns]
        return others_low


def worst_pair(
    notion: Notion,
    answers: Sequence[str],
    ratios: Ratios,
    named: Callable[[int], str],
    *,
    diagonal: bool = False,
) -> Guarantee:
    """Find the worst pair of answers; the ratios of all pairs are computed when read.

    Parameters
    ----------
    notion : Notion
    answers : sequence of str
    ratios : Ratios
    named : callable
        Names a column.
    diagonal : bool
        Whether an answer beside itself counts.
    """
    size = len(answers)
    pairs: Pairs
    if size > _FEW and ratios.above.ranks.shape[1] <= _WIDE * size:
        worst, pairs = ratios.worst(diagonal=diagonal), PairsByRow(size, ratios)
    else:
        cells = [ratios.cells(x) for x in range(size)]
        worst, pairs = (
            _find_worst(cells, diagonal),
            tuple(tuple(v for v, _ in row) for row in cells),
        )
    if worst is None:
        return Guarantee(notion, Fraction(1), "by every report alike", pairs)
    value, x, other, column = worst
    where = f"{named(column)} between {answers[x]!r} and {answers[other]!r}"
    return Guarantee(notion, value, where, pairs)


def _find_worst(cells: Sequence[Sequence[Cell]], diagonal: bool) -> Worst | None:
    """Find the largest ratio above 1 of all pairs of rows."""
    worst: Worst | None = None
    for x, row in enumerate(cells):
        for other, (value, column) in enumerate(row):
            if value > (worst[0] if worst else 1) and (diagonal or x != other):
                worst = value, x, other, column
    return worst


def _compare_rows(row: npt.NDArray[Any], below: npt.NDArray[Any], exact: bool) -> Iterator[Cell]:
    """Compare one row with several.

    Division keeps the order up to ties, and whole doubles whose ratio rounds to one are equal.
    """
    ratios = row / below
    tops = np.fmax.reduce(ratios, axis=1)
    tied = ratios == tops[:, None]
    firsts, ties = tied.argmax(axis=1).tolist(), tied.sum(axis=1).tolist()
    ratio_of: dict[tuple[int, int], Fraction] = {}
    for other, (top, column) in enumerate(zip(tops.tolist(), firsts, strict=True)):
        if top == math.inf:
            yield math.inf, column
        elif not exact:
            yield top * (1 + _SLACK), column
        elif ties[other] == 1 or top == 1:
            pair = int(row[column]), int(below[other, column])
            if pair not in ratio_of:
                ratio_of[pair] = Fraction(*pair)
            yield ratio_of[pair], column
        else:
            yield _break_tie(row, below[other], np.flatnonzero(tied[other]))


def _break_tie(row: npt.NDArray[Any], other: npt.NDArray[Any], places: npt.NDArray[Any]) -> Cell:
    """Find the largest of ratios that are equal as doubles, and its first column."""
    pairs = zip(row[places].tolist(), other[places].tolist(), strict=True)
    firsts: dict[tuple[float, float], int] = {}
    for column, pair in zip(places.tolist(), pairs, strict=True):
        firsts.setdefault(pair, column)
    largest, back = max((Fraction(int(a), int(b)), -column) for (a, b), column in firsts.items())
    return largest, -back
