"""Several attributes of a person: split the budget, sample one attribute, or fake the others.

With k-ary response for each. What a whole record loses and what one attribute loses differ, and are
both told: a fake hides which attribute was drawn, which makes the loss of one attribute smaller;
between records that differ in all of them it changes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import isqrt
from typing import Any, final

import numpy as np

from askance.channels.bulk_draws import CoinChance, Dice
from askance.channels.channel import BLANK, Channel
from askance.channels.frame import Frame
from askance.channels.named_columns import ExpectedNames, NamedColumn, named_column
from askance.channels.oracles import KAryOracle
from askance.mechanisms.randomised_response import KAry
from askance.random_streams import random_stream
from askance.results import kept_mapping
from askance.typing import Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_bound
from askance_collect.exact.ratio import just_below

_STEPS, _FINE = 40, 1 << 24


@final
class Sharing(Enum):
    """How attributes share a budget; each member's value says it in one sentence."""

    SPLIT = "every attribute is reported, each with its part of the loss"
    SAMPLE = "one attribute, drawn evenly, is reported with all of the loss, and no other"
    FAKE = "one attribute, drawn evenly, is reported, and of the others an even draw of answers"


@final
@dataclass(frozen=True, slots=True, init=False)
class SeveralAttributes:
    r"""Several attributes of a person by k-ary response: split, sample, or sample and fake (RS+FD).

    Parameters
    ----------
    frames : mapping of str to Frame
        The answers of each attribute; two attributes or more.
    sharing : Sharing
    epsilon : number, optional
        ε in (0, 12], which bounds the loss of a whole record.
    ratio : number, optional
        e^ε instead, exactly.
    per_attribute : bool
        Bound the loss of any one attribute, all others alike, and not that of the record.

    Attributes
    ----------
    column_ratio : Fraction
        e to the loss of each k-ary response.

    References
    ----------
    Arcolezi, Couchot, Al Bouna & Xiao (2021), random sampling plus fake data: ln(d(e^ε − 1) + 1).

    >>> from askance import Frame
    >>> from askance.mechanisms import SeveralAttributes, Sharing
    >>> frames = {"tea": Frame(["yes", "no"]), "cake": Frame(["yes", "no"])}
    >>> faked = SeveralAttributes(frames, Sharing.FAKE, ratio=3, per_attribute=True)
    >>> faked.column_ratio, faked.ratio(["tea"]), faked.ratio()
    (Fraction(5, 1), Fraction(3, 1), Fraction(5, 1))
    """

    frames: Mapping[str, Frame]
    sharing: Sharing
    column_ratio: Fraction

    @checked
    def __init__(
        self,
        frames: Mapping[str, Frame],
        sharing: Sharing,
        *,
        epsilon: object = None,
        ratio: object = None,
        per_attribute: bool = False,
    ) -> None:
        if len(frames) < 2 or any(len(frame) < 2 for frame in frames.values()):
            raise InputError(
                "SeveralAttributes.frames",
                got=f"{len(frames)} attributes",
                allowed="two attributes or more, of two answers or more each",
            )
        object.__setattr__(self, "frames", kept_mapping(frames))
        object.__setattr__(self, "sharing", sharing)
        bound = just_below(loss_bound(epsilon, ratio))
        sizes = [len(frame) for frame in frames.values()]
        if sharing is Sharing.SPLIT and not per_attribute:
            bound = _part(bound, len(frames))
        if sharing is Sharing.FAKE and per_attribute:
            bound = _amplify_ratio(bound, sizes)
        if bound <= 1:
            raise InputError(
                "SeveralAttributes.epsilon",
                got=f"{float(loss_bound(epsilon, ratio)) - 1:.1g} for all {len(frames)} attributes",
                allowed="a loss of at least a ten-millionth for each",
            )
        object.__setattr__(self, "column_ratio", bound)

    @property
    def channels(self) -> Mapping[str, Channel]:
        r"""What each attribute's column of reports means: count and estimate it by its channel.

        Where one attribute is sampled, the blanks of a column are those who sent another. Where the
        others are faked, d attributes of k answers give

        .. math:: p^* = \frac{t}{d} + \frac{d - 1}{d k}

        References
        ----------
        Arcolezi, Couchot, Al Bouna & Xiao (2021), whose estimator follows from it.

        >>> from askance import Frame
        >>> from askance.mechanisms import SeveralAttributes, Sharing
        >>> frames = {"tea": Frame(["yes", "no"]), "cake": Frame(["yes", "no"])}
        >>> faked = SeveralAttributes(frames, Sharing.FAKE, ratio=3)
        >>> faked.channels["tea"].matrix.tolist()
        [[0.625, 0.375], [0.375, 0.625]]
        """
        d, channels = len(self.frames), {}
        for name, frame in self.frames.items():
            truth = self._truth(len(frame))
            if self.sharing is Sharing.FAKE:
                truth = truth / d + Fraction(d - 1, d * len(frame))
            channels[name] = KAry(truth=truth).channel(frame)
        return kept_mapping(channels)

    def _truth(self, answers: int) -> Fraction:
        return self.column_ratio / (self.column_ratio + answers - 1)

    @checked
    def ratio(self, differing: Sequence[str] | None = None) -> Fraction:
        r"""Exact e^ε between two records that differ in these attributes, or in all.

        :math:`L^{|J|}` where each of J is reported with ratio L, L where one is sampled, and with
        fakes

        .. math:: 1 + (L - 1) \frac{\sum_{j \in J} w_j}{\sum_j w_j}, \quad
            w_j = \frac{k_j}{L + k_j - 1}

        With d attributes of equally many answers one attribute's is 1 + (L − 1)/d, as published;
        of unequal ones the largest has more. All together have L: a report that is the record
        itself is L times as likely, whichever attribute was drawn.

        Parameters
        ----------
        differing : sequence of str, optional

        >>> from askance import Frame
        >>> from askance.mechanisms import SeveralAttributes, Sharing
        >>> frames = {"tea": Frame(["yes", "no"]), "cake": Frame(["a", "b", "c", "d"])}
        >>> faked = SeveralAttributes(frames, Sharing.FAKE, ratio=5)
        >>> faked.ratio(["tea"]), faked.ratio(["cake"]), faked.ratio()
        (Fraction(13, 5), Fraction(17, 5), Fraction(5, 1))
        """
        named = list(self.frames) if differing is None else differing
        is_known = isinstance(named, list | tuple) and all(
            isinstance(name, str) and name in self.frames for name in named
        )
        if not is_known or len(set(named)) < len(named):
            raise InputError(
                "SeveralAttributes.ratio.differing",
                got=named,
                allowed=f"a list of different ones of {', '.join(self.frames)}",
            )
        if self.sharing is Sharing.SPLIT or not named:
            return self.column_ratio ** len(named)
        if self.sharing is Sharing.SAMPLE:
            return self.column_ratio
        weights = {
            name: _weight(self.column_ratio, len(frame)) for name, frame in self.frames.items()
        }
        share = sum(weights[name] for name in named) / sum(weights.values())
        return Fraction(1 + (self.column_ratio - 1) * share)

    @checked
    def privatise(
        self, columns: Mapping[str, Any], *, rng: Any = None, coin: bool = False
    ) -> dict[str, Any]:
        """Privatise records: a column of reports for each attribute, of the kind it came in.

        Parameters
        ----------
        columns : mapping of str to column of answers
            One for each attribute, as long as each other, and nothing missing.
        rng : seed or numpy Generator, optional
            The analyst's dice, to rehearse. A seed has one stream for the attributes together.
        coin : bool
            Fresh bits of the operating system, as a respondent's device draws them.

        Raises
        ------
        InputError
            If an attribute has no column, lengths differ, an answer is missing or is none, or dice
            and the coin are both given.

        >>> from askance import Frame
        >>> from askance.mechanisms import SeveralAttributes, Sharing
        >>> frames = {"tea": Frame(["yes", "no"]), "cake": Frame(["yes", "no"])}
        >>> sampled = SeveralAttributes(frames, Sharing.SAMPLE, ratio=3)
        >>> sampled.privatise({"tea": ["yes", "no"], "cake": ["no", "no"]}, rng=2)
        {'tea': [None, 'no'], 'cake': ['no', None]}
        """
        where = "SeveralAttributes.privatise"
        if coin and rng is not None:
            raise InputError(f"{where}.rng", got="dice and the coin", allowed="one of them")
        chance = CoinChance() if coin else Dice(random_stream(rng, where, "\n".join(self.frames)))
        named = _read_columns(self.frames, columns, where, show_values=not coin)
        count = len(next(iter(named.values())).places)
        sampled = chance.rows(count).below(len(named))
        reports = {}
        for index, (name, column) in enumerate(named.items()):
            frame = self.frames[name]
            oracle = KAryOracle(answers=len(frame), truth=self._truth(len(frame)))
            places = np.asarray(oracle.draw(chance)(column.places), dtype=np.int64)
            if self.sharing is not Sharing.SPLIT:
                places = np.where(
                    sampled == index, places, self._draw_other(chance, count, len(frame))
                )
            reports[name] = column.written(places, frame.answers)
        return reports

    def _draw_other(self, chance: CoinChance | Dice, count: int, answers: int) -> Integers:
        """Draw the report of an attribute that was not sampled."""
        if self.sharing is Sharing.SAMPLE:
            return np.full(count, BLANK)
        return chance.rows(count).below(answers)


