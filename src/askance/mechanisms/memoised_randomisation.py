"""Repeated questions: a permanent step, drawn once and kept, and a step for each report.

What the permanent step drew for an answer is kept by who gave it (memoised), and every report is
drawn from that. While the answer stays, all reports tell no more than what was kept: the loss over
all rounds is that of the permanent step. An answer that changes draws once more, and *that* it
changed, and when, is hidden by the step of each round alone. `privacy.loss_over_rounds` takes what
`memoised_draws` describes, and says what all reports give away between any two histories of
answers.

Or each person draws before any answer what to say of every answer there may be: a cell for each
cell of a hash, or some bits for each answer that is asked (dBitFlip). An answer that changes leads
to another of these draws. How many there are bounds the loss between histories that change, and
come back, in the same rounds; between others, which of them a report came from tells the more, the
more reports there are.
"""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.bit_flip_oracle import MOST_ASKED, BitFlipOracle
from askance.channels.bulk_draws import CoinChance, Dice
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.memoised_draws import MemoisedBits, MemoisedDraws, MemoisedSymbols
from askance.channels.named_columns import ExpectedNames, coded_like, named_column, read_coded
from askance.channels.oracles import HashOracle, KAryOracle, UnaryOracle
from askance.channels.privatise import privatise
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.random_streams import is_seed, random_stream
from askance.results import is_missing
from askance.typing import Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_bound
from askance_collect.exact.ratio import chance, just_below, read_integer, read_ratio

_FINE = 1 << 24  # the step of each round is rounded to so many parts, which lowers every loss


class AbstractMemoised(AbstractMechanism):
    """A recipe for repeated questions: a permanent step, kept, and a step for each report."""

    __slots__ = ()

    @abstractmethod
    def permanent_channel(self, frame: Frame) -> Channel:
        """Yield the channel of the permanent step, which bounds what all rounds disclose."""

    @abstractmethod
    def memoised_draws(self, frame: Frame) -> MemoisedDraws:
        """Describe what is kept for each answer, to compute losses over rounds."""

    @abstractmethod
    def memoise(self, frame: Frame, column: Any, *, rng: Any = None, coin: bool = False) -> Any:
        """Draw the permanent step for a column of answers: what each person keeps."""

    @abstractmethod
    def report(self, frame: Frame, memos: Any, *, rng: Any = None, coin: bool = False) -> Any:
        """Draw the reports of one round from what is kept."""


def levels_of(levels: tuple[object, object, object, object]) -> tuple[Fraction, Fraction]:
    """Read e to the loss over all rounds and of one report."""
    lasting, per_report, lasting_ratio, per_report_ratio = levels
    most = just_below(loss_bound(lasting, lasting_ratio, names=("lasting", "lasting_ratio")))
    once = just_below(
        loss_bound(per_report, per_report_ratio, names=("per_report", "per_report_ratio"))
    )
    _refuse_larger_loss(once, most, "per_report")
    return most, once


def _refuse_larger_loss(per_report: Fraction, lasting: Fraction, where: str) -> None:
    if per_report > lasting:
        raise InputError(
            where,
            got="a loss above that over all rounds "
            f"({float(per_report):.4g} > {float(lasting):.4g})",
            allowed="at most the lasting loss",
            remedy="one report reveals no more than all of them",
        )


