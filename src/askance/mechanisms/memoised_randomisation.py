"""Repeated questions whose permanent draws are made before any answer: no change adds a new one.

Each person draws once what to say of every answer there may be: a cell for each cell of a hash, or
some bits for each answer that is asked (dBitFlip). An answer that changes leads to another of these
draws. How many there are bounds the loss between histories that change, and come back, in the same
rounds; between others, which of them a report came from tells the more, the more reports there are
(`privacy.loss_over_rounds`).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.bit_flip_oracle import MOST_ASKED, BitFlipOracle
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.memoised_draws import MemoisedBits, MemoisedSymbols
from askance.channels.named_columns import ExpectedNames, coded_like, named_column
from askance.channels.oracles import HashOracle, KAryOracle
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.mechanisms.several_rounds import (
    MemoisedKAry,
    again_chance,
    chances_of,
    levels_of,
    root_of,
)
from askance.typing import Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_bound
from askance_collect.exact.ratio import chance, just_below, read_integer

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
        truth = self.lasting / (self.lasting + self.cells - 1)
        return Channel.from_oracle(frame, self._oracle(frame, truth))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel of one report: both steps, exact and without a matrix."""
        others = self.cells - 1
        lasting_truth = self.lasting / (self.lasting + others)
        again = again_chance(self.lasting, self.per_report, self.cells)
        truth = lasting_truth * again + (1 - lasting_truth) * (1 - again) / others
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
        truth = self.lasting / (self.lasting + self.cells - 1)
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
        truth = self.lasting / (self.lasting + self.cells - 1)
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
