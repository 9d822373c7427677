"""Repeated questions: a permanent step, drawn once and kept, and a step for each report.

What the permanent step drew for an answer is kept by who gave it (memoised), and every report is
drawn from that. While the answer stays, all reports tell no more than what was kept: the loss over
all rounds is that of the permanent step. An answer that changes draws once more, and *that* it
changed, and when, is hidden by the step of each round alone. `privacy.loss_over_rounds` takes what
`memoised_draws` describes, and says what all reports give away between any two histories of
answers.
"""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.bulk_draws import CoinChance, Dice
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.memoised_draws import MemoisedBits, MemoisedDraws, MemoisedSymbols
from askance.channels.named_columns import coded_like, read_coded
from askance.channels.oracles import KAryOracle, UnaryOracle
from askance.channels.privatise import privatise
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.random_streams import is_seed, random_stream
from askance.results import is_missing
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_bound
from askance_collect.exact.ratio import chance, just_below, read_ratio

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
            remedy="one report tells no more than all of them",
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

    def parameters(self) -> dict[str, str]:
        """Write the parameters."""
        names = ("truth", "lie", "again_truth", "again_lie")
        return {name: str(getattr(self, name)) for name in names}


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

    def _repeat_chance(self, answers: int) -> Fraction:
        """The chance that a report is what was kept."""
        return again_chance(self.lasting, self.per_report, answers)

    @checked
    def permanent_channel(self, frame: Frame) -> Channel:
        """Yield the channel of the permanent step, which bounds what all rounds disclose."""
        return _kary_channel(frame, self.lasting / (self.lasting + len(frame) - 1))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel of one report: both steps, exact and without a matrix."""
        others = len(frame) - 1
        lasting_truth, again = (
            self.lasting / (self.lasting + others),
            self._repeat_chance(len(frame)),
        )
        return _kary_channel(
            frame, lasting_truth * again + (1 - lasting_truth) * (1 - again) / others
        )

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
        truth = self.lasting / (self.lasting + k - 1)
        return MemoisedSymbols(classes=k, symbols=k, truth=truth, again=self._repeat_chance(k))

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
        return privatise(
            _kary_channel(frame, self._repeat_chance(len(frame))), memos, rng=rng, coin=coin
        )

    def parameters(self) -> dict[str, str]:
        """Write the parameters."""
        return {"lasting": str(self.lasting), "each": str(self.per_report)}


def again_chance(lasting: Fraction, per_report: Fraction, answers: int) -> Fraction:
    """The chance that k-ary response repeats what was kept, so that one report's ratio is e^{ε₁}.

    In whole parts, rounded down.
    """
    lasting_truth, own = (odds / (odds + answers - 1) for odds in (lasting, per_report))
    other = (1 - lasting_truth) / (answers - 1)
    exact = (own - other) / (lasting_truth - other)
    return max(_whole_parts(exact), Fraction(1, answers))


def _kary_channel(frame: Frame, truth: Fraction) -> Channel:
    return Channel.from_oracle(frame, KAryOracle(answers=len(frame), truth=truth))