@final
@dataclass(frozen=True, slots=True, init=False)
class Rappor(AbstractMemoised):
    r"""RAPPOR: one bit for each answer, told at random once and for all, and again each time.

    A permanent bit is set with chance t where the answer is the bit's, else with l. A report's bit
    is set with chance p where the permanent bit is, else with q: for one report alone unary
    encoding with

    .. math:: p^* = t p + (1 - t) q, \quad q^* = l p + (1 - l) q

    Parameters
    ----------
    truth, lie : probability
        t and l, of the permanent step: 1 − f/2 and f/2 in the paper.
    again_truth, again_lie : probability
        p and q, of each report.

    References
    ----------
    Erlingsson, Pihur & Korolova (2014), basic RAPPOR; Arcolezi, Couchot, Al Bouna & Xiao (2022),
    chained unary encodings.

    >>> from askance import Frame
    >>> from askance.mechanisms import Rappor
    >>> rappor = Rappor(truth="3/4", lie="1/4", again_truth="3/4", again_lie="1/2")
    >>> rappor.channel(Frame(["a", "b", "c"])).oracle
    UnaryOracle(answers=3, truth=Fraction(11, 16), lie=Fraction(9, 16))
    """

    name: ClassVar[str] = "rappor"
    truth: Fraction
    lie: Fraction
    again_truth: Fraction
    again_lie: Fraction

    def __init__(
        self, *, truth: object, lie: object, again_truth: object, again_lie: object
    ) -> None:
        chances = {"truth": truth, "lie": lie, "again_truth": again_truth, "again_lie": again_lie}
        for name, value in chances.items():
            object.__setattr__(self, name, chance(value, f"Rappor.{name}"))

    @classmethod
    @checked
    def at_epsilon(
        cls,
        lasting: object = None,
        per_report: object = None,
        *,
        lasting_ratio: object = None,
        per_report_ratio: object = None,
    ) -> "Rappor":
        """Bound the loss of all reports while the answer stays, and of one, with symmetric steps.

        Parameters
        ----------
        lasting : number, optional
            ε of all rounds together, the answer unchanged, in (0, 12].
        per_report : number, optional
            ε of one report, at most the lasting one.
        lasting_ratio, per_report_ratio : number, optional
            e to these instead, exactly.

        >>> from askance.mechanisms import Rappor
        >>> rappor = Rappor.at_epsilon(lasting_ratio=9, per_report_ratio=4)
        >>> rappor.truth, rappor.lie, round(float(rappor.again_truth), 6)
        (Fraction(3, 4), Fraction(1, 4), 0.833333)
        """
        most, once = map(root_of, levels_of((lasting, per_report, lasting_ratio, per_report_ratio)))
        truth, own = most / (most + 1), min(once, most) / (min(once, most) + 1)
        exact = (own - (1 - truth)) / (2 * truth - 1)
        again = _whole_parts(exact)
        return cls(truth=truth, lie=1 - truth, again_truth=again, again_lie=1 - again)

    @checked
    def permanent_channel(self, frame: Frame) -> Channel:
        """Yield the channel of the permanent step, which bounds what all rounds disclose."""
        oracle = UnaryOracle(answers=len(frame), truth=self.truth, lie=self.lie)
        return Channel.from_oracle(frame, oracle)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel of one report: both steps, exact and without a matrix."""
        p, q = self.again_truth, self.again_lie
        truth, lie = (permanent * p + (1 - permanent) * q for permanent in (self.truth, self.lie))
        return Channel.from_oracle(frame, UnaryOracle(answers=len(frame), truth=truth, lie=lie))

    @checked
    def memoised_draws(self, frame: Frame) -> MemoisedBits:
        """Describe what is kept: bits for each answer, drawn when it is first given.

        >>> from askance import Frame
        >>> from askance.mechanisms import Rappor
        >>> from askance.privacy import losses_over_rounds
        >>> rappor = Rappor(truth="3/4", lie="1/4", again_truth="3/4", again_lie="1/4")
        >>> for loss in losses_over_rounds(rappor.memoised_draws(Frame(["a", "b", "c"])), 2):
        ...     print(loss.relation.name, loss.value)
        ANY 21952/2025
        ONE_CHANGE 21952/2025
        SAME_ROUNDS_OF_CHANGE 625/81
        UNCHANGED 49/9
        """
        k = len(frame)
        return MemoisedBits(
            classes=k,
            bits=k,
            truth=self.truth,
            lie=self.lie,
            again_truth=self.again_truth,
            again_lie=self.again_lie,
        )

    @checked
    def memoise(self, frame: Frame, column: Any, *, rng: Any = None, coin: bool = False) -> Any:
        r"""Draw the permanent bits for a column of answers: what each person keeps.

        Draw once for a person and an answer; an answer that is given again uses what was kept.

        Parameters
        ----------
        frame : Frame
        column : column of answers
        rng : numpy Generator, optional
            The analyst's dice, to rehearse: one for all rounds. A seed is refused.
        coin : bool
            Fresh bits of the operating system, as a respondent's device draws them.

        >>> from askance import Frame
        >>> from askance.mechanisms import Rappor
        >>> rappor = Rappor(truth=1, lie=0, again_truth="3/4", again_lie="1/4")
        >>> rappor.memoise(Frame(["a", "b", "c"]), ["b", None], coin=True)
        [b'@', None]
        """
        _refuse_seed(rng, "Rappor.memoise")
        return privatise(self.permanent_channel(frame), column, rng=rng, coin=coin)

    @checked
    def report(self, frame: Frame, memos: Any, *, rng: Any = None, coin: bool = False) -> Any:
        r"""Draw the reports of one round from the permanent bits that are kept.

        >>> from askance import Frame
        >>> from askance.mechanisms import Rappor
        >>> rappor = Rappor(truth="3/4", lie="1/4", again_truth=1, again_lie=0)
        >>> rappor.report(Frame(["a", "b", "c"]), [b"@", None], coin=True)
        [b'@', None]
        """
        oracle = self.permanent_channel(frame).oracle
        assert oracle is not None
        chances = chances_of(rng, coin, "Rappor.report")
        try:
            bits, _ = read_coded(memos, oracle, "Rappor.report.memos")
        except InputError as error:
            if coin:  # what is kept is nobody's business
                raise InputError("Rappor.report.memos", allowed=error.allowed) from None
            raise
        blank = _find_blanks(memos)
        if blank.all():
            raise InputError("Rappor.report.memos", got="nothing kept", allowed="at least one row")
        if_set, _ = chances.bits(self.again_truth, len(frame))(len(bits))
        if_unset, _ = chances.bits(self.again_lie, len(frame))(len(bits))
        reports = np.zeros((len(blank), bits.shape[1]), dtype=np.uint8)
        reports[~blank] = (bits & if_set) | (~bits & if_unset)
        return coded_like(memos, reports, blank, "Rappor.report.memos")


def root_of(level: Fraction) -> Fraction:
    """The square root, rounded down; exact where it is a ratio of whole numbers."""
    root = Fraction(isqrt(level.numerator * _FINE**2 // level.denominator), _FINE)
    near = root.limit_denominator(1000)
    return near if near**2 == level else root


def _whole_parts(share: Fraction) -> Fraction:
    """Round a chance down to whole parts, where it has more: the loss falls with it."""
    return share if share.denominator <= _FINE else Fraction(int(share * _FINE), _FINE)


def chances_of(rng: Any, coin: bool, where: str) -> CoinChance | Dice:
    """Take the coin, or dice with a state, and never both.

    >>> chances_of(None, True, "MemoisedKAry.memoise")
    CoinChance()
    """
    if coin and rng is not None:
        raise InputError(f"{where}.rng", got="dice and the coin", allowed="one of them")
    _refuse_seed(rng, where)
    return CoinChance() if coin else Dice(random_stream(rng, where))


def _refuse_seed(rng: Any, where: str) -> None:
    """Refuse a seed: it would repeat the same draws in every round."""
    if is_seed(rng):
        raise InputError(
            f"{where}.rng",
            got="a seed, which draws every round alike",
            allowed="a numpy Generator",
            remedy="make dice = numpy.random.default_rng(seed) once, and give rng=dice each time",
        )


def _find_blanks(memos: Any) -> Any:
    if isinstance(memos, np.ndarray) and memos.ndim == 2:
        return np.zeros(len(memos), dtype=bool)
    values = memos.to_pylist() if hasattr(memos, "to_pylist") else list(memos)
    return np.array([is_missing(value) for value in values], dtype=bool)


@final
@dataclass(frozen=True, slots=True, init=False)
class MemoisedKAry(AbstractMemoised):
    r"""Memoised k-ary response (L-GRR): an answer drawn once and kept, and one for each report.

    Both steps are k-ary response; the second is such that one report's ratio is e^{ε₁} or just
    below, where all rounds together come to e^{ε∞}.

    Parameters
    ----------
    lasting, per_report : number
        e^{ε∞} and e^{ε₁}: the ratios of all reports while the answer stays, and of one report.

    References
    ----------
    Arcolezi, Couchot, Al Bouna & Xiao (2022), L-GRR.

    >>> from askance import Frame
    >>> from askance.mechanisms import MemoisedKAry
    >>> recipe, abc = MemoisedKAry(lasting=6, per_report=2), Frame(["a", "b", "c"])
    >>> recipe.permanent_channel(abc).oracle.truth, recipe.channel(abc).oracle.truth
    (Fraction(3, 4), Fraction(1, 2))
    """

    name: ClassVar[str] = "memoised_kary"
    lasting: Fraction
    per_report: Fraction

    def __init__(self, *, lasting: object, per_report: object) -> None:
        for name, value in (("lasting", lasting), ("per_report", per_report)):
            where = f"MemoisedKAry.{name}"
            read = read_ratio(value, where)
            if read <= 1:
                raise InputError(where, got=str(value), allowed="a ratio e^ε in (1, ∞)")
            object.__setattr__(self, name, read)
        _refuse_larger_loss(self.per_report, self.lasting, "MemoisedKAry.per_report")

    @classmethod
    @checked
    def at_epsilon(
        cls,
        lasting: object = None,
        per_report: object = None,
        *,
        lasting_ratio: object = None,
        per_report_ratio: object = None,
    ) -> "MemoisedKAry":
        """Bound the loss of all reports while the answer stays, and that of one report.

        Parameters
        ----------
        lasting : number, optional
            ε of all rounds together, the answer unchanged, in (0, 12].
        per_report : number, optional
            ε of one report, at most the lasting one.
        lasting_ratio, per_report_ratio : number, optional
            e to these instead, exactly.

        >>> from askance.mechanisms import MemoisedKAry
        >>> MemoisedKAry.at_epsilon(lasting_ratio=6, per_report_ratio=2)
        MemoisedKAry(lasting=Fraction(6, 1), per_report=Fraction(2, 1))
        """
        most, once = levels_of((lasting, per_report, lasting_ratio, per_report_ratio))
        return cls(lasting=most, per_report=once)

    @checked
    def permanent_channel(self, frame: Frame) -> Channel:
        """Yield the channel of the permanent step, which bounds what all rounds disclose."""
        return _kary_channel(frame, _truth(self.lasting, len(frame)))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel of one report: both steps, exact and without a matrix."""
        return _kary_channel(frame, _truth_of_both(self.lasting, self.per_report, len(frame)))

    @checked
    def memoised_draws(self, frame: Frame) -> MemoisedSymbols:
        """Describe what is kept: one answer for each answer, drawn when that is first given.

        >>> from askance import Frame
        >>> from askance.mechanisms import MemoisedKAry
        >>> from askance.privacy import HistoryRelation, loss_over_rounds
        >>> draws = MemoisedKAry(lasting=7, per_report=3).memoised_draws(Frame(["yes", "no"]))
        >>> [round(loss_over_rounds(draws, r).epsilon, 2) for r in (1, 2, 4, 30)]
        [1.1, 2.2, 3.76, 24.67]
        >>> loss_over_rounds(draws, 30, relation=HistoryRelation.UNCHANGED).epsilon
        1.945911
        """
        k = len(frame)
        again = again_chance(self.lasting, self.per_report, k)
        return MemoisedSymbols(classes=k, symbols=k, truth=_truth(self.lasting, k), again=again)

    @checked
    def memoise(self, frame: Frame, column: Any, *, rng: Any = None, coin: bool = False) -> Any:
        """Draw the permanent answers for a column: what each person keeps, once for an answer.

        Parameters
        ----------
        frame : Frame
        column : column of answers
        rng : numpy Generator, optional
            The analyst's dice, to rehearse: one for all rounds. A seed is refused.
        coin : bool
            Fresh bits of the operating system, as a respondent's device draws them.

        >>> from askance import Frame
        >>> from askance.mechanisms import MemoisedKAry
        >>> MemoisedKAry(lasting=10**9, per_report=2).memoise(Frame(["a", "b"]), ["b", None])
        ['b', None]
        """
        _refuse_seed(rng, "MemoisedKAry.memoise")
        return privatise(self.permanent_channel(frame), column, rng=rng, coin=coin)

    @checked
    def report(self, frame: Frame, memos: Any, *, rng: Any = None, coin: bool = False) -> Any:
        """Draw the reports of one round from the answers that are kept.

        >>> from askance import Frame
        >>> from askance.mechanisms import MemoisedKAry
        >>> recipe = MemoisedKAry(lasting=6, per_report=6)
        >>> recipe.report(Frame(["a", "b"]), ["b", None], coin=True)
        ['b', None]
        """
        _refuse_seed(rng, "MemoisedKAry.report")
        again = again_chance(self.lasting, self.per_report, len(frame))
        return privatise(_kary_channel(frame, again), memos, rng=rng, coin=coin)

    def parameters(self) -> dict[str, str]:
        """Write the parameters."""
        return {"lasting": str(self.lasting), "each": str(self.per_report)}