def _weight(level: Fraction, answers: int) -> Fraction:
    """Give k times the chance of each other answer: what of this attribute is open."""
    return answers / (level + answers - 1)


def _part(level: Fraction, parts: int) -> Fraction:
    """A root of e^ε, rounded down to whole parts unless it is exact."""
    if parts == 2:
        root = Fraction(isqrt(level.numerator * _FINE**2 // level.denominator), _FINE)
    else:
        root = Fraction(int(float(level) ** (1 / parts) * _FINE), _FINE)
    near = root.limit_denominator(1000)
    if near**parts == level:
        return near
    while root**parts > level:
        root -= Fraction(1, _FINE)
    return root


def _amplify_ratio(level: Fraction, sizes: list[int]) -> Fraction:
    """The largest ratio that costs no attribute more than this; rounded down unless exact."""
    d, largest = len(sizes), max(sizes)

    def cost(tried: Fraction) -> Fraction:
        weights = [_weight(tried, size) for size in sizes]
        return 1 + (tried - 1) * _weight(tried, largest) / sum(weights)

    most = d * (level - 1) + 1
    if cost(most) <= level:
        return most
    low, high = level, most
    for _ in range(_STEPS):
        middle = Fraction(int((low + high) / 2 * _FINE), _FINE)
        low, high = (middle, high) if cost(middle) <= level else (low, middle)
    return low


def _read_columns(
    frames: Mapping[str, Frame], columns: Mapping[str, Any], where: str, *, show_values: bool
) -> dict[str, NamedColumn]:
    """Read a column for each attribute, all of one length and nothing missing."""
    if set(columns) != set(frames):
        raise InputError(
            f"{where}.columns", got=", ".join(map(str, columns)), allowed=", ".join(frames)
        )
    named = {}
    for name, frame in frames.items():
        column, path = columns[name], f"{where}.columns[{name!r}]"
        column = column.astype(object) if isinstance(column, np.ndarray) else column
        named[name] = named_column(column, ExpectedNames(frame.answers, path, show_values))
        if (named[name].places == BLANK).any():
            raise InputError(
                f"{path}[{int((named[name].places == BLANK).argmax())}]",
                got="a missing answer",
                allowed="answers only",
                remedy="make the blank an answer of the frame",
            )
    lengths = {len(column.places) for column in named.values()}
    if len(lengths) > 1 or 0 in lengths:
        raise InputError(
            f"{where}.columns",
            got=f"columns of {', '.join(map(str, sorted(lengths)))} rows",
            allowed="columns of one length, with at least one row",
        )
    return named