def again_chance(lasting: Fraction, per_report: Fraction, answers: int) -> Fraction:
    """The chance that k-ary response repeats what was kept, so that one report's ratio is e^{ε₁}.

    In whole parts, rounded down.
    """
    lasting_truth, own = (_truth(odds, answers) for odds in (lasting, per_report))
    other = (1 - lasting_truth) / (answers - 1)
    exact = (own - other) / (lasting_truth - other)
    return max(_whole_parts(exact), Fraction(1, answers))


def _truth(odds: Fraction, answers: int) -> Fraction:
    """The chance of the truth in k-ary response with these odds to each other answer."""
    return odds / (odds + answers - 1)


def _truth_of_both(lasting: Fraction, per_report: Fraction, answers: int) -> Fraction:
    """The chance of the truth after the permanent step and that of one report."""
    kept, again = _truth(lasting, answers), again_chance(lasting, per_report, answers)
    return kept * again + (1 - kept) * (1 - again) / (answers - 1)


def _kary_channel(frame: Frame, truth: Fraction) -> Channel:
    return Channel.from_oracle(frame, KAryOracle(answers=len(frame), truth=truth))


_PEOPLE = "a whole number of people in [1, 2^32]"
_SEEDS = 1 << 40
_MOST_CELLS = 256


@final
@dataclass(frozen=True, slots=True, init=False)
class MemoisedHashing(AbstractMechanism):
    r"""Memoised local hashing (LOLOHA): one seed for good, and an answer kept for each of g cells.

    Answers are thrown into g cells by a seed of one's own; for every cell a permanent one is drawn
    by k-ary response and kept, and every report is drawn from that of today's answer. No more than
    g permanent draws are ever used: few cells lose less over changes in rounds that are known,
    e^{ε₁} + 1 cells tell most in one report.

    Parameters
    ----------
    lasting, per_report : number
        e^{ε∞} and e^{ε₁}: the ratios of all reports while the answer stays, and of one report.
    cells : int, optional
        g, from 2 to 256; left out, that with the least variance of one report.

    References
    ----------
    Arcolezi, Pinzón, Palamidessi & Gambs (2023), LOLOHA.

    >>> from askance import Frame
    >>> from askance.mechanisms import MemoisedHashing
    >>> recipe = MemoisedHashing(lasting=6, per_report=2, cells=3)
    >>> recipe.channel(Frame([f"page {i}" for i in range(1000)])).oracle
    HashOracle(answers=1000, cells=3, truth=Fraction(1, 2))
    """

    name: ClassVar[str] = "memoised_hash"
    lasting: Fraction
    per_report: Fraction
    cells: int

    def __init__(self, *, lasting: object, per_report: object, cells: int | None = None) -> None:
        levels = MemoisedKAry(lasting=lasting, per_report=per_report)
        for name in ("lasting", "per_report"):
            object.__setattr__(self, name, getattr(levels, name))
        if cells is None:
            count = min(range(2, _MOST_CELLS + 1), key=self._spread)
        else:
            allowed = f"a whole number from 2 to {_MOST_CELLS}"
            count = read_integer(cells, "MemoisedHashing.cells", allowed, 2, _MOST_CELLS)
        object.__setattr__(self, "cells", count)

    @classmethod
    @checked
    def at_epsilon(
        cls,
        lasting: object = None,
        per_report: object = None,
        *,
        lasting_ratio: object = None,
        per_report_ratio: object = None,
    ) -> "MemoisedHashing":
        """Bound the loss of all reports while the answer stays, and of one; with the best cells.

        Parameters
        ----------
        lasting : number, optional
            ε of all rounds together, the answer unchanged, in (0, 12].
        per_report : number, optional
            ε of one report, at most the lasting one.
        lasting_ratio, per_report_ratio : number, optional
            e to these instead, exactly.

        >>> from askance.mechanisms import MemoisedHashing
        >>> MemoisedHashing.at_epsilon(lasting=4, per_report=3).cells
        21
        """
        most, once = levels_of((lasting, per_report, lasting_ratio, per_report_ratio))
        return cls(lasting=most, per_report=once)

    def _spread(self, cells: int) -> float:
        """The variance of a rare share from one report."""
        own, other = float(self.per_report / (self.per_report + cells - 1)), 1 / cells
        return other * (1 - other) / (own - other) ** 2

    @checked
    def permanent_channel(self, frame: Frame) -> Channel:
        """Yield the channel of one permanent draw."""
        truth = _truth(self.lasting, self.cells)
        return Channel.from_oracle(frame, self._oracle(frame, truth))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel of one report: both steps, exact and without a matrix."""
        truth = _truth_of_both(self.lasting, self.per_report, self.cells)
        return Channel.from_oracle(frame, self._oracle(frame, truth))

    def _oracle(self, frame: Frame, truth: Fraction) -> HashOracle:
        return HashOracle(answers=len(frame), cells=self.cells, truth=truth)

    @checked
    def memoised_draws(self, frame: Frame) -> MemoisedSymbols:
        """Describe what is kept: for each cell into which answers are hashed, a cell to report.

        >>> from askance import Frame
        >>> from askance.mechanisms import MemoisedHashing
        >>> from askance.privacy import losses_over_rounds
        >>> recipe, pages = MemoisedHashing(lasting=6, per_report=3, cells=2), Frame(list("abcdef"))
        >>> for loss in losses_over_rounds(recipe.memoised_draws(pages), 12):
        ...     print(loss.relation.name, loss.epsilon)
        ANY 10.812265
        ONE_CHANGE 10.812265
        SAME_ROUNDS_OF_CHANGE 3.583167
        UNCHANGED 1.79176
        """
        truth = _truth(self.lasting, self.cells)
        again = again_chance(self.lasting, self.per_report, self.cells)
        classes = min(self.cells, len(frame))
        return MemoisedSymbols(classes=classes, symbols=self.cells, truth=truth, again=again)

    @checked
    def memoise(self, people: int, *, rng: Any = None, coin: bool = False) -> Integers:
        """Draw what each person keeps, before any answer: a seed, and a cell for every cell.

        Returns
        -------
        array of int, shape (people, g + 1)

        >>> from askance.mechanisms import MemoisedHashing
        >>> MemoisedHashing(lasting=6, per_report=2, cells=3).memoise(5, coin=True).shape
        (5, 4)
        """
        count = read_integer(people, "MemoisedHashing.memoise.people", _PEOPLE, 1, 1 << 32)
        chances = chances_of(rng, coin, "MemoisedHashing.memoise")
        truth = _truth(self.lasting, self.cells)
        draw = KAryOracle(answers=self.cells, truth=truth).draw(chances)
        columns = [chances.rows(count).below(_SEEDS)]
        columns += [draw(np.full(count, cell)) for cell in range(self.cells)]
        memos = np.stack(columns, axis=1)
        memos.setflags(write=False)
        return memos

    @checked
    def report(
        self, frame: Frame, memos: Any, column: Any, *, rng: Any = None, coin: bool = False
    ) -> Any:
        """Draw the reports of one round from what is kept and today's answers.

        Parameters
        ----------
        frame : Frame
        memos : array of int, shape (n, g + 1)
            As `memoise` drew it, a row for each person.
        column : column of answers
            One for each row; what is missing stays so.
        rng : numpy Generator, optional
            The analyst's dice, to rehearse: one for all rounds. A seed is refused.
        coin : bool
            Fresh bits of the operating system, as a respondent's device draws them.

        >>> from askance import Frame
        >>> from askance.mechanisms import MemoisedHashing
        >>> recipe, abc = MemoisedHashing(lasting=6, per_report=2, cells=3), Frame(["a", "b", "c"])
        >>> recipe.report(abc, recipe.memoise(2), ["a", None])
        [..., None]
        """
        where = "MemoisedHashing.report"
        chances = chances_of(rng, coin, where)
        named = named_column(column, ExpectedNames(frame.answers, f"{where}.column", not coin))
        places = named.places.astype(np.int64)
        memos = _read_memos(
            memos, len(places), [_SEEDS] + [self.cells] * self.cells, f"{where}.memos"
        )
        blank, again = places < 0, again_chance(self.lasting, self.per_report, self.cells)
        oracle = self._oracle(frame, again)
        cell = oracle.cells_of(memos[:, 0], np.where(blank, 0, places))
        memo = memos[np.arange(len(places)), 1 + cell]
        reported = KAryOracle(answers=self.cells, truth=again).draw(chances)(memo)
        return coded_like(column, memos[:, 0] * self.cells + reported, blank, f"{where}.column")

    def parameters(self) -> dict[str, str]:
        """Write the parameters."""
        return {
            "lasting": str(self.lasting),
            "each": str(self.per_report),
            "cells": str(self.cells),
        }


@final
@dataclass(frozen=True, slots=True, init=False)
class DBitFlip(AbstractMechanism):
    r"""Memoised dBitFlip (dBitFlipPM): d answers are asked for good, a bit for each is kept.

    Which d answers a person is asked about is drawn once, and told. For each of them as the true
    answer, and once for all that are not asked, the person draws d bits and keeps them: the true
    answer's is set with p, every other with q. A report is the bits of today's answer, as they are.
    Answers are named; cut a number into ranges first.

    Parameters
    ----------
    truth, lie : probability
        p and q ≤ p.
    answers_asked : int
        d, from 1 to 62 and at most the number of answers.

    References
    ----------
    Ding, Kulkarni & Yekhanin (2017), dBitFlipPM, where p + q = 1.

    >>> from askance import Frame
    >>> from askance.mechanisms import DBitFlip
    >>> recipe = DBitFlip.at_epsilon(ratio=9, answers_asked=2)
    >>> recipe
    DBitFlip(truth=Fraction(3, 4), lie=Fraction(1, 4), answers_asked=2)
    >>> recipe.channel(Frame(list("abcdefgh"))).oracle.ratio
    Fraction(9, 1)
    """

    name: ClassVar[str] = "dbitflip"
    truth: Fraction
    lie: Fraction
    answers_asked: int

    def __init__(self, *, truth: object, lie: object, answers_asked: int) -> None:
        for name, value in (("truth", truth), ("lie", lie)):
            object.__setattr__(self, name, chance(value, f"DBitFlip.{name}"))
        if self.lie > self.truth:
            raise InputError("DBitFlip.lie", got=str(lie), allowed=f"at most the truth, {truth}")
        allowed = f"a whole number from 1 to {MOST_ASKED}"
        object.__setattr__(
            self,
            "answers_asked",
            read_integer(answers_asked, "DBitFlip.answers_asked", allowed, 1, MOST_ASKED),
        )

    @classmethod
    @checked
    def at_epsilon(
        cls, epsilon: object = None, *, ratio: object = None, answers_asked: int
    ) -> "DBitFlip":
        """Bound the loss of all reports while the answer stays, with p + q = 1.

        One bit alone (d = 1) may be truer for the same loss than each of several.

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.
        answers_asked : int
            d.

        >>> from askance.mechanisms import DBitFlip
        >>> [DBitFlip.at_epsilon(ratio=9, answers_asked=d).truth for d in (1, 2, 16)]
        [Fraction(9, 10), Fraction(3, 4), Fraction(3, 4)]
        """
        level = just_below(loss_bound(epsilon, ratio))
        odds = level if answers_asked == 1 else root_of(level)
        return cls(truth=odds / (odds + 1), lie=1 / (odds + 1), answers_asked=answers_asked)

    @checked
    def permanent_channel(self, frame: Frame) -> Channel:
        """Yield the channel of one permanent draw, which is sent as it is: that of one report."""
        return Channel.from_oracle(frame, self._oracle(frame))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel of one report, exact and without a matrix."""
        return self.permanent_channel(frame)

    def _oracle(self, frame: Frame) -> BitFlipOracle:
        return BitFlipOracle(
            answers=len(frame), asked=self.answers_asked, truth=self.truth, lie=self.lie
        )

    @checked
    def memoised_draws(self, frame: Frame) -> MemoisedBits:
        """Describe what is kept: bits for each answer that is asked, and for all others together.

        What is kept is sent as it is: between histories that change, and come back, in the same
        rounds no loss is added beyond d draws, but two reports that differ show *that* an answer
        changed, for certain. `change_detection_chance` says how often they do.

        >>> from askance import Frame
        >>> from askance.mechanisms import DBitFlip
        >>> from askance.privacy import losses_over_rounds
        >>> recipe = DBitFlip(truth="3/4", lie="1/4", answers_asked=2)
        >>> for loss in losses_over_rounds(recipe.memoised_draws(Frame(["a", "b", "c"])), 1000):
        ...     print(loss.relation.name, loss.value)
        ANY inf
        ONE_CHANGE inf
        SAME_ROUNDS_OF_CHANGE 81
        UNCHANGED 9
        """
        return MemoisedBits(
            classes=min(self.answers_asked + 1, self._oracle(frame).answers),
            bits=self.answers_asked,
            truth=self.truth,
            lie=self.lie,
            again_truth=Fraction(1),
            again_lie=Fraction(0),
        )

    @checked
    def change_detection_chance(self, frame: Frame) -> Fraction:
        r"""The exact chance that a report differs from the last where the answer has changed.

        .. math:: 1 - P_0 - 2 P_1\, a\, s^{d - 1} - P_2\, a^2 s^{d - 2}, \quad
            a = p q + (1 - p)(1 - q), \quad s = q^2 + (1 - q)^2

        P₂, P₁ and P₀ are the chances that both answers are asked, the first alone, and none.
        Whoever compares two reports that differ knows for certain that the answer changed.

        >>> from askance import Frame
        >>> from askance.mechanisms import DBitFlip
        >>> pages = Frame([f"page {i}" for i in range(32)])
        >>> flips = [DBitFlip.at_epsilon(1, answers_asked=d) for d in (1, 4)]
        >>> [round(float(flip.change_detection_chance(pages)), 3) for flip in flips]
        [0.038, 0.221]
        """
        oracle, d = self._oracle(frame), self.answers_asked
        p, q = self.truth, self.lie
        pair = oracle.both_asked
        single = Fraction(d, len(frame)) - pair
        own, other = p * q + (1 - p) * (1 - q), q**2 + (1 - q) ** 2
        unchanged = 1 - pair - 2 * single + 2 * single * own * other ** (d - 1)
        return 1 - unchanged - (pair * own**2 * other ** (d - 2) if pair else Fraction(0))

    @checked
    def memoise(
        self, frame: Frame, people: int, *, rng: Any = None, coin: bool = False
    ) -> Integers:
        """Draw what each person keeps, before any answer: who is asked what, and all bits.

        Parameters
        ----------
        frame : Frame
        people : int
        rng : numpy Generator, optional
            The analyst's dice, to rehearse: one for all rounds. A seed is refused.
        coin : bool
            Fresh bits of the operating system, as a respondent's device draws them.

        Returns
        -------
        array of int, shape (people, 2d + 1)
            The positions of the answers that are asked; then for each of these as the true answer,
            and last for all others, a number whose binary digits are the bits.

        >>> from askance import Frame
        >>> from askance.mechanisms import DBitFlip
        >>> abc = Frame(["a", "b", "c"])
        >>> DBitFlip.at_epsilon(1, answers_asked=2).memoise(abc, 5, coin=True).shape
        (5, 5)
        """
        count = read_integer(people, "DBitFlip.memoise.people", _PEOPLE, 1, 1 << 32)
        oracle, d = self._oracle(frame), self.answers_asked
        rows = chances_of(rng, coin, "DBitFlip.memoise").rows(count)
        memos = np.zeros((count, 2 * d + 1), dtype=np.int64)
        memos[:, :d] = oracle.choose(rows, count)
        for true in range(d + 1):
            for position in range(d):
                bit = rows.flips(self.truth if position == true else self.lie)
                memos[:, d + true] |= bit.astype(np.int64) << np.int64(position)
        memos.setflags(write=False)
        return memos

    @checked
    def report(self, frame: Frame, memos: Any, column: Any) -> Any:
        r"""Say the reports of one round from what is kept and today's answers: nothing is drawn.

        No message repeats an answer.

        Parameters
        ----------
        frame : Frame
        memos : array of int, shape (n, 2d + 1)
            As `memoise` drew it, a row for each person.
        column : column of answers
            One for each row; what is missing stays so.

        >>> from askance import Frame
        >>> from askance.mechanisms import DBitFlip
        >>> recipe, abc = DBitFlip(truth=1, lie=0, answers_asked=3), Frame(["a", "b", "c"])
        >>> recipe.report(abc, recipe.memoise(abc, 2, coin=True), ["b", None])
        [b'@\xe0', None]
        """
        where, d, oracle = "DBitFlip.report", self.answers_asked, self._oracle(frame)
        named = named_column(column, ExpectedNames(frame.answers, f"{where}.column", False))
        places = named.places.astype(np.int64)
        limits = [len(frame)] * d + [1 << d] * (d + 1)
        memos = _read_memos(memos, len(places), limits, f"{where}.memos")
        asked_answers = memos[:, :d]
        if (np.diff(np.sort(asked_answers, axis=1), axis=1) == 0).any():
            raise _invalid_memos(f"{where}.memos", len(limits))
        own = asked_answers == places[:, None]
        memo = np.where(own.any(axis=1), own.argmax(axis=1), d)
        reports = oracle.pack(asked_answers, memos[np.arange(len(places)), d + memo])
        return coded_like(column, reports, places < 0, f"{where}.column")

    def parameters(self) -> dict[str, str]:
        """Write the parameters."""
        return {"truth": str(self.truth), "lie": str(self.lie), "asked": str(self.answers_asked)}


def _read_memos(memos: Any, people: int, limits: list[int], where: str) -> Integers:
    """Read what people keep: whole numbers of any width, below the limit of their column."""
    right = getattr(memos, "dtype", np.dtype("O")).kind in "iu"
    if not right or not people or np.shape(memos) != (people, len(limits)):
        raise _invalid_memos(where, len(limits))
    integers = np.asarray(memos)
    if (integers < 0).any() or (integers >= np.array(limits)).any():
        raise _invalid_memos(where, len(limits))
    return integers.astype(np.int64)


def _invalid_memos(where: str, columns: int) -> InputError:
    return InputError(
        where,
        allowed=f"whole numbers of shape (n, {columns}), a row for each answer",
        remedy="hand over what begin drew for these people",
    )
